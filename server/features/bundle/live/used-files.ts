import type { TargetField } from '../../../../runtime/fields/targets.ts';
import { collectReferences, listValueReferences } from '../../../content/blocks/references.ts';
import type { Reference } from '../../../content/kinds/kind.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { LiveEntry } from './entries.ts';

/** Gathers the IDs of files that entries use. */
export class UsedFiles {
  readonly ids = new Set<number>();
  readonly #db: ContentDb;

  /** @param db that the entries are in */
  constructor(db: ContentDb) {
    this.#db = db;
  }

  async add(fields: readonly TargetField[], { data }: Pick<LiveEntry, 'data'>): Promise<void> {
    const values: Readonly<Record<string, unknown>> = JSON.parse(data);
    for (const field of fields) {
      const value = values[field.name];
      if (field.type === 'blocks')
        await this.#addAll(Array.isArray(value) ? await collectReferences(this.#db, value) : []);
      else await this.#addAll(listValueReferences(value, field));
    }
  }

  async #addAll(references: Iterable<Reference>): Promise<void> {
    for (const { kind, key } of references) {
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
