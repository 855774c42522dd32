import { setImmediate as nextTurn } from 'node:timers/promises';
import { changeColumns, type LoggedChange, loggedChange } from '../../runtime/content/change-log.ts';
import { type CellsOf, columnNames } from '../../runtime/content/columns.ts';
import { contentQuery } from '../db/prepared.ts';
import type { ContentDb } from '../db/tables.ts';

declare module '../db/tables.ts' {
  interface ContentTables {
    changes: CellsOf<typeof changeColumns> & { action: string };
  }
}

/** Number of the newest row of the change log, which is the version of the content; 0 before the first. */
export async function newestChange(db: ContentDb): Promise<number> {
  return (await selectNewest.first(db, {}))?.seq ?? 0;
}

/** The changes after `seq`, oldest first. */
export async function changesSince(db: ContentDb, seq: number): Promise<LoggedChange[]> {
  return (await selectSince.all(db, { seq })).map(loggedChange);
}

/** The changes up to `end` and after `seq`, newest first, in slices. */
export async function* readChangesBackwards(
  db: ContentDb,
  end: number,
  seq: number,
): AsyncGenerator<LoggedChange> {
  let before = end + 1;
  for (;;) {
    const changes = (await selectBefore.all(db, { before, seq, limit: rowsAtOnce })).map(loggedChange);
    yield* changes;
    const last = changes.at(-1);
    if (last === undefined) return;
    before = last.seq;
    await nextTurn();
  }
}

const rowsAtOnce = 200;

/** A change of more rows than this is logged as a change of everything. */
const maxRowsOfChange = 2_000;
/** How many rows the log keeps at least. */
const keptRows = 10_000;

/** The change log as the writer keeps it, inside its transactions. */
export class ChangeLog {
  readonly #writer: ContentDb;
  /** Rows up to this number are deleted. */
  #pruned = 0;

  constructor(writer: ContentDb) {
    this.#writer = writer;
  }

  newest(): Promise<number> {
    return newestChange(this.#writer);
  }

  /**
   * Called for a change that wrote rows. A change of content that the triggers know nothing of, or of very many
   * rows, is logged as a change of everything, so that nobody trusts what may have changed.
   *
   * @param since the newest row before the change
   */
  async complete(since: number, isContent: boolean): Promise<void> {
    const rows = (await this.newest()) - since;
    if (rows > maxRowsOfChange || (isContent && rows === 0)) await logEverything(this.#writer, since);
  }

  async prune(): Promise<void> {
    const newest = await this.newest();
    if (newest - this.#pruned < 2 * keptRows) return;
    this.#pruned = newest - keptRows;
    await deleteUpTo.run(this.#writer, { seq: this.#pruned });
  }
}

/** Logs a change of unknown extent in place of all rows after `seq`. */
async function logEverything(db: ContentDb, seq: number): Promise<void> {
  await deleteAfter.run(db, { seq });
  await insertEverything.run(db, {});
}

const selectNewest = contentQuery((db, _p: object) =>
  db.selectFrom('changes').select((expression) => expression.fn.max<number | null>('seq').as('seq')),
);

const selectSince = contentQuery((db, p: { seq: number }) =>
  db.selectFrom('changes').select(columnNames(changeColumns)).where('seq', '>', p.seq).orderBy('seq'),
);

const selectBefore = contentQuery((db, p: { before: number; seq: number; limit: number }) =>
  db
    .selectFrom('changes')
    .select(columnNames(changeColumns))
    .where('seq', '<', p.before)
    .where('seq', '>', p.seq)
    .orderBy('seq', 'desc')
    .limit(p.limit),
);

const deleteAfter = contentQuery((db, p: { seq: number }) =>
  db.deleteFrom('changes').where('seq', '>', p.seq),
);

const insertEverything = contentQuery((db, _p: object) =>
  db
    .insertInto('changes')
    .columns(['kind', 'id', 'action'])
    .expression(
      db.selectNoFrom((expression) => [
        expression.val('all').as('kind'),
        expression.lit(0).as('id'),
        expression.val('updated').as('action'),
      ]),
    ),
);

const deleteUpTo = contentQuery((db, p: { seq: number }) =>
  db.deleteFrom('changes').where('seq', '<=', p.seq),
);
