/** The work of one author, from the log of commits, versions and the trash. */
import { TimeSlices } from '../../../base/timers.ts';
import type { Change } from '../../../changes/changes.ts';
import { commitsBefore } from '../../../changes/commit-log.ts';
import type { ChangeRecord } from '../../../changes/record.ts';
import { type JournalObject, journalLimits } from '../../../content/kinds/journal/journal.ts';
import type { Kind, ObjectState } from '../../../content/kinds/kind.ts';
import { storedState } from '../../../content/kinds/objects.ts';
import { findRevision, listRevisions } from '../../../content/kinds/revisions.ts';
import { findNewestEntry } from '../../../content/kinds/trash/entries.ts';
import type { KindsByName } from '../../../content/kinds/usage.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { findChanges } from '../fields.ts';
import type { SkippedField } from './model.ts';
import { listValues } from './plan.ts';

export interface AuthorWork {
  readonly author: string;
  /** Unix seconds, both within. */
  readonly from: number;
  readonly to: number;
}

export interface CollectedWork {
  readonly objects: readonly JournalObject[];
  readonly skipped: readonly SkippedField[];
}

/** What an author has done to one object, in order. */
interface Deed {
  readonly kind: Kind;
  readonly id: number;
  readonly records: { readonly action: ChangeRecord['action']; readonly at: number }[];
}

/** Commits that are read at once. */
const readAtOnce = 200;

/** What an author has done, object by object. It may be more than a revert takes; then not all of it is there. */
export async function collectWork(
  { tx, now }: Change,
  kinds: KindsByName,
  work: AuthorWork,
): Promise<CollectedWork> {
  const objects: JournalObject[] = [];
  const skipped: SkippedField[] = [];
  const slices = new TimeSlices();
  for (const deed of await listDeeds(tx, kinds, work)) {
    const object = await toObject(tx, deed, work, now);
    if (object === 'unknown')
      skipped.push({ kind: deed.kind.name, id: deed.id, field: 'unknown', mine: null, live: null });
    else if (object !== undefined) objects.push(object);
    await slices.next();
  }
  return { objects, skipped };
}

async function listDeeds(
  db: ContentDb,
  kinds: KindsByName,
  { author, from, to }: AuthorWork,
): Promise<Deed[]> {
  const deeds = new Map<string, Deed>();
  const slices = new TimeSlices();
  for (let before = Number.MAX_SAFE_INTEGER; deeds.size <= journalLimits.objects; ) {
    const commits = await commitsBefore(db, before, readAtOnce);
    for (const { version, at, actor, records } of commits) {
      before = version;
      if (actor !== author || at < from || at > to) continue;
      for (const { kind: name, id, action } of records.toReversed()) {
        const kind = kinds.get(name);
        if (kind?.batch === undefined || action === 'failed') continue;
        const known = deeds.get(`${name}:${id}`) ?? { kind, id, records: [] };
        known.records.unshift({ action, at });
        deeds.set(`${name}:${id}`, known);
      }
    }
    await slices.next();
    if (commits.length < readAtOnce) break;
  }
  return [...deeds.values()].reverse();
}

async function toObject(
  db: ContentDb,
  { kind, id, records }: Deed,
  work: AuthorWork,
  now: number,
): Promise<JournalObject | 'unknown' | undefined> {
  const [first, last] = [records[0], records.at(-1)];
  const live = await kind.find(db, id);
  const { name = '', path = '', slug = '' } = live === undefined ? {} : kind.namesOf(live);
  const common = { kind: kind.name, id, title: name || path || slug, before: {}, after: {}, trashId: null };
  const wasThere = first?.action !== 'created';
  const isThere = last?.action !== 'deleted';
  if (!isThere && !wasThere) return undefined;
  if (!wasThere) return { ...common, op: 'create' };
  if (!isThere) {
    const entry = await findNewestEntry(db, { kind: kind.name, id }, now);
    const isOwn = entry !== undefined && entry.deleted_by === work.author;
    return { ...common, title: entry?.title ?? '', op: 'delete', trashId: isOwn ? entry.id : null };
  }
  const values = await findValues(db, kind, { id, live, times: records.map(({ at }) => at) }, work.author);
  return values === undefined ? 'unknown' : { ...common, ...values, op: 'update' };
}

/**
 * The fields that an author has changed, before and after. A version holds the state before the saves of its author,
 * so the next one holds that after them.
 *
 * @param times when the author has saved
 */
async function findValues(
  db: ContentDb,
  kind: Kind,
  {
    id,
    live,
    times,
  }: { readonly id: number; readonly live: ObjectState | undefined; readonly times: readonly number[] },
  author: string,
): Promise<Pick<JournalObject, 'before' | 'after'> | undefined> {
  if (kind.revisions === undefined) return undefined;
  const versions = (await listRevisions(db, { kind: kind.revisions.kind, id })).toReversed();
  const saves = new Set(times.flatMap((at) => findSaves(versions, author, at)));
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  let isKnown = false;
  for (const index of [...saves].sort((left, right) => left - right)) {
    const [version, next] = [versions[index], versions[index + 1]];
    if (version?.author !== author) continue;
    const from = await readVersion(db, id, version.id);
    const to = next === undefined ? live : await readVersion(db, id, next.id);
    if (from === undefined) continue;
    isKnown = true;
    const [old, changed] = [listValues(kind, from), to === undefined ? {} : listValues(kind, to)];
    for (const [name, value] of Object.entries(findChanges(old, changed))) {
      if (!(name in before)) before[name] = old[name] ?? null;
      after[name] = value;
    }
  }
  return isKnown ? { before, after } : undefined;
}

/** The versions that saves of an author at a time have made, or the one that they were counted to. */
function findSaves(
  versions: readonly { readonly author: string; readonly created_at: number }[],
  author: string,
  at: number,
): number[] {
  const own = versions.flatMap((version, index) => (version.author === author ? [index] : []));
  const made = own.filter((index) => versions[index]?.created_at === at);
  return made.length > 0 ? made : own.filter((index) => (versions[index]?.created_at ?? 0) < at).slice(-1);
}

async function readVersion(db: ContentDb, id: number, versionId: number): Promise<ObjectState | undefined> {
  const version = await findRevision(db, versionId);
  return version === undefined ? undefined : storedState(id, version.data);
}
