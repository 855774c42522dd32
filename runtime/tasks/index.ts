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

/** A task's answer and the buffers in it, which can be handed over instead of copied. */
export interface Completed {
  readonly result: ResultOf<Task>;
  readonly buffers: readonly ArrayBuffer[];
}

/** Does one piece of work of the render pool. */
export async function runTask(workerContext: TaskContext, task: Task): Promise<Completed> {
  const context = 'scheme' in task ? withScheme(workerContext, task.scheme) : workerContext;
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

/** Absolute URLs carry the scheme the visitor used. */
function withScheme(context: TaskContext, scheme: 'http' | 'https'): TaskContext {
  if (context.tools.scheme === scheme) return context;
  return { ...context, tools: { ...context.tools, scheme } };
}
