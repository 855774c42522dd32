import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../change.ts';
import type { Actor } from '../http/route.ts';
import type { ObjectState } from './model.ts';
import * as store from './store.ts';

/** Within this time the saves of one author count as one, in seconds (Core, "Version history"). */
const mergeSeconds = 120;
const maxRevisionsPerObject = 100;

export interface KeepOptions {
  /** Keeps a version even if the same author saved a moment ago; a restore must be possible to undo. */
  readonly always?: boolean;
}

/**
 * Keeps the state of an object before it is saved (Core, "Version history"; open points 12, "Versions"): one version
 * per author and merge window, none that equals the newest, at most 100. To be called before anything is written.
 *
 * @param state gives the object in the format of its GET; not asked for within the merge window
 */
export async function keepRevision(
  change: Change,
  object: store.ObjectKey,
  state: () => Promise<object>,
  { always = false }: KeepOptions = {},
): Promise<void> {
  const { tx, now } = change;
  const author = authorOf(change.actor);
  const newest = await store.findNewest(tx, object);
  // Absolute, so that a clock that was set back does not hold the window open.
  const merges = newest?.author === author && Math.abs(now - newest.created_at) < mergeSeconds;
  if (merges && !always) return;
  const data = JSON.stringify(await state());
  const stored = newest === undefined ? undefined : await store.findRevision(tx, newest.id);
  if (stored !== undefined && sameContent(parseState(stored.data), parseState(data))) return;
  await store.insertRevision(tx, {
    kind: object.kind,
    object_id: object.id,
    author,
    created_at: now,
    size: Buffer.byteLength(data),
    data,
  });
  await store.deleteOlder(tx, object, maxRevisionsPerObject);
}

/** Who a version is by: user, token or master token, with the person a token writes for (open points 12, "Versions"). */
function authorOf(actor: Actor): string {
  switch (actor.kind) {
    case 'session':
      return actor.name;
    case 'token':
      return onBehalf(actor.name, actor.onBehalfOf);
    case 'master':
      return onBehalf('Master-Token', actor.onBehalfOf);
    case 'none':
      return 'Incipit';
  }
}

function onBehalf(name: string, person: string | undefined): string {
  return person === undefined ? name : `${name} (for ${person})`;
}

/** The boundary where stored JSON becomes an object again: only {@link keepRevision} writes it. */
export function parseState(data: string): ObjectState {
  return JSON.parse(data) as ObjectState;
}

/** What a save, a move or a look from elsewhere changes without anybody having edited the object. */
const bookkeeping = new Set([
  'updated_at',
  'local_modified',
  'effective_lang',
  'parent_id',
  'root_id',
  'path',
  'sort',
  'translation_group',
]);

function sameContent(left: ObjectState, right: ObjectState): boolean {
  return isDeepStrictEqual(edited(left), edited(right));
}

function edited(state: ObjectState): ObjectState {
  return Object.fromEntries(Object.entries(state).filter(([name]) => !bookkeeping.has(name)));
}
