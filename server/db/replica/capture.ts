import type { Connection } from '../connection.ts';
import { computeRowLength, type StepsPart, StepWriter } from './changed-rows.ts';
import { type Cell, columnList, quoted, type SharedTable, sequenceTable } from './tables.ts';

/** How many rows, and how many characters, make one step. */
const rowsPerStep = 500;
const stepLength = 2 ** 20;

/**
 * Notes which rows a connection changes, with triggers that only this connection has. They note keys, and whether
 * there was a row before the transaction: a key that is new is not removed anywhere. The rows are read when the
 * transaction is told to others. What is rolled back, is forgotten with it.
 */
export class Capture<Tables> {
  readonly #db: Connection<Tables>;
  readonly #tables: ReadonlyMap<string, SharedTable>;
  readonly #hasSequences: boolean;

  constructor(db: Connection<Tables>, tables: ReadonlyMap<string, SharedTable>) {
    this.#db = db;
    this.#tables = tables;
    this.#hasSequences = tables.has(sequenceTable.name);
    db.execute(`
      CREATE TEMP TABLE captured (
        tab TEXT NOT NULL, key TEXT NOT NULL, is_new INTEGER NOT NULL, PRIMARY KEY (tab, key)
      ) WITHOUT ROWID;
      CREATE TEMP TABLE captured_sequences (name TEXT PRIMARY KEY, seq INTEGER NOT NULL);
    `);
    for (const table of tables.values()) if (table !== sequenceTable) db.execute(captureTriggers(table));
  }

  /** The tables of which the transaction has changed rows. */
  changedTables(): ReadonlySet<string> {
    const rows = this.#db.statement('SELECT DISTINCT tab FROM temp.captured').all([]);
    return new Set(rows.map(({ tab }) => String(tab)));
  }

  /** To be called when a transaction begins. */
  begin(): void {
    if (!this.#hasSequences) return;
    this.#db.execute(`
      DELETE FROM temp.captured_sequences;
      INSERT INTO temp.captured_sequences SELECT name, seq FROM main.sqlite_sequence;
    `);
  }

  /** What the transaction has changed, a part at a time. */
  *parts(): Generator<StepsPart> {
    const writer = new StepWriter();
    const changed = [...this.changedTables()].map((name) => this.#table(name));
    for (const table of changed) {
      for (const remove of slices(this.#replacedKeysOf(table))) {
        const part = writer.add({ table: table.name, remove });
        if (part !== undefined) yield part;
      }
    }
    for (const table of changed) {
      for (const add of slices(this.#rowsOf(table))) {
        const part = writer.add({ table: table.name, add });
        if (part !== undefined) yield part;
      }
    }
    if (this.#hasSequences && changed.length > 0) this.#addSequences(writer);
    const last = writer.take();
    if (last !== undefined) yield last;
  }

  /** To be called at the end of every transaction that was told to others, before it is committed here. */
  clear(): void {
    this.#db.execute('DELETE FROM temp.captured');
  }

  #table(name: string): SharedTable {
    const table = this.#tables.get(name);
    if (table === undefined) throw new Error(`the table ${name} is not shared`);
    return table;
  }

  /** The keys of rows that were there before the transaction. */
  *#replacedKeysOf({ name }: SharedTable): Generator<readonly Cell[]> {
    // Read as a whole: the caller may wait between two parts, and the statement must not stay open meanwhile.
    const rows = this.#db.statement('SELECT key FROM temp.captured WHERE tab = ? AND is_new = 0').all([name]);
    // Type boundary: the triggers write lists of values.
    for (const { key } of rows) yield JSON.parse(String(key)) as Cell[];
  }

  *#rowsOf({ name, columns, key }: SharedTable): Generator<readonly Cell[]> {
    const same = key.map((column, place) => `t.${quoted(column.name)} = json_extract(c.key, '$[${place}]')`);
    const statement = this.#db.statement(
      `SELECT ${columnList(columns, 't.')} FROM (
         SELECT key FROM temp.captured WHERE tab = ? AND key > ? ORDER BY key LIMIT ${rowsPerStep}
       ) AS c CROSS JOIN main.${quoted(name)} AS t ON ${same.join(' AND ')}`,
    );
    const lastOfSlice = this.#db.statement(
      `SELECT max(key) AS key FROM (
         SELECT key FROM temp.captured WHERE tab = ? AND key > ? ORDER BY key LIMIT ${rowsPerStep}
       )`,
    );
    for (let after = ''; ; ) {
      const last = lastOfSlice.first([name, after])?.['key'];
      if (typeof last !== 'string') return;
      for (const row of statement.all([name, after])) yield columns.map((column) => cellOf(row[column.name]));
      after = last;
    }
  }

  #addSequences(writer: StepWriter): void {
    const rows = this.#db
      .statement(
        `SELECT name, seq FROM main.sqlite_sequence AS now
         WHERE NOT EXISTS (
           SELECT 1 FROM temp.captured_sequences AS old WHERE old.name = now.name AND old.seq = now.seq
         ) AND name IN (SELECT value FROM json_each(?))`,
      )
      .all([JSON.stringify([...this.#tables.keys()])]);
    if (rows.length === 0) return;
    const add = rows.map(({ name, seq }) => [cellOf(name), cellOf(seq)]);
    writer.add({ table: sequenceTable.name, remove: add.map(([name = null]) => [name]) });
    writer.add({ table: sequenceTable.name, add });
  }
}

/** @throws Error for a value of a type that shared tables do not have */
function cellOf(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  throw new Error(`nodes cannot share a ${typeof value}`);
}

function captureTriggers({ name, key }: SharedTable): string {
  // The first event of a key says whether there was a row. `REPLACE` would delete one without an event.
  // Not `INSERT OR IGNORE`: SQLite replaces the IGNORE of a trigger by what the statement outside says of conflicts.
  const note = (row: 'OLD' | 'NEW') =>
    `INSERT INTO captured VALUES (${literal(name)}, json_array(${columnList(key, `${row}.`)}), ${row === 'NEW' ? 1 : 0})
     ON CONFLICT DO NOTHING;`;
  const trigger = (event: string, body: string) =>
    `CREATE TEMP TRIGGER ${quoted(`capture_${event}_${name}`)} AFTER ${event} ON main.${quoted(name)} BEGIN ${body} END;`;
  return [
    trigger('INSERT', note('NEW')),
    trigger('UPDATE', note('OLD') + note('NEW')),
    trigger('DELETE', note('OLD')),
  ].join('\n');
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Rows in steps of bearable size. */
function* slices(rows: Iterable<readonly Cell[]>): Generator<(readonly Cell[])[]> {
  let slice: (readonly Cell[])[] = [];
  let length = 0;
  for (const row of rows) {
    slice.push(row);
    length += computeRowLength(row);
    if (slice.length < rowsPerStep && length < stepLength) continue;
    yield slice;
    slice = [];
    length = 0;
  }
  if (slice.length > 0) yield slice;
}
