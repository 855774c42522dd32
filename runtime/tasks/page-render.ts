import { splitName } from '../../grammar/names.ts';
import type { PageRecord } from '../content/reader.ts';
import { hostName, parseDomains, type SiteHost } from '../content/site-host.ts';
import { TemplateError } from '../engine.ts';
import { errorPage } from '../page/error-page.ts';
import type { RenderRequest } from '../page/render.ts';
import { pageTemplateName, templateFields } from '../page/template-name.ts';
import type { TaskContext } from './context.ts';
import type { DocumentTask, LoadsTask, TemplateDataTask } from './messages/documents.ts';

/** The page of a task with its unsaved values; undefined if it is gone. */
export function findTaskPage(
  context: TaskContext,
  { pageId, unsaved }: PageRenderTask,
): PageRecord | undefined {
  const page = context.memo.page(pageId);
  if (page === undefined) return undefined;
  return {
    ...page,
    html: unsaved.html ?? page.html,
    head: unsaved.head ?? page.head,
    title: unsaved.title ?? page.title,
    meta_title: unsaved.meta_title ?? page.meta_title,
    description: unsaved.description ?? page.description,
  };
}

/** The render request of a task. The rest of a path counts only below a catch-all page. */
export function createRenderRequest(
  context: TaskContext,
  task: PageRenderTask,
  page: PageRecord,
): Omit<RenderRequest, 'preview' | 'inline'> {
  const rest = page.catch_all ? task.rest : [];
  const path = rest.length === 0 ? page.path : `${page.path === '/' ? '' : page.path}/${rest.join('/')}`;
  return {
    page,
    site: findSiteHost(context, page, task.host),
    path,
    rest,
    query: task.query,
    now: new Date(task.now),
    shareable: true,
  };
}

/** A page about an error in one of the page's own templates or a snippet. */
export function createErrorPage(context: TaskContext, page: PageRecord, error: TemplateError): string {
  const own = new Map(templateFields.map((field) => [pageTemplateName(page.path, field), page[field]]));
  return errorPage(error, (name) => own.get(name) ?? context.memo.snippet(splitName(name).template)?.content);
}

export function isTemplateError(error: unknown): error is TemplateError {
  return error instanceof TemplateError;
}

type PageRenderTask = Pick<
  DocumentTask | LoadsTask | TemplateDataTask,
  'pageId' | 'host' | 'query' | 'rest' | 'unsaved' | 'now'
>;

/**
 * The host of the absolute URLs of a page: the host of the request if the website lists it, else the first
 * domain of the website. A website without domains uses the host of the request.
 */
export function findSiteHost(
  context: TaskContext,
  page: Pick<PageRecord, 'root_id' | 'domains'>,
  requestHost: string,
): SiteHost {
  const domains = parseDomains(context.memo.basics(page.root_id) ?? page);
  const name = hostName(requestHost);
  const host = domains.includes(name) ? name : domains[0];
  if (host !== undefined) return { siteId: page.root_id, host, fromRequest: false };
  return { siteId: page.root_id, host: requestHost, fromRequest: true };
}
