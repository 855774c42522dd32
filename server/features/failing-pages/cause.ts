import type { LoggedChange, LoggedKind } from '../../../runtime/content/change-log.ts';
import { findAffectedDependencies } from '../../../runtime/content/dependencies.ts';
import { findContent, type ReadSet } from '../../../runtime/content/dependency-recorder.ts';
import { readChangesBackwards } from '../../changes/change-log.ts';
import { type CommitText, commitTextsSince, parseRecords } from '../../changes/commit-log.ts';
import type { BreakingChange } from '../../changes/record.ts';
import type { ContentDb } from '../../db/tables.ts';

/** The change that broke a page. */
export interface Cause {
  readonly change: BreakingChange;
  /** Requests and deliveries in a row that have led to it. */
  readonly hop: number;
}

/**
 * The newest change of what a failing render has read.
 *
 * @param since version at which the page did not fail
 */
export async function findCause(db: ContentDb, since: number, reads: ReadSet): Promise<Cause | undefined> {
  const cause = await findNewestTouch(db, since, reads);
  if (cause === undefined) return undefined;
  const [commit] = await commitTextsSince(db, cause.seq - 1, 1);
  return commit && { change: toBreakingChange(cause, commit), hop: commit.hop };
}

async function findNewestTouch(
  db: ContentDb,
  since: number,
  reads: ReadSet,
): Promise<LoggedChange | undefined> {
  const content = findContent(reads);
  const read = content && new Set(content);
  for await (const change of readChangesBackwards(db, reads.seq, since))
    if (findAffectedDependencies(change).some((dependency) => read?.has(dependency) ?? true)) return change;
  return undefined;
}

function toBreakingChange(change: LoggedChange, commit: CommitText): BreakingChange {
  const records = parseRecords(commit);
  const kind = recordKinds[change.kind] ?? change.kind;
  const record = records.find((one) => one.kind === kind && one.id === change.id) ?? records[0];
  return {
    version: commit.version,
    kind: record?.kind ?? kind,
    id: record?.id ?? change.id,
    title: record?.name ?? record?.slug ?? '',
    by: commit.actor,
  };
}

/** What records call rows of the change log. */
const recordKinds: Partial<Record<LoggedKind, string>> = {
  page_assets: 'page',
  snippet_assets: 'snippet',
  items: 'collection',
};
