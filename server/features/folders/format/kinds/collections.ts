/** Collections in `collections/<slug>/collection.json`, their entries in `entries/` next to it. */
import { isDeepStrictEqual } from 'node:util';
import type { FolderContent, FolderFields, FolderObject } from '../content.ts';
import { decodeName, encodeName } from '../file-names.ts';
import {
  findNearest,
  flag,
  type KeyFormats,
  list,
  object,
  order,
  pickKeys,
  readKeys,
  reference,
  reportUnknown,
  text,
} from '../keys.ts';
import { fieldKeys, toFieldList } from '../normal.ts';
import { parseFile, type SourceFiles } from '../source-files.ts';
import {
  formatFrontMatter,
  formatJson,
  htmlFence,
  isFields,
  type ParsedKeys,
  parseFrontMatter,
  parseJson,
  parseJsonKeys,
  withLineFeeds,
} from '../text-file.ts';
import type { KindFormat, WrittenFiles } from './kind-format.ts';

const collectionKeys: KeyFormats = {
  name: { type: 'text', default: null, nullable: true },
  folder: text(),
  public_api: flag(),
  live: flag(),
  singleton: flag(),
  detail_page_id: reference,
  detail_field: text('slug'),
  lang: text(),
  fields: list,
};

export function toCollectionKey(slug: string): string {
  return `collections/${encodeName(slug)}/collection.json`;
}

/** The slug of the collection that a file belongs to. */
export function readCollectionSlug(path: string): string {
  return decodeName(path.split('/')[1] ?? '');
}

export const collectionFormat: KindFormat = {
  kind: 'collection',
  read: (files) =>
    files.below('collections').flatMap((key) => {
      if (/^collections\/[^/]+\/entries\/[^/]+\.(?:md|json)$/.test(key)) return [];
      if (!/^collections\/[^/]+\/collection\.json$/.test(key)) {
        files.report({
          file: key,
          level: 'warning',
          code: 'folder.unknownFile',
          message:
            'A collection consists of collection.json and entries/*.md or .json. This file is ignored.',
        });
        return [];
      }
      return readCollection(files, key);
    }),
  write(objects, files) {
    for (const { key, fields } of objects) {
      const name = fields['name'] === fields['slug'] ? null : fields['name'];
      files.set(key, formatJson(pickKeys({ ...fields, name }, collectionKeys)));
    }
  },
};

function readCollection(files: SourceFiles, key: string): FolderObject[] {
  const parsed = parseFile(files, key, parseJsonKeys);
  if (parsed === undefined) return [];
  const slug = readCollectionSlug(key);
  const fields = readKeys(files, key, parsed, collectionKeys);
  for (const field of Array.isArray(fields['fields']) ? fields['fields'] : [])
    if (isFields(field)) reportUnknown(files, key, { fields: field, placeOf: parsed.placeOf }, fieldKeys);
  const name = fields['name'] ?? slug;
  const own = { ...fields, slug, name, fields: toFieldList(fields['fields']) };
  return [{ kind: 'collection', key, fields: own, files: [key], places: {} }];
}

/** A field as a folder defines it. */
export interface FolderFieldDefinition {
  readonly name: string;
  readonly type: string;
  readonly default: unknown;
}

function readDefinitions(fields: unknown): readonly FolderFieldDefinition[] {
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((field: unknown) =>
    isFields(field) && typeof field['name'] === 'string'
      ? [{ name: field['name'], type: String(field['type']), default: field['default'] ?? null }]
      : [],
  );
}

/** The field that is the text after the front matter; undefined if no field can be. */
function findBodyField(fields: readonly FolderFieldDefinition[]): string | undefined {
  for (const type of ['markdown', 'html', 'textarea']) {
    const found = fields.find((field) => field.type === type);
    if (found !== undefined) return found.name;
  }
  return undefined;
}

/** Keys next to the values; a field of such a name stands below `data`. */
const entryKeys: KeyFormats = { published: flag(true), order, translations: object, data: object };

/** `collections/<slug>/entries/<name>.md` or `.json`. The key of an entry has no extension. */
export const itemFormat: KindFormat = {
  kind: 'item',
  read(files) {
    const known = new Map<string, Definition>();
    const entries = new Map<string, FolderObject>();
    for (const path of files.below('collections')) {
      const [, , folder, file] = path.split('/');
      if (folder !== 'entries' || file === undefined || !/\.(?:md|json)$/.test(file)) continue;
      const definition = findDefinition(files, path, known);
      if (definition === undefined) continue;
      const entry = readEntry(files, path, definition);
      if (entry === undefined) continue;
      if (entries.has(entry.key))
        files.report({
          file: path,
          code: 'folder.twice',
          message: `${entries.get(entry.key)?.files[0]} is the same entry. Delete one of them.`,
        });
      else entries.set(entry.key, entry);
    }
    return [...entries.values()];
  },
  write(objects, files, content) {
    for (const entry of objects) writeEntry(entry, files, content);
  },
};

interface Definition {
  readonly isLive: boolean;
  readonly fields: readonly FolderFieldDefinition[];
}

function findDefinition(
  files: SourceFiles,
  path: string,
  known: Map<string, Definition>,
): Definition | undefined {
  const slug = readCollectionSlug(path);
  const key = `${path.split('/').slice(0, 2).join('/')}/collection.json`;
  const before = known.get(slug);
  if (before !== undefined) return before.isLive ? undefined : before;
  const source = files.texts.get(key);
  if (source === undefined) {
    files.report({
      file: path,
      code: 'folder.collectionMissing',
      message: `The entry belongs to no collection. Add ${key}.`,
    });
    return undefined;
  }
  let parsed: unknown;
  try {
    parsed = parseJson(source);
  } catch {
    // Told with the file of the collection.
    return undefined;
  }
  const isLive = isFields(parsed) && parsed['live'] === true;
  const definition = { isLive, fields: readDefinitions(isFields(parsed) ? parsed['fields'] : []) };
  known.set(slug, definition);
  if (!isLive) return definition;
  files.report({
    file: path,
    level: 'warning',
    code: 'folder.liveEntry',
    message: 'Entries of a live collection stay on the server. This file is ignored; delete it.',
  });
  return undefined;
}

function readEntry(files: SourceFiles, path: string, { fields }: Definition): FolderObject | undefined {
  const isMarkdown = path.endsWith('.md');
  const parsed = isMarkdown
    ? parseFile(files, path, (source) => parseFrontMatter(source, htmlFence))
    : parseFile(files, path, parseJsonKeys);
  if (parsed === undefined) return undefined;
  const bodyField = findBodyField(fields);
  const names = new Set(fields.map(({ name }) => name));
  reportUnknown(files, path, parsed, new Set([...Object.keys(entryKeys), ...names]));
  const meta = readKeys(files, path, pickMeta(parsed), entryKeys);
  const inside = isFields(meta['data']) ? meta['data'] : {};
  for (const name of Object.keys(inside)) if (!names.has(name)) reportValue(files, path, parsed, name, names);
  const values: Record<string, unknown> = {};
  for (const { name, default: initial } of fields) {
    const value = Object.hasOwn(inside, name) ? inside[name] : readValue(parsed, name);
    values[`data.${name}`] = value === undefined ? initial : withLineFeeds(value);
  }
  const { body, bodyLine } = readBody(parsed);
  if (isMarkdown && bodyField !== undefined && body !== '') values[`data.${bodyField}`] = body;
  else if (isMarkdown && body.trim() !== '')
    files.report({
      file: path,
      line: bodyLine,
      code: 'folder.bodyWithoutField',
      message: 'The collection has no field of type markdown, html or textarea for this text.',
    });
  const { data: _data, ...others } = meta;
  return {
    kind: 'item',
    key: path.replace(/\.(?:md|json)$/, ''),
    fields: { ...others, ...values, collection: readCollectionSlug(path) },
    files: [path],
    places:
      bodyField === undefined ? {} : { [`data.${bodyField}`]: { file: path, line: bodyLine, column: 1 } },
  };
}

function readBody(parsed: ParsedKeys): { readonly body: string; readonly bodyLine: number } {
  const { body = '', bodyLine = 1 } = parsed as Partial<ReturnType<typeof parseFrontMatter>>;
  return { body, bodyLine };
}

function pickMeta({ fields, placeOf }: ParsedKeys): ParsedKeys {
  const own = Object.entries(fields).filter(([name]) => name in entryKeys);
  return { fields: Object.fromEntries(own), placeOf };
}

/** A field with the name of a key of entries stands below `data` only. */
function readValue({ fields }: ParsedKeys, name: string): unknown {
  return name in entryKeys || !Object.hasOwn(fields, name) ? undefined : fields[name];
}

function reportValue(
  files: SourceFiles,
  path: string,
  parsed: ParsedKeys,
  name: string,
  names: ReadonlySet<string>,
): void {
  const near = findNearest(name, names);
  files.report({
    file: path,
    ...parsed.placeOf('data'),
    code: 'folder.unknownKey',
    message: `The key "data.${name}" is not known. ${near === undefined ? 'Delete it.' : `Did you mean "${near}"?`}`,
  });
}

function writeEntry({ key, fields }: FolderObject, files: WrittenFiles, { objects }: FolderContent): void {
  const collection = objects.get(`${key.split('/').slice(0, 2).join('/')}/collection.json`);
  const definitions = readDefinitions(collection?.fields['fields']);
  const bodyField = findBodyField(definitions);
  const body = bodyField === undefined ? undefined : fields[`data.${bodyField}`];
  if (typeof body === 'string' && body !== '') {
    const front = pickEntryKeys(
      fields,
      definitions.filter(({ name }) => name !== bodyField),
    );
    const source = formatFrontMatter(front, body, htmlFence, true);
    if (isKept(source, front, body)) {
      files.set(`${key}.md`, source);
      return;
    }
  }
  files.set(`${key}.json`, formatJson(pickEntryKeys(fields, definitions)));
}

/** Whether a file with front matter says the same as the values. */
function isKept(source: string, front: FolderFields, body: string): boolean {
  try {
    const parsed = parseFrontMatter(source, htmlFence);
    return parsed.body === body && isDeepStrictEqual(parsed.fields, JSON.parse(JSON.stringify(front)));
  } catch {
    return false;
  }
}

function pickEntryKeys(
  fields: FolderFields,
  definitions: readonly FolderFieldDefinition[],
): Record<string, unknown> {
  const values = definitions
    .map(({ name, default: initial }) => ({ name, initial, value: fields[`data.${name}`] ?? null }))
    .filter(({ value, initial }) => !isDeepStrictEqual(value, initial));
  const inside = values.filter(({ name }) => name in entryKeys);
  const data = Object.fromEntries(inside.map(({ name, value }) => [name, value]));
  const flat = values.filter(({ name }) => !(name in entryKeys));
  return {
    ...pickKeys({ ...fields, data }, entryKeys),
    ...Object.fromEntries(flat.map(({ name, value }) => [name, value])),
  };
}
