import { type Actor, formatAuthor } from '../base/actor.ts';
import { contentQuery } from '../db/prepared.ts';
import type { ContentDb } from '../db/tables.ts';
import type { ChangeRecord } from './record.ts';

declare module '../db/tables.ts' {
  interface ContentTables {
    commits: CommitRow;
  }
}

interface CommitRow {
  version: number;
  at: number;
  actor: string;
  records: string;
  hop: number;
}

/** What one change did. The change log says which rows changed; this says what was done, and by whom. */
export interface LoggedCommit {
  /** Version of the content after the change. */
  readonly version: number;
  /** Unix seconds. */
  readonly at: number;
  /** As in the version history. */
  readonly actor: string;
  readonly records: readonly ChangeRecord[];
}

/** How many commits the log keeps at least. */
const keptCommits = 50_000;
/** Old commits are looked for once per this many new ones. */
const pruneEvery = 1_000;

/** The commit log as the writer keeps it, inside its transactions. */
export class CommitLog {
  #sincePruned = 0;

  /** @param version of the content after the change */
  async add(
    { tx, actor, now }: { readonly tx: ContentDb; readonly actor: Actor; readonly now: number },
    version: number,
    records: readonly ChangeRecord[],
  ): Promise<void> {
    const row = {
      version,
      at: now,
      actor: formatAuthor(actor),
      records: JSON.stringify(records.map(stripLocalFields)),
      hop: actor.kind === 'workflow' ? actor.hop : 0,
    };
    await insert.run(tx, row);
    this.#sincePruned += 1;
    if (this.#sincePruned < pruneEvery) return;
    this.#sincePruned = 0;
    await removeOlder.run(tx, { kept: keptCommits });
  }
}

/** The version that the log begins with; who knows an older one cannot learn what has changed since. */
export async function oldestVersion(db: ContentDb): Promise<number> {
  return (await selectOldest.first(db, {}))?.version ?? 0;
}

/** The commits after a version, oldest first, at most `limit`. */
export async function commitsSince(db: ContentDb, version: number, limit: number): Promise<LoggedCommit[]> {
  return (await selectSince.all(db, { version, limit })).map(commitOf);
}

/** A commit for those who make events of the log. */
export interface CommitText {
  readonly version: number;
  /** Requests and deliveries in a row that have led to the change; see `WorkflowActor`. */
  readonly hop: number;
  /** As in the version history. */
  readonly actor: string;
  /** JSON of its records; not everyone needs to parse it. */
  readonly records: string;
}

/** The commits after a version as text, oldest first, at most `limit`. */
export async function commitTextsSince(db: ContentDb, version: number, limit: number): Promise<CommitText[]> {
  return selectTexts.all(db, { version, limit });
}

/** The records of a commit. */
export function parseRecords({ records }: Pick<CommitText, 'records'>): ChangeRecord[] {
  // Type boundary: only `CommitLog` writes this JSON.
  return JSON.parse(records) as ChangeRecord[];
}

/** The commits before a version, newest first, at most `limit`. */
export async function commitsBefore(db: ContentDb, version: number, limit: number): Promise<LoggedCommit[]> {
  return (await selectBefore.all(db, { version, limit })).map(commitOf);
}

function commitOf(row: Omit<CommitRow, 'hop'>): LoggedCommit {
  return { ...row, records: parseRecords(row) };
}

/** A record without what only this process needs. */
function stripLocalFields({ entry: _entry, isKept: _isKept, ...record }: ChangeRecord): ChangeRecord {
  return record;
}

const insert = contentQuery((db, p: CommitRow) =>
  db.insertInto('commits').values({
    version: p.version,
    at: p.at,
    actor: p.actor,
    records: p.records,
    hop: p.hop,
  }),
);

const selectOldest = contentQuery((db, _p: object) =>
  db.selectFrom('commits').select('version').orderBy('version').limit(1),
);

const selectSince = contentQuery((db, p: { version: number; limit: number }) =>
  db
    .selectFrom('commits')
    .select(['version', 'at', 'actor', 'records'])
    .where('version', '>', p.version)
    .orderBy('version')
    .limit(p.limit),
);

const selectTexts = contentQuery((db, p: { version: number; limit: number }) =>
  db
    .selectFrom('commits')
    .select(['version', 'actor', 'hop', 'records'])
    .where('version', '>', p.version)
    .orderBy('version')
    .limit(p.limit),
);

const selectBefore = contentQuery((db, p: { version: number; limit: number }) =>
  db
    .selectFrom('commits')
    .select(['version', 'at', 'actor', 'records'])
    .where('version', '<', p.version)
    .orderBy('version', 'desc')
    .limit(p.limit),
);

const removeOlder = contentQuery((db, p: { kept: number }) =>
  db
    .deleteFrom('commits')
    .where('version', '<', (inner) =>
      inner.selectFrom('commits').select('version').orderBy('version', 'desc').limit(1).offset(p.kept),
    ),
);
