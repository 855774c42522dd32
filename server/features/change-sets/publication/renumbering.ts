/** Created objects whose promised ID an import has taken meanwhile: they get another one, and references follow. */
import { readBlockSchema } from '../../../../runtime/blocks/schema.ts';
import type { BlockTree } from '../../../../runtime/blocks/tree.ts';
import { readTargetFields } from '../../../../runtime/fields/targets.ts';
import type { Change } from '../../../changes/changes.ts';
import { type Definitions, findDefinitions, IdRewriter } from '../../../content/blocks/id-rewriter.ts';
import type { Kind } from '../../../content/kinds/kind.ts';
import type { KindsByName } from '../../../content/kinds/usage.ts';
import { reserveId } from '../../../db/schema.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { readBodyFields, toBody } from '../fields.ts';
import { type SetItem, saveItem } from '../items.ts';
import type { RenumberedItem } from '../model.ts';
import type { PlannedItem } from '../plan.ts';
import { deleteItem } from '../store.ts';

export type { RenumberedItem } from '../model.ts';

/** The items with IDs that are free. */
export async function renumberTaken(
  db: ContentDb,
  kinds: KindsByName,
  items: readonly SetItem[],
): Promise<{ readonly items: readonly SetItem[]; readonly renumbered: readonly RenumberedItem[] }> {
  const renumbered: RenumberedItem[] = [];
  for (const { kind, id, creation } of items) {
    const [table] = kind.tables;
    if (creation === undefined || table === undefined || (await kind.find(db, id)) === undefined) continue;
    renumbered.push({ kind: kind.name, from: id, to: reserveId(db, table) });
  }
  if (renumbered.length === 0) return { items, renumbered };
  const ids = new Map(
    [...Map.groupBy(renumbered, ({ kind }) => kind)].map(([kind, ofKind]) => [
      kind,
      new Map(ofKind.map(({ from, to }) => [from, to])),
    ]),
  );
  const rewriter = new IdRewriter({ ids, paths: new Map() }, findPlannedDefinitions(db, kinds, items));
  const moved: SetItem[] = [];
  for (const item of items) moved.push(await moveItem(item, rewriter));
  return { items: moved, renumbered };
}

/** Stores the items of a published change set under their new IDs. */
export async function saveRenumbered(
  { tx }: Change,
  setId: number,
  planned: readonly PlannedItem[],
  renumbered: readonly RenumberedItem[],
): Promise<void> {
  for (const { kind, from } of renumbered) await deleteItem(tx, setId, kind, from);
  for (const { item } of planned) await saveItem(tx, setId, item);
}

/** The definitions of the items, and of the live objects that none of them is about. */
function findPlannedDefinitions(db: ContentDb, kinds: KindsByName, items: readonly SetItem[]): Definitions {
  const live = findDefinitions(db, async (id) =>
    readTargetFields(Reflect.get((await kinds.get('collection')?.find(db, id)) ?? {}, 'fields')),
  );
  const find = (kind: string, isIt: (item: SetItem) => boolean) =>
    items.find((item) => item.kind.name === kind && isIt(item));
  return {
    async params(blockType) {
      const snippet = find('snippet', (item) => readPlanned(item, 'name') === blockType);
      return snippet === undefined
        ? live.params(blockType)
        : readBlockSchema(Object(readPlanned(snippet, 'schema'))).params;
    },
    async globalTree(id) {
      const block = find('global_block', (item) => item.id === id);
      // Type boundary: the trees of items have passed their schema.
      return block === undefined
        ? live.globalTree(id)
        : (readPlanned(block, 'blocks') as BlockTree | undefined);
    },
    async fields(id) {
      const collection = find('collection', (item) => item.id === id);
      return collection === undefined ? live.fields(id) : readTargetFields(readPlanned(collection, 'fields'));
    },
  };
}

/** A field of an object as the change set leaves it. */
function readPlanned({ base, creation, fields }: SetItem, name: string): unknown {
  return Reflect.get({ ...base, ...creation, ...fields }, name);
}

async function moveItem(item: SetItem, rewriter: IdRewriter): Promise<SetItem> {
  const { kind, base, creation, fields, arrangements } = item;
  const collection = Number(
    Reflect.get(base ?? {}, 'collection_id') ?? Reflect.get(creation ?? {}, 'collection'),
  );
  const move = (body: object) => moveBody(kind, body, rewriter, collection);
  const moved: SetItem['arrangements'][number][] = [];
  for (const { op, body } of arrangements) moved.push({ op, body: await move(body) });
  return {
    ...item,
    id: creation === undefined ? item.id : rewriter.idOf(kind.name, item.id),
    creation: creation === undefined ? undefined : await move(creation),
    fields: readBodyFields(kind, await move(toBody(kind, fields))),
    arrangements: moved,
  };
}

async function moveBody(kind: Kind, body: object, rewriter: IdRewriter, collection: number): Promise<object> {
  const moved: [string, unknown][] = [];
  for (const [name, value] of Object.entries(body)) {
    const holder = kind.bundle?.names?.[name];
    const named = findNamedKind(kind.name, name);
    const after =
      holder === undefined
        ? moveIds(value, (id) => rewriter.idOf(named, id))
        : await rewriter.rewriteValue(holder, value, collection);
    moved.push([name, after]);
  }
  return Object.fromEntries(moved);
}

/** The kind of the object whose ID a field holds. */
function findNamedKind(kind: string, field: string): string {
  if (field === 'parent_id') return kind === 'folder' ? 'folder' : 'page';
  if (field === 'assets') return 'asset';
  if (field === 'layout_id') return 'snippet';
  if (field === 'root_id') return 'page';
  return /(?:^|_)(page|item|folder|collection)(?:_id)?$/.exec(field)?.[1] ?? '';
}

/** A value with other IDs: one ID, or a list of them or of objects that hold one as `asset_id`. */
function moveIds(value: unknown, idOf: (id: number) => number): unknown {
  if (typeof value === 'number') return idOf(value);
  if (Array.isArray(value)) return value.map((one) => moveIds(one, idOf));
  if (typeof value !== 'object' || value === null || !('asset_id' in value)) return value;
  return { ...value, asset_id: moveIds(value.asset_id, idOf) };
}
