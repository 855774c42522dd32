/** Which tables the writes of a connection may have changed, for what follows them after the commit. */
import {
  ColumnNode,
  DeleteQueryNode,
  InsertQueryNode,
  type OperationNode,
  type RootOperationNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
} from 'kysely';

/** What a statement does to a table, such as `delete pages`; an update names its columns: `update pages title html`. */
export type TableWrite = `${'insert' | 'update' | 'delete'} ${string}`;

/** `all`: nobody knows which tables have changed. */
export type TableNames = ReadonlySet<string> | 'all';

/** Runs a statement without parameters. */
type ReadRows = (sql: string) => readonly Readonly<Record<string, unknown>>[];

/** What a query writes, from its tree; nothing if it only reads. A statement as text may write any table. */
export function findWrites(query: RootOperationNode): readonly TableWrite[] {
  if (SelectQueryNode.is(query)) return [];
  if (UpdateQueryNode.is(query)) return [`update ${[nameOf(query.table), ...columnsOf(query)].join(' ')}`];
  if (DeleteQueryNode.is(query)) return query.from.froms.map((from) => `delete ${nameOf(from)}` as const);
  if (!InsertQueryNode.is(query)) return [`update ${anyTable}`];
  const name = nameOf(query.into);
  return query.onConflict?.updates === undefined ? [`insert ${name}`] : [`insert ${name}`, `update ${name}`];
}

/** Stands for all tables. No table has this name. */
const anyTable = '*';

function nameOf(node: OperationNode | undefined): string {
  return node !== undefined && TableNode.is(node) ? node.table.identifier.name : anyTable;
}

/** The columns that an update sets; none if they are not known. */
function columnsOf({ updates = [] }: UpdateQueryNode): string[] {
  const columns = updates.flatMap(({ column }) => (ColumnNode.is(column) ? column.column.name : []));
  return columns.length === updates.length ? columns : [];
}

/** The tables that one connection has written since they were last taken. */
export class WrittenTables {
  readonly #readRows: ReadRows;
  readonly #writes = new Set<TableWrite>();
  /** What SQLite writes along; read once, because tables stay as they are while the server runs. */
  #dependents: Dependents | undefined;
  /** The tables that change with a write. */
  readonly #tablesOf = new Map<TableWrite, readonly string[]>();

  constructor(readRows: ReadRows) {
    this.#readRows = readRows;
  }

  /** To be called for every statement that has changed rows. */
  add(writes: readonly TableWrite[]): void {
    for (const write of writes) this.#writes.add(write);
  }

  /** What was written since it was last taken. */
  list(): readonly TableWrite[] {
    return [...this.#writes];
  }

  /** Forgets all, also what was rolled back. */
  clear(): void {
    this.#writes.clear();
  }

  /** The tables since the last `clear`, with those that triggers and references have changed along. */
  take(): TableNames {
    const names = new Set<string>();
    for (const write of this.#writes) {
      const known = this.#tablesOf.get(write) ?? this.#findTables(write);
      for (const name of known) names.add(name);
    }
    this.clear();
    return names.has(anyTable) ? 'all' : names;
  }

  #findTables(write: TableWrite): readonly string[] {
    this.#dependents ??= readDependents(this.#readRows);
    const writes = new Set([write]);
    // A set hands out what is added to it meanwhile.
    for (const one of writes) {
      const [event = '', name = '', ...columns] = one.split(' ');
      for (const { of, dependent } of this.#dependents.get(`${event} ${name}`) ?? [])
        if (of.length === 0 || columns.length === 0 || columns.some((column) => of.includes(column)))
          writes.add(dependent);
    }
    const names = [...writes].map((one) => one.split(' ')[1] ?? '');
    this.#tablesOf.set(write, names);
    return names;
  }
}

/** By a write without columns: what SQLite writes along, and the columns whose update leads to it; none for all. */
type Dependents = ReadonlyMap<string, readonly Dependent[]>;

interface Dependent {
  readonly of: readonly string[];
  readonly dependent: TableWrite;
}

/** Reads references between rows, and triggers. */
function readDependents(readRows: ReadRows): Dependents {
  const dependents = new Map<string, Dependent[]>();
  const add = (write: string, dependent: TableWrite, of: readonly string[] = []): void => {
    dependents.set(write, [...(dependents.get(write) ?? []), { of, dependent }]);
  };
  const references = readRows(
    `SELECT reference."table" AS parent, child.name AS child, reference.on_delete = 'CASCADE' AS goes
     FROM sqlite_schema AS child, pragma_foreign_key_list(child.name) AS reference
     WHERE child.type = 'table' AND reference.on_delete <> 'NO ACTION'`,
  );
  for (const { parent, child, goes } of references)
    add(`delete ${parent}`, goes === 1 ? `delete ${child}` : `update ${child}`);
  // Those of a replica are its writer's own.
  const triggers = readRows(
    `SELECT tbl_name AS name, sql FROM sqlite_schema WHERE type = 'trigger'
     UNION ALL SELECT tbl_name, sql FROM sqlite_temp_schema WHERE type = 'trigger'`,
  );
  for (const { name, sql } of triggers) {
    const [head = '', body = ''] = String(sql).split(/\bBEGIN\b(.*)/is);
    const event = eventOf(head);
    const [, columns = ''] = /\bUPDATE\s+OF\b(.*?)\bON\b/is.exec(head) ?? [];
    for (const [, statement = '', dependent = ''] of body.matchAll(writesInTriggers))
      add(`${event} ${name}`, `${eventOf(statement)} ${dependent}`, columns.match(/\w+/g) ?? []);
  }
  return dependents;
}

function eventOf(sql: string): 'insert' | 'update' | 'delete' {
  const [event = ''] = /\b(?:INSERT|UPDATE|DELETE)\b/i.exec(sql) ?? [];
  return event === '' || /insert/i.test(event) ? 'insert' : /update/i.test(event) ? 'update' : 'delete';
}

const writesInTriggers = /\b(INSERT\s+(?:OR\s+\w+\s+)?INTO|UPDATE|DELETE\s+FROM)\s+"?(\w+)/gi;
