/**
 * The queries that most stores need, by equal columns of one table. Each is prepared once.
 *
 * ```ts
 * const values = contentTable('workflow_values');
 * export const deleteValue = values.removeBy('workflow_id', 'key');
 * await deleteValue(db, 7, 'count');
 * ```
 */
import type { Compilable, Insertable, Kysely, Selectable } from 'kysely';
import type { Connection, Row } from './connection.ts';
import { activityQuery, contentQuery, type PreparedQuery } from './prepared.ts';
import type { ActivityTables, ContentTables } from './tables.ts';

type Names<Cells> = readonly (keyof Cells & string)[];

/** The values of columns, in their order. */
type ValuesOf<Cells, Columns extends Names<Cells>> = {
  readonly [Index in keyof Columns]: Cells[Columns[Index]];
};

/** A column to sort by; after a minus in descending order. */
type Order<Cells> = `${'' | '-'}${keyof Cells & string}`;

/** Runs a query with the values of its columns. */
type Run<Db, Values extends readonly unknown[], Result> = (db: Db, ...values: Values) => Promise<Result>;

interface TableQueries<Db, Cells, NewCells> {
  /** Finds a row. @param select default: all columns */
  findBy<const By extends Names<Cells>, const Select extends Names<Cells> = Names<Cells>>(
    by: By,
    select?: Select,
  ): Run<Db, ValuesOf<Cells, By>, Pick<Cells, Select[number]> | undefined>;
  /** Finds one cell of a row. */
  findCellBy<const By extends Names<Cells>, Column extends keyof Cells & string>(
    by: By,
    column: Column,
  ): Run<Db, ValuesOf<Cells, By>, Cells[Column] | undefined>;
  /** Whether there is a row. */
  existsBy<const By extends Names<Cells>>(...by: By): Run<Db, ValuesOf<Cells, By>, boolean>;
  /** Lists rows. @param select default: all columns */
  listBy<const By extends Names<Cells>, const Select extends Names<Cells> = Names<Cells>>(
    by: By,
    order: readonly Order<Cells>[],
    select?: Select,
  ): Run<Db, ValuesOf<Cells, By>, Pick<Cells, Select[number]>[]>;
  /** Deletes rows and answers how many there were. */
  removeBy<const By extends Names<Cells>>(...by: By): Run<Db, ValuesOf<Cells, By>, number>;
  /** Sets columns of rows and answers how many there were. Takes the values of `by` first. */
  updateBy<const By extends Names<Cells>, const Set extends Names<Cells>>(
    by: By,
    set: Set,
  ): Run<Db, readonly [...ValuesOf<Cells, By>, ...ValuesOf<Cells, Set>], number>;
  /** Adds a row. */
  insert<const Columns extends Names<NewCells>>(
    ...columns: Columns
  ): Run<Db, readonly [row: Pick<NewCells, Columns[number]>], void>;
  /** Adds a row unless there is one already. */
  insertMissing<const Columns extends Names<NewCells>>(
    ...columns: Columns
  ): Run<Db, readonly [row: Pick<NewCells, Columns[number]>], void>;
  /** Adds a row, or replaces the other columns of the one with the same key; an equal row is not written. */
  upsert<const Key extends Names<NewCells>, const Columns extends Names<NewCells>>(
    key: Key,
    columns: Columns,
  ): Run<Db, readonly [row: Pick<NewCells, Key[number] | Columns[number]>], void>;
}

export const contentTable = createDefiner<ContentTables>(contentQuery);
export const activityTable = createDefiner<ActivityTables>(activityQuery);

type PrepareQuery<Tables> = <Parameters extends object>(
  build: (db: Kysely<Tables>, parameters: Parameters) => Compilable<Row>,
) => PreparedQuery<Tables, Parameters, Row>;

function createDefiner<Tables>(prepare: PrepareQuery<Tables>) {
  return <Name extends keyof Tables & string>(
    name: Name,
  ): TableQueries<Connection<Tables>, Selectable<Tables[Name]>, Insertable<Tables[Name]>> =>
    // Type boundary: table and columns are run-time values here, which Kysely's types cannot check.
    createQueries(prepare as unknown as PrepareQuery<Record<string, Row>>, name) as unknown as TableQueries<
      Connection<Tables>,
      Selectable<Tables[Name]>,
      Insertable<Tables[Name]>
    >;
}

type AnyDb = Connection<Record<string, Row>>;
type Columns = readonly string[];
type Values = readonly unknown[];

function createQueries(prepare: PrepareQuery<Record<string, Row>>, table: string) {
  const prepareSelect = (by: Columns, order: Columns, select?: Columns) =>
    prepare((db, p: Values) => {
      const from = db.selectFrom(table);
      let query = select === undefined ? from.selectAll() : from.select(select);
      for (const [place, column] of by.entries()) query = query.where(column, '=', p[place]);
      for (const column of order)
        query = column.startsWith('-') ? query.orderBy(column.slice(1), 'desc') : query.orderBy(column);
      return query;
    });
  const prepareInsert = (columns: Columns) => (db: Kysely<Record<string, Row>>, p: Row) =>
    db.insertInto(table).values(pickCells(p, columns));
  return {
    findBy(by: Columns, select?: Columns) {
      const query = prepareSelect(by, [], select);
      return (db: AnyDb, ...values: Values) => query.first(db, values);
    },
    findCellBy(by: Columns, column: string) {
      const query = prepareSelect(by, [], [column]);
      return async (db: AnyDb, ...values: Values) => (await query.first(db, values))?.[column];
    },
    existsBy(...by: Columns) {
      const query = prepareSelect(by, [], by);
      return async (db: AnyDb, ...values: Values) => (await query.first(db, values)) !== undefined;
    },
    listBy(by: Columns, order: Columns, select?: Columns) {
      const query = prepareSelect(by, order, select);
      return (db: AnyDb, ...values: Values) => query.all(db, values);
    },
    removeBy(...by: Columns) {
      const query = prepare((db, p: Values) => {
        let removal = db.deleteFrom(table);
        for (const [place, column] of by.entries()) removal = removal.where(column, '=', p[place]);
        return removal;
      });
      return (db: AnyDb, ...values: Values) => query.run(db, values);
    },
    updateBy(by: Columns, set: Columns) {
      const query = prepare((db, p: Values) => {
        const cells = set.map((column, place) => [column, p[by.length + place]]);
        let update = db.updateTable(table).set(Object.fromEntries(cells));
        for (const [place, column] of by.entries()) update = update.where(column, '=', p[place]);
        return update;
      });
      return (db: AnyDb, ...values: Values) => query.run(db, values);
    },
    insert(...columns: Columns) {
      const query = prepare(prepareInsert(columns));
      return async (db: AnyDb, row: Row) => void (await query.run(db, row));
    },
    insertMissing(...columns: Columns) {
      const build = prepareInsert(columns);
      const query = prepare((db, p: Row) => build(db, p).onConflict((conflict) => conflict.doNothing()));
      return async (db: AnyDb, row: Row) => void (await query.run(db, row));
    },
    upsert(key: Columns, columns: Columns) {
      const build = prepareInsert([...key, ...columns]);
      const query = prepare((db, p: Row) =>
        build(db, p).onConflict((conflict) =>
          conflict
            .columns(key)
            .doUpdateSet(pickCells(p, columns))
            .where(({ eb, or, ref }) =>
              or(
                columns.map((column) =>
                  eb(ref(`excluded.${column}`), 'is distinct from', ref(`${table}.${column}`)),
                ),
              ),
            ),
        ),
      );
      return async (db: AnyDb, row: Row) => void (await query.run(db, row));
    },
  };
}

/** Reads properties by name, because the parameters of a prepared query hold markers and cannot be listed. */
function pickCells(p: Row, names: Columns): Row {
  return Object.fromEntries(names.map((name) => [name, p[name]]));
}
