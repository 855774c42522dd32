import { renderEndedHtml } from '../../../../runtime/page/default-pages.ts';
import { mediaAddressesIn } from '../../../../runtime/page/links.ts';
import type { DetailPagesResult } from '../../../../runtime/tasks/messages/data.ts';
import type {
  DocumentResult,
  DocumentTask,
  TemplateDataTask,
  UnsavedPage,
} from '../../../../runtime/tasks/messages/documents.ts';
import { jsonType, Reply } from '../../../api/reply.ts';
import { apiError, invalid } from '../../../base/errors.ts';
import type { SharedServices } from '../../../feature.ts';
import { WorkerLostError } from '../../../processes/pool-worker.ts';
import type { FindMedia } from '../../media/index.ts';
import { requestHost } from '../address.ts';
import type { StoredPage } from '../model.ts';
import { parseSitemapSource } from '../rules.ts';
import { requirePage } from '../service.ts';
import type { PagePreview, SitemapPreview, SitemapPreviewQuery, TemplateDataQuery } from './model.ts';

export interface PreviewDeps extends Pick<SharedServices, 'reader' | 'pool' | 'clock'> {
  readonly findMedia: FindMedia;
}

/**
 * POST /pages/{id}/preview: the page with unsaved content (Core, "Pages"). A template error gives a page that
 * describes the error, with status 422.
 *
 * @param opener whom signed addresses end with
 * @throws ApiError `common.notFound`
 */
export async function previewPage(
  deps: PreviewDeps,
  id: number,
  body: PagePreview,
  host: string,
  opener: string,
): Promise<Reply> {
  const { html, head, title, description, assets, overrides, snippets, query, rest, item, blocks } = body;
  const { global_blocks: globalBlocks = {}, regions } = body;
  const result = await renderDocument(deps, id, {
    form: 'preview',
    host,
    query: queryText(query),
    rest: rest ?? [],
    unsaved: { html, head, title, description, blocks, regions },
    assets: assets?.map((asset) => asset.asset_id),
    overrides: byNumber(overrides ?? {}),
    snippets: snippets === undefined ? undefined : new Map(Object.entries(snippets)),
    globalBlocks: byNumber(globalBlocks),
    item,
    opener,
  });
  return htmlReply(result.text, result.kind === 'failed' ? 422 : 200);
}

/**
 * GET /pages/{id}/render: the page as a visitor would get it; drafts are rendered too. If the page calls
 * `not_found()`, the answer is the visitor's 404 page with its status.
 *
 * @param rawQuery query as on the public address; the caller's own `token` is removed
 * @throws ApiError `common.notFound`
 */
export async function renderLivePage(
  deps: PreviewDeps,
  id: number,
  rawQuery: string,
  host: string,
): Promise<Reply> {
  const result = await renderDocument(deps, id, { ...live(rawQuery, host), form: 'page' });
  if (result.kind === 'failed') return templateFailure(result.message);
  return htmlReply(result.text, result.kind === 'not-found' ? 404 : 200);
}

/**
 * GET /pages/{id}/mhtml: the page of {@link renderLivePage} as a single file.
 *
 * @throws ApiError `common.notFound`, also if the page calls `not_found()`
 */
export async function archivePage(
  deps: PreviewDeps,
  id: number,
  rawQuery: string,
  host: string,
): Promise<Reply> {
  const { slug } = await requirePage(deps.reader, id);
  const result = await renderDocument(deps, id, { ...live(rawQuery, host), form: 'archive' });
  if (result.kind === 'failed') return templateFailure(result.message);
  if (result.kind === 'not-found') throw apiError('common.notFound', {});
  const { text: html, title, url } = result;
  const files = (await deps.findMedia(mediaAddressesIn(html))).map(({ address, ...found }) => ({
    ...found,
    location: new URL(address, url).href,
  }));
  const archive = await deps.pool.request({ kind: 'archive', html, title, url, now: deps.clock(), files });
  return Reply.text(archive.text, archive.contentType, {
    headers: [['Content-Disposition', `attachment; filename="${slug || 'index'}.mhtml"`]],
  });
}

/**
 * POST /pages/{id}/template-data: the variables of a page as in a preview.
 *
 * @param opener whom signed addresses end with
 * @throws ApiError `common.notFound`
 */
export async function templateData(
  deps: PreviewDeps,
  id: number,
  body: TemplateDataQuery,
  host: string,
  opener: string,
): Promise<Reply> {
  await requirePage(deps.reader, id);
  const { title, meta_title, description, query, rest } = body;
  const task: TemplateDataTask = {
    kind: 'template-data',
    pageId: id,
    host: requestHost(host),
    query: queryText(query),
    rest: rest ?? [],
    unsaved: { title, meta_title, description },
    now: deps.clock(),
    opener,
  };
  const result = await deps.pool.request(task).catch(failureOf);
  if (result.kind === 'gone') throw apiError('common.notFound', {});
  if (result.kind === 'failed') return templateFailure(result.message);
  return Reply.text(result.json, jsonType);
}

/**
 * POST /pages/{id}/sitemap-preview: the detail pages that a source adds to the sitemap. Without a source they come
 * from the collections that the page reads by `route.slug`.
 *
 * @throws ApiError `common.notFound`, `common.invalid`, 502 `page.sitemapSourceFailed`
 */
export async function previewSitemap(
  { reader, pool }: PreviewDeps,
  id: number,
  body: SitemapPreviewQuery,
): Promise<SitemapPreview> {
  const started = performance.now();
  const page = await requirePage(reader, id);
  const source = sourceOf(page, body);
  const { count, sample, error } = page.catch_all
    ? await pool.request({ kind: 'detail-pages', pageId: id, source })
    : noDetails;
  if (error !== undefined) throw apiError('page.sitemapSourceFailed', { reason: error });
  return {
    count,
    sample: sample.map(({ path, lastmod }) => ({ path, lastmod: new Date(lastmod * 1000).toISOString() })),
    duration_ms: Math.round(performance.now() - started),
  };
}

const noDetails: DetailPagesResult = { count: 0, sample: [] };

function sourceOf(page: StoredPage, body: SitemapPreviewQuery): StoredPage['sitemap_source'] {
  if (body.sitemap_source === undefined) return page.sitemap_source;
  const source = parseSitemapSource(body.sitemap_source);
  if (source !== null && !page.catch_all) throw invalid('sitemap_source', 'is for catch-all pages only');
  return source;
}

type RenderedDocument = Exclude<DocumentResult, { kind: 'gone' }>;

async function renderDocument(
  { reader, pool, clock }: PreviewDeps,
  id: number,
  task: Omit<DocumentTask, 'kind' | 'pageId' | 'now'>,
): Promise<RenderedDocument> {
  await requirePage(reader, id);
  const host = requestHost(task.host);
  const whole: DocumentTask = { ...task, kind: 'document', pageId: id, host, now: clock() };
  const result = await pool.request(whole).catch(failureOf);
  if (result.kind === 'gone') throw apiError('common.notFound', {});
  return result;
}

/** A render that was ended because of its time or memory fails as one with an error in a template does. */
function failureOf(error: unknown): { kind: 'failed'; message: string; text: string } {
  if (!(error instanceof WorkerLostError)) throw error;
  return { kind: 'failed', message: error.message, text: renderEndedHtml(error.message) };
}

function byNumber<Value>(values: Readonly<Record<string, Value>>): ReadonlyMap<number, Value> {
  return new Map(Object.entries(values).map(([id, value]) => [Number(id), value]));
}

function live(rawQuery: string, host: string) {
  const unsaved: UnsavedPage = {};
  return {
    host,
    query: withoutToken(rawQuery),
    rest: [],
    unsaved,
    assets: undefined,
    overrides: new Map<number, string>(),
  };
}

function withoutToken(rawQuery: string): string {
  const query = new URLSearchParams(rawQuery);
  query.delete('token');
  return query.toString();
}

function queryText(query: PagePreview['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) parameters.append(name, String(value));
  return parameters.toString();
}

/**
 * The sandbox gives a page from the API no origin, so its scripts can access neither cookies nor the admin
 * around the page.
 */
function htmlReply(html: string, status: number): Reply {
  return Reply.text(html, 'text/html; charset=utf-8', {
    status,
    headers: [
      ['Content-Security-Policy', 'sandbox allow-forms allow-modals allow-popups allow-scripts'],
      ['Referrer-Policy', 'no-referrer'],
      ['X-Robots-Tag', 'noindex'],
    ],
  });
}

/** Errors of templates contain only their text (Core, "Errors"). */
function templateFailure(message: string): Reply {
  return Reply.json({ error: message }, { status: 422 });
}
