import { withOrigin } from '../blocks/origins.ts';
import type { ContentCache } from '../content/content-cache.ts';
import type { CollectionRecord, ItemRecord, UnsavedItem } from '../content/items/records.ts';
import type { EntryData, FieldDefinition } from '../fields/definition.ts';
import { currentValue, fieldTypes } from '../fields/types.ts';
import { computeEntryAddress } from './entry-address.ts';
import { prepareFieldValue } from './field-value.ts';
import type { LinkView } from './link-value.ts';

/** What an entry is shown with. */
export interface EntryView extends LinkView {
  readonly unsaved: UnsavedItem | undefined;
  /** Whether the preview is for editors: trees are told from each other, empty ones too. Default: no. */
  readonly isEdited?: boolean;
}

/** An entry in templates: its values by name, and `id`, `published`, `_created`, `_updated`, `_url`. */
export type EntryValue = Readonly<Record<string, unknown>>;

/**
 * The values of entries in templates. References lead to the linked entries, one level deep; they are read when a
 * template looks at them, for all entries of a list at once.
 *
 * Invariant: the values of a list that the memo keeps are made once, and shared by all renders. What they read
 * later is noted by each render that looks at it.
 */
export class EntryValues {
  readonly #memo: ContentCache;
  /** By website and scheme, because links lead to pages of other websites by absolute addresses. */
  readonly #caches = new Map<number, ValueCaches>();

  constructor(memo: ContentCache) {
    this.#memo = memo;
  }

  /** @param items as the memo returned them for this view */
  list(collection: CollectionRecord, items: readonly ItemRecord[], view: EntryView): readonly EntryValue[] {
    const caches = this.#cachesOf(view);
    const lists = view.isEdited === true ? caches.editedLists : caches.lists;
    const known = lists.get(items);
    if (known !== undefined) return known;
    const values = items.map((item) => this.#value(collection, item, items, view));
    lists.set(items, values);
    return values;
  }

  /** An entry as others show it that refer to it; undefined if there is none that the view shows. */
  linked(collectionId: number, id: number, view: EntryView): EntryValue | undefined {
    const collection = this.#memo.items.collectionById(collectionId);
    return collection && this.#linkedValue(collection, id, view);
  }

  /** The value of a field with parts, as an entry of the view shows it. @param stored as it is stored */
  fieldValue(field: FieldDefinition, stored: unknown, view: EntryView): unknown {
    const linked = (collectionId: number, id: number) => this.linked(collectionId, id, view);
    return prepareFieldValue(field, stored, { memo: this.#memo, view, linked });
  }

  #cachesOf({ rootId, scheme }: EntryView): ValueCaches {
    const key = rootId * 2 + Number(scheme === 'https');
    const known = this.#caches.get(key);
    if (known !== undefined) return known;
    if (this.#caches.size >= maxCaches) this.#caches.clear();
    const caches = createCaches();
    this.#caches.set(key, caches);
    return caches;
  }

  #value(
    collection: CollectionRecord,
    item: ItemRecord,
    list: readonly ItemRecord[],
    view: EntryView,
  ): EntryValue {
    const value = this.#plain(collection, item, view);
    for (const field of collection.fields) {
      if (field.type === 'group')
        value[field.name] = this.fieldValue(field, currentValue(item.data, field), view);
      if (fieldTypes[field.type].refersTo !== 'item') continue;
      const ids = currentValue(item.data, field);
      if (ids === null) continue;
      Object.defineProperty(value, field.name, {
        enumerable: true,
        get: () => this.#linkedBy(field, ids, list, view),
      });
    }
    return Object.freeze(value);
  }

  /** The entry without its references, which stay IDs, those in groups too. */
  #plain(collection: CollectionRecord, item: ItemRecord, view: EntryView): Record<string, unknown> {
    const value: Record<string, unknown> = Object.create(null);
    for (const field of collection.fields) {
      const stored = currentValue(item.data, field);
      const isPrepared = fieldTypes[field.type].parameter === 'field';
      value[field.name] = isPrepared ? prepareFieldValue(field, stored, { memo: this.#memo, view }) : stored;
    }
    if (view.isEdited === true) nameTrees(value, collection, item);
    const system = {
      id: item.id,
      published: item.published,
      _created: new Date(item.created_at * 1000),
      _updated: new Date(item.updated_at * 1000),
    };
    for (const [name, shown] of Object.entries(system)) if (!(name in value)) value[name] = shown;
    if (!('_url' in value))
      Object.defineProperty(value, '_url', {
        enumerable: true,
        get: () => computeEntryAddress(this.#memo, collection, item, view.drafts),
      });
    return value;
  }

  #linkedBy(field: FieldDefinition, ids: unknown, list: readonly ItemRecord[], view: EntryView): unknown {
    const { collection: linkedId } = field;
    const linked = linkedId === null ? undefined : this.#memo.items.collectionById(linkedId);
    if (linked === undefined) return Array.isArray(ids) ? [] : null;
    this.#memo.items.expect(list.flatMap((item) => idsIn(currentValue(item.data, field))));
    const values = idsIn(ids).flatMap((id) => this.#linkedValue(linked, id, view) ?? []);
    return Array.isArray(ids) ? Object.freeze(values) : (values[0] ?? null);
  }

  #linkedValue(collection: CollectionRecord, id: number, view: EntryView): EntryValue | undefined {
    const stored = this.#memo.items.item(collection.id, id);
    const { unsaved } = view;
    if (
      unsaved !== undefined &&
      unsaved.collectionId === collection.id &&
      unsaved.id === id &&
      stored !== undefined
    )
      return Object.freeze(this.#plain(collection, { ...stored, data: unsaved.data }, view));
    if (stored === undefined || !(stored.published || view.drafts)) return undefined;
    const { linked } = this.#cachesOf(view);
    const ofView = linked[view.isEdited === true ? 'edited' : view.drafts ? 'drafts' : 'live'];
    const known = ofView.get(collection) ?? new WeakMap<ItemRecord, EntryValue>();
    ofView.set(collection, known);
    const value = known.get(stored) ?? Object.freeze(this.#plain(collection, stored, view));
    known.set(stored, value);
    return value;
  }
}

/** Most websites whose values are kept. */
const maxCaches = 1000;

type Lists = WeakMap<readonly ItemRecord[], readonly EntryValue[]>;

/** The values of one website. */
interface ValueCaches {
  readonly lists: Lists;
  readonly editedLists: Lists;
  /** Values depend on the fields of the collection too, which is another record after a change. */
  readonly linked: Readonly<Record<'live' | 'drafts' | 'edited', LinkedValues>>;
}

function createCaches(): ValueCaches {
  const linked = { live: new LinkedValues(), drafts: new LinkedValues(), edited: new LinkedValues() };
  return { lists: new WeakMap(), editedLists: new WeakMap(), linked };
}

class LinkedValues extends WeakMap<CollectionRecord, WeakMap<ItemRecord, EntryValue>> {}

/** Notes where the trees of an entry come from. An entry without a tree gets an empty one. */
function nameTrees(
  value: Record<string, unknown>,
  { slug, fields }: CollectionRecord,
  { id }: ItemRecord,
): void {
  for (const { name, type } of fields) {
    if (type !== 'blocks') continue;
    const tree = value[name];
    value[name] = withOrigin(Array.isArray(tree) ? tree : [], `item:${slug}:${id}:${name}`);
  }
}

/** The first text of an entry, as its name for people. */
export function chooseEntryTitle(data: EntryData): string {
  const text = Object.values(data).find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? text.slice(0, 200) : '';
}

function idsIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
}
