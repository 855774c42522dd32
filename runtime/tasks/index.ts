import { SourcesNeeded } from '../content/source-data.ts';
import { archiveTask } from './archive.ts';
import { checkCode } from './check-code.ts';
import { checkMarkup } from './check-markup.ts';
import { checkPagesTask } from './check-pages.ts';
import { checkTemplateTask } from './check-template.ts';
import { compressTask } from './compress.ts';
import type { TaskContext } from './context.ts';
import { dataTask } from './data.ts';
import { deliverAssetTask } from './deliver-asset.ts';
import { detailPagesTask } from './detail-pages.ts';
import { documentTask } from './document.ts';
import { exportAssetsTask } from './export-assets.ts';
import { exportPagesTask } from './export-pages.ts';
import { exportDetailsTask, exportSystemTask } from './export-system.ts';
import { loadsTask } from './loads.ts';
import { markdownTask } from './markdown.ts';
import type { ResultOf, Task } from './messages/index.ts';
import type { NeedsSources } from './messages/sources.ts';
import { penTask } from './pen.ts';
import { regionLossesTask } from './region-losses.ts';
import { renderPageTask } from './render-page.ts';
import { robotsTask } from './robots.ts';
import { sitemapCopyTask, sitemapTask } from './sitemap.ts';
import { sourceListTask } from './source-list.ts';
import { templateDataTask } from './template-data.ts';
import { checkpointTask, indexTask } from './upkeep.ts';
import { collectionReadsTask, variableReadsTask } from './variable-reads.ts';

/** Runs one task of the render pool, as far as the answers of sources that it has allow. */
export async function runTask(context: TaskContext, task: Task): Promise<ResultOf<Task> | NeedsSources> {
  try {
    return await run(context, task);
  } catch (error) {
    if (error instanceof SourcesNeeded) return { kind: 'needs-sources', requests: error.requests };
    throw error;
  }
}

function run(context: TaskContext, task: Task): Promise<ResultOf<Task>> {
  switch (task.kind) {
    case 'page':
      return renderPageTask(context, task);
    case 'check-pages':
      return checkPagesTask(context, task);
    case 'asset':
      return deliverAssetTask(context, task);
    case 'sitemap':
      return sitemapTask(context, task);
    case 'sitemap-copy':
      return sitemapCopyTask(task);
    case 'robots':
      return robotsTask(context, task);
    case 'compress':
      return compressTask(task);
    case 'document':
      return documentTask(context, task);
    case 'loads':
      return loadsTask(context, task);
    case 'template-data':
      return templateDataTask(context, task);
    case 'data':
      return dataTask(context, task);
    case 'detail-pages':
      return detailPagesTask(context, task);
    case 'index':
      return indexTask(context, task);
    case 'checkpoint':
      return checkpointTask(context);
    case 'source-list':
      return sourceListTask(task);
    case 'check-template':
      return checkTemplateTask(context, task);
    case 'region-losses':
      return regionLossesTask(context, task);
    case 'variable-reads':
      return variableReadsTask(task);
    case 'collection-reads':
      return collectionReadsTask(task);
    case 'check-code':
      return checkCode(task);
    case 'check-markup':
      return checkMarkup(task);
    case 'markdown':
      return markdownTask(task);
    case 'archive':
      return archiveTask(task);
    case 'pen':
      return penTask(context, task);
    case 'export-pages':
      return exportPagesTask(context, task);
    case 'export-system':
      return exportSystemTask(context, task);
    case 'export-assets':
      return exportAssetsTask(context, task);
    case 'export-details':
      return exportDetailsTask(context, task);
  }
}
