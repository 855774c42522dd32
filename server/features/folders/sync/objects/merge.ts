/** Merges a folder with a server against what both had in common, by the rules of change sets. */
import { isDeepStrictEqual } from 'node:util';
import { mergeValue } from '../../../change-sets/merge/merge.ts';
import { mergeOrder } from '../../../change-sets/merge/merge-order.ts';
import type { FolderFields } from '../../format/content.ts';
import { findParent, type IdentifiedObject, type KnownObjects, listOrders, type Uid } from './identity.ts';

export interface FolderSides {
  readonly base: KnownObjects;
  readonly mine: KnownObjects;
  readonly live: KnownObjects;
}

export interface MergeConflict {
  readonly uid: Uid;
  /** Name of the field; `deleted` or `changed` for the whole object, `order` for the order of what it contains. */
  readonly field: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly live: unknown;
}

export interface Merge {
  readonly objects: KnownObjects;
  readonly conflicts: readonly MergeConflict[];
}

/** @param prefer the side that counts where both have changed the same */
export function mergeSides(sides: FolderSides, prefer: 'mine' | 'live'): Merge {
  const conflicts: MergeConflict[] = [];
  const merged = new Map<Uid, IdentifiedObject>();
  for (const uid of new Set([...sides.base.keys(), ...sides.live.keys(), ...sides.mine.keys()])) {
    const object = mergeObject(uid, sides, prefer, conflicts);
    if (object !== undefined) merged.set(uid, object);
  }
  keepParents(merged, sides, prefer, conflicts);
  return { objects: withRanks(merged, sides, prefer, conflicts), conflicts };
}

function mergeObject(
  uid: Uid,
  sides: FolderSides,
  prefer: 'mine' | 'live',
  conflicts: MergeConflict[],
): IdentifiedObject | undefined {
  const [base, mine, live] = [sides.base.get(uid), sides.mine.get(uid), sides.live.get(uid)];
  if (mine === undefined || live === undefined) {
    const rest = mine ?? live;
    if (base === undefined || rest === undefined) return rest;
    if (isSame(base.fields, rest.fields)) return undefined;
    const field = live === undefined ? 'deleted' : 'changed';
    conflicts.push({
      ...{ uid, field, base: base.fields },
      ...{ mine: mine?.fields ?? null, live: live?.fields ?? null },
    });
    return prefer === 'mine' ? mine : live;
  }
  const fields: Record<string, unknown> = {};
  for (const name of new Set([mine, live, base].flatMap((side) => Object.keys(side?.fields ?? {})))) {
    const values = {
      base: base?.fields[name] ?? null,
      mine: mine.fields[name] ?? null,
      live: live.fields[name] ?? null,
    };
    const { value, conflict } =
      base === undefined
        ? { value: values.mine, conflict: !isDeepStrictEqual(values.mine, values.live) }
        : mergeValue(values);
    const chosen = conflict ? values[prefer] : value;
    if (conflict) conflicts.push({ uid, field: name, ...values });
    if (chosen !== null || mine.fields[name] !== undefined || live.fields[name] !== undefined)
      fields[name] = chosen;
  }
  return { ...live, key: mine.key, fields };
}

/** Whether an object is as it was. That another language version came or went is no change of it. */
export function isSame(before: FolderFields, after: FolderFields): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  names.delete('translations');
  return [...names].every((name) => isDeepStrictEqual(before[name] ?? null, after[name] ?? null));
}

/** What one side has deleted, and the other one has put something new into, is a conflict. */
function keepParents(
  merged: Map<Uid, IdentifiedObject>,
  { base, mine, live }: FolderSides,
  prefer: 'mine' | 'live',
  conflicts: MergeConflict[],
): void {
  for (const object of [...merged.values()]) {
    let parent = findParent(object);
    while (parent !== undefined && !merged.has(parent)) {
      const sides = { mine: mine.get(parent), live: live.get(parent), base: base.get(parent) };
      const rest = sides[prefer] ?? sides.mine ?? sides.live ?? sides.base;
      if (rest === undefined) break;
      const field = sides.live === undefined ? 'deleted' : 'changed';
      if (!conflicts.some((conflict) => conflict.uid === parent && conflict.field === field))
        conflicts.push({
          ...{ uid: parent, field, base: sides.base?.fields ?? null },
          ...{ mine: sides.mine?.fields ?? null, live: sides.live?.fields ?? null },
        });
      merged.set(parent, rest);
      parent = findParent(rest);
    }
  }
}

function withRanks(
  merged: ReadonlyMap<Uid, IdentifiedObject>,
  sides: FolderSides,
  prefer: 'mine' | 'live',
  conflicts: MergeConflict[],
): KnownObjects {
  const orders = {
    base: listOrders(sides.base),
    mine: listOrders(sides.mine),
    live: listOrders(sides.live),
  };
  const ranked = new Map(merged);
  for (const [parent, children] of listOrders(merged)) {
    const base = orders.base.get(parent) ?? [];
    const [mine, live] = [orders.mine.get(parent) ?? [], orders.live.get(parent) ?? []];
    const { order, conflict } = mergeChildren({ base, mine, live }, sides.base.has(parent));
    if (conflict) conflicts.push({ uid: parent, field: 'order', base, mine, live });
    const chosen = conflict ? { mine, live }[prefer] : order;
    const here = new Set(children);
    const all = [...new Set([...chosen, ...order, ...children])].filter((uid) => here.has(uid));
    for (const [rank, uid] of all.entries()) {
      const object = merged.get(uid);
      if (object !== undefined) ranked.set(uid, { ...object, rank });
    }
  }
  return ranked;
}

interface Orders {
  readonly base: readonly Uid[];
  readonly mine: readonly Uid[];
  readonly live: readonly Uid[];
}

function mergeChildren(orders: Orders, hasBase: boolean): ReturnType<typeof mergeOrder<Uid>> {
  const merged = mergeOrder(orders);
  if (hasBase) return merged;
  const common = (list: readonly Uid[], other: readonly Uid[]) => list.filter((uid) => other.includes(uid));
  const isEqual = isDeepStrictEqual(common(orders.mine, orders.live), common(orders.live, orders.mine));
  return { order: merged.order, conflict: !isEqual };
}

/** The names of the fields in which two states of an object differ. */
export function listChangedFields(before: IdentifiedObject, after: IdentifiedObject): string[] {
  const names = new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]);
  return [...names].filter(
    (name) => !isDeepStrictEqual(before.fields[name] ?? null, after.fields[name] ?? null),
  );
}
