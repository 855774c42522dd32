/**
 * A table of objects: the queries that every store needs, generated from the columns of the table.
 *
 * ```ts
 * const assets = objectTable<Asset>()('assets', assetColumns);
 * const id = await assets.insert(db, { name: 'base', kind: 'css', ... });
 * ```
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Columns, type ColumnsOf, columnNames, getCodec } from '../../runtime/content/columns.ts';
import type { Row } from './connection.ts';
import { contentQuery } from './prepared.ts';
import type { ContentDb, ContentTables } from './tables.ts';

export interface ObjectTable<Fields extends { readonly id: number }> {
  find(db: ContentDb, id: number): Promise<Fields | undefined>;
  /** All objects, by ID. */
  list(db: ContentDb): Promise<Fields[]>;
  /** Stores a new object and returns its ID, which is that of `Connection.promisedIds` if there is one. */
  insert(db: ContentDb, fields: Omit<Fields, 'id'>): Promise<number>;
  /** Stores the fields of an object, except `id`, `created_at` and the fields in `keptByUpdates`. */
  update(db: ContentDb, fields: Fields): Promise<void>;
  /** Deletes an object and returns the number of deleted rows. */
  remove(db: ContentDb, id: number): Promise<number>;
  /** Converts a row to fields. The row may have only some of the columns. */
  fromRow<Cells extends object>(row: Cells): Pick<Fields, keyof Fields & keyof Cells>;
}

/** `keptByUpdates`: columns that `update` leaves as they are, besides `id` and `created_at`. */
interface ObjectTableOptions<Fields> {
  readonly keptByUpdates?: readonly (keyof Fields & string)[];
}

const declared = new Map<keyof ContentTables, Columns>();

/** The first column of a row that has a cell which its table of objects never writes; undefined if there is none. */
export function findWrongColumn(table: keyof ContentTables, row: Row): string | undefined {
  return Object.entries(declared.get(table) ?? {}).find(
    ([column, type]) => !getCodec(type).writes(row[column]),
  )?.[0];
}

/** The columns of a table of objects whose cells are JSON. */
export function listJsonColumns(table: keyof ContentTables): readonly string[] {
  const columns = Object.entries(declared.get(table) ?? {});
  return columns.flatMap(([column, type]) => (type === 'json' || type === 'json?' ? [column] : []));
}

export function objectTable<Fields extends { readonly id: number }>() {
  return (
    name: keyof ContentTables,
    columns: ColumnsOf<Fields> & Columns,
    { keptByUpdates = [] }: ObjectTableOptions<Fields> = {},
  ): ObjectTable<Fields> => {
    declared.set(name, columns);
    const all = columnNames(columns);
    const inserted = all.filter((column) => column !== 'id');
    const kept: ReadonlySet<string> = new Set(['created_at', ...keptByUpdates]);
    const updated = inserted.filter((column) => !kept.has(column));
    const converted = all.flatMap((column) => {
      const codec = getCodec(columns[column] ?? 'text');
      return codec.converts ? [[column, codec] as const] : [];
    });

    const selectOne = contentQuery((db, p: { id: number }) =>
      untyped(db).selectFrom(name).select(all).where('id', '=', p.id),
    );
    const selectAll = contentQuery((db, _p: object) =>
      untyped(db).selectFrom(name).select(all).orderBy('id'),
    );
    const insertOne = contentQuery((db, p: Row) =>
      untyped(db).insertInto(name).values(markersOf(p, inserted)).returning('id'),
    );
    const insertPromised = contentQuery((db, p: Row) =>
      untyped(db).insertInto(name).values(markersOf(p, all)).returning('id'),
    );
    const updateOne = contentQuery((db, p: Row) =>
      untyped(db).updateTable(name).set(markersOf(p, updated)).where('id', '=', p['id']),
    );
    const removeOne = contentQuery((db, p: { id: number }) =>
      untyped(db).deleteFrom(name).where('id', '=', p.id),
    );

    return {
      async find(db, id) {
        const row = await selectOne.first(db, { id });
        return row === undefined ? undefined : asFields(read(row));
      },
      list: async (db) => (await selectAll.all(db, {})).map((row) => asFields(read(row))),
      async insert(db, fields) {
        const id = db.promisedIds.get(name);
        if (id === undefined) return Number((await insertOne.first(db, toRow(fields)))?.['id']);
        db.promisedIds.delete(name);
        return Number((await insertPromised.first(db, { ...toRow(fields), id }))?.['id']);
      },
      update: async (db, fields) => void (await updateOne.run(db, toRow(fields))),
      remove: (db, id) => removeOne.run(db, { id }),
      fromRow: (row) => asFields(read(Object.assign<Row, object>({}, row))),
    };

    /** Converts the cells of a row to fields. Changes the row itself. */
    function read(row: Row): Row {
      for (const [column, codec] of converted) if (column in row) row[column] = codec.read(row[column]);
      return row;
    }

    function toRow(fields: object): Row {
      const row: Row = { ...fields };
      for (const [column, codec] of converted) row[column] = codec.write(row[column]);
      return row;
    }
  };
}

/** Type boundary: `columns` describes the row, and `ColumnsOf` checks that `columns` fits the fields. */
function asFields<Fields>(row: Row): Fields {
  return row as Fields;
}

/** Type boundary: table and column names are run-time values here, which Kysely's types cannot check. */
function untyped(db: Kysely<ContentTables>): Kysely<Record<string, Row>> {
  return db as unknown as Kysely<Record<string, Row>>;
}

/** Reads properties by name, because the parameters of a prepared query hold markers and cannot be listed. */
function markersOf(p: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, p[name]]));
}

/** The next `updated_at` of a row: it grows by at least one second with every change. */
export function computeNextUpdate(now: number): RawBuilder<number> {
  return sql<number>`case when updated_at < ${now} then ${now} else updated_at + 1 end`;
}
