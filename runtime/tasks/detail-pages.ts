import { detailAddresses } from '../page/detail-pages.ts';
import type { TaskContext } from './context.ts';
import type { DetailPagesResult, DetailPagesTask } from './messages.ts';

const sampleSize = 10;

/** The detail pages below a page as they are now (Core, POST /pages/{id}/sitemap-preview). */
export async function detailPagesTask(
  context: TaskContext,
  { pageId }: DetailPagesTask,
): Promise<DetailPagesResult> {
  const { value } = await context.onSnapshot(0, () => {
    const page = context.memo.page(pageId);
    const addresses = page === undefined ? [] : detailAddresses(context.tools, page);
    const sample = addresses.slice(0, sampleSize);
    return {
      count: addresses.length,
      sample: sample.map(({ path, updated_at: lastmod }) => ({ path, lastmod })),
    };
  });
  return value;
}
