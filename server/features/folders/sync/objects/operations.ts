/** What a push does: which objects it creates, changes, moves, links and deletes, in an order in which that works. */
import { isDeepStrictEqual } from 'node:util';
import { compareNumbered, type FolderKind } from '../../format/content.ts';
import { isFields } from '../../format/text-file.ts';
import {
  findParent,
  type IdentifiedObject,
  type KnownObjects,
  listOrders,
  readToken,
  type Uid,
} from './identity.ts';
import { isSame, listChangedFields } from './merge.ts';
import { findMoves } from './order-moves.ts';

export type PushOperation =
  | {
      readonly op: 'create' | 'update';
      readonly object: IdentifiedObject;
      readonly fields: readonly string[];
    }
  | { readonly op: 'delete' | 'replace'; readonly object: IdentifiedObject }
  | { readonly op: 'move'; readonly object: IdentifiedObject; readonly index: number }
  | { readonly op: 'link'; readonly object: IdentifiedObject; readonly other: Uid }
  | { readonly op: 'unlink'; readonly object: IdentifiedObject };

/** Kinds in the order in which their objects are made. Files are there before, pens have no part in change sets. */
const kindOrder: readonly FolderKind[] = [
  ...([
    'file',
    'asset',
    'source',
    'flow_node',
    'collection',
    'snippet',
    'global_block',
    'page',
    'item',
  ] as const),
  ...(['workflow', 'redirect'] as const),
];
/** What makes room for others is deleted first; what others may still use is deleted last. */
const deletedFirst: ReadonlySet<FolderKind> = new Set(['redirect', 'item', 'source']);

/** The operations that make `live` into `wanted`. */
export function planOperations(live: KnownObjects, wanted: KnownObjects): readonly PushOperation[] {
  const deleted = [...live.values()].filter((object) => !wanted.has(object.uid) && isApart(object));
  const replaced = [...wanted.values()].filter((object) => isReplaced(live.get(object.uid), object));
  const roots = deleted.filter((object) => !isInside(object, live, wanted));
  const survivors = [...wanted.keys()].some((uid) => {
    const before = live.get(uid);
    return before !== undefined && isInside(before, live, wanted);
  });
  const isEarly = ({ kind }: IdentifiedObject) => deletedFirst.has(kind) || (kind === 'page' && !survivors);
  const remove = (object: IdentifiedObject): PushOperation => ({ op: 'delete', object });
  return [
    ...[...roots.filter(isEarly), ...replaced].map(remove),
    ...kindOrder.flatMap((kind) => changeKind(kind, live, wanted)),
    ...planLinks(live, wanted),
    ...roots
      .filter((object) => !isEarly(object))
      .toReversed()
      .map(remove),
  ];
}

function isApart({ kind }: IdentifiedObject): boolean {
  return kind !== 'pen';
}

/** An automatic redirect cannot be changed, so another one takes its place. */
export function isReplaced(before: IdentifiedObject | undefined, after: IdentifiedObject): boolean {
  if (after.kind !== 'redirect' || before === undefined || isSame(before.fields, after.fields)) return false;
  return after.fields['auto'] === true || before.fields['auto'] !== after.fields['auto'];
}

/** Whether an object goes with one that it lies in. */
function isInside(object: IdentifiedObject, live: KnownObjects, wanted: KnownObjects): boolean {
  for (let parent = findParent(object); parent !== undefined; ) {
    if (!wanted.has(parent)) return true;
    const above = live.get(parent);
    parent = above === undefined ? undefined : findParent(above);
  }
  return false;
}

function changeKind(kind: FolderKind, live: KnownObjects, wanted: KnownObjects): PushOperation[] {
  const objects = [...wanted.values()].filter((object) => object.kind === kind);
  const sorted = kind === 'page' || kind === 'item' ? sortByPlace(objects, wanted) : objects.toSorted(byName);
  const moves = kind === 'page' || kind === 'item' ? planMoves(kind, live, wanted) : new Map<Uid, number>();
  return sorted.flatMap((object): PushOperation[] => {
    const before = live.get(object.uid);
    const index = moves.get(object.uid);
    const move: PushOperation[] = index === undefined ? [] : [{ op: 'move', object, index }];
    if (before === undefined || isReplaced(before, object))
      return [{ op: 'create', object, fields: Object.keys(object.fields) }, ...move];
    const fields = listChangedFields(before, object).filter(
      (name) => name !== 'parent' && name !== 'translations',
    );
    const hasOtherBytes = kind === 'file' && fields.includes('sha256');
    return [
      ...(fields.length === 0 ? [] : [{ op: 'update', object, fields } as const]),
      ...(hasOtherBytes ? [{ op: 'replace', object } as const] : []),
      ...move,
    ];
  });
}

function byName(left: IdentifiedObject, right: IdentifiedObject): number {
  return compareNumbered(left.key ?? left.uid, right.key ?? right.uid);
}

/** Parents before their children, siblings in their order. */
function sortByPlace(objects: readonly IdentifiedObject[], wanted: KnownObjects): IdentifiedObject[] {
  const orders = listOrders(wanted);
  const sorted: IdentifiedObject[] = [];
  const kinds = new Set(objects.map(({ uid }) => uid));
  const visit = (uid: Uid): void => {
    const object = wanted.get(uid);
    if (object !== undefined && kinds.has(uid)) sorted.push(object);
    for (const child of orders.get(uid) ?? []) if (kinds.has(child)) visit(child);
  };
  const roots = sortByReferences(objects, wanted).filter((object) => {
    const parent = findParent(object);
    return parent === undefined || !kinds.has(parent);
  });
  const parents = new Set(roots.map((object) => findParent(object) ?? object.uid));
  for (const parent of parents) {
    const object = wanted.get(parent);
    if (object !== undefined) visit(parent);
  }
  return sorted;
}

/** Entries of collections that others refer to come first. */
function sortByReferences(
  objects: readonly IdentifiedObject[],
  wanted: KnownObjects,
): readonly IdentifiedObject[] {
  const collections = [...wanted.values()].filter(({ kind }) => kind === 'collection').toSorted(byName);
  const order = new Map<Uid, number>();
  const seen = new Set<Uid>();
  const walk = (uid: Uid): void => {
    if (seen.has(uid)) return;
    seen.add(uid);
    const fields = JSON.stringify(wanted.get(uid)?.fields['fields'] ?? []);
    for (const [, other = ''] of fields.matchAll(/"collection":"⟪([^⟫]+)⟫"/g)) walk(other);
    order.set(uid, order.size);
  };
  for (const { uid } of collections) walk(uid);
  const rank = (object: IdentifiedObject) => order.get(findParent(object) ?? '') ?? 0;
  return objects.toSorted((left, right) => rank(left) - rank(right));
}

/** The places of pages and entries that are not where they are without a move. */
function planMoves(kind: FolderKind, live: KnownObjects, wanted: KnownObjects): ReadonlyMap<Uid, number> {
  const before = listOrders(live);
  const moves = new Map<Uid, number>();
  for (const [parent, order] of listOrders(wanted)) {
    const [first] = order;
    if (first === undefined || wanted.get(first)?.kind !== kind) continue;
    const here = new Set(order);
    const staying = (before.get(parent) ?? []).filter((uid) => here.has(uid));
    const known = new Set(staying);
    const coming = order.filter((uid) => !known.has(uid));
    for (const { id, index } of findMoves([...staying, ...coming], order)) moves.set(id, index);
    // Out of another page it comes by a move, also to the end.
    for (const uid of coming) if (live.has(uid) && !moves.has(uid)) moves.set(uid, order.indexOf(uid));
  }
  return moves;
}

/** Links and unlinks language versions whose group is another one. */
function planLinks(live: KnownObjects, wanted: KnownObjects): PushOperation[] {
  const unlinks: PushOperation[] = [];
  const links: PushOperation[] = [];
  const linked = new Set<Uid>();
  for (const object of wanted.values()) {
    const before = live.get(object.uid)?.fields['translations'] ?? {};
    const after = object.fields['translations'] ?? {};
    if (isDeepStrictEqual(before, after)) continue;
    const [was, is] = [membersOf(before), membersOf(after)];
    const loses = was.some((uid) => !is.includes(uid) && wanted.has(uid));
    if (loses && live.has(object.uid)) unlinks.push({ op: 'unlink', object });
    const group = [object.uid, ...is].filter((uid) => wanted.has(uid)).toSorted();
    const [leader] = group;
    const leading = wanted.get(leader ?? '');
    if (leading === undefined) continue;
    for (const other of group.slice(1)) {
      const pair = `${leader} ${other}`;
      if (!linked.has(pair)) links.push({ op: 'link', object: leading, other });
      linked.add(pair);
    }
  }
  return [...unlinks, ...links];
}

function membersOf(translations: unknown): Uid[] {
  return isFields(translations) ? Object.values(translations).flatMap((token) => readToken(token) ?? []) : [];
}
