import type { BlockTree } from '../../../../runtime/blocks/tree.ts';
import { fieldTypes } from '../../../../runtime/fields/types.ts';
import { mediaLinksIn } from '../../../../runtime/page/links.ts';
import { collectReferences } from '../../../content/blocks/references.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { KnownField, LiveEntry } from './entries.ts';

/** Gathers the IDs of files that entries use. */
export class UsedFiles {
  readonly ids = new Set<number>();
  readonly #db: ContentDb;

  /** @param db that the entries are in */
  constructor(db: ContentDb) {
    this.#db = db;
  }

  async add(fields: readonly KnownField[], { data }: Pick<LiveEntry, 'data'>): Promise<void> {
    const values: Readonly<Record<string, unknown>> = JSON.parse(data);
    for (const { name, type } of fields) {
      const value = values[name];
      if (fieldTypes[type].refersTo === 'file' && typeof value === 'number') this.ids.add(value);
      else if (typeof value === 'string') await this.#addPaths(mediaLinksIn(value));
      else if (type === 'blocks' && Array.isArray(value)) await this.#addTree(value);
    }
  }

  async #addTree(blocks: BlockTree): Promise<void> {
    for (const { kind, key } of await collectReferences(this.#db, blocks)) {
      if (kind === 'file') this.ids.add(Number(key));
      if (kind === 'media') await this.#addPaths([key]);
    }
  }

  async #addPaths(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const id = await findFileId(this.#db, path);
      if (id !== undefined) this.ids.add(id);
    }
  }
}

const findFileId = contentTable('files').findCellBy(['path'], 'id');
