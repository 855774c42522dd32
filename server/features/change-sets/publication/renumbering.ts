/** Created objects whose promised ID an import has taken meanwhile: they get another one, and references follow. */
import { replaceTargets, type TargetField } from '../../../../runtime/fields/targets.ts';
import type { Change } from '../../../changes/changes.ts';
import type { KindsByName } from '../../../content/kinds/usage.ts';
import { reserveId } from '../../../db/schema.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { type SetItem, saveItem } from '../items.ts';
import type { RenumberedItem } from '../model.ts';
import type { PlannedItem } from '../plan.ts';
import { deleteItem } from '../store.ts';

export type { RenumberedItem } from '../model.ts';

/** By kind: the new IDs by those before. */
type Moves = ReadonlyMap<string, ReadonlyMap<number, number>>;

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
  const moves: Moves = new Map(
    [...Map.groupBy(renumbered, ({ kind }) => kind)].map(([kind, ofKind]) => [
      kind,
      new Map(ofKind.map(({ from, to }) => [from, to])),
    ]),
  );
  const moved: SetItem[] = [];
  for (const item of items) moved.push(await moveItem(db, kinds, item, moves));
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

async function moveItem(db: ContentDb, kinds: KindsByName, item: SetItem, moves: Moves): Promise<SetItem> {
  const { kind, id, creation, fields, arrangements } = item;
  const fieldsByName = await findFields(db, kinds, item);
  const move = (body: object) => moveBody(kind.name, body, moves, fieldsByName);
  return {
    ...item,
    id: (creation === undefined ? undefined : moves.get(kind.name)?.get(id)) ?? id,
    creation: creation === undefined ? undefined : move(creation),
    fields: Object.fromEntries(Object.entries(move(fields))),
    arrangements: arrangements.map(({ op, body }) => ({ op, body: move(body) })),
  };
}

/** The fields of an entry, by their names. */
async function findFields(
  db: ContentDb,
  kinds: KindsByName,
  { kind, base, creation = {} }: SetItem,
): Promise<ReadonlyMap<string, TargetField>> {
  if (kind.batch?.within === undefined) return new Map();
  const id = Number(Reflect.get(base ?? {}, 'collection_id') ?? Reflect.get(creation, 'collection'));
  const collection = await kinds.get('collection')?.find(db, id);
  // Type boundary: a collection has the definitions of its fields.
  const fields = (Reflect.get(collection ?? {}, 'fields') ?? []) as readonly TargetField[];
  return new Map(fields.map((field) => [field.name, field]));
}

function moveBody(
  kind: string,
  body: object,
  moves: Moves,
  fields: ReadonlyMap<string, TargetField>,
): object {
  const moved = Object.entries(body).map(([name, value]): [string, unknown] => {
    if (name === 'data' && fields.size > 0) return [name, moveBody(kind, Object(value), moves, fields)];
    const field = fields.get(name.replace(/^data\./, ''));
    if (field !== undefined)
      return [name, replaceTargets(value, field, (to) => moves.get(to.kind)?.get(to.id) ?? to.id)];
    const ids = moves.get(findNamedKind(kind, name));
    return [name, ids === undefined ? value : moveIds(value, ids)];
  });
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
function moveIds(value: unknown, ids: ReadonlyMap<number, number>): unknown {
  if (typeof value === 'number') return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => moveIds(one, ids));
  if (typeof value !== 'object' || value === null || !('asset_id' in value)) return value;
  return { ...value, asset_id: moveIds(value.asset_id, ids) };
}
