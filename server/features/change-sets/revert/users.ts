/** Who uses objects that are to be removed. */
import type { UsageEntry } from '../../../base/errors.ts';
import type { ObjectKey } from '../../../content/kinds/kind.ts';
import { type KindsByName, listUsage } from '../../../content/kinds/usage.ts';
import type { ContentDb } from '../../../db/tables.ts';

/** An object that has to stay. */
export interface Blocked {
  /** What uses it. */
  readonly by: readonly UsageEntry[];
}

/**
 * What keeps an object from being removed: objects that stay and use it, or use another one that uses it.
 *
 * @param removed the objects that are to be removed with it
 * @returns undefined if nothing does
 */
export async function findBlocked(
  db: ContentDb,
  kinds: KindsByName,
  object: ObjectKey,
  removed: readonly ObjectKey[],
): Promise<Blocked | undefined> {
  const goes = new Set(removed.map(keyOf));
  const names = new Map([...kinds.values()].map(({ name, nameInUsage = name }) => [nameInUsage, name]));
  const seen = new Set([keyOf(object)]);
  const queue: { readonly key: ObjectKey; readonly through: UsageEntry | undefined }[] = [
    { key: object, through: undefined },
  ];
  // The loop also visits objects that are added to the queue during the loop.
  for (const { key, through } of queue) {
    const kind = kinds.get(key.kind);
    const state = await kind?.find(db, key.id);
    if (kind === undefined || state === undefined) continue;
    const users = await listUsage(db, kind, state, kinds);
    const staying = users.filter(({ kind: name, id }) => !goes.has(`${names.get(name) ?? name}:${id}`));
    if (staying.length > 0) return { by: through === undefined ? staying : [through] };
    for (const user of users) {
      const next = { kind: names.get(user.kind) ?? user.kind, id: user.id };
      if (seen.has(keyOf(next))) continue;
      seen.add(keyOf(next));
      queue.push({ key: next, through: through ?? user });
    }
  }
  return undefined;
}

function keyOf({ kind, id }: ObjectKey): string {
  return `${kind}:${id}`;
}
