import { SourcesNeeded } from '../content/source-data.ts';
import { type DetailAddress, detailAddresses, sourcedAddresses } from '../page/detail-pages.ts';
import type { TaskContext } from './context.ts';
import type { DetailPagesResult, DetailPagesTask } from './messages/data.ts';

const sampleSize = 10;

/** The detail pages below a page as they are now (Core, POST /pages/{id}/sitemap-preview). */
export async function detailPagesTask(
  context: TaskContext,
  { pageId, source }: DetailPagesTask,
): Promise<DetailPagesResult> {
  const { value } = await context.onSnapshot(0, () => {
    try {
      const addresses = addressesOf(context, pageId, source);
      const sample = addresses.slice(0, sampleSize);
      return {
        count: addresses.length,
        sample: sample.map(({ path, updated_at: lastmod }) => ({ path, lastmod })),
      };
    } catch (error) {
      if (source === null || error instanceof SourcesNeeded) throw error;
      return { count: 0, sample: [], error: error instanceof Error ? error.message : String(error) };
    }
  });
  return value;
}

function addressesOf(
  { memo, tools }: TaskContext,
  pageId: number,
  source: unknown,
): readonly DetailAddress[] {
  const page = memo.page(pageId);
  if (page === undefined) return [];
  return source === null ? detailAddresses(tools, page) : sourcedAddresses(tools, page, source, true);
}
