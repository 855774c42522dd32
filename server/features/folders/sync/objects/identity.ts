/** Objects by what they are, not by their names: the form in which a folder, a server and a base are compared. */
import type { FolderFields, FolderKind } from '../../format/content.ts';

/**
 * What an object is: `page:5` on the server, or `new:` and its key in the folder. References hold it between marks, so
 * that a renamed object is no change of what refers to it.
 */
export type Uid = string;

export interface IdentifiedObject {
  readonly uid: Uid;
  readonly kind: FolderKind;
  /** Its key in the folder; undefined if no folder has it yet. */
  readonly key: string | undefined;
  /** References are {@link toToken}. Pages have `parent` and `slug`, entries `collection`. */
  readonly fields: FolderFields;
  /** Its place among its siblings, from 0. */
  readonly rank: number;
}

export type KnownObjects = ReadonlyMap<Uid, IdentifiedObject>;

export function toToken(uid: Uid): string {
  return `⟪${uid}⟫`;
}

/** The object that a value of {@link toToken} means; undefined for any other value. */
export function readToken(value: unknown): Uid | undefined {
  return typeof value === 'string' && value.startsWith('⟪') && value.endsWith('⟫')
    ? value.slice(1, -1)
    : undefined;
}

export function toServerUid(kind: FolderKind, id: unknown): Uid {
  return `${kind}:${String(id)}`;
}

/** The ID on the server; undefined for an object that is new. */
export function readServerId(uid: Uid): number | undefined {
  const match = /^(?!new:)[a-z_]+:(\d+)$/.exec(uid);
  return match === null ? undefined : Number(match[1]);
}

/** The value with other tokens, in all its parts; texts may hold them in quotes. */
export function replaceTokens(value: unknown, replace: (uid: Uid) => Uid): unknown {
  if (typeof value === 'string')
    return value.includes('⟪')
      ? value.replaceAll(/⟪([^⟪⟫]+)⟫/g, (_, uid: string) => toToken(replace(uid)))
      : value;
  if (Array.isArray(value)) return value.map((part) => replaceTokens(part, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, replaceTokens(part, replace)]),
  );
}

/** What an object lies in, whose order it has a place in; undefined for kinds without an order. */
export function findParent({ kind, fields }: Pick<IdentifiedObject, 'kind' | 'fields'>): Uid | undefined {
  if (kind === 'page') return readToken(fields['parent']);
  return kind === 'item' ? readToken(fields['collection']) : undefined;
}

/** The children of each parent in their order. */
export function listOrders(objects: KnownObjects): ReadonlyMap<Uid, readonly Uid[]> {
  const orders = new Map<Uid, IdentifiedObject[]>();
  for (const object of objects.values()) {
    const parent = findParent(object);
    if (parent === undefined) continue;
    const list = orders.get(parent) ?? [];
    list.push(object);
    orders.set(parent, list);
  }
  return new Map(
    [...orders].map(([parent, list]) => [
      parent,
      list.toSorted((left, right) => left.rank - right.rank).map(({ uid }) => uid),
    ]),
  );
}
