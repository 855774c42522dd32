/** Files of the media library: `media/<folder>/<name>`, and what is known of them in `media.json`. */
import { addressNames } from '../../../media/naming.ts';
import { detectType } from '../../../media/types.ts';
import { compareText, type FolderFields, type FolderObject } from '../content.ts';
import { decodeName } from '../file-names.ts';
import { flag, type KeyFormats, pickKeys, readKeys, text } from '../keys.ts';
import { parseFile, type SourceFiles } from '../source-files.ts';
import { formatJson, isFields, type ParsedKeys, parseJsonKeys } from '../text-file.ts';
import type { KindFormat } from './kind-format.ts';

const mediaFile = 'media.json';

const mediaKeys: KeyFormats = {
  name: { type: 'text', default: null, nullable: true },
  alt: text(),
  private: flag(),
  focus_x: { type: 'number', default: 0.5 },
  focus_y: { type: 'number', default: 0.5 },
  url: { type: 'text', default: null, nullable: true },
};

/** The address that a file gets by its name. */
function toDefaultUrl(name: string, key: string): string {
  const extension = key.slice(key.lastIndexOf('.') + 1).toLowerCase();
  return `/media/${addressNames(name, extension).next().value}`;
}

/** The folder of a file as its path names it; empty at the top. */
export function readMediaFolder(key: string): string {
  return key.split('/').slice(1, -1).join('/');
}

/** The type of a file as a server finds it. */
export async function detectMime(bytes: Uint8Array, name: string): Promise<string> {
  return (await detectType(bytes, name)).mime;
}

export const fileFormat: KindFormat = {
  kind: 'file',
  read(files) {
    const parsed = parseFile(files, mediaFile, parseJsonKeys) ?? { fields: {}, placeOf };
    reportMissing(files, parsed);
    return files.below('media').map((key) => readFile(files, key, parsed));
  },
  write(_objects, files, { objects }) {
    const described = [...objects.values()]
      .filter(({ kind }) => kind === 'file')
      .toSorted((left, right) => compareText(left.key, right.key))
      .map(({ key, fields }) => [key, describeFile(key, fields)] as const)
      .filter(([, keys]) => Object.keys(keys).length > 0);
    if (described.length > 0) files.set(mediaFile, formatJson(Object.fromEntries(described)));
  },
};

const placeOf = () => ({ line: 1, column: 1 });

function readFile(files: SourceFiles, key: string, { fields, placeOf: place }: ParsedKeys): FolderObject {
  const described = fields[key] ?? fields[key.slice('media/'.length)] ?? {};
  if (!isFields(described))
    files.report({
      file: mediaFile,
      ...place(key),
      code: 'folder.wrongType',
      message: `"${key}" must be an object with keys.`,
    });
  const own = isFields(described) ? described : {};
  const keys = readKeys(files, mediaFile, { fields: own, placeOf: () => place(key) }, mediaKeys);
  const name = keys['name'] ?? decodeName(key.slice(key.lastIndexOf('/') + 1));
  const media = files.media.get(key);
  return {
    kind: 'file',
    key,
    fields: {
      ...keys,
      name,
      url: keys['url'] ?? toDefaultUrl(String(name), key),
      sha256: media?.sha256 ?? '',
    },
    files: [key],
    places: {},
  };
}

function describeFile(key: string, fields: FolderFields): FolderFields {
  const name = String(fields['name']);
  const isPlainName = name === decodeName(key.slice(key.lastIndexOf('/') + 1));
  const isPlainUrl = fields['url'] === toDefaultUrl(name, key);
  return pickKeys(
    { ...fields, name: isPlainName ? null : name, url: isPlainUrl ? null : fields['url'] },
    mediaKeys,
  );
}

function reportMissing(files: SourceFiles, { fields, placeOf: place }: ParsedKeys): void {
  for (const name of Object.keys(fields)) {
    if (files.media.has(name) || files.media.has(`media/${name}`)) continue;
    files.report({
      file: mediaFile,
      ...place(name),
      code: 'folder.mediaMissing',
      message: `There is no file ${name}. Add it, or delete the key.`,
    });
  }
}
