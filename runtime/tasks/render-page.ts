import type { PageRecord } from '../content/reader.ts';
import { chosenSite, resolveSite, type SiteHost } from '../content/site-host.ts';
import { SourcesNeeded } from '../content/source-data.ts';
import { TemplateError } from '../engine.ts';
import { NotFoundSignal } from '../functions/not-found.ts';
import { notFoundHtml, welcomeHtml } from '../page/default-pages.ts';
import { findNotFoundPage } from '../page/not-found.ts';
import { computeLocation, findRedirect, inAscii } from '../page/redirect.ts';
import { type RenderRequest, renderPage } from '../page/render.ts';
import { isInScope, resolvePath } from '../page/route.ts';
import type { TaskContext } from './context.ts';
import { type EncodedBody, encodeBody, encodeTagged } from './encode.ts';
import type { PageOutcome, PageResult, PageTask, RenderedPage, RenderFailure } from './messages/delivery.ts';
import { createErrorPage, isTemplateError } from './page-render.ts';

/** Answers one public address: website, page, document, bytes. */
export async function renderPageTask(context: TaskContext, task: PageTask): Promise<PageResult> {
  const { value, reads } = await context.onSnapshot(task.now, () => outcomeOf(context, task));
  return { reads, outcome: value };
}

async function outcomeOf(context: TaskContext, task: PageTask): Promise<PageOutcome> {
  const site = siteOf(context, task);
  if (site === undefined) {
    const body = encodeBody(
      welcomeHtml(`${task.scheme}://${task.host}`, task.instance),
      'once',
      task.encoding,
    );
    return { kind: 'missing', siteId: undefined, body };
  }
  const target = resolvePath(context.memo, site.siteId, task.path, task.preview);
  if (target.kind === 'redirect') {
    const location = task.query === '' ? target.path : `${target.path}?${task.query}`;
    return { kind: 'redirect', location: inAscii(location) };
  }
  if (target.kind === 'missing') return notFound(context, task, site, target.path);
  const { page, path, rest } = target;
  try {
    const problems: string[] = [];
    const html = await renderPage(context.tools, {
      ...requestOf(task, site, { page, path, rest, shareable: true }),
      onProblem: (text) => problems.push(text),
    });
    const { expiresAt } = context.tools.sources;
    const storable =
      !page.no_cache && task.preview === undefined && task.siteId === undefined && expiresAt > task.now;
    // No client is asked whether it has a preview already.
    const encode = task.preview === undefined ? encodeTagged : encodeBody;
    const body = encode(html, storable ? 'often' : 'once', task.encoding);
    const wrong = problems.length === 0 ? {} : { blockProblems: problems };
    const readsQuery = context.memo.reads.isQueryRead;
    return {
      kind: 'page',
      site,
      of: toRenderedPage(page, path),
      body,
      storable,
      readsQuery,
      expiresAt,
      ...wrong,
    };
  } catch (error) {
    if (error instanceof NotFoundSignal) return notFound(context, task, site, path);
    if (error instanceof SourcesNeeded) throw error;
    return {
      kind: 'failed',
      of: toRenderedPage(page, path),
      error: toRenderFailure(error, page.path),
      hasAsked: context.tools.sources.isRead,
      details: detailsOf(context, task, page, error),
    };
  }
}

function siteOf({ memo }: TaskContext, { host, siteId, showsSiteAnywhere }: PageTask): SiteHost | undefined {
  const table = memo.siteTable();
  const chosen =
    siteId === undefined ? undefined : chosenSite(table, host, memo.basics(siteId), showsSiteAnywhere);
  return chosen ?? resolveSite(table, host);
}

/** The error page that only administrators see (Core, "Errors"). */
function detailsOf(
  context: TaskContext,
  task: PageTask,
  page: PageRecord,
  error: unknown,
): EncodedBody | undefined {
  if (task.showsErrors !== true || !isTemplateError(error)) return undefined;
  return encodeBody(createErrorPage(context, page, error), 'once', task.encoding);
}

async function notFound(
  context: TaskContext,
  task: PageTask,
  site: SiteHost,
  path: string,
): Promise<PageOutcome> {
  const { siteId } = site;
  const redirect = findRedirect(context.memo, siteId, task.path);
  if (redirect !== undefined) {
    const location = computeLocation(redirect.target, task.query);
    return { kind: 'moved', siteId, redirectId: redirect.id, location, status: redirect.status };
  }
  const root = context.memo.basics(siteId);
  const page = root && findNotFoundPage(context.memo, root);
  if (page === undefined) return defaultNotFound(task, siteId);
  try {
    const request = requestOf(task, site, { page, path, rest: [], shareable: false });
    const html = await renderPage(context.tools, request);
    return { kind: 'missing', siteId, body: encodeBody(html, 'once', task.encoding) };
  } catch (error) {
    if (error instanceof NotFoundSignal) return defaultNotFound(task, siteId);
    if (error instanceof SourcesNeeded) throw error;
    return {
      kind: 'failed',
      siteId,
      of: toRenderedPage(page, page.path),
      error: toRenderFailure(error, page.path),
      hasAsked: context.tools.sources.isRead,
      details: detailsOf(context, task, page, error),
    };
  }
}

function defaultNotFound(task: PageTask, siteId: number | undefined): PageOutcome {
  return { kind: 'missing', siteId, body: encodeBody(notFoundHtml, 'once', task.encoding) };
}

function requestOf(
  task: PageTask,
  site: SiteHost,
  target: Pick<RenderRequest, 'page' | 'path' | 'rest' | 'shareable'>,
): RenderRequest {
  const preview = task.preview !== undefined && isInScope(target.page, task.preview);
  const isEdited = preview && task.preview?.kind === 'all';
  return {
    ...target,
    site,
    query: task.query,
    now: new Date(task.now),
    preview,
    isEdited,
    inline: undefined,
  };
}

export function toRenderedPage(page: Pick<PageRecord, 'id' | 'root_id'>, path: string): RenderedPage {
  return { pageId: page.id, siteId: page.root_id, path };
}

export function toRenderFailure(error: unknown, page: string): RenderFailure {
  if (error instanceof TemplateError) {
    return { message: error.message, page, template: error.template, line: error.line, column: error.column };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message, page, template: undefined, line: undefined, column: undefined };
}
