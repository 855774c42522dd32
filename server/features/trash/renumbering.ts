/** Objects that come back under other IDs, because an import has taken theirs. */
import { readTargetFields, type TargetField } from '../../../runtime/fields/targets.ts';
import { TimeSlices } from '../../base/timers.ts';
import { findDefinitions, IdRewriter } from '../../content/blocks/id-rewriter.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import type { Row } from '../../db/connection.ts';
import { readLastId } from '../../db/schema.ts';
import type { ContentDb } from '../../db/tables.ts';
import { hasRow, listReferringColumns, type StepUndoer } from '../../db/undo/step-undoer.ts';
import type { UndoStep } from '../../db/undo/steps.ts';

/** Columns that hold an ID without a reference that the database knows: by table, the table that they name. */
const loose: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pages: { root_id: 'pages', notfound_page_id: 'pages' },
  object_references: { root_id: 'pages' },
  collections: { detail_page_id: 'pages' },
  files: { folder_id: 'folders' },
  folders: { parent_id: 'folders' },
};

const none: ReadonlyMap<number, number> = new Map();

/** New IDs of restored rows. */
export class Renumbering {
  readonly #db: ContentDb;
  readonly #kinds: KindsByName;
  /** By table: the new IDs by those before. */
  readonly #moves = new Map<string, Map<number, number>>();
  readonly #columns = new Map<string, ReadonlyMap<string, string>>();

  /** @param deleted IDs of the rows that come back, by table */
  constructor(db: ContentDb, kinds: KindsByName, deleted: ReadonlyMap<string, ReadonlySet<number>>) {
    this.#db = db;
    this.#kinds = kinds;
    for (const { tables } of kinds.values()) this.#moveTaken(tables[0] ?? '', deleted);
  }

  /** The ID that an object gets. */
  idOf(kind: Kind | undefined, id: number): number {
    return this.#moves.get(kind?.tables[0] ?? '')?.get(id) ?? id;
  }

  /** The IDs of the rows after their return, by table. */
  expect(deleted: ReadonlyMap<string, ReadonlySet<number>>): ReadonlyMap<string, ReadonlySet<number>> {
    return new Map(
      [...deleted].map(([table, ids]) => {
        const moves = this.#moves.get(table);
        return [table, new Set([...ids].map((id) => moves?.get(id) ?? id))];
      }),
    );
  }

  /** All objects with another ID. */
  list(): { kind: string; from: number; to: number }[] {
    return [...this.#kinds.values()].flatMap(({ name, tables: [table = ''] }) =>
      [...(this.#moves.get(table) ?? [])].map(([from, to]) => ({ kind: name, from, to })),
    );
  }

  /** The step with the new IDs. */
  apply(step: UndoStep): UndoStep {
    if (this.#moves.size === 0) return step;
    const { table, before, after } = step;
    return {
      table,
      ...(before === undefined ? {} : { before: this.#applyToRow(table, before) }),
      ...(after === undefined ? {} : { after: this.#applyToRow(table, after) }),
    };
  }

  /** Lets templates, block trees and values of the rows that are back follow. @param deleted as they were */
  async follow(deleted: ReadonlyMap<string, ReadonlySet<number>>, undoer: StepUndoer): Promise<void> {
    if (this.#moves.size === 0) return;
    const rewriter = this.#createRewriter();
    const slices = new TimeSlices();
    for (const { bundle, tables } of this.#kinds.values()) {
      const [table = ''] = tables;
      const names = Object.entries(bundle?.names ?? {});
      for (const id of names.length > 0 ? (this.expect(deleted).get(table) ?? []) : []) {
        const row = undoer.find(table, { id });
        if (row === undefined) continue;
        const rewritten = { ...row };
        for (const [column, holder] of names)
          rewritten[column] = await rewriter.rewriteCell(holder, row[column], Number(row['collection_id']));
        undoer.undo({ table, before: rewritten, after: row });
        await slices.next();
      }
    }
  }

  /** It is asked for the IDs of global blocks before; those of the collections of entries are new already. */
  #createRewriter(): IdRewriter {
    const kinds = [...this.#kinds.values()];
    const ids = new Map(
      kinds.map(({ name, tables: [table = ''] }) => [name, this.#moves.get(table) ?? none]),
    );
    const definitions = findDefinitions(this.#db, (id) => this.#readFields(id));
    const globalId = (id: number) => this.idOf(this.#kinds.get('global_block'), id);
    return new IdRewriter(
      { ids, paths: new Map() },
      { ...definitions, globalTree: (id) => definitions.globalTree(globalId(id)) },
    );
  }

  async #readFields(collection: number): Promise<readonly TargetField[]> {
    const state = await this.#kinds.get('collection')?.find(this.#db, collection);
    return readTargetFields(Reflect.get(state ?? {}, 'fields'));
  }

  #moveTaken(table: string, deleted: ReadonlyMap<string, ReadonlySet<number>>): void {
    const ids = [...(deleted.get(table) ?? [])].filter((id) => hasRow(this.#db, table, 'id', id));
    if (ids.length === 0) return;
    const last = readLastId(this.#db, table);
    this.#moves.set(table, new Map(ids.map((id, place) => [id, last + 1 + place])));
  }

  #applyToRow(table: string, row: Row): Row {
    const moved = Object.entries(row).map(([column, value]) => {
      const named = this.#namedBy(table, column, row);
      const id = this.#moves.get(named ?? '')?.get(Number(value));
      if (id === undefined) return [column, value];
      return [column, typeof value === 'string' ? String(id) : id];
    });
    return Object.fromEntries(moved);
  }

  /** The table whose IDs a column of a row holds. */
  #namedBy(table: string, column: string, row: Row): string | undefined {
    if (column === 'object_id') return this.#tableOf(row['kind']);
    if (column === 'to_key') return this.#tableOf(row['to_kind']);
    return this.#columnsOf(table).get(column);
  }

  #tableOf(name: unknown): string | undefined {
    const kind = [...this.#kinds.values()].find((one) => one.name === name || one.revisions?.kind === name);
    return kind?.tables[0];
  }

  #columnsOf(table: string): ReadonlyMap<string, string> {
    const known = this.#columns.get(table);
    if (known !== undefined) return known;
    const columns = new Map([
      ['id', table],
      ...listReferringColumns(this.#db, table),
      ...Object.entries(loose[table] ?? {}),
    ]);
    this.#columns.set(table, columns);
    return columns;
  }
}
