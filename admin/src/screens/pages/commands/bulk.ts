import { api, maxOperations, requireData } from '../../../api/client.ts';
import type { BatchOperation } from '../../../api/generated/schema.ts';
import { pagesChanged } from '../../../content/pages.ts';

/** Changes several pages: all of them, or none if one is refused. More than 500 go in several batches. */
export async function updatePages(
  ids: readonly number[],
  data: Readonly<Record<string, unknown>>,
  isStrict: boolean,
): Promise<void> {
  const ops = ids.map((id): BatchOperation => ({ op: 'update', kind: 'page', id, data }));
  await runBatches(ops, isStrict);
}

/** Deletes several pages with all below them. */
export async function deletePagesAtOnce(ids: readonly number[]): Promise<void> {
  await runBatches(
    ids.map((id): BatchOperation => ({ op: 'delete', kind: 'page', id })),
    false,
  );
}

async function runBatches(operations: readonly BatchOperation[], isStrict: boolean): Promise<void> {
  const query = isStrict ? { strict: true } : {};
  try {
    for (let start = 0; start < operations.length; start += maxOperations) {
      const ops = operations.slice(start, start + maxOperations);
      await requireData(api.POST('/batch', { params: { query }, body: { ops } }));
    }
  } finally {
    await pagesChanged();
  }
}
