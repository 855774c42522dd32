import { checkTemplateTask } from './check-template.ts';
import type { TaskContext } from './context.ts';
import { deliverAssetTask } from './deliver-asset.ts';
import { documentTask } from './document.ts';
import { type EncodedBody, transferables } from './encode.ts';
import type { ResultOf, Task } from './messages.ts';
import { renderPageTask } from './render-page.ts';
import { robotsTask } from './robots.ts';
import { sitemapTask } from './sitemap.ts';
import { templateDataTask } from './template-data.ts';

/** The result of a task, and the buffers in it, which can be transferred instead of copied. */
export interface Completed {
  readonly result: ResultOf<Task>;
  readonly buffers: readonly ArrayBuffer[];
}

/** Runs one task of the render pool. */
export async function runTask(context: TaskContext, task: Task): Promise<Completed> {
  switch (task.kind) {
    case 'page': {
      const result = await renderPageTask(context, task);
      const { outcome } = result;
      return completed(result, 'body' in outcome ? outcome.body : undefined);
    }
    case 'asset': {
      const result = await deliverAssetTask(context, task);
      return completed(result, result.asset?.body);
    }
    case 'sitemap': {
      const result = await sitemapTask(context, task);
      return completed(result, result.body);
    }
    case 'robots': {
      const result = await robotsTask(context, task);
      return completed(result, result.body);
    }
    case 'document':
      return completed(await documentTask(context, task), undefined);
    case 'template-data':
      return completed(await templateDataTask(context, task), undefined);
    case 'check-template':
      return completed(await checkTemplateTask(context, task), undefined);
  }
}

function completed(result: ResultOf<Task>, body: EncodedBody | undefined): Completed {
  return { result, buffers: body === undefined ? [] : transferables(body) };
}
