import type { Row } from '../connection.ts';
import { quoteName as quoted } from '../schema.ts';
import type { ContentDb } from '../tables.ts';
import type { UndoStep } from './steps.ts';

interface TableFacts {
  readonly columns: ReadonlySet<string>;
  readonly key: readonly string[];
  /** Columns whose rows must exist elsewhere. */
  readonly references: readonly {
    readonly column: string;
    readonly table: string;
    readonly target: string;
  }[];
}

/** Columns that every change of a row sets, and that say nothing of what was changed. */
const bookkeeping: ReadonlySet<string> = new Set(['updated_at']);

/**
 * Undoes recorded steps, the last one first. What has changed since, stays as it is now. References between rows must be
 * deferred (`deferReferences`), because rows come in the order of their deletion.
 */
export class StepUndoer {
  readonly #db: ContentDb;
  readonly #tables = new Map<string, TableFacts>();
  /** Rows that come back with a later call, by table and ID. */
  readonly #expected: ReadonlyMap<string, ReadonlySet<number>>;

  /** @param expected IDs of rows that this undoer will put back, by table */
  constructor(db: ContentDb, expected: ReadonlyMap<string, ReadonlySet<number>>) {
    this.#db = db;
    this.#expected = expected;
  }

  /**
   * @returns whether the row is as it was before the step: false if it was changed since, or if what it refers to is gone
   */
  undo({ table, before, after }: UndoStep): boolean {
    if (after === undefined) return before !== undefined && this.#putBack(table, before);
    return before === undefined ? this.#takeOut(table, after) : this.#setBack(table, before, after);
  }

  /** The row with the same key as it is now. */
  find(table: string, row: Row): Row | undefined {
    const { key } = this.#factsOf(table);
    const same = key.map((column) => `${quoted(column)} IS ?`).join(' AND ');
    return this.#db
      .statement(`SELECT * FROM main.${quoted(table)} WHERE ${same}`)
      .first(key.map((column) => row[column]));
  }

  #putBack(table: string, row: Row): boolean {
    const { columns, references } = this.#factsOf(table);
    for (const { column, table: other, target } of references)
      if (row[column] !== null && !this.#exists(other, target, row[column])) return false;
    const names = Object.keys(row).filter((name) => columns.has(name));
    const { changes } = this.#db
      .statement(
        `INSERT INTO main.${quoted(table)} (${names.map(quoted).join(', ')})
         VALUES (${names.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
      )
      .run(names.map((name) => row[name]));
    this.#db.writtenTables.add([`insert ${table}`]);
    return changes > 0;
  }

  #takeOut(table: string, row: Row): boolean {
    const now = this.find(table, row);
    if (now === undefined || !isEqual(now, row)) return false;
    this.#write(table, 'DELETE FROM', '', [], row);
    this.#db.writtenTables.add([`delete ${table}`]);
    return true;
  }

  /** Sets the columns back that still have the value that the step gave them. */
  #setBack(table: string, before: Row, after: Row): boolean {
    const now = this.find(table, after);
    if (now === undefined) return false;
    const { columns } = this.#factsOf(table);
    const changed = Object.keys(before).filter((name) => columns.has(name) && before[name] !== after[name]);
    const isWhole = changed.every((name) => now[name] === after[name]);
    const set = changed.filter((name) => now[name] === after[name] && (isWhole || !bookkeeping.has(name)));
    if (set.length === 0) return isWhole;
    const values = set.map((name) => before[name]);
    this.#write(table, 'UPDATE', `SET ${set.map((name) => `${quoted(name)} = ?`).join(', ')}`, values, after);
    this.#db.writtenTables.add([`update ${table} ${set.join(' ')}`]);
    return isWhole;
  }

  #write(table: string, verb: string, set: string, values: readonly unknown[], row: Row): void {
    const { key } = this.#factsOf(table);
    const same = key.map((column) => `${quoted(column)} IS ?`).join(' AND ');
    this.#db
      .statement(`${verb} main.${quoted(table)} ${set} WHERE ${same}`)
      .run([...values, ...key.map((column) => row[column])]);
  }

  #exists(table: string, column: string, value: unknown): boolean {
    if (typeof value === 'number' && this.#expected.get(table)?.has(value) === true) return true;
    return hasRow(this.#db, table, column, value);
  }

  #factsOf(table: string): TableFacts {
    const known = this.#tables.get(table);
    if (known !== undefined) return known;
    const columns = this.#db.statement('SELECT name, pk FROM pragma_table_info(?)').all([table]);
    const references = this.#db
      .statement('SELECT "from" AS name, "table" AS target, "to" AS key FROM pragma_foreign_key_list(?)')
      .all([table]);
    const facts: TableFacts = {
      columns: new Set(columns.map(({ name }) => String(name))),
      key: columns.filter(({ pk }) => Number(pk) > 0).map(({ name }) => String(name)),
      references: references.map(({ name, target, key }) => ({
        column: String(name),
        table: String(target),
        target: String(key ?? 'id'),
      })),
    };
    this.#tables.set(table, facts);
    return facts;
  }
}

/** Whether a table has a row with a value in a column. */
export function hasRow(db: ContentDb, table: string, column: string, value: unknown): boolean {
  const found = db
    .statement(`SELECT 1 AS found FROM main.${quoted(table)} WHERE ${quoted(column)} = ?`)
    .first([value]);
  return found !== undefined;
}

/** The columns of a table that refer to rows, each with the table that it refers to. */
export function listReferringColumns(db: ContentDb, table: string): [column: string, table: string][] {
  const rows = db
    .statement('SELECT "from" AS name, "table" AS target FROM pragma_foreign_key_list(?)')
    .all([table]);
  return rows.map(({ name, target }) => [String(name), String(target)]);
}

/** The rows of a table with a value in a column, in the order of their keys. */
export function readRowsWith(db: ContentDb, table: string, column: string, value: unknown): Row[] {
  return db
    .statement(`SELECT * FROM main.${quoted(table)} WHERE ${quoted(column)} = ? ORDER BY 1, 2`)
    .all([value]);
}

function isEqual(left: Row, right: Row): boolean {
  return Object.entries(right).every(([name, value]) => left[name] === value);
}
