/** Reads and writes a website as a folder (format 1). It needs no server. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  compareText,
  type FolderContent,
  type FolderFinding,
  type FolderKind,
  type FolderObject,
  folderFormat,
  type ReadFolder,
} from './content.ts';
import { collectionFormat, itemFormat } from './kinds/collections.ts';
import type { KindFormat } from './kinds/kind-format.ts';
import { fileFormat } from './kinds/media.ts';
import { pageFormat } from './kinds/pages.ts';
import { redirectFormat } from './kinds/redirects.ts';
import {
  assetFormat,
  flowNodeFormat,
  globalBlockFormat,
  penFormat,
  snippetFormat,
  sourceFormat,
} from './kinds/simple.ts';
import { workflowFormat } from './kinds/workflows.ts';
import { checkReferences } from './references/check.ts';
import { type HashCache, readSourceFiles } from './source-files.ts';
import { isFields, parseJson } from './text-file.ts';

/** The formats of all kinds. A kind of content that has none here fails a test. */
export const kindFormats: Readonly<Record<FolderKind, KindFormat>> = {
  page: pageFormat,
  snippet: snippetFormat,
  asset: assetFormat,
  global_block: globalBlockFormat,
  collection: collectionFormat,
  item: itemFormat,
  workflow: workflowFormat,
  flow_node: flowNodeFormat,
  pen: penFormat,
  source: sourceFormat,
  redirect: redirectFormat,
  file: fileFormat,
};

/**
 * Reads a folder. What cannot be read is told and left out.
 *
 * @param hashes of media by path, which saves reading files again that have not changed; new ones are added
 */
export async function readFolder(folder: string, hashes: HashCache = new Map()): Promise<ReadFolder> {
  const findings: FolderFinding[] = [];
  const files = await readSourceFiles(folder, findings, hashes);
  const other = readOtherFormat(files.texts.get('site.json'));
  if (other !== undefined) {
    const message = `The folder has format ${other}; this program knows format ${folderFormat}. Use another version.`;
    files.report({ file: 'site.json', code: 'folder.format', message });
    return { content: toContent([]), findings, texts: files.texts };
  }
  const objects = Object.values(kindFormats).flatMap((format) => format.read(files));
  const content = toContent(objects);
  checkReferences(content, files.report);
  return { content, findings: findings.toSorted(compareFindings), texts: files.texts };
}

/** The format that a folder says it has, if it is another one. */
function readOtherFormat(site: string | undefined): string | undefined {
  try {
    const parsed = site === undefined ? undefined : parseJson(site);
    const format = isFields(parsed) ? parsed['format'] : undefined;
    return format === undefined || format === folderFormat ? undefined : String(format);
  } catch {
    return undefined;
  }
}

export function toContent(objects: readonly FolderObject[]): FolderContent {
  const sorted = objects.toSorted((left, right) => compareText(left.key, right.key));
  return { format: folderFormat, objects: new Map(sorted.map((object) => [object.key, object])) };
}

/** The text files of objects by path, as a folder has them; of all objects unless some are named. */
export function renderFiles(
  content: FolderContent,
  wanted: readonly FolderObject[] = [...content.objects.values()],
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const format of Object.values(kindFormats)) {
    const objects = wanted.filter(({ kind }) => kind === format.kind);
    if (objects.length > 0) format.write(objects, files, content);
  }
  return files;
}

/** Writes the text files of a folder. Each is there as a whole or not at all; media are copied by the caller. */
export async function writeFolder(content: FolderContent, folder: string): Promise<void> {
  for (const [path, text] of renderFiles(content)) await writeWhole(join(folder, path), text);
}

/** Writes a file such that nobody sees a part of it. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.incipit-new`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function compareFindings(left: FolderFinding, right: FolderFinding): number {
  return compareText(left.file, right.file) || left.line - right.line || left.column - right.column;
}
