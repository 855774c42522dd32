/** Kinds with one file for each object, or one with the code next to it. */
import type { FolderFields, FolderKind, FolderObject } from '../content.ts';
import { decodeName } from '../file-names.ts';
import { flag, type KeyFormats, list, pickKeys, readKeys, text } from '../keys.ts';
import { parseFile, type SourceFiles } from '../source-files.ts';
import {
  codeFence,
  type Fence,
  formatFrontMatter,
  formatJson,
  htmlFence,
  parseFrontMatter,
  parseJsonKeys,
} from '../text-file.ts';
import type { KindFormat } from './kind-format.ts';

/** What stands in a path: a snippet may have `/` in its name. */
export function readPathName(key: string, extension: string): string {
  return key
    .slice(key.indexOf('/') + 1, -extension.length)
    .split('/')
    .map(decodeName)
    .join('/');
}

/** The last part of a path without its extension. */
export function readFileStem(key: string): string {
  return decodeName(key.slice(key.lastIndexOf('/') + 1)).replace(/\.[^.]*$/, '');
}

const snippetKeys: KeyFormats = {
  description: text(),
  folder: { type: 'text', default: null, nullable: true },
  assets: list,
  schema: { type: 'object', default: null, nullable: true },
  page_layout: { type: 'object', default: null, nullable: true },
};

/** The folder that a snippet is in without another one being set. */
function defaultFolder(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf('/')));
}

/** `snippets/<name>.html`. */
export const snippetFormat: KindFormat = {
  kind: 'snippet',
  read: (files) =>
    readTexts(files, 'snippets', ['.html'], (key) => {
      const name = readPathName(key, '.html');
      const read = readFront(files, key, htmlFence, snippetKeys, 'content');
      const folder = read?.fields['folder'] ?? defaultFolder(name);
      return read && { kind: 'snippet', ...read, fields: { ...read.fields, name, folder } };
    }),
  write(objects, files) {
    for (const { key, fields } of objects) {
      const isDefault = fields['folder'] === defaultFolder(String(fields['name']));
      const front = pickKeys({ ...fields, folder: isDefault ? null : fields['folder'] }, snippetKeys);
      files.set(key, formatFrontMatter(front, String(fields['content']), htmlFence));
    }
  },
};

const assetKeys: KeyFormats = { name: { type: 'text', default: null, nullable: true } };

/** `assets/<folder>/<name>.css` or `.js`. */
export const assetFormat: KindFormat = {
  kind: 'asset',
  read: (files) =>
    readTexts(files, 'assets', ['.css', '.js'], (key) => {
      const read = readFront(files, key, codeFence, assetKeys, 'content');
      const folder = key.split('/').slice(1, -1).map(decodeName).join('/');
      const kind = key.endsWith('.css') ? 'css' : 'js';
      const name = read?.fields['name'] ?? readFileStem(key);
      return read && { kind: 'asset', ...read, fields: { ...read.fields, name, kind, folder } };
    }),
  write(objects, files) {
    for (const { key, fields } of objects) {
      const front = fields['name'] === readFileStem(key) ? {} : { name: fields['name'] };
      files.set(key, formatFrontMatter(front, String(fields['content']), codeFence));
    }
  },
};

const globalBlockKeys: KeyFormats = {
  name: { type: 'text', default: null, nullable: true },
  folder: text(),
  description: text(),
  blocks: list,
};

/** `global-blocks/<name>.json`. */
export const globalBlockFormat: KindFormat = {
  kind: 'global_block',
  read: (files) =>
    readTexts(files, 'global-blocks', ['.json'], (key) =>
      readNamed(files, 'global_block', key, globalBlockKeys),
    ),
  write: writeNamed(globalBlockKeys),
};

const sourceKeys: KeyFormats = {
  name: { type: 'text', default: null, nullable: true },
  method: text('GET'),
  url: { type: 'text', default: undefined },
  headers: { type: 'object', default: {} },
  body: text(),
  list_path: text(),
  cache_ttl: { type: 'number', default: 300 },
  timeout: { type: 'number', default: 10 },
};

/** `sources/<slug>.json`. */
export const sourceFormat: KindFormat = {
  kind: 'source',
  read: (files) =>
    readTexts(files, 'sources', ['.json'], (key) => {
      const read = readNamed(files, 'source', key, sourceKeys);
      return read && { ...read, fields: { ...read.fields, slug: readFileStem(key) } };
    }),
  write: writeNamed(sourceKeys),
};

const flowNodeKeys: KeyFormats = {
  name: { type: 'text', default: null, nullable: true },
  description: text(),
  color: text(),
  inputs: { type: 'number', default: 1 },
  outputs: { type: 'list', default: [''] },
  params: list,
};

/** `nodes/<key>.json` with its code in `nodes/<key>.js`. */
export const flowNodeFormat: KindFormat = {
  kind: 'flow_node',
  read: (files) =>
    readTexts(
      files,
      'nodes',
      ['.json'],
      (key) => {
        const read = readNamed(files, 'flow_node', key, flowNodeKeys);
        return (
          read &&
          withParts(files, { ...read, fields: { ...read.fields, key: readFileStem(key) } }, { code: '.js' })
        );
      },
      ['.js'],
    ),
  write(objects, files) {
    writeNamed(flowNodeKeys)(objects, files);
    for (const { key, fields } of objects) writeParts(key, fields, { code: '.js' }, files);
  },
};

const penKeys: KeyFormats = {
  title: { type: 'text', default: null, nullable: true },
  public: flag(),
  show_code: flag(true),
};
const penParts = { html: '.html', css: '.css', js: '.js' } as const;

/** `pens/<name>.json` with its texts in `.html`, `.css` and `.js`. */
export const penFormat: KindFormat = {
  kind: 'pen',
  read: (files) =>
    readTexts(
      files,
      'pens',
      ['.json'],
      (key) => {
        const read = readNamed(files, 'pen', key, penKeys, 'title');
        return read && withParts(files, read, penParts);
      },
      Object.values(penParts),
    ),
  write(objects, files) {
    writeNamed(penKeys, 'title')(objects, files);
    for (const { key, fields } of objects) writeParts(key, fields, penParts, files);
  },
};

type PartialObject = Omit<FolderObject, 'kind'>;

/** Reads each file with one of these extensions; others are told, unless they are parts of one. */
export function readTexts(
  files: SourceFiles,
  folder: string,
  extensions: readonly string[],
  read: (key: string) => FolderObject | undefined,
  parts: readonly string[] = [],
): FolderObject[] {
  return files.below(folder).flatMap((path) => {
    if (extensions.some((extension) => path.endsWith(extension))) return read(path) ?? [];
    const isPart = parts.some((part) => path.endsWith(part));
    if (!isPart)
      files.report({
        file: path,
        level: 'warning',
        code: 'folder.unknownFile',
        message: `Files in ${folder}/ end with ${extensions.join(' or ')}. This one is ignored; move it.`,
      });
    return [];
  });
}

function readFront(
  files: SourceFiles,
  key: string,
  fence: Fence,
  keys: KeyFormats,
  body: string,
): PartialObject | undefined {
  const parsed = parseFile(files, key, (source) => parseFrontMatter(source, fence));
  if (parsed === undefined) return undefined;
  return {
    key,
    fields: { ...readKeys(files, key, parsed, keys), [body]: parsed.body },
    files: [key],
    places: { [body]: { file: key, line: parsed.bodyLine, column: 1 } },
  };
}

/** Reads a JSON file whose name for people is that of the file, unless it says another one. */
function readNamed(
  files: SourceFiles,
  kind: FolderKind,
  key: string,
  keys: KeyFormats,
  nameKey = 'name',
): FolderObject | undefined {
  const parsed = parseFile(files, key, parseJsonKeys);
  if (parsed === undefined) return undefined;
  const fields = readKeys(files, key, parsed, keys);
  const name = fields[nameKey] ?? readFileStem(key);
  return { kind, key, fields: { ...fields, [nameKey]: name }, files: [key], places: {} };
}

function writeNamed(keys: KeyFormats, nameKey = 'name') {
  return (objects: readonly FolderObject[], files: Map<string, string>): void => {
    for (const { key, fields } of objects) {
      const isDefault = fields[nameKey] === readFileStem(key);
      files.set(
        key,
        formatJson(pickKeys({ ...fields, [nameKey]: isDefault ? null : fields[nameKey] }, keys)),
      );
    }
  };
}

function partFile(key: string, extension: string): string {
  return key.slice(0, -'.json'.length) + extension;
}

/** Adds the texts of the files next to a JSON file. */
function withParts(
  files: SourceFiles,
  read: FolderObject,
  parts: Readonly<Record<string, string>>,
): FolderObject {
  const fields: Record<string, unknown> = { ...read.fields };
  const all = [...read.files];
  const places = { ...read.places };
  for (const [name, extension] of Object.entries(parts)) {
    const path = partFile(read.key, extension);
    fields[name] = parseFile(files, path, (source) => source) ?? '';
    if (!files.texts.has(path)) continue;
    all.push(path);
    places[name] = { file: path, line: 1, column: 1 };
  }
  return { ...read, fields, files: all, places };
}

function writeParts(
  key: string,
  fields: FolderFields,
  parts: Readonly<Record<string, string>>,
  files: Map<string, string>,
): void {
  for (const [name, extension] of Object.entries(parts))
    if (fields[name] !== '') files.set(partFile(key, extension), String(fields[name]));
}
