/** Entries that a bundle brings are taken as they are: what their rules say of them, once for all. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FieldDefinition } from '../../../../runtime/fields/definition.ts';
import { apiError } from '../../../base/errors.ts';
import type { ContentDb } from '../../../db/tables.ts';
import * as collections from '../store.ts';
import { breaksRule, hasRules } from './broken-rules.ts';
import type { Entry } from './model.ts';
import * as store from './store.ts';
import { listUniqueFields, toComparable } from './unique.ts';

/** Entries that are read in one turn of the event loop. */
const entriesPerTurn = 200;

type Values = Pick<Entry, 'id' | 'data'>;

/**
 * Looks at the entries as they will be. Values that the target has already may stay.
 *
 * @returns how many entries that the target does not have like this break rules of their fields
 * @throws ApiError 409 `item.notUnique`
 */
export async function reviewEntries(staged: ContentDb, target: ContentDb): Promise<number> {
  let broken = 0;
  for (const { id, fields: all } of await collections.collections.list(staged)) {
    const fields = all.filter(hasRules);
    if (fields.length === 0) continue;
    const unique = listUniqueFields({ fields }).map(({ name }) => new UniqueValues(name, target));
    for await (const slice of listSlices(staged, id)) {
      for (const entry of slice) {
        for (const values of unique) await values.add(entry);
        if (await breaksNewly(target, entry, fields)) broken++;
      }
    }
  }
  return broken;
}

async function* listSlices(db: ContentDb, collectionId: number): AsyncGenerator<Values[]> {
  let after = store.firstPlace;
  for (;;) {
    const slice = await store.listData(db, collectionId, after, entriesPerTurn);
    const last = slice.at(-1);
    if (last === undefined) return;
    yield slice;
    after = last;
    await nextTurn();
  }
}

async function breaksNewly(
  target: ContentDb,
  { id, data }: Values,
  fields: readonly FieldDefinition[],
): Promise<boolean> {
  const broken = fields.filter((field) => breaksRule(data, field));
  if (broken.length === 0) return false;
  const before = (await store.items.find(target, id))?.data ?? {};
  return broken.some(({ name }) => JSON.stringify(before[name]) !== JSON.stringify(data[name]));
}

/** The values of one unique field in the entries of a collection. */
class UniqueValues {
  readonly #field: string;
  readonly #target: ContentDb;
  /** The first entry with each value. */
  readonly #owners = new Map<string | number, number>();

  constructor(field: string, target: ContentDb) {
    this.#field = field;
    this.#target = target;
  }

  /** @throws ApiError 409 `item.notUnique` */
  async add({ id, data }: Values): Promise<void> {
    const value = toComparable(data[this.#field]);
    if (value === undefined) return;
    const owner = this.#owners.get(value);
    if (owner === undefined) this.#owners.set(value, id);
    else if (!(await this.#isStored(id, value)) || !(await this.#isStored(owner, value)))
      throw apiError('item.notUnique', { field: this.#field, id: owner });
  }

  async #isStored(id: number, value: string | number): Promise<boolean> {
    return (await store.items.find(this.#target, id))?.data[this.#field] === value;
  }
}
