/** Objects that were compared, as a folder has them: with names in the place of references, and numbers for the order. */
import { isDeepStrictEqual } from 'node:util';
import {
  compareText,
  type FolderContent,
  type FolderFields,
  type FolderObject,
} from '../../format/content.ts';
import { toContent } from '../../format/index.ts';
import { toReference } from '../../format/references/names.ts';
import { type PlaceLookup, replaceReferences } from '../../format/references/places.ts';
import { isFields } from '../../format/text-file.ts';
import { type IdentifiedObject, type KnownObjects, listOrders, readToken, type Uid } from './identity.ts';
import { findSortName } from './mine.ts';

export interface NamedContent {
  readonly content: FolderContent;
  readonly byUid: ReadonlyMap<Uid, FolderObject>;
}

/** @param numberOf the `order` that an object has had in the folder */
export function toFolderContent(
  objects: KnownObjects,
  keys: ReadonlyMap<Uid, string>,
  numberOf: (uid: Uid) => unknown,
): NamedContent {
  const lookup = createTokenLookup(objects);
  const numbers = findNumbers(objects, keys, numberOf);
  const byUid = new Map<Uid, FolderObject>();
  for (const object of objects.values()) {
    const key = keys.get(object.uid);
    if (key === undefined) continue;
    const fields = toNames(object, { objects, keys, lookup });
    const isOrdered = object.kind === 'page' || object.kind === 'item';
    byUid.set(object.uid, {
      kind: object.kind,
      key,
      fields: isOrdered ? { ...fields, order: numbers.get(object.uid) ?? null } : fields,
      files: [],
      places: {},
    });
  }
  return { content: toContent([...byUid.values()]), byUid };
}

interface NameContext {
  readonly objects: KnownObjects;
  readonly keys: ReadonlyMap<Uid, string>;
  readonly lookup: PlaceLookup;
}

function toNames(
  { kind, fields: own }: IdentifiedObject,
  { objects, keys, lookup }: NameContext,
): FolderFields {
  const named = replaceReferences(kind, own, lookup, (value, place) => {
    const key = keys.get(readToken(value) ?? '');
    return key === undefined ? value : toReference(key, place);
  });
  const { parent: _parent, slug, ...fields } = named;
  if (kind === 'page' || kind === 'item') {
    const translations = isFields(fields['translations']) ? Object.entries(fields['translations']) : [];
    const shown = translations.flatMap(([lang, token]) => {
      const key = keys.get(readToken(token) ?? '');
      return key === undefined ? [] : [[lang, toReference(key, { kind, collection: null })] as const];
    });
    const collection = objects.get(readToken(own['collection']) ?? '')?.fields['slug'];
    const place = kind === 'item' ? { collection } : {};
    return { ...fields, ...place, translations: Object.fromEntries(shown) };
  }
  return slug === undefined ? fields : { ...fields, slug };
}

/** Finds places in objects whose references are tokens. */
export function createTokenLookup(objects: KnownObjects): PlaceLookup {
  const schemas = new Map<unknown, unknown>();
  for (const { kind, fields } of objects.values())
    if (kind === 'snippet') schemas.set(fields['name'], fields['schema']);
  return {
    findSchema: (name) => schemas.get(name),
    findTree: (token) => objects.get(readToken(token) ?? '')?.fields['blocks'],
    findFields: (token) => objects.get(readToken(token) ?? '')?.fields['fields'],
  };
}

/** The `order` of each object: none if names say it, those of before if they still do, else tens. */
function findNumbers(
  objects: KnownObjects,
  keys: ReadonlyMap<Uid, string>,
  numberOf: (uid: Uid) => unknown,
): ReadonlyMap<Uid, number | null> {
  const numbers = new Map<Uid, number | null>();
  for (const children of listOrders(objects).values()) {
    const named = children.map((uid) => {
      const before = numberOf(uid);
      const kind = objects.get(uid)?.kind ?? 'page';
      const name = findSortName({ kind, key: keys.get(uid) ?? '' });
      return { uid, name, before: typeof before === 'number' ? before : null };
    });
    const byBefore = named.toSorted(
      (left, right) =>
        (left.before ?? Number.MAX_VALUE) - (right.before ?? Number.MAX_VALUE) ||
        compareText(left.name, right.name),
    );
    const byName = named.toSorted((left, right) => compareText(left.name, right.name));
    const isStillTrue = isDeepStrictEqual(byBefore, named);
    const isByName = isDeepStrictEqual(byName, named);
    for (const [index, { uid, before }] of named.entries())
      numbers.set(uid, isStillTrue ? before : isByName ? null : (index + 1) * 10);
  }
  return numbers;
}
