import { ConversionError, type FieldDefinition } from '../../../../runtime/fields/definition.ts';
import { replaceIds, replaceTargets } from '../../../../runtime/fields/targets.ts';
import { convertValue, presentData, withoutOptions } from '../../../../runtime/fields/types.ts';
import { chooseEntryTitle } from '../../../../runtime/page/entries.ts';
import { ApiError, apiError, type ErrorCode, invalid, prefixed } from '../../../base/errors.ts';
import type { Placement } from '../../../base/rights.ts';
import { forEachInSlices } from '../../../base/timers.ts';
import type { Change } from '../../../changes/changes.ts';
import { TrustedTree, treeErrors } from '../../../content/blocks/convert-tree.ts';
import { withoutRules } from '../../../content/fields/rules.ts';
import { decideAt } from '../../../content/kinds/decide.ts';
import type { BatchScope, Kind, ObjectPlace } from '../../../content/kinds/kind.ts';
import { createObject, type SaveOptions, updateObject } from '../../../content/kinds/objects.ts';
import { putAway } from '../../../content/kinds/trash/put-away.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { StoredCollection } from '../model.ts';
import { breaksRule } from '../rows/broken-rules.ts';
import { removeItem } from '../rows/bulk.ts';
import { KnownTargets } from '../rows/known-targets.ts';
import { listDataMarkup } from '../rows/markup.ts';
import { Entry, EntryCreate, type EntryInput, EntryUpdate, type ItemState } from '../rows/model.ts';
import { reviewEntries } from '../rows/review.ts';
import * as store from '../rows/store.ts';
import { StoredValue } from '../rows/stored-value.ts';
import { requireUnique } from '../rows/unique.ts';
import { convertData, type ItemTargets, refuseFaults } from '../rows/values.ts';
import { findCollection, requireCollection } from '../service.ts';
import { itemTrash } from '../trash.ts';
import { keepItemReferences } from './references.ts';
import { unknownNames } from './warnings.ts';

export const itemErrors: readonly ErrorCode[] = [
  'common.invalid',
  'item.fieldRequired',
  'item.referenceMissing',
  'item.fileMissing',
  'item.pageMissing',
  'item.notUnique',
  'block.fieldInvalid',
  ...treeErrors,
  'auth.unsafeHtml',
];

/** What others need of an entry to delete it. */
const itemIdentity = {
  name: 'item',
  rights: { code: [], place: placeItem },
  namesOf: (state: ItemState) => ({
    name: chooseEntryTitle(state.data),
    collection: state.collection,
    entry: toEntry(state),
  }),
  trash: {
    ...itemTrash,
    present: async (db: ContentDb, item: ItemState) => {
      const collection = await findCollection(db, item.collection_id);
      const entry = toEntry(item);
      return collection === undefined ? entry : presentItem(entry, collection, false, new KnownTargets(db));
    },
  },
} as const;

/** Where the entries of a collection stand. */
export function placeEntries({ id, slug, lang }: Pick<StoredCollection, 'id' | 'slug' | 'lang'>): Placement {
  return { kind: 'item', collection: { id, slug }, language: lang };
}

/** An entry stands where its collection does. */
async function placeItem(
  db: ContentDb,
  { collection_id, collection: slug }: ItemState,
): Promise<ObjectPlace> {
  const collection = await findCollection(db, collection_id);
  return { collection: { id: collection_id, slug }, language: collection?.lang ?? '' };
}

/** Deletes an entry among many, which is recorded once for all of them; it goes to the trash. */
export async function putItemAway(
  change: Change,
  collection: StoredCollection,
  row: { readonly id: number; readonly translation_group: string },
): Promise<void> {
  const entry = await store.items.find(change.tx, row.id);
  if (entry === undefined) return;
  await putAway(change, itemIdentity, toItemState(entry, collection), () => removeItem(change, row));
}

export type ItemKind = Kind<ItemState, typeof EntryCreate, typeof EntryUpdate>;

/** An entry of a collection (Data, Automation and Operations, "Entry"). Its endpoints are in `routes.ts`. */
/** @param reader for answers, which name nothing that is gone */
export function itemKind(targets: ItemTargets, reader: ContentDb): ItemKind {
  return {
    ...itemIdentity,
    path: '/collections/{ref}/items',
    noun: 'an entry',
    about: '',
    endpoints: [],
    schemas: { create: EntryCreate, update: EntryUpdate, answer: Entry },
    list: { summary: 'List entries', entry: Entry, read: async () => [] },
    find: findItem,
    refuseUnknown: async (db, sent, before) => {
      const body: Partial<EntryCreate> = sent;
      const collection = await findCollection(db, before?.collection_id ?? body.collection ?? 0);
      const [unknown] =
        collection === undefined ? [] : unknownNames(collection, body.data ?? {}, before?.data);
      if (unknown !== undefined)
        throw apiError('common.unknownField', { ...unknown, field: `data.${unknown.field}` });
    },
    async create(change, body) {
      const { tx, now } = change;
      const collection = await requireCollection(tx, body.collection, 'collection');
      if (collection.singleton && (await store.findFirst(tx, collection.id, true)) !== undefined)
        throw apiError('collection.hasEntry', {});
      const { data, faults } = await convertData(
        tx,
        chooseRules(change, collection),
        body.data,
        undefined,
        targets,
      );
      refuseFaults(faults);
      await requireUnique(tx, collection, { data, sent: data }, undefined);
      const item = {
        collection_id: collection.id,
        data,
        sort: await store.nextSort(tx, collection.id),
        published: body.published ?? true,
        translation_group: '',
        created_at: now,
        updated_at: now,
      };
      const entry = { id: await store.items.insert(tx, item), ...item };
      await keepItemReferences(tx, collection, entry, undefined);
      return toItemState(entry, collection);
    },
    async merge(change, before, { data: sent = {}, published = before.published }) {
      const { tx } = change;
      const collection = await requireCollection(tx, before.collection_id);
      const { data, faults } = await convertData(
        tx,
        chooseRules(change, collection),
        sent,
        before.data,
        targets,
      );
      refuseFaults(faults);
      await requireUnique(tx, collection, { data, sent }, before);
      return { ...before, data, published };
    },
    async write({ tx }, after, before) {
      await store.items.update(tx, toEntry(after));
      await keepItemReferences(tx, await requireCollection(tx, after.collection_id), after, before);
      return after;
    },
    remove: removeItem,
    namesOf: (state) => ({
      name: chooseEntryTitle(state.data),
      collection: state.collection,
      entry: toEntry(state),
    }),
    present: (state, _reports, db = reader) => presentStored(db, state),
    listMarkup: async ({ tx }, { collection_id, data }) =>
      listDataMarkup(tx, await requireCollection(tx, collection_id), data),
    valuesIn: 'data',
    batch: { ops: ['create', 'update', 'delete'], idFields: [], within: { find: findBatchScope } },
    errors: { create: [...itemErrors, 'collection.hasEntry'], update: itemErrors },
    revisions: { kind: 'item', restore: restorable },
    tables: ['items'],
    bundle: { fixed: ['collection_id'], names: { data: 'values' }, review: reviewEntries },
    async breaksRules(db, { collection_id, data }) {
      const { fields } = await requireCollection(db, collection_id);
      return fields.some((field) => breaksRule(data, field));
    },
    async keepReferences({ tx }, entry) {
      await keepItemReferences(tx, await requireCollection(tx, entry.collection_id), entry, undefined);
    },
  };
}

/** The fields with the rules that a change asks of values. */
function chooseRules(
  { takesAsIs }: Pick<Change, 'takesAsIs'>,
  { fields }: StoredCollection,
): Pick<StoredCollection, 'fields'> {
  return { fields: takesAsIs === true ? fields.map(withoutRules) : fields };
}

/** POST of entries: all or none. @throws ApiError with the place of the entry in front */
export async function createItems(
  change: Change,
  kind: ItemKind,
  collection: number,
  inputs: readonly EntryInput[],
  options: SaveOptions,
): Promise<ItemState[]> {
  const created: ItemState[] = [];
  await forEachInSlices(inputs, async (input, index) => {
    try {
      created.push(await createObject(change, kind, { collection, ...input }, options));
    } catch (error) {
      throw error instanceof ApiError ? prefixed(error, `item ${index}: `) : error;
    }
  });
  return created;
}

/** PUT of the one entry of a singleton: creates it if there is none. @throws ApiError `collection.notSingleton` */
export async function putSingle(
  change: Change,
  kind: ItemKind,
  collection: StoredCollection,
  body: EntryUpdate,
  options: SaveOptions,
): Promise<ItemState> {
  if (!collection.singleton) throw apiError('collection.notSingleton', {});
  const known = await store.findFirst(change.tx, collection.id, true);
  if (known !== undefined) return updateObject(change, kind, known.id, body, options);
  const { data = {}, published } = body;
  const input = { collection: collection.id, data, ...(published === undefined ? {} : { published }) };
  return createObject(change, kind, input, options);
}

/**
 * Puts entries into a new order: they share the places that they have, so that all others keep theirs.
 *
 * @throws ApiError `common.invalid` for an ID that is no entry of the collection, or is there twice
 */
export async function reorderItems(
  change: Change,
  collection: StoredCollection,
  ids: readonly number[],
): Promise<void> {
  const { tx, now, record } = change;
  const { id: collectionId, slug } = collection;
  await decideAt(change, placeEntries(collection));
  const before = new Map<number, number>();
  await forEachInSlices(ids, async (id, index) => {
    if (before.has(id)) throw invalid(String(index), 'is in the list twice');
    const sort = await store.findSort(tx, collectionId, id);
    if (sort === undefined) throw invalid(String(index), 'is no entry of the collection');
    before.set(id, sort);
  });
  const places = [...before.values()].sort((left, right) => left - right);
  await forEachInSlices(ids, async (id, index) => {
    const place = places[index] ?? 0;
    if (place === before.get(id)) return;
    await store.setSort(tx, id, place, now);
    record({ kind: 'item', action: 'moved', id, collection: slug });
  });
}

/** Puts an entry at a place of the manual order. Entries between its old place and the new one make room. */
export async function moveItem(
  change: Change,
  collection: StoredCollection,
  id: number,
  index: number,
): Promise<void> {
  const ids = (await store.listIdsInOrder(change.tx, collection.id)).map((row) => row.id);
  const from = ids.indexOf(id);
  const to = index < 0 ? ids.length - 1 : Math.min(index, ids.length - 1);
  const moved = ids.toSpliced(from, 1).toSpliced(to, 0, id);
  await reorderItems(change, collection, moved.slice(Math.min(from, to), Math.max(from, to) + 1));
}

/** @throws ApiError `common.notFound` for an ID that is no entry of the collection */
export async function requireItem(
  db: ContentDb,
  { id: collectionId }: Pick<StoredCollection, 'id'>,
  id: number,
  field?: string,
): Promise<Entry> {
  const item = await store.items.find(db, id);
  if (item?.collection_id !== collectionId)
    throw apiError('common.notFound', field === undefined ? {} : { field });
  return item;
}

/**
 * An entry as the API shows it. Authenticated callers also see values that are still stored of fields that the
 * collection has no more.
 */
export async function presentItem(
  item: Entry,
  { fields }: StoredCollection,
  isPublic: boolean,
  targets: KnownTargets,
): Promise<Entry> {
  await targets.read(fields, item.data);
  return { ...item, data: presentData(item.data, fields, !isPublic, targets.has) };
}

/** A saved entry as GET shows it. */
export function presentSaved({ tx }: Change, item: ItemState): Promise<Entry> {
  return presentStored(tx, item);
}

async function presentStored(db: ContentDb, item: ItemState): Promise<Entry> {
  const collection = await requireCollection(db, item.collection_id);
  return presentItem(toEntry(item), collection, false, new KnownTargets(db));
}

/** The entry without the slug of its collection. */
export function toEntry({ collection: _collection, ...entry }: ItemState): Entry {
  return entry;
}

/** The entry with the slug of its collection. */
export function toItemState(item: Entry, { slug }: Pick<StoredCollection, 'slug'>): ItemState {
  return { ...item, collection: slug };
}

async function findItem(db: ContentDb, id: number): Promise<ItemState | undefined> {
  const item = await store.items.find(db, id);
  return item === undefined ? undefined : toItemState(item, await requireCollection(db, item.collection_id));
}

/** A collection as operations of a batch name it. */
async function findBatchScope(db: ContentDb, ref: string | number): Promise<BatchScope | undefined> {
  const collection = await findCollection(db, ref);
  if (collection === undefined) return undefined;
  const { id, slug, fields } = collection;
  return {
    slug,
    replaceIds(name, value, replace) {
      const field = fields.find((known) => known.name === name);
      return field === undefined ? value : replaceIds(value, field, replace);
    },
    contains: (state) => 'collection_id' in state && state.collection_id === id,
    toBody: (op, data, published) => ({
      ...(op === 'create' ? { collection: id } : {}),
      ...(published === undefined ? {} : { published }),
      data,
    }),
  };
}

/** Restores the data as it was, whatever the rules of the fields say now. References to what is gone are left out. */
async function restorable(db: ContentDb, current: ItemState, stored: ItemState): Promise<EntryUpdate> {
  const { fields } = await requireCollection(db, current.collection_id);
  const data: Record<string, unknown> = {};
  for (const field of fields) {
    if (!Object.hasOwn(stored.data, field.name)) continue;
    const value = convertValue(stored.data[field.name], withoutOptions(field));
    if (value instanceof ConversionError) continue;
    if (field.type === 'blocks') data[field.name] = value === null ? null : TrustedTree.fromHistory(value);
    else data[field.name] = new StoredValue(await findRemaining(db, field, value));
  }
  return { data };
}

/** A value without what is gone. */
async function findRemaining(db: ContentDb, field: FieldDefinition, value: unknown): Promise<unknown> {
  const targets = new KnownTargets(db);
  await targets.read([field], { [field.name]: value });
  return replaceTargets(value, field, (target) => (targets.has(target) ? target.id : null));
}
