import type { Actor } from '../../base/actor.ts';
import { apiError, invalid } from '../../base/errors.ts';
import { newestChange } from '../../changes/change-log.ts';
import { commitsSince, type LoggedCommit, oldestVersion } from '../../changes/commit-log.ts';
import { type ChangeRecord, toChangeNotice } from '../../changes/record.ts';
import { listReadable } from '../../content/kinds/readable.ts';
import { limitReads } from '../../db/readable-rows.ts';
import type { ContentDb } from '../../db/tables.ts';
import { type ChangeFeed, type ChangesQuery, defaultLimit, type FedChange } from './model.ts';

/**
 * What has changed since a version. The answer ends with a whole commit, so that a client can go on from its
 * version.
 *
 * @throws ApiError 410 `changes.gone` for a version that the log does not know: too old, or of other content
 */
export async function readChanges(
  db: ContentDb,
  { since: asked, limit = defaultLimit }: ChangesQuery,
  filter: RecordFilter,
): Promise<ChangeFeed> {
  const { since, newest } = await requireVersion(db, asked);
  const commits = await commitsSince(db, since, limit + 1);
  const changes: FedChange[] = [];
  let version = since;
  for (const commit of commits) {
    const told = changesOf({ ...commit, records: await filter(commit.records) });
    if (changes.length > 0 && changes.length + told.length > limit) return { version, changes, more: true };
    changes.push(...told);
    version = commit.version;
  }
  // Later versions are changes that are told to nobody.
  return { version: newest, changes, more: false };
}

/**
 * The version that a client names, `now` for the newest.
 *
 * @throws ApiError `common.invalid` without a version, 410 `changes.gone` as `readChanges`
 */
export async function requireVersion(
  db: ContentDb,
  asked: string | undefined,
): Promise<{ readonly since: number; readonly newest: number }> {
  if (asked === undefined) throw invalid('since', 'is required: a version, 0 or now');
  const [oldest, newest] = [await oldestVersion(db), await newestChange(db)];
  const since = asked === 'now' ? newest : Number(asked);
  if (since < oldest || since > newest) throw apiError('changes.gone', { oldest, version: newest });
  return { since, newest };
}

/** Leaves of the records of a commit those that a caller may see. */
export type RecordFilter = (records: readonly ChangeRecord[]) => Promise<readonly ChangeRecord[]>;

/** @param actor the caller */
export function filterFor(db: ContentDb, { grants }: Actor): RecordFilter {
  const limits = grants && limitReads(grants);
  return (records) => listReadable(db, grants, limits, records);
}

function changesOf({ version, at, actor, records }: LoggedCommit): FedChange[] {
  return records.map((record) => ({ version, at, actor, ...toChangeNotice(record) }));
}
