/** Lets rows of bundles follow files and entries to other IDs and paths. */
import { findDefinitions, IdRewriter, type Moves } from '../../../content/blocks/id-rewriter.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { Row } from '../rows.ts';
import type { BundleTable } from '../tables.ts';
import { readFields } from './entries.ts';

export class RowRewriter {
  readonly #ids: IdRewriter;

  /** @param db has the block types, global blocks and collections of the rows */
  constructor(db: ContentDb, moves: Moves) {
    this.#ids = new IdRewriter(
      moves,
      findDefinitions(db, (collection) => readFields(db, collection)),
    );
  }

  /** Whether anything moves. */
  get isNeeded(): boolean {
    return this.#ids.isNeeded;
  }

  /** The row itself if nothing in it moves. */
  async rewrite(table: BundleTable, row: Row): Promise<Row> {
    const changed: [string, unknown][] = [];
    for (const column of table.columns) {
      const before = row[column];
      const after = await this.#cell(table, column, row);
      if (after !== before) changed.push([column, after]);
    }
    return changed.length === 0 ? row : { ...row, ...Object.fromEntries(changed) };
  }

  async #cell(table: BundleTable, column: string, row: Row): Promise<unknown> {
    const value = row[column];
    if (column === table.owner)
      return typeof value === 'number' ? this.#ids.idOf(table.kind.name, value) : value;
    if (table.name === 'files' && column === 'path') return this.#ids.pathOf(String(value));
    return this.#ids.rewriteCell(table.names[column], value, Number(row['collection_id']));
  }
}
