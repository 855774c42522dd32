import type { EntryData, FieldDefinition } from '../../../../runtime/fields/definition.ts';
import { fieldTypes, type HasTarget } from '../../../../runtime/fields/types.ts';
import { TreeRuleLookup } from '../../../content/blocks/tree-rule-lookup.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { idsIn } from './values.ts';

/** Which files and entries are there that entries of a collection refer to. Each is looked up once. */
export class KnownTargets {
  readonly #lookup: TreeRuleLookup;
  readonly #gone = new Set<string>();

  constructor(db: ContentDb) {
    this.#lookup = new TreeRuleLookup(db);
  }

  /** Looks up what an entry refers to; {@link has} then knows. */
  async read(fields: readonly FieldDefinition[], data: EntryData): Promise<void> {
    for (const field of fields) {
      const { refersTo } = fieldTypes[field.type];
      if (refersTo === undefined) continue;
      for (const id of idsIn(data[field.name])) {
        const found =
          refersTo === 'file' ? this.#lookup.hasFile(id) : this.#lookup.hasItem(field.collection ?? 0, id);
        if (!(typeof found === 'boolean' ? found : await found)) this.#gone.add(keyOf(field, id));
      }
    }
  }

  readonly has: HasTarget = (field, id) => !this.#gone.has(keyOf(field, id));
}

function keyOf({ type, collection }: FieldDefinition, id: number): string {
  return fieldTypes[type].refersTo === 'file' ? `file ${id}` : `${collection} ${id}`;
}
