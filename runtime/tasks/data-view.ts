/** How `GET /data/{slug}` shows entries: only some of their fields (`_fields`), and images as objects (`_image`). */
import { nearest } from '../../grammar/suggest.ts';
import { QueryFault, type QueryPair } from '../content/items/query.ts';
import type { CollectionRecord } from '../content/items/records.ts';
import type { FieldDefinition } from '../fields/definition.ts';
import { mapObjects } from '../fields/group.ts';
import { fieldTypes } from '../fields/types.ts';
import { fileValue } from '../files/file-value.ts';
import type { EntryValue } from '../page/entries.ts';
import type { TaskContext } from './context.ts';

/** Values that all entries have besides their fields. */
const systemNames = ['id', 'published', '_created', '_updated', '_url'] as const;

export interface DataView {
  /** Names of the values that are shown; undefined = all. */
  readonly names: ReadonlySet<string> | undefined;
  readonly hasImageObjects: boolean;
}

/**
 * Takes the names of the view out of a query.
 *
 * @throws QueryFault for a field that the collection does not have, and for an unknown form of images
 */
export function splitView(
  collection: CollectionRecord,
  pairs: readonly (readonly [string, string])[],
): { readonly view: DataView; readonly query: readonly QueryPair[] } {
  let names: DataView['names'];
  let hasImageObjects = false;
  const query = pairs.filter(([name, value]) => {
    if (name === '_fields') names = parseNames(collection, value);
    else if (name === '_image') hasImageObjects = requireImageForm(value);
    else return true;
    return false;
  });
  return { view: { names, hasImageObjects }, query };
}

function parseNames({ slug, fields }: CollectionRecord, text: string): DataView['names'] {
  const asked = text.split(',').map((name) => name.trim());
  const names = asked.filter((name) => name !== '');
  if (names.length === 0) return undefined;
  const known = [...fields.map(({ name }) => name), ...systemNames];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new QueryFault('field', unknown, `"${slug}" has no field "${unknown}"`, nearest(unknown, known));
  return new Set(names);
}

function requireImageForm(value: string): true {
  if (value === 'object') return true;
  throw new QueryFault('value', '_image', '_image must be object', 'must be object');
}

/** The entries as the view shows them. @param drafts whether the caller may see private files */
export function showEntries(
  memo: TaskContext['memo'],
  collection: CollectionRecord,
  entries: readonly EntryValue[],
  { names, hasImageObjects }: DataView,
  drafts: boolean,
): readonly EntryValue[] {
  if (names === undefined && !hasImageObjects) return entries;
  const images = hasImageObjects ? new ImageObjects(memo, drafts) : undefined;
  const fields = new Map(collection.fields.map((field) => [field.name, field]));
  return entries.map((entry) => {
    const shown: Record<string, unknown> = Object.create(null);
    for (const name of Object.keys(entry)) {
      if (names?.has(name) === false) continue;
      const field = fields.get(name);
      shown[name] =
        images === undefined || field === undefined ? entry[name] : images.show(field, entry[name]);
    }
    return shown;
  });
}

/** Puts objects in the place of the IDs of images, also in groups and in linked entries. */
class ImageObjects {
  readonly #memo: TaskContext['memo'];
  readonly #drafts: boolean;

  constructor(memo: TaskContext['memo'], drafts: boolean) {
    this.#memo = memo;
    this.#drafts = drafts;
  }

  show(field: FieldDefinition, value: unknown): unknown {
    if (field.type === 'image') return this.#image(value);
    if (field.type === 'group')
      return mapObjects(value, (object) => this.#object(field.fields ?? [], object));
    if (fieldTypes[field.type].refersTo !== 'item') return value;
    const linked = field.collection === null ? undefined : this.#memo.items.collectionById(field.collection);
    const show = (entry: unknown) => (isObject(entry) ? this.#object(linked?.fields ?? [], entry) : entry);
    return Array.isArray(value) ? value.map(show) : show(value);
  }

  #object(fields: readonly FieldDefinition[], object: EntryValue): EntryValue {
    const shown: Record<string, unknown> = Object.create(null);
    for (const name of Object.keys(object)) {
      const field = fields.find((candidate) => candidate.name === name);
      shown[name] = field === undefined ? object[name] : this.show(field, object[name]);
    }
    return shown;
  }

  /** Null for a file that is deleted, is no image, or that the caller must not see. */
  #image(id: unknown): object | null {
    const record = typeof id === 'number' ? this.#memo.file(id) : undefined;
    if (record === undefined || record.kind !== 'image' || (record.private && !this.#drafts)) return null;
    const { url, srcset, width, height, alt } = fileValue(record, '');
    return { url, srcset, width, height, alt };
  }
}

function isObject(value: unknown): value is EntryValue {
  return typeof value === 'object' && value !== null;
}
