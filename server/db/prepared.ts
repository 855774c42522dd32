import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Connection, Row } from './connection.ts';
import type { DatabaseName } from './migrate.ts';
import type { ActivityTables, ContentTables } from './tables.ts';
import { findWrites, type TableWrite } from './written-tables.ts';

/**
 * A query that runs often. Kysely builds its SQL once, at the first use; later uses run on a cached prepared
 * statement. The methods return promises, so that the same stores can later run on a database server.
 */
export interface PreparedQuery<Tables, Parameters, Result> {
  all(db: Connection<Tables>, parameters: Parameters): Promise<Result[]>;
  first(db: Connection<Tables>, parameters: Parameters): Promise<Result | undefined>;
  /**
   * The rows in slices; between two of them the event loop gets its turn. The caller gets a slice before the next
   * one is read, so the connection must be in a transaction (`snapshots.ts`), and may not run the same query
   * meanwhile.
   */
  slices(db: Connection<Tables>, parameters: Parameters, size: number): AsyncGenerator<Result[]>;
  /** Runs a statement that returns no rows. Resolves with the number of changed rows. */
  run(db: Connection<Tables>, parameters: Parameters): Promise<number>;
}

/**
 * Makes a prepared query on content.db.
 *
 * `build` is called once. Its `parameters` hold a marker in place of every value, so `build` may only pass
 * them on to Kysely: no arithmetic, no conditions, no lists of varying length.
 *
 * ```ts
 * const findSlug = contentQuery((db, p: { id: number }) =>
 *   db.selectFrom('pages').select('slug').where('id', '=', p.id),
 * );
 * const page = await findSlug.first(connection, { id: 7 });
 * ```
 */
export const contentQuery = preparer<ContentTables>('content');

/** Like {@link contentQuery}, on activity.db. */
export const activityQuery = preparer<ActivityTables>('activity');

/** A query as a store has declared it. */
export interface DeclaredQuery {
  readonly database: DatabaseName;
  /** Its SQL as another compiler of Kysely writes it. */
  sqlBy(compiler: QueryCompiler): string;
}

/** The queries of all stores that are loaded. A test prepares each of them on PostgreSQL. */
export const declaredQueries: DeclaredQuery[] = [];

function preparer<Tables>(database: DatabaseName) {
  const compileOnly = compilingWith<Tables>(() => new SqliteQueryCompiler());
  return <Parameters extends object, Result>(
    build: (db: Kysely<Tables>, parameters: Parameters) => Compilable<Result>,
  ): PreparedQuery<Tables, Parameters, Result> => {
    declaredQueries.push({
      database,
      sqlBy: (compiler) =>
        build(
          compilingWith<Tables>(() => compiler),
          markers<Parameters>(),
        ).compile().sql,
    });
    let compiled: CompiledQuery<Result> | undefined;
    let writes: readonly TableWrite[] = [];
    const bind = (parameters: Parameters): { sql: string; values: unknown[] } => {
      if (compiled === undefined) {
        compiled = build(compileOnly, markers<Parameters>()).compile();
        writes = findWrites(compiled.query);
      }
      return { sql: compiled.sql, values: compiled.parameters.map((value) => boundValue(value, parameters)) };
    };
    return {
      async all(db, parameters) {
        const { sql, values } = bind(parameters);
        const rows = db.statement(sql).all(values);
        if (rows.length > 0) db.writtenTables.add(writes);
        return rowsOf<Result>(rows);
      },
      async first(db, parameters) {
        const { sql, values } = bind(parameters);
        const row = db.statement(sql).first(values);
        if (row === undefined) return undefined;
        db.writtenTables.add(writes);
        return rowsOf<Result>([row])[0];
      },
      async *slices(db, parameters, size) {
        const { sql, values } = bind(parameters);
        let slice: Row[] = [];
        for (const row of db.statement(sql).iterate(values)) {
          slice.push(row);
          if (slice.length < size) continue;
          yield rowsOf<Result>(slice);
          slice = [];
          await nextTurn();
        }
        if (slice.length > 0) yield rowsOf<Result>(slice);
      },
      async run(db, parameters) {
        const { sql, values } = bind(parameters);
        const { changes } = db.statement(sql).run(values);
        if (changes > 0) db.writtenTables.add(writes);
        return changes;
      },
    };
  };
}

/** Builds queries and runs none. */
function compilingWith<Tables>(createQueryCompiler: () => QueryCompiler): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler,
    },
  });
}

/** Lets everything run that waits for the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

class Marker {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Type boundary: while the query is built, a marker stands in place of each value. */
function markers<Parameters extends object>(): Parameters {
  return new Proxy({}, { get: (_target, name) => new Marker(String(name)) }) as Parameters;
}

function boundValue(value: unknown, parameters: object): unknown {
  return value instanceof Marker ? Reflect.get(parameters, value.name) : value;
}

/** Type boundary: Kysely derives the type of the rows from the query and `tables.ts`. */
function rowsOf<Result>(rows: Row[]): Result[] {
  return rows as Result[];
}
