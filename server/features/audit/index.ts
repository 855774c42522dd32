import { setImmediate as nextTurn } from 'node:timers/promises';
import { defineRoute } from '../../api/route.ts';
import { commitsBefore, type LoggedCommit } from '../../changes/commit-log.ts';
import { type ChangeRecord, toChangeNotice } from '../../changes/record.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import type { AuthEvents } from '../auth/events/auth-events.ts';
import { filterFor, type RecordFilter } from '../feed/service.ts';
import { maySeeEvents, mergeEvents, wantsEvents } from './events.ts';
import { type AuditedChange, AuditLog, AuditQuery, defaultLimit } from './model.ts';
import { listSittings, type SittingRow } from './store.ts';

interface AuditDeps extends Pick<SharedServices, 'reader'> {
  readonly events: Pick<AuthEvents, 'list'>;
}

/** The log of changes for people: newest first, by kind, object, time and who made them. */
export function auditFeature(deps: AuditDeps): Feature {
  return {
    about: { audit: 'Who changed what.' },
    routes: [
      defineRoute({
        method: 'GET',
        path: '/audit',
        access: 'read',
        needs: 'objects',
        summary: 'Who changed what, newest first',
        query: AuditQuery,
        response: AuditLog,
        handle: ({ actor, query }) =>
          readAudit(deps, query, {
            withEvents: maySeeEvents(actor),
            filter: filterFor(deps.reader, actor),
          }),
      }),
    ],
  };
}

/** Commits that are read at once, which takes about a millisecond. */
const readAtOnce = 200;
/** Commits that one answer looks through. */
const maxRead = 5_000;

/** GET /audit: the changes that fit, newest first. An answer ends with a whole commit. */
async function readAudit(
  deps: AuditDeps,
  query: AuditQuery,
  { withEvents, filter }: { readonly withEvents: boolean; readonly filter: RecordFilter },
): Promise<AuditLog> {
  const end = query.before ?? Number.MAX_SAFE_INTEGER;
  const { changes, next } = await readChanges(deps.reader, query, end, filter);
  if (!withEvents || !wantsEvents(query)) return { changes, next };
  return { changes: mergeEvents(changes, await deps.events.list(next ?? 0, end), query), next };
}

async function readChanges(
  db: ContentDb,
  query: AuditQuery,
  end: number,
  filter: RecordFilter,
): Promise<{ readonly changes: AuditedChange[]; readonly next: number | null }> {
  const { limit = defaultLimit } = query;
  const changes: AuditedChange[] = [];
  let before = end;
  for (let read = 0; read < maxRead; read += readAtOnce) {
    const commits = await commitsBefore(db, before, readAtOnce);
    const from = commits.length < readAtOnce ? 0 : (commits.at(-1)?.version ?? 0);
    const sittings = await filterSittings(await listSittings(db, { from, before }), filter);
    for (const step of arrangeByVersion(commits, sittings)) {
      const readable: LoggedCommit[] = [];
      for (const commit of step.commits) readable.push({ ...commit, records: await filter(commit.records) });
      const fitting = [
        ...step.sittings.flatMap((sitting) => showSitting(sitting, query)),
        ...readable.flatMap((commit) => changesIn(commit, query)),
      ];
      if (changes.length > 0 && changes.length + fitting.length > limit) return { changes, next: before };
      changes.push(...fitting);
      before = step.version;
    }
    if (commits.length < readAtOnce) return { changes, next: null };
    await nextTurn();
  }
  return { changes, next: before };
}

/** Those about objects that the caller may read. */
async function filterSittings(
  sittings: readonly SittingRow[],
  filter: RecordFilter,
): Promise<readonly SittingRow[]> {
  const toRecord = ({ kind, object_id: id, name }: SittingRow): ChangeRecord => ({
    ...{ kind, id, name },
    action: 'updated',
  });
  const readable = new Set((await filter(sittings.map(toRecord))).map(({ kind, id }) => `${kind} ${id}`));
  return sittings.filter(({ kind, object_id: id }) => readable.has(`${kind} ${id}`));
}

/** What one version of the content has made, and the work that began then. */
interface VersionStep {
  readonly version: number;
  readonly commits: LoggedCommit[];
  readonly sittings: SittingRow[];
}

/** Newest first. */
function arrangeByVersion(commits: readonly LoggedCommit[], sittings: readonly SittingRow[]): VersionStep[] {
  const steps = new Map<number, VersionStep>();
  const stepOf = (version: number): VersionStep => {
    const step = steps.get(version) ?? { version, commits: [], sittings: [] };
    steps.set(version, step);
    return step;
  };
  for (const commit of commits) stepOf(commit.version).commits.push(commit);
  for (const sitting of sittings) stepOf(sitting.version).sittings.push(sitting);
  return [...steps.values()].sort((left, right) => right.version - left.version);
}

function isMadeAsAsked(
  { at, actor }: { readonly at: number; readonly actor: string },
  { actor: asked = '', from = 0, to = Number.MAX_SAFE_INTEGER }: AuditQuery,
): boolean {
  return at >= from && at <= to && actor.toLowerCase().includes(asked.toLowerCase());
}

function showSitting(
  { kind, object_id: id, name, actor, version, begun_at: at, ended_at: until }: SittingRow,
  query: AuditQuery,
): AuditedChange[] {
  const isAsked = (query.kind ?? kind) === kind && (query.id ?? id) === id;
  if (!isAsked || !isMadeAsAsked({ at, actor }, query)) return [];
  return [{ version, at, actor, kind, action: 'updated', id, name, until }];
}

function changesIn({ version, at, actor, records }: LoggedCommit, query: AuditQuery): AuditedChange[] {
  if (!isMadeAsAsked({ at, actor }, query)) return [];
  const { kind, id } = query;
  const isAsked = (record: ChangeRecord) =>
    (kind ?? record.kind) === record.kind && (id ?? record.id) === record.id;
  return records.flatMap((record) => {
    const { action, path } = record;
    // A page that begins to fail was changed by nobody.
    if (action === 'failed' || action === 'published' || !isAsked(record)) return [];
    return { version, at, actor, ...toChangeNotice(record), action, ...(path === undefined ? {} : { path }) };
  });
}
