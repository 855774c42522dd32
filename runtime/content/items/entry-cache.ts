import type { LoggedChange } from '../change-log.ts';
import { type Dependency, dependencies, findAffectedDependencies } from '../dependencies.ts';
import type { DependencyRecorder } from '../dependency-recorder.ts';
import type { ContentReader } from '../reader.ts';
import { accessPath } from './access.ts';
import { type Condition, type ItemQuery, maxLimit } from './query.ts';
import type { CollectionRecord, DetailRecord, ItemRecord, SourceRecord, UnsavedItem } from './records.ts';
import { selectItems } from './select.ts';
import { countSql, detailSql } from './sql.ts';

/** Most entries that lists keep together; then all are dropped. */
const maxKeptItems = 50_000;
const maxKept = 10_000;
/** Longest text in the change log. */
const maxLoggedLength = 200;

type Lists = Map<string, readonly ItemRecord[]>;

/**
 * Collections and entries as the tasks of one worker read them. Every read is noted, and results are kept until a
 * change touches what they were selected by.
 *
 * A list depends on the entries with a certain value if it is selected by one, else on all entries of its
 * collection.
 */
export class EntryCache {
  readonly #reader: ContentReader;
  readonly #reads: DependencyRecorder;
  readonly #bySlug = new Map<string, CollectionRecord | undefined>();
  readonly #byId = new Map<number, CollectionRecord | undefined>();
  readonly #byPage = new Map<number, readonly CollectionRecord[]>();
  readonly #items = new Map<number, ItemRecord | undefined>();
  /** By collection and dependency, then by query. */
  readonly #lists = new Map<number, Map<Dependency, Lists>>();
  #keptItems = 0;

  constructor(reader: ContentReader, reads: DependencyRecorder) {
    this.#reader = reader;
    this.#reads = reads;
  }

  applyChanges(change: LoggedChange): void {
    switch (change.kind) {
      case 'item':
        this.#items.delete(change.id);
        this.#forgetLists(change);
        break;
      case 'items':
        this.#items.clear();
        this.#lists.delete(change.id);
        break;
      case 'collection':
        this.#bySlug.clear();
        this.#byId.clear();
        this.#byPage.clear();
        this.#lists.delete(change.id);
        break;
      default:
    }
  }

  forget(): void {
    for (const kept of [this.#bySlug, this.#byId, this.#byPage, this.#items]) kept.clear();
    this.#dropLists();
  }

  collection(slug: string): CollectionRecord | undefined {
    this.#reads.note(dependencies.dataSlug(slug));
    return kept(this.#bySlug, slug, () => this.#reader.collection(slug));
  }

  collectionById(id: number): CollectionRecord | undefined {
    this.#reads.note(dependencies.collection(id));
    return kept(this.#byId, id, () => this.#reader.collectionById(id));
  }

  /** The collections whose entries have their pages below a page, oldest first. */
  collectionsBelow(pageId: number): readonly CollectionRecord[] {
    this.#reads.note(dependencies.collections);
    return kept(this.#byPage, pageId, () => this.#reader.collectionsBelow(pageId));
  }

  /** The entries of a group of language versions, drafts too. */
  versions(group: string): readonly ItemRecord[] {
    this.#reads.note(dependencies.entryVersions(group));
    const items = this.#reader.itemVersions(group);
    for (const { collection_id: id } of items) this.#reads.note(dependencies.allItems(id));
    return items;
  }

  /** A REST source by its slug. */
  source(slug: string): SourceRecord | undefined {
    this.#reads.note(dependencies.dataSlug(slug));
    return this.#reader.source(slug);
  }

  /** All REST sources in order of their slugs. Not kept: asked for when an editor looks. */
  sources(): readonly SourceRecord[] {
    this.#reads.note(dependencies.everything);
    return this.#reader.sources();
  }

  /** All collections in order of their slugs. Not kept: asked for when an editor looks. */
  collections(): readonly CollectionRecord[] {
    this.#reads.note(dependencies.everything);
    return this.#reader.collections();
  }

  /** An entry of a collection, draft or not; undefined if there is none of that ID. */
  item(collectionId: number, id: number): ItemRecord | undefined {
    this.#reads.note(dependencies.allItems(collectionId));
    this.#reads.note(dependencies.item(id));
    const item = kept(this.#items, id, () => this.#reader.items([id])[0]);
    return item?.collection_id === collectionId ? item : undefined;
  }

  /** An entry of whichever collection, draft or not; undefined if there is none of that ID. */
  itemOfAny(id: number): ItemRecord | undefined {
    this.#reads.note(dependencies.item(id));
    const item = kept(this.#items, id, () => this.#reader.items([id])[0]);
    if (item !== undefined) this.#reads.note(dependencies.allItems(item.collection_id));
    return item;
  }

  /** Reads entries that {@link item} will be asked for, in one query. */
  expect(ids: Iterable<number>): void {
    const unknown = [...new Set(ids)].filter((id) => !this.#items.has(id)).slice(0, maxKept / 2);
    if (unknown.length === 0) return;
    if (this.#items.size + unknown.length > maxKept) this.#items.clear();
    const found = new Map(this.#reader.items(unknown).map((item) => [item.id, item]));
    for (const id of unknown) this.#items.set(id, found.get(id));
  }

  /**
   * The entries of a query. The result stays the same list as long as no change touches it.
   *
   * @throws TooManyItems
   */
  select(
    collection: CollectionRecord,
    query: ItemQuery,
    drafts: boolean,
    unsaved?: UnsavedItem,
  ): readonly ItemRecord[] {
    const found = this.#noted(collection.id, query);
    if (unsaved !== undefined) return selectItems(this.#reader, collection, query, drafts, unsaved);
    const key = `${drafts} ${JSON.stringify(query)}`;
    const ofCollection = kept(this.#lists, collection.id, () => new Map<Dependency, Lists>());
    const lists = kept(ofCollection, found, (): Lists => new Map());
    const known = lists.get(key);
    if (known !== undefined) return known;
    const items = selectItems(this.#reader, collection, query, drafts);
    if (items.length <= maxLimit) this.#keep(lists, key, items);
    return items;
  }

  /** The values of a field in the published entries of a collection. Not kept: asked for by the sitemap. */
  details({ id, fields }: CollectionRecord, field: string): readonly DetailRecord[] {
    this.#reads.note(dependencies.allItems(id));
    this.#reads.note(dependencies.anyItem(id));
    return fields.some(({ name }) => name === field) ? this.#reader.selectDetails(detailSql(id, field)) : [];
  }

  /** Number of entries of a query, without regard to its limit. */
  count(collection: CollectionRecord, query: ItemQuery, drafts: boolean): number {
    const { id } = collection;
    this.#noted(id, query);
    const isWhole = query.conditions.length === 0 && query.search === '';
    if (isWhole) return this.#reader.countItems(id, drafts);
    return this.#reader.countSelected(
      countSql(id, query, drafts, accessPath(this.#reader, collection, query)),
    );
  }

  #keep(lists: Lists, key: string, items: readonly ItemRecord[]): void {
    this.#keptItems += items.length + 1;
    if (this.#keptItems > maxKeptItems) this.#dropLists();
    else lists.set(key, items);
  }

  #dropLists(): void {
    this.#lists.clear();
    this.#keptItems = 0;
  }

  #forgetLists(change: LoggedChange): void {
    const collectionId = change.now.parent_id ?? change.before.parent_id ?? 0;
    const lists = this.#lists.get(collectionId);
    if (lists !== undefined)
      for (const dependency of findAffectedDependencies(change)) lists.delete(dependency);
  }

  /** Notes what a query depends on besides {@link dependencies.allItems}, and returns it. */
  #noted(collectionId: number, { conditions }: ItemQuery): Dependency {
    this.#reads.note(dependencies.allItems(collectionId));
    const found = conditions.flatMap((condition) => dependencyOf(collectionId, condition) ?? []);
    const [dependency = dependencies.anyItem(collectionId)] = found;
    this.#reads.note(dependency);
    return dependency;
  }
}

/** The dependency of a condition that selects entries by one value; undefined for any other condition. */
function dependencyOf(
  collectionId: number,
  { operand, operator, values }: Condition,
): Dependency | undefined {
  const [value] = values;
  if (value === undefined || values.length > 1 || (operator !== 'eq' && operator !== 'in')) return undefined;
  if ('column' in operand)
    return operand.column === 'id' && typeof value === 'number' ? dependencies.item(value) : undefined;
  // The log has no texts of lists.
  if (operand.compares === 'texts') return undefined;
  // Flags that are false are not always stored, and of numbers only whole ones are in the log.
  const isLogged =
    typeof value === 'string'
      ? value.length <= maxLoggedLength && !value.includes('\0')
      : Number.isSafeInteger(value) && (operand.compares !== 'flag' || value === 1);
  return isLogged ? dependencies.itemsBy(collectionId, `${operand.field}=${value}`) : undefined;
}

function kept<Key, Value>(map: Map<Key, Value>, key: Key, read: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = read();
  if (map.size >= maxKept) map.clear();
  map.set(key, value);
  return value;
}
