/** What a folder and a server have in common after a push. */
import { isFields } from '../format/text-file.ts';
import type { Base } from './local/state-folder.ts';
import { type IdentifiedObject, replaceTokens, toServerUid, type Uid } from './objects/identity.ts';
import { isReplaced } from './objects/operations.ts';
import type { PushPlan } from './push-plan.ts';

/** The base moves for what was sent: it has what the folder has of it. */
export function nextBase(
  { compared, wanted }: PushPlan,
  ids: ReadonlyMap<Uid, number>,
  homeId?: number,
): Base {
  const { base, mine, live } = compared.sides;
  const toUid = (uid: Uid): Uid => {
    const id = ids.get(uid);
    const kind = wanted.get(uid)?.kind;
    return id === undefined || kind === undefined ? uid : toServerUid(kind, id);
  };
  const next = new Map<Uid, IdentifiedObject>();
  for (const uid of compared.held) {
    const before = compared.base?.objects.get(uid);
    if (before !== undefined) next.set(uid, before);
  }
  for (const [uid, object] of base) {
    // Deleted on one side, and now on both.
    if (mine.has(uid) || wanted.has(uid)) next.set(uid, object);
  }
  for (const [uid, object] of mine) {
    const merged = wanted.get(uid);
    // Somebody has deleted on the server what the folder still has unchanged: the next pull deletes it.
    if (merged === undefined) continue;
    const own = replaceTokens(object.fields, toUid);
    const id = toUid(uid);
    const fields = isFields(own) ? own : object.fields;
    next.delete(uid);
    next.set(id, { ...object, uid: id, fields });
  }
  for (const uid of live.keys()) {
    const isReplacedHere = isReplaced(live.get(uid), wanted.get(uid) ?? { ...emptyObject, uid });
    if (isReplacedHere && toUid(uid) !== uid) next.delete(uid);
  }
  const known = compared.snapshot.home?.['id'];
  return { siteId: homeId ?? (typeof known === 'number' ? known : undefined), objects: next };
}

const emptyObject: IdentifiedObject = { uid: '', kind: 'page', key: undefined, fields: {}, rank: 0 };

/** The base with the pens of a list in the place of its own. */
export function withPens(base: Base, pens: Iterable<IdentifiedObject>): Base {
  const objects = new Map([...base.objects].filter(([, { kind }]) => kind !== 'pen'));
  for (const pen of pens) if (pen.kind === 'pen') objects.set(pen.uid, pen);
  return { ...base, objects };
}
