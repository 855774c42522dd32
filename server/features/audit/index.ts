import { setImmediate as nextTurn } from 'node:timers/promises';
import { defineRoute } from '../../api/route.ts';
import { commitsBefore, type LoggedCommit } from '../../changes/commit-log.ts';
import { type ChangeRecord, toChangeNotice } from '../../changes/record.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { type AuditedChange, AuditLog, AuditQuery, defaultLimit } from './model.ts';

/** The log of changes for people: newest first, by kind, object, time and who made them. */
export function auditFeature({ reader }: Pick<SharedServices, 'reader'>): Feature {
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
        handle: ({ query }) => readAudit(reader, query),
      }),
    ],
  };
}

/** Commits that are read at once, which takes about a millisecond. */
const readAtOnce = 200;
/** Commits that one answer looks through. */
const maxRead = 5_000;

/** GET /audit: the changes that fit, newest first. An answer ends with a whole commit. */
async function readAudit(db: ContentDb, query: AuditQuery): Promise<AuditLog> {
  const { limit = defaultLimit } = query;
  const changes: AuditedChange[] = [];
  let before = query.before ?? Number.MAX_SAFE_INTEGER;
  for (let read = 0; read < maxRead; read += readAtOnce) {
    const commits = await commitsBefore(db, before, readAtOnce);
    for (const commit of commits) {
      const fitting = changesIn(commit, query);
      if (changes.length > 0 && changes.length + fitting.length > limit) return { changes, next: before };
      changes.push(...fitting);
      before = commit.version;
    }
    if (commits.length < readAtOnce) return { changes, next: null };
    await nextTurn();
  }
  return { changes, next: before };
}

function changesIn(
  { version, at, actor, records }: LoggedCommit,
  { kind, id, actor: asked = '', from = 0, to = Number.MAX_SAFE_INTEGER }: AuditQuery,
): AuditedChange[] {
  if (at < from || at > to || !actor.toLowerCase().includes(asked.toLowerCase())) return [];
  const isAsked = (record: ChangeRecord) =>
    (kind ?? record.kind) === record.kind && (id ?? record.id) === record.id;
  return records.flatMap((record) => {
    const { action, path } = record;
    // A page that begins to fail was changed by nobody.
    if (action === 'failed' || action === 'published' || !isAsked(record)) return [];
    return { version, at, actor, ...toChangeNotice(record), action, ...(path === undefined ? {} : { path }) };
  });
}
