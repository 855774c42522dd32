import type { FieldDefinition } from '../../../runtime/fields/definition.ts';
import { characterCount } from '../../../runtime/filters/shared/values.ts';
import { apiError, collectFaults, type ErrorCode, invalid, invalidFields } from '../../base/errors.ts';
import { compareIgnoringCase } from '../../base/text.ts';
import { leveled, type Warning } from '../../base/warnings.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import { findReferrers } from '../../content/kinds/references.ts';
import type { ContentDb } from '../../db/tables.ts';
import { normalizeLang } from '../pages/rules.ts';
import {
  Collection,
  CollectionCreate,
  CollectionUpdate,
  type FieldInput,
  SavedCollection,
  type StoredCollection,
} from './model.ts';
import { warnOfBrokenRules } from './rows/broken-rules.ts';
import { removeAllItems, runInBulk } from './rows/bulk.ts';
import { checkGroupsOfCollection } from './rows/groups.ts';
import { faultsInFields, hasLinked, toFields } from './schema.ts';
import * as store from './store.ts';
import { collectionTrash } from './trash.ts';

const errors: readonly ErrorCode[] = [
  'collection.slugTaken',
  'collection.detailPageInvalid',
  'translation.langInvalid',
];

export type CollectionKind = Kind<StoredCollection, typeof CollectionCreate, typeof CollectionUpdate>;

/**
 * A list of entries with the same fields (Data, Automation and Operations, "Collection").
 *
 * @param reader for the number of entries in answers
 */
export function collectionKind(reader: ContentDb): CollectionKind {
  return {
    ...declaration,
    present: (collection, _reports, db = reader) => presentCollection(db, collection, false),
  };
}

const declaration: CollectionKind = {
  name: 'collection',
  path: '/collections',
  noun: 'a collection',
  about: 'Collections and their entries.',
  schemas: { create: CollectionCreate, update: CollectionUpdate, answer: Collection, saved: SavedCollection },
  errors: {
    create: errors,
    update: [...errors, 'collection.manyEntries', 'translation.langTaken', 'translation.collectionLinked'],
  },
  list: { summary: 'List collections', entry: Collection, read: listCollections },
  endpoints: ['list', 'create', 'update', 'delete'],
  findId: findCollectionId,
  find: (db, id) => store.collections.find(db, id),
  faultsIn: (db, { slug, fields, detail_field }, before) =>
    collectFaults([
      () => slug !== undefined && checkDataSlugForm(slug),
      () => fields !== undefined && checkFields(db, fields, before?.fields),
      () => checkDetailField(detail_field, fields ?? before?.fields ?? [], before),
    ]),
  async create({ tx, now }, body) {
    const collection = { ...(await checkCollection(tx, body)), created_at: now, updated_at: now };
    return { id: await store.collections.insert(tx, collection), ...collection };
  },
  async merge({ tx }, before, body) {
    const { slug, lang, detail_page_id: detailPage, singleton } = body;
    if (slug !== undefined) await checkDataSlug(tx, slug, { collectionId: before.id });
    if (singleton !== undefined && singleton !== before.singleton) await checkAtMostOne(tx, before.id);
    return {
      ...before,
      slug: slug ?? before.slug,
      name: body.name === undefined ? before.name : body.name || (slug ?? before.slug),
      folder: body.folder ?? before.folder,
      public_api: body.public_api ?? before.public_api,
      live: body.live ?? before.live,
      singleton: singleton ?? before.singleton,
      detail_page_id:
        detailPage === undefined || detailPage === before.detail_page_id
          ? before.detail_page_id
          : await checkedDetailPage(tx, detailPage),
      detail_field: body.detail_field === undefined ? before.detail_field : body.detail_field || 'slug',
      lang: lang === undefined ? before.lang : normalizeLang(lang),
      fields: body.fields === undefined ? before.fields : await toFields(tx, body.fields, before.fields),
    };
  },
  async write({ tx }, after, before) {
    await store.collections.update(tx, after);
    if (after.lang !== before.lang) await checkGroupsOfCollection(tx, after);
    return after;
  },
  async remove(change, collection) {
    await runInBulk(change, collection, () => removeAllItems(change, collection));
    await store.collections.remove(change.tx, collection.id);
  },
  rights: {
    code: 'all',
    place: async (_db, { id, slug, lang }) => ({ collection: { id, slug }, language: lang }),
    listInside: async (db, { id }) =>
      (await store.countItems(db, id)) === 0 ? [] : [{ kind: 'item', id: undefined }],
  },
  namesOf: ({ slug, name }) => ({ slug, name }),
  refersTo: ({ fields, detail_page_id: page }) => ({
    fields: [...new Set(listWithInner(fields).flatMap(({ collection }) => collection ?? []))].map((id) => ({
      kind: 'collection',
      key: String(id),
    })),
    detail_page_id: page === 0 ? [] : [{ kind: 'page', key: String(page) }],
  }),
  usage: {
    targets: async (_db, { id, slug }) => [
      { kind: 'collection', key: slug },
      { kind: 'collection', key: String(id) },
    ],
  },
  revisions: { kind: 'collection', restore: toRestoredFields },
  warningsAfter: async (db, before, after) =>
    before === undefined
      ? []
      : [
          ...(before.slug === after.slug ? [] : await namedStill(db, before.slug)),
          ...(await warnOfBrokenRules(db, before, after)),
        ],
  batch: { ops: ['create', 'update', 'delete'], idFields: ['detail_page_id'] },
  bundle: { names: { fields: 'fields' } },
  trash: collectionTrash((db, collection) => presentCollection(db, collection, true)),
  tables: ['collections'],
};

/**
 * The body that restores a stored state. A detail page that was deleted since is left out, and so is a detail field
 * that was none at that time.
 */
async function toRestoredFields(
  db: ContentDb,
  _current: StoredCollection,
  { id: _, created_at: _created, updated_at: _updated, ...stored }: StoredCollection,
): Promise<CollectionUpdate> {
  const { detail_page_id: page, detail_field: detailField, fields } = stored;
  const isField = fields.some(({ name }) => name === detailField);
  return {
    ...stored,
    fields: fields.map(toFieldInput),
    detail_page_id: page === 0 || (await store.isPage(db, page)) ? page : 0,
    detail_field: isField ? detailField : '',
  };
}

/** A stored field as a body has it. */
function toFieldInput({ fields, ...field }: FieldDefinition): FieldInput {
  const inner = fields === undefined ? {} : { fields: fields.map(toInnerInput) };
  return { ...toInnerInput(field), ...inner };
}

function toInnerInput({ fields: _, ...field }: FieldDefinition) {
  return { ...field, options: [...field.options] };
}

/** Most objects that an answer names. */
const maxNamed = 100;

async function namedStill(db: ContentDb, slug: string): Promise<Warning[]> {
  const namers = await findReferrers(db, { kind: 'collection', key: slug }, maxNamed);
  return namers.map(({ kind, id }) =>
    leveled({
      code: 'collection.slugNamed',
      error: `${kind} ${id} still names "${slug}"; POST /collections/{ref}/rename-slug with carry changes that too`,
      params: { slug, kind, id },
    }),
  );
}

/**
 * A new collection with all its fields, checked and not stored.
 *
 * @throws ApiError `common.invalid`, 409 `collection.slugTaken`, `collection.detailPageInvalid`,
 *   `translation.langInvalid`
 */
export async function checkCollection(
  db: ContentDb,
  body: CollectionCreate,
): Promise<Omit<StoredCollection, 'id'>> {
  const faults = (await declaration.faultsIn?.(db, body, undefined)) ?? [];
  if (faults.length > 0) throw invalidFields(faults);
  await checkDataSlug(db, body.slug, {});
  return {
    slug: body.slug,
    name: body.name || body.slug,
    folder: body.folder ?? '',
    public_api: body.public_api ?? false,
    live: body.live ?? false,
    singleton: body.singleton ?? false,
    detail_page_id: await checkedDetailPage(db, body.detail_page_id ?? 0),
    detail_field: body.detail_field || 'slug',
    lang: normalizeLang(body.lang ?? ''),
    fields: await toFields(db, body.fields ?? []),
    created_at: 0,
    updated_at: 0,
  };
}

/** The ID of the collection with this ID or slug. */
async function findCollectionId(db: ContentDb, ref: string): Promise<number | undefined> {
  if (!/^\d/.test(ref)) return store.findIdBySlug(db, ref);
  return /^[1-9]\d{0,14}$/.test(ref) ? Number(ref) : undefined;
}

/** The collection with this ID or slug. */
export async function findCollection(
  db: ContentDb,
  ref: string | number,
): Promise<StoredCollection | undefined> {
  const id = typeof ref === 'number' ? ref : await findCollectionId(db, ref);
  return id === undefined ? undefined : store.collections.find(db, id);
}

/** @throws ApiError `common.notFound` */
export async function requireCollection(
  db: ContentDb,
  ref: string | number,
  field?: string,
): Promise<StoredCollection> {
  const collection = await findCollection(db, ref);
  if (collection === undefined) throw apiError('common.notFound', field === undefined ? {} : { field });
  return collection;
}

/** The answer to GET. Anonymous callers do not learn how many drafts there are. */
export async function presentCollection(
  db: ContentDb,
  collection: StoredCollection,
  isPublic: boolean,
): Promise<Collection> {
  const shown = { ...collection, fields: await presentFields(db, collection) };
  return isPublic ? shown : { ...shown, item_count: await store.countItems(db, collection.id) };
}

/** The fields of a collection. Those that refer to one that is gone refer to none. */
async function presentFields(
  db: ContentDb,
  { fields }: Pick<StoredCollection, 'fields'>,
): Promise<Collection['fields']> {
  const shown: Collection['fields'] = [];
  for (const { fields: inner, ...field } of fields) {
    const presented = await presentField(db, field);
    if (inner === undefined) shown.push(presented);
    else shown.push({ ...presented, fields: await Promise.all(inner.map((part) => presentField(db, part))) });
  }
  return shown;
}

/** A field that is no group. */
async function presentField(db: ContentDb, { fields: _fields, ...field }: FieldDefinition) {
  const collection = (await hasLinked(db, field)) ? field.collection : null;
  return { ...field, collection, options: [...field.options] };
}

/** All collections by ID, without their entries. */
export async function listCollectionSchemas(db: ContentDb): Promise<Omit<Collection, 'item_count'>[]> {
  const collections = await store.collections.list(db);
  const shown: Omit<Collection, 'item_count'>[] = [];
  for (const collection of collections.sort((left, right) => left.id - right.id))
    shown.push({ ...collection, fields: await presentFields(db, collection) });
  return shown;
}

async function listCollections(db: ContentDb): Promise<object[]> {
  const counts = await store.countAllItems(db);
  const collections = await store.collections.list(db);
  const shown: object[] = [];
  for (const collection of collections.sort((left, right) => compareIgnoringCase(left.name, right.name))) {
    const fields = await presentFields(db, collection);
    shown.push({ ...collection, fields, item_count: counts.get(collection.id) ?? 0 });
  }
  return shown;
}

/** Path segments below `/collections/` that are no slugs. */
const reservedSlugs = new Set(['import']);

/** @throws ApiError `common.invalid` for `slug` */
export function checkDataSlugForm(slug: string): void {
  if (!/^[a-z][a-z0-9_-]*$/.test(slug) || characterCount(slug) > 100)
    throw invalid('slug', 'must consist of at most 100 of a-z, 0-9, "_", "-" and begin with a letter');
  if (reservedSlugs.has(slug)) throw invalid('slug', 'is reserved');
}

/** @throws ApiError `common.invalid` */
async function checkFields(
  db: ContentDb,
  fields: readonly FieldInput[],
  before: StoredCollection['fields'] | undefined,
): Promise<void> {
  const faults = await faultsInFields(db, fields, before);
  if (faults.length > 0) throw invalidFields(faults);
}

interface Named {
  readonly name: string;
}

/** @throws ApiError `common.invalid` for `detail_field` */
function checkDetailField(
  name: string | undefined,
  fields: readonly Named[],
  before: { readonly detail_field: string; readonly fields: readonly Named[] } | undefined,
): void {
  const isFieldIn = (list: readonly Named[]) => list.some((field) => field.name === name);
  if (name === undefined || name === '' || isFieldIn(fields)) return;
  // It may be sent back as it was answered, and need not have been checked: `slug` is the default.
  if (name === before?.detail_field && !isFieldIn(before.fields)) return;
  throw invalid('detail_field', 'must be the name of a field');
}

/** @throws ApiError `collection.detailPageInvalid` */
async function checkedDetailPage(db: ContentDb, id: number): Promise<number> {
  if (id !== 0 && !(await store.isCatchAllPage(db, id)))
    throw apiError('collection.detailPageInvalid', { id });
  return id;
}

/**
 * Collections and sources share their slugs.
 *
 * @param owner the object that may have the slug already
 * @throws ApiError 409 `collection.slugTaken`
 */
export async function checkDataSlug(
  db: ContentDb,
  slug: string,
  owner: { readonly collectionId?: number; readonly sourceId?: number },
): Promise<void> {
  const collectionId = await store.findIdBySlug(db, slug);
  const sourceId = await store.findSourceId(db, slug);
  if (collectionId !== owner.collectionId || sourceId !== owner.sourceId) {
    if (collectionId !== undefined || sourceId !== undefined)
      throw apiError('collection.slugTaken', { slug });
  }
}

/** @throws ApiError 409 `collection.manyEntries` */
async function checkAtMostOne(db: ContentDb, id: number): Promise<void> {
  const count = await store.countItems(db, id);
  if (count > 1) throw apiError('collection.manyEntries', { count });
}

/** The fields with those of their groups. */
function listWithInner(fields: readonly FieldDefinition[]): readonly FieldDefinition[] {
  return fields.flatMap((field) => [field, ...(field.fields ?? [])]);
}
