/** Deletes marks, sums and names. */
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { activityQuery } from '../../../db/prepared.ts';
import { activityTable } from '../../../db/table.ts';
import type { ActivityDb, ActivityTables } from '../../../db/tables.ts';

const statistics = activityTable('statistics');
const statisticsNames = activityTable('statistics_names');

/** Deletes some marks of other days; resolves with their number. */
export function deleteSomeOldMarks(db: ActivityDb, day: number): Promise<number> {
  return deleteOldMarks.run(db, { day });
}

/** Deletes some marks of a website; resolves with their number. */
export function deleteSomeMarks(db: ActivityDb, rootId: number): Promise<number> {
  return removeMarks.run(db, { rootId });
}

/** All combinations of kind, length and day that a website has. */
export function listSpans(
  db: ActivityDb,
  rootId: number,
): Promise<{ kind: number; span: number; day: number }[]> {
  return selectSpans.all(db, { rootId });
}

export async function deleteSpan(
  db: ActivityDb,
  rootId: number,
  { kind, span, day }: { kind: number; span: number; day: number },
): Promise<void> {
  await removeSpan(db, rootId, kind, span, day);
}

/** Names that no sum has any more. */
export async function unusedNames(db: ActivityDb): Promise<number[]> {
  return (await selectUnusedNames.all(db, {})).map(({ id }) => id);
}

export async function deleteName(db: ActivityDb, id: number): Promise<void> {
  await removeName(db, id);
}

/** Rows that are deleted at once: other writers must not wait for long. */
const slice = 1000;

const deleteOldMarks = activityQuery((db, p: { day: number }) =>
  deleteSome(db, (eb) => eb('old.day', '<>', p.day)),
);

const removeMarks = activityQuery((db, p: { rootId: number }) =>
  deleteSome(db, (eb) => eb('old.root_id', '=', p.rootId)),
);

type OldMarks = ActivityTables & { old: ActivityTables['statistics_seen'] };

/** Deletes one slice of the marks that meet a condition. SQLite has no DELETE with a limit. */
function deleteSome(
  db: Kysely<ActivityTables>,
  condition: (eb: ExpressionBuilder<OldMarks, 'old'>) => Expression<SqlBool>,
) {
  return db
    .deleteFrom('statistics_seen')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('day', 'root_id', 'visitor', 'kind', 'name_id'),
        'in',
        selectFrom('statistics_seen as old')
          .select(['old.day', 'old.root_id', 'old.visitor', 'old.kind', 'old.name_id'])
          .where(condition)
          .limit(sql.lit(slice))
          .$asTuple('day', 'root_id', 'visitor', 'kind', 'name_id'),
      ),
    );
}

const selectSpans = activityQuery((db, p: { rootId: number }) =>
  db.selectFrom('statistics').select(['kind', 'span', 'day']).distinct().where('root_id', '=', p.rootId),
);

const removeSpan = statistics.removeBy('root_id', 'kind', 'span', 'day');

const selectUnusedNames = activityQuery((db, _p: object) =>
  db
    .selectFrom('statistics_names')
    .select('id')
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('statistics')
        .select('name_id')
        .union(selectFrom('statistics').select('other_id as name_id')),
    ),
);

const removeName = statisticsNames.removeBy('id');
