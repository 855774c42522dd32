import { changeColumns, type LoggedChange, loggedChange } from '../runtime/content/change-log.ts';
import { type CellsOf, columnNames } from '../runtime/content/columns.ts';
import { contentQuery } from './db/prepared.ts';
import type { ContentDb } from './db/tables.ts';

declare module './db/tables.ts' {
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

/** Logs a change of unknown extent in place of all rows after `seq`. */
export async function logEverything(db: ContentDb, seq: number): Promise<void> {
  await deleteAfter.run(db, { seq });
  await insertEverything.run(db, {});
}

/** Deletes the rows up to `seq`. */
export async function deleteChanges(db: ContentDb, seq: number): Promise<void> {
  await deleteUpTo.run(db, { seq });
}

const selectNewest = contentQuery((db, _p: object) =>
  db.selectFrom('changes').select((expression) => expression.fn.max<number | null>('seq').as('seq')),
);

const selectSince = contentQuery((db, p: { seq: number }) =>
  db.selectFrom('changes').select(columnNames(changeColumns)).where('seq', '>', p.seq).orderBy('seq'),
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
