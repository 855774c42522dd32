import { api, requireData } from '../../../api/client.ts';
import { ApiFailure } from '../../../api/failure.ts';
import type { BatchOperation } from '../../../api/generated/schema.ts';
import { entriesChanged } from '../../../content/entries.ts';
import type { RowChange } from './paste-plan.ts';

/** Most rows of one paste: a batch has no more operations, and only one batch is one change. */
export const maxRows = 500;

/** A row that the server refuses, so that nothing was changed. */
export class RowRefusal extends Error {
  /** Place of the row among those that change something. */
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super(`row ${index} was refused`, { cause });
    this.index = index;
  }
}

/**
 * Changes and makes the entries of a paste together or not at all.
 *
 * @returns takes it back, unless somebody else has changed one of the entries since
 * @throws RowRefusal, ApiFailure
 */
export async function applyPaste(
  collection: number,
  changes: readonly RowChange[],
  published: boolean,
): Promise<() => Promise<void>> {
  const { results } = await run(
    collection,
    changes.map(({ row: { entry }, data }) =>
      entry === undefined
        ? { op: 'create', data, published }
        : { op: 'update', id: entry.id, data, base_updated_at: entry.updated_at },
    ),
  );
  return async () => {
    const back = changes.map(({ row: { entry }, data }, index): EntryOperation => {
      const { id = 0, updated_at } = results[index] ?? {};
      const base = updated_at === undefined ? {} : { base_updated_at: updated_at };
      if (entry === undefined) return { op: 'delete', id, ...base };
      const names = Object.keys(data);
      const before = Object.fromEntries(names.map((name) => [name, entry.data[name] ?? null]));
      return { op: 'update', id, data: before, ...base };
    });
    await run(collection, back);
  };
}

type EntryOperation = Omit<BatchOperation, 'kind' | 'collection'>;

async function run(collection: number, operations: readonly EntryOperation[]) {
  const ops = operations.map((operation) => ({ kind: 'item', collection, ...operation }));
  try {
    return await requireData(api.POST('/batch', { params: { query: { strict: true } }, body: { ops } }));
  } catch (error) {
    const index = error instanceof ApiFailure ? Number(error.params['index']) : Number.NaN;
    throw Number.isInteger(index) ? new RowRefusal(index, error) : error;
  } finally {
    await entriesChanged(collection);
  }
}
