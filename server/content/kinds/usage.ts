import { setImmediate as nextTurn } from 'node:timers/promises';
import { apiError, type UsageEntry } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Kind, ObjectKey, ObjectState } from './kind.ts';
import { findReferrers, findReferringSet } from './store.ts';

/** All kinds of objects by their name. */
export type KindsByName = ReadonlyMap<string, Kind>;

/** Files that a discarded change set uses count as used for so long, in seconds. */
export const discardedSeconds = 30 * 24 * 3600;
/** Most objects that an answer lists. */
const maxEntries = 100;

/**
 * Checks that nothing refers to an object, for `if_unused=1`.
 *
 * @throws ApiError 409 `common.inUse` with at most 100 of the objects that refer to it
 */
export async function requireUnused<State extends ObjectState>(
  { tx, now }: Change,
  kind: Kind<State>,
  state: State,
  kinds: KindsByName,
): Promise<void> {
  const usage = await listUsage(tx, kind, state, kinds, now);
  if (usage.length > 0) throw apiError('common.inUse', { usage });
}

/**
 * The objects that refer to an object, and those in it; at most 100.
 *
 * @param now in Unix seconds: change sets that were discarded long before do not count
 */
export async function listUsage<State extends ObjectState>(
  db: ContentDb,
  kind: Kind<State>,
  state: State,
  kinds: KindsByName,
  now = 0,
): Promise<UsageEntry[]> {
  if (kind.usage === undefined) return [];
  const users = new Map<string, ObjectKey>();
  const add = (user: ObjectKey) => {
    const isItself = user.kind === kind.name && user.id === state.id;
    if (!isItself && users.size < maxEntries) users.set(keyOf(user), user);
  };
  for (const user of (await kind.usage.contents?.(db, state, maxEntries)) ?? []) add(user);
  for (const target of await kind.usage.targets(db, state)) {
    for (const user of await findReferrers(db, target, maxEntries + 1)) add(user);
  }
  const usage: UsageEntry[] = [];
  for (const user of users.values()) {
    const entry = await entryOf(db, user, kinds, now - discardedSeconds);
    if (entry !== undefined) usage.push(entry);
  }
  return usage;
}

/** What would be affected if an object were deleted. */
export interface FoundUsage {
  /** Objects outside of it that refer to the object or to objects inside of it; at most 100. */
  readonly usage: readonly UsageEntry[];
  /** Objects inside of it, on all levels; at most 100. */
  readonly contents: readonly UsageEntry[];
  /** Whether the lists hold all of them. */
  readonly complete: boolean;
}

/** Finds what refers to an object and what is inside of it. @throws ApiError `common.notFound` */
export async function findUsage(db: ContentDb, object: ObjectKey, kinds: KindsByName): Promise<FoundUsage> {
  const contents = new Map<string, UsageEntry>();
  const users = new Map<string, ObjectKey>();
  const queue: ObjectKey[] = [object];
  // The loop also visits objects that are added to the queue during the loop.
  for (const current of queue) {
    const kind = kinds.get(current.kind);
    const state = await kind?.find(db, current.id);
    if (kind?.usage === undefined || state === undefined) {
      if (current === object) throw apiError('common.notFound', {});
      continue;
    }
    const { name, path } = kind.namesOf(state);
    contents.set(keyOf(current), { ...current, title: name ?? path ?? '' });
    for (const target of await kind.usage.targets(db, state))
      for (const user of await findReferrers(db, target, maxEntries + 1)) users.set(keyOf(user), user);
    const inside = (await kind.usage.contents?.(db, state, maxEntries + 1)) ?? [];
    queue.push(...inside.slice(0, Math.max(0, maxEntries + 2 - queue.length)));
    await nextTurn();
  }
  contents.delete(keyOf(object));
  const outside = [...users].filter(([key]) => !contents.has(key) && key !== keyOf(object));
  const usage: UsageEntry[] = [];
  for (const [, user] of outside.slice(0, maxEntries)) {
    const entry = await entryOf(db, user, kinds);
    if (entry !== undefined) usage.push(entry);
  }
  return {
    usage,
    contents: [...contents.values()].slice(0, maxEntries),
    complete: outside.length <= maxEntries && contents.size <= maxEntries,
  };
}

function keyOf({ kind, id }: ObjectKey): string {
  return `${kind} ${id}`;
}

async function entryOf(
  db: ContentDb,
  { kind: name, id }: ObjectKey,
  kinds: KindsByName,
  discardedSince = 0,
): Promise<UsageEntry | undefined> {
  if (name === 'change_set') {
    const title = await findReferringSet(db, id, discardedSince);
    return title === undefined ? undefined : { kind: name, id, title };
  }
  const kind = kinds.get(name);
  const state = await kind?.find(db, id);
  if (kind === undefined || state === undefined) return undefined;
  const { name: title, path } = kind.namesOf(state);
  return { kind: kind.nameInUsage ?? name, id, title: title ?? path ?? '' };
}
