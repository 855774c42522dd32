import type { Change } from '../change.ts';
import { apiError, type UsageEntry } from '../errors.ts';
import type { Kind, ObjectState } from './kind.ts';
import type { ObjectKey } from './reference.ts';
import { findReferrers } from './reference-store.ts';

/** All kinds of objects by their name. */
export type KindsByName = ReadonlyMap<string, Kind>;

/** Most objects that an answer lists. */
const maxEntries = 100;

/**
 * Checks that nothing refers to an object, for `if_unused=1`.
 *
 * @throws ApiError 409 `common.inUse` with at most 100 of the objects that refer to it
 */
export async function requireUnused<State extends ObjectState>(
  { tx }: Change,
  kind: Kind<State>,
  state: State,
  kinds: KindsByName,
): Promise<void> {
  if (kind.usage === undefined) return;
  const users = new Map<string, ObjectKey>();
  const add = (user: ObjectKey) => {
    const isItself = user.kind === kind.name && user.id === state.id;
    if (!isItself && users.size < maxEntries) users.set(`${user.kind} ${user.id}`, user);
  };
  for (const user of (await kind.usage.contents?.(tx, state, maxEntries)) ?? []) add(user);
  for (const target of await kind.usage.targets(tx, state)) {
    for (const user of await findReferrers(tx, target, maxEntries + 1)) add(user);
  }
  const usage: UsageEntry[] = [];
  for (const user of users.values()) {
    const entry = await entryOf(tx, user, kinds);
    if (entry !== undefined) usage.push(entry);
  }
  if (usage.length > 0) throw apiError('common.inUse', { usage });
}

async function entryOf(
  db: Change['tx'],
  { kind: name, id }: ObjectKey,
  kinds: KindsByName,
): Promise<UsageEntry | undefined> {
  const kind = kinds.get(name);
  const state = await kind?.find(db, id);
  if (kind === undefined || state === undefined) return undefined;
  const { name: title, path } = kind.namesOf(state);
  return { kind: name, id, title: title ?? path ?? '' };
}
