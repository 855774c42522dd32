import { SourcesNeeded } from '../content/source-data.ts';
import { ExportFindings } from '../export/export-findings.ts';
import { exportHtml } from '../export/html.ts';
import { Packer } from '../export/packer.ts';
import { NotFoundSignal } from '../functions/not-found.ts';
import { notFoundHtml } from '../page/default-pages.ts';
import { findNotFoundPage } from '../page/not-found.ts';
import { renderPage } from '../page/render.ts';
import type { TaskContext } from './context.ts';
import { canonicalIn, createExportRequest, formatErrorMessage } from './export-pages.ts';
import type {
  ExportDetails,
  ExportDetailsTask,
  ExportedFiles,
  ExportSystemTask,
} from './messages/exports.ts';
import { robotsText } from './robots.ts';
import { createSitemap, listDetailAddresses } from './sitemap.ts';

/** The files of a static export that no page has: `404.html`, `robots.txt` and, with a base, the sitemap. */
export async function exportSystemTask(context: TaskContext, task: ExportSystemTask): Promise<ExportedFiles> {
  const { site } = task;
  const packer = new Packer();
  const found = new ExportFindings();
  const { value, reads } = await context.onSnapshot(task.now, async () => {
    const errors: [string, string][] = [];
    const page = await notFoundPage(context, task).catch((error: unknown) => {
      if (error instanceof SourcesNeeded) throw error;
      errors.push(['/404.html', formatErrorMessage(error)]);
      return undefined;
    });
    // A server shows the page at any depth, so its addresses are never relative to it.
    const place = { path: '/404.html', file: undefined };
    const document = { site, place, found, canonical: canonicalIn(context, site) };
    const files = page === undefined ? [] : [packer.add('404.html', exportHtml(page, document))];
    const root = context.memo.basics(site.siteId);
    const origin = site.base === undefined ? undefined : `${context.tools.scheme}://${site.base}`;
    files.push(packer.add('robots.txt', robotsText(root?.robots_txt ?? '', origin)));
    if (site.base !== undefined)
      for (const [name, text] of sitemapFiles(context, site.siteId, site.base))
        files.push(packer.add(name, text));
    return { files, errors, notFoundPath: root && findNotFoundPage(context.memo, root)?.path };
  });
  packer.write(task.spool);
  return { ...value, reads, found: found.toJSON() };
}

/** The addresses of detail pages, as the sitemap lists them. */
export async function exportDetailsTask(
  context: TaskContext,
  { siteId }: ExportDetailsTask,
): Promise<ExportDetails> {
  const { value, reads } = await context.onSnapshot(0, () =>
    listDetailAddresses(context, siteId).map(({ path }) => path),
  );
  return { reads, paths: Buffer.from(value.join('\n')) };
}

async function notFoundPage(context: TaskContext, task: ExportSystemTask): Promise<string> {
  const root = context.memo.basics(task.site.siteId);
  const page = root && findNotFoundPage(context.memo, root);
  if (page === undefined) return notFoundHtml;
  try {
    const target = { page, path: '/404.html', rest: [], shareable: false };
    return await renderPage(context.tools, createExportRequest(task, target));
  } catch (error) {
    if (error instanceof NotFoundSignal) return notFoundHtml;
    throw error;
  }
}

function* sitemapFiles(
  context: TaskContext,
  siteId: number,
  base: string,
): Generator<[name: string, text: string]> {
  const { partCount, part } = createSitemap(context, { siteId, host: base, fromRequest: false });
  for (let number = 0; number <= partCount; number += 1) {
    const text = part(number);
    if (text !== undefined) yield [number === 0 ? 'sitemap.xml' : `sitemap-${number}.xml`, text];
  }
}
