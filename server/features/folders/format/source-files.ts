/** The files of a folder, read once, with what is wrong with them as files. */
import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareText, type FolderFinding } from './content.ts';
import { decodeName, encodeName, fold, isPortable, prefixed } from './file-names.ts';
import { TextFault } from './text-fault.ts';

/** Largest text file in bytes. */
const maxTextBytes = 16 * 2 ** 20;

/** The folders and files that belong to the format; all others are ignored. */
const formatFolders = [
  ...(['pages', 'snippets', 'assets', 'global-blocks', 'collections', 'workflows', 'nodes', 'pens'] as const),
  ...(['sources', 'media'] as const),
] as const;
const formatFiles = ['site.json', 'redirects.csv', 'media.json'] as const;

/** Hashes of files that have not changed since, by path. */
export type HashCache = Map<
  string,
  { readonly size: number; readonly modified: number; readonly sha256: string }
>;

export interface MediaFile {
  readonly size: number;
  readonly sha256: string;
}

/** Texts and media by path, and what was found out about them. */
export interface SourceFiles {
  readonly texts: ReadonlyMap<string, string>;
  readonly media: ReadonlyMap<string, MediaFile>;
  report(finding: Omit<FolderFinding, 'line' | 'column' | 'level'> & Partial<FolderFinding>): void;
  /** Paths below a folder, in order. */
  below(folder: string): readonly string[];
}

interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
}

/** Reads all files of the format. @param hashes gets the hashes of media, and saves reading unchanged ones again */
export async function readSourceFiles(
  folder: string,
  findings: FolderFinding[],
  hashes: HashCache,
): Promise<SourceFiles> {
  const report: SourceFiles['report'] = (finding) => {
    findings.push({ line: 1, column: 1, level: 'error', ...finding });
  };
  const found = (await listFiles(folder, report)).sort((left, right) => compareText(left.path, right.path));
  reportNames(found, report);
  const texts = new Map<string, string>();
  const media = new Map<string, MediaFile>();
  let hasLineFeeds = true;
  for (const file of found) {
    if (file.path.startsWith('media/')) {
      media.set(file.path, { size: file.size, sha256: await hashFile(folder, file, hashes) });
      continue;
    }
    const text = await readText(folder, file, report);
    if (text === undefined) continue;
    if (hasLineFeeds && text.includes('\r\n')) {
      hasLineFeeds = false;
      report({
        file: file.path,
        line: text.slice(0, text.indexOf('\r\n')).split('\n').length,
        level: 'warning',
        code: 'folder.crlf',
        message: 'Lines end with CRLF here and perhaps in other files. They are read and sent as LF.',
      });
    }
    texts.set(file.path, text.replaceAll('\r\n', '\n'));
  }
  const paths = [...texts.keys(), ...media.keys()];
  return { texts, media, report, below: (name) => paths.filter((path) => path.startsWith(`${name}/`)) };
}

async function listFiles(folder: string, report: SourceFiles['report']): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const visit = async (path: string): Promise<void> => {
    const stats = await lstat(join(folder, path)).catch(() => undefined);
    if (stats === undefined) return;
    if (stats.isSymbolicLink()) {
      report({
        file: path,
        code: 'folder.symlink',
        message: 'This is a symbolic link. Put the file itself here.',
      });
    } else if (stats.isDirectory()) {
      const entries: Dirent[] = await readdir(join(folder, path), { withFileTypes: true });
      for (const { name } of entries) if (!name.startsWith('.')) await visit(`${path}/${name}`);
    } else if (stats.isFile()) {
      found.push({ path, size: stats.size, modified: stats.mtimeMs });
    }
  };
  for (const name of [...formatFiles, ...formatFolders]) await visit(name);
  return found;
}

/** Names that other systems cannot hold, or hold as the same file. */
function reportNames(found: readonly FoundFile[], report: SourceFiles['report']): void {
  const seen = new Map<string, string>();
  const told = new Set<string>();
  for (const { path } of found) {
    const parts = path.split('/');
    for (const [index, name] of parts.entries()) {
      const at = parts.slice(0, index + 1).join('/');
      if (told.has(at)) continue;
      if (!isPortable(name)) {
        const wanted = encodeName(decodeName(name));
        told.add(at);
        report({
          file: at,
          code: 'folder.nameInvalid',
          message: `Some systems cannot hold this name. Rename it to ${JSON.stringify(wanted)}.`,
        });
      }
      const other = seen.get(fold(at));
      if (other !== undefined && other !== at) {
        told.add(at);
        report({
          file: at,
          code: 'folder.caseCollision',
          message: `On some systems this is the same name as ${other}. Rename it to ${JSON.stringify(prefixed(name))}.`,
        });
      }
      seen.set(fold(at), at);
    }
  }
}

async function readText(
  folder: string,
  { path, size }: FoundFile,
  report: SourceFiles['report'],
): Promise<string | undefined> {
  if (size > maxTextBytes) {
    report({ file: path, code: 'folder.tooLarge', message: 'A text file may have 16 MB. Make it smaller.' });
    return undefined;
  }
  const bytes = await readFile(join(folder, path));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    report({ file: path, code: 'folder.notUtf8', message: 'The file is no UTF-8. Save it as UTF-8.' });
    return undefined;
  }
}

async function hashFile(
  folder: string,
  { path, size, modified }: FoundFile,
  hashes: HashCache,
): Promise<string> {
  const known = hashes.get(path);
  if (known?.size === size && known.modified === modified) return known.sha256;
  const hash = createHash('sha256');
  for await (const part of createReadStream(join(folder, path))) hash.update(part);
  const sha256 = hash.digest('hex');
  hashes.set(path, { size, modified, sha256 });
  return sha256;
}

/** Reads a file with a parser that throws {@link TextFault}; undefined if it has told a fault. */
export function parseFile<T>(
  { texts, report }: SourceFiles,
  path: string,
  parse: (text: string) => T,
): T | undefined {
  const text = texts.get(path);
  if (text === undefined) return undefined;
  const marked = /^(?:<{7} mine|>{7} live)$/m.exec(text);
  if (marked !== null) {
    report({
      file: path,
      line: text.slice(0, marked.index).split('\n').length,
      code: 'folder.conflictMark',
      message: 'A conflict is not resolved. Choose one side and delete the marks.',
    });
    return undefined;
  }
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    const { line, column, message } = error;
    report({ file: path, line, column, code: 'folder.syntax', message });
    return undefined;
  }
}
