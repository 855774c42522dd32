/** The collections of the demo website with their entries. */
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Change } from '../../changes/changes.ts';
import { createObject } from '../../content/kinds/objects.ts';
import type { ItemKind } from '../collections/items/service.ts';
import { linkTranslation } from '../collections/items/translations.ts';
import { CollectionCreate, type StoredCollection } from '../collections/model.ts';
import type { CollectionKind } from '../collections/service.ts';

export interface CollectionKinds {
  readonly collections: CollectionKind;
  readonly items: ItemKind;
}

/** Fields as in the API; `content/README.md` describes what differs. */
export const DemoCollection = Type.Object({
  ...Type.Omit(CollectionCreate, ['detail_page_id']).properties,
  detail_page: Type.Optional(Type.String()),
  entries: Type.Optional(Type.String()),
  translates: Type.Optional(Type.String()),
});
type DemoCollection = Static<typeof DemoCollection>;

const Entries = Type.Array(Type.Record(Type.String(), Type.Unknown()));

/** What the collections refer to, as `site.json` names it. */
interface Named {
  page(path: string): number;
  /** @param position in the list of files, from 1 */
  file(position: number): number;
  /** The text of a file. */
  entries(file: string): string;
}

interface Installed {
  readonly collection: StoredCollection;
  /** IDs in the order of the file. */
  readonly entries: readonly number[];
}

/** Creates collections and entries by the rules of the API. */
export async function installCollections(
  change: Change,
  kinds: CollectionKinds,
  collections: readonly DemoCollection[],
  named: Named,
): Promise<void> {
  const installed = new Map<string, Installed>();
  for (const described of collections) {
    const own = await installCollection(change, kinds, described, named);
    installed.set(described.slug, own);
    const original = described.translates === undefined ? undefined : installed.get(described.translates);
    for (const [index, id] of own.entries.entries()) {
      const other = original?.entries[index];
      if (original === undefined || other === undefined) continue;
      const link = { collection: own.collection.id, item_id: id };
      await linkTranslation(change, kinds.items, original.collection, other, link);
    }
  }
}

async function installCollection(
  change: Change,
  kinds: CollectionKinds,
  { detail_page: path, entries: file, translates: _original, ...fields }: DemoCollection,
  named: Named,
): Promise<Installed> {
  const body = { ...fields, detail_page_id: path === undefined ? 0 : named.page(path) };
  const collection = await createObject(change, kinds.collections, body);
  const pictures = collection.fields.filter(({ type }) => type === 'image').map(({ name }) => name);
  const entries: number[] = [];
  if (file === undefined) return { collection, entries };
  for (const data of Value.Parse(Entries, JSON.parse(named.entries(file)))) {
    const files = pictures.filter((name) => typeof data[name] === 'number');
    const withIds = Object.fromEntries(files.map((name) => [name, named.file(Number(data[name]))]));
    const input = { collection: collection.id, data: { ...data, ...withIds } };
    entries.push((await createObject(change, kinds.items, input)).id);
  }
  return { collection, entries };
}
