/** IDs and paths that an object gets whose own are taken on the target. */

import { readLastId } from '../../../db/schema.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { addressNames } from '../../media/naming.ts';
import type { StagedContent } from '../staged.ts';

/** IDs that neither side has ever given to an object, so that nothing names them yet. */
export class FreeIds {
  #last: number;

  constructor(table: 'files' | 'items', { db, lastIds }: StagedContent, target: ContentDb) {
    this.#last = Math.max(lastIds[table], readLastId(db, table), readLastId(target, table));
  }

  next(): number {
    this.#last += 1;
    return this.#last;
  }
}

/** Paths of files, each given once. */
export class FreePaths {
  readonly #target: ContentDb;
  readonly #taken: Set<string>;
  readonly #staged: ReadonlySet<string>;

  /** @param kept paths of files that stay. @param staged paths of the files of the bundle */
  constructor(target: ContentDb, kept: Iterable<string>, staged: Iterable<string>) {
    this.#target = target;
    this.#taken = new Set(kept);
    this.#staged = new Set(staged);
  }

  /** Gives a path, unless it is taken. */
  claim(path: string): boolean {
    if (this.#taken.has(path)) return false;
    this.#taken.add(path);
    return true;
  }

  /** A path like another one. */
  async like(path: string): Promise<string> {
    const extension = path.slice(path.lastIndexOf('.') + 1);
    for (const name of addressNames(path, extension)) {
      if (this.#taken.has(name) || this.#staged.has(name)) continue;
      if ((await findIdByPath(this.#target, name)) !== undefined) continue;
      this.#taken.add(name);
      return name;
    }
    // The names never end.
    throw new Error(`there is no free address like ${path}`);
  }
}

const findIdByPath = contentTable('files').findCellBy(['path'], 'id');
