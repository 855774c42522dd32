import { hash } from 'node:crypto';
import { NotFoundSignal } from '../functions/not-found.ts';
import { loadsInCss } from '../page/loads/css.ts';
import { loadsInHtml } from '../page/loads/html.ts';
import { findPolicySource, type Load } from '../page/loads/loads.ts';
import { loadsInScript } from '../page/loads/script.ts';
import { renderPage } from '../page/render.ts';
import type { TaskContext } from './context.ts';
import type { LoadsResult, LoadsTask } from './messages/documents.ts';
import { createRenderRequest, findTaskPage, isTemplateError } from './page-render.ts';

/** What one page loads when a visitor opens it, its CSS and JS assets included. */
export async function loadsTask(context: TaskContext, task: LoadsTask): Promise<LoadsResult> {
  const { value } = await context.onSnapshot<LoadsResult>(task.now, async () => {
    const page = findTaskPage(context, task);
    if (page === undefined) return undefined;
    const request = { ...createRenderRequest(context, task, page), preview: false, inline: undefined };
    const url = `${context.tools.scheme}://${request.site.host}${encodeURI(request.path)}`;
    try {
      return loadsOf(context, await renderPage(context.tools, request), url);
    } catch (error) {
      if (error instanceof NotFoundSignal || isTemplateError(error)) return undefined;
      throw error;
    }
  });
  return value;
}

function loadsOf(context: TaskContext, html: string, url: string): LoadsResult {
  const { loads, inline } = loadsInHtml(html);
  const ofAssets = loads.flatMap((load) => loadsOfAsset(context, load, url));
  const sources = [...loads, ...ofAssets].map(({ directive, address }) => ({
    directive,
    source: findPolicySource(address, url),
  }));
  return {
    sources: sources.filter(
      (found): found is { directive: Load['directive']; source: string } => found.source !== undefined,
    ),
    inline: inline.map(({ kind, text }) => ({ kind, hash: `'sha256-${hash('sha256', text, 'base64')}'` })),
  };
}

/** What a CSS or JS asset of this instance loads. */
function loadsOfAsset({ memo }: TaskContext, { address }: Load, url: string): Load[] {
  const target = URL.parse(address, url);
  if (target === null || target.origin !== new URL(url).origin) return [];
  const id = /^\/_assets\/(?:css|js)\/([1-9]\d{0,15})\.(?:css|js)$/.exec(target.pathname)?.[1];
  const asset = id === undefined ? undefined : memo.asset(Number(id));
  if (asset === undefined) return [];
  return asset.kind === 'css' ? loadsInCss(asset.content) : loadsInScript(asset.content);
}
