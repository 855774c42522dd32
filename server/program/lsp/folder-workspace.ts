/** The folder of a website with what editors have open: texts that are not saved count before the files. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type {
  FolderFinding,
  FolderKind,
  FolderObject,
  ReadFolder,
} from '../../features/folders/format/content.ts';
import { kindFormats, readFolder } from '../../features/folders/format/index.ts';
import type { HashCache } from '../../features/folders/format/source-files.ts';
import { checkAsset } from '../templates/check-folder.ts';
import { FolderTemplates, type FolderWorld } from '../templates/folder-templates.ts';

/** A file with a template, an asset or settings, as it is in the editor. */
export interface OpenFile {
  readonly path: string;
  readonly document: TextDocument;
  /** Of the document when its text was read. */
  readonly version: number;
  /** The object of the text; undefined for files without one text, such as JSON. */
  readonly object: FolderObject | undefined;
  /** What is wrong in the front matter. */
  readonly findings: readonly FolderFinding[];
}

/** Kinds with one text, by the folder of their files. */
const textKinds = [
  { kind: 'page', files: /^pages\/(?:.*\/)?index\.html$/ },
  { kind: 'snippet', files: /^snippets\/.*\.html$/ },
  { kind: 'asset', files: /^assets\/.*\.(?:css|js)$/ },
] as const;

function isTextFile(path: string): boolean {
  return textKinds.some(({ files }) => files.test(path));
}

export class FolderWorkspace {
  readonly #hashes: HashCache = new Map();
  readonly #open = new Map<string, OpenFile>();
  #stored: ReadFolder = { content: { format: 1, objects: new Map() }, findings: [], texts: new Map() };
  #templates = new FolderTemplates(this.#stored.content);
  #root: string | undefined;

  constructor(root: string | undefined) {
    this.#root = root;
  }

  get world(): FolderWorld {
    return this.#templates.world;
  }

  /** Reads the files again. */
  async reload(): Promise<void> {
    if (this.#root === undefined) return;
    this.#stored = await readFolder(this.#root, this.#hashes);
    for (const [uri, { document }] of this.#open) this.#open.set(uri, this.#toOpenFile(document));
    this.#replace();
  }

  /** Takes the text of an editor. The first file tells the folder, if the editor has not. */
  async take(document: TextDocument): Promise<void> {
    if (this.#root === undefined) {
      this.#root = findRoot(document.uri);
      await this.reload();
    }
    this.#open.set(document.uri, this.#toOpenFile(document));
    this.#replace();
  }

  release(uri: string): void {
    this.#open.delete(uri);
    this.#replace();
  }

  find(uri: string): OpenFile | undefined {
    return this.#open.get(uri);
  }

  listOpen(): readonly string[] {
    return [...this.#open.keys()];
  }

  toUri(path: string): string {
    return pathToFileURL(join(this.#root ?? '', path)).href;
  }

  /** The text of a file in the editor, if it is open. */
  findText(path: string): string | undefined {
    return this.#open.get(this.toUri(path))?.document.getText();
  }

  /** What is wrong in an open file. */
  async inspect(uri: string): Promise<readonly FolderFinding[]> {
    const open = this.#open.get(uri);
    if (open === undefined) return [];
    const { object, findings, path, document } = open;
    // References are checked when the folder is read; their places hold as long as the text is the same.
    const isSaved = this.#stored.texts.get(path) === document.getText();
    const stored =
      isSaved || !isTextFile(path) ? this.#stored.findings.filter(({ file }) => file === path) : [];
    const own = isSaved ? [] : findings;
    if (object === undefined) return [...own, ...stored];
    if (object.kind === 'asset') return [...own, ...stored, ...(await checkAsset(object))];
    return [...own, ...stored, ...this.#templates.inspect(object)];
  }

  #toOpenFile(document: TextDocument): OpenFile {
    const path = this.#toPath(document.uri);
    const { version } = document;
    const known = textKinds.find(({ files }) => files.test(path));
    const text = document.getText().replaceAll('\r\n', '\n');
    if (known === undefined) return { path, document, version, object: undefined, findings: [] };
    return { path, document, version, ...readText(path, text, known.kind) };
  }

  /** The content as it would be if all editors saved now. */
  #replace(): void {
    const objects = new Map(this.#stored.content.objects);
    for (const { path, object } of this.#open.values()) if (object !== undefined) objects.set(path, object);
    this.#templates.replace({ format: 1, objects });
  }

  #toPath(uri: string): string {
    if (this.#root === undefined || !uri.startsWith('file:')) return uri;
    return relative(this.#root, fileURLToPath(uri)).split(sep).join('/');
  }
}

/** What no file alone can know. */
const wholeFolder: ReadonlySet<string> = new Set([
  'folder.parentMissing',
  'folder.siteMissing',
  'folder.twice',
]);

/** Reads one file as the format does, with what is wrong in it. */
function readText(path: string, text: string, kind: FolderKind): Pick<OpenFile, 'object' | 'findings'> {
  const findings: FolderFinding[] = [];
  const texts = new Map([
    ['site.json', '{"format":1,"title":"-"}'],
    [path, text],
  ]);
  const objects = kindFormats[kind].read({
    texts,
    media: new Map(),
    report(finding) {
      if (finding.file === path && !wholeFolder.has(finding.code))
        findings.push({ line: 1, column: 1, level: 'error', ...finding });
    },
    below: (name) => [...texts.keys()].filter((key) => key.startsWith(`${name}/`)),
  });
  return { object: objects.find(({ key }) => key === path), findings };
}

/** The folder above a file that has a `site.json`. */
function findRoot(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  for (let folder = dirname(fileURLToPath(uri)); ; folder = resolve(folder, '..')) {
    if (existsSync(join(folder, 'site.json'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
