import { splitName } from '../../grammar/names.ts';
import type { PageRecord } from '../content/reader.ts';
import { resolveSite, type SiteHost } from '../content/site-host.ts';
import { NotFoundSignal } from '../functions/not-found.ts';
import { inlineScript, inlineStyle } from '../page/assets.ts';
import { notFoundHtml } from '../page/default-pages.ts';
import { errorPage, notFoundNotice } from '../page/error-page.ts';
import { renderPage } from '../page/render.ts';
import type { TaskContext } from './context.ts';
import type { PenResult, PenTask } from './messages/documents.ts';
import { isTemplateError } from './page-render.ts';

/**
 * A pen as a document: like a page of the website of the host, which stands nowhere in its tree.
 *
 * @throws all errors except template errors and that of `not_found()`
 */
export async function penTask(context: TaskContext, task: PenTask): Promise<PenResult> {
  const { value } = await context.onSnapshot<PenResult>(task.now, async () => {
    const { pen, preview } = task;
    const site = resolveSite(context.memo.siteTable(), task.host);
    const page = asPage(context, pen, site);
    try {
      const text = await renderPage(context.tools, {
        page,
        site: site ?? { siteId: 0, host: task.host, fromRequest: true },
        path: page.path,
        rest: [],
        query: '',
        now: new Date(task.now),
        shareable: false,
        preview,
        isEdited: preview,
        inline: undefined,
        ownTags: {
          css: pen.css.trim() === '' ? '' : inlineStyle(pen.css),
          js: pen.js.trim() === '' ? '' : inlineScript(pen.js),
        },
      });
      return { kind: 'document', text };
    } catch (error) {
      if (error instanceof NotFoundSignal)
        return { kind: 'not-found', text: preview ? notFoundNotice(false) : notFoundHtml };
      if (!isTemplateError(error)) throw error;
      const sourceOf = (name: string) =>
        name === page.path ? pen.html : context.memo.snippet(splitName(name).template)?.content;
      return { kind: 'failed', message: error.message, text: errorPage(error, sourceOf) };
    }
  });
  return value;
}

/** Its path is the name of its template in messages. */
function asPage(
  { memo }: TaskContext,
  { title, html }: PenTask['pen'],
  site: SiteHost | undefined,
): PageRecord {
  const root = site && memo.basics(site.siteId);
  return {
    id: 0,
    parent_id: null,
    root_id: site?.siteId ?? 0,
    slug: '',
    path: 'pen',
    sort: 0,
    title,
    meta_title: '',
    html,
    head: '',
    description: '',
    html_attrs: '',
    body_attrs: '',
    lang: root?.lang ?? '',
    translation_group: '',
    published: true,
    catch_all: false,
    no_cache: true,
    sitemap_exclude: true,
    noindex: true,
    nofollow: true,
    hide_in_nav: true,
    source_url: '',
    import_root: 0,
    local_modified: false,
    domains: '',
    default_site: false,
    notfound_page_id: 0,
    og_image_file_id: 0,
    favicon_file_id: 0,
    robots_txt: '',
    zone: root?.zone ?? '',
    created_at: 0,
    updated_at: 0,
  };
}
