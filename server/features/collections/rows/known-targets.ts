import type { EntryData, FieldDefinition } from '../../../../runtime/fields/definition.ts';
import { type FieldTarget, listTargets } from '../../../../runtime/fields/targets.ts';
import type { HasTarget } from '../../../../runtime/fields/types.ts';
import { withoutReadLimits } from '../../../base/content-overlay.ts';
import { TreeRuleLookup } from '../../../content/blocks/tree-rule-lookup.ts';
import type { ContentDb } from '../../../db/tables.ts';

/** Which files, entries and pages are there that entries of a collection lead to. Each is looked up once. */
export class KnownTargets {
  readonly #lookup: TreeRuleLookup;
  readonly #gone = new Set<string>();

  constructor(db: ContentDb) {
    this.#lookup = new TreeRuleLookup(db);
  }

  /** Looks up what an entry leads to; {@link has} then knows. */
  read(fields: readonly FieldDefinition[], data: EntryData): Promise<void> {
    // What is there does not depend on the caller: a value that was left out would be lost with the next save.
    return withoutReadLimits(() => this.#lookUp(fields, data));
  }

  async #lookUp(fields: readonly FieldDefinition[], data: EntryData): Promise<void> {
    for (const field of fields) {
      for (const target of listTargets(data[field.name], field)) {
        const found = this.#lookup.has(target);
        if (!(typeof found === 'boolean' ? found : await found)) this.#gone.add(keyOf(target));
      }
    }
  }

  readonly has: HasTarget = (target) => !this.#gone.has(keyOf(target));
}

function keyOf({ kind, collection, id }: FieldTarget): string {
  return `${kind} ${collection} ${id}`;
}
