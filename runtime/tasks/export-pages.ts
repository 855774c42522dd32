import { SourcesNeeded } from '../content/source-data.ts';
import { ExportFindings } from '../export/export-findings.ts';
import { fileOfPage } from '../export/files.ts';
import { exportHtml } from '../export/html.ts';
import { Packer } from '../export/packer.ts';
import { type ExportedSite, getSiteHost } from '../export/site.ts';
import { NotFoundSignal } from '../functions/not-found.ts';
import { findRedirect } from '../page/redirect.ts';
import { type RenderRequest, renderPage } from '../page/render.ts';
import { resolvePath } from '../page/route.ts';
import type { TaskContext } from './context.ts';
import type { ExportedPages, ExportOutcome, ExportPagesTask } from './messages/exports.ts';

/** Renders pages as visitors get them, and packs them as the files of a static export (Core, GET /sites/{id}/static). */
export async function exportPagesTask(context: TaskContext, task: ExportPagesTask): Promise<ExportedPages> {
  const work = {
    context,
    task,
    packer: new Packer(),
    found: new ExportFindings(),
    usedOnce: new Set<string>(),
  };
  const { value: outcomes, reads } = await context.onSnapshot(task.now, async () => {
    const made: ExportOutcome[] = [];
    const end = performance.now() + task.maxMs;
    for (const path of task.paths) {
      made.push(await outcomeOf(work, path));
      if (performance.now() >= end) break;
    }
    return made;
  });
  for (const source of work.usedOnce) context.tools.engine.forgetSource(source);
  work.packer.write(task.spool);
  return { reads, outcomes, found: work.found.toJSON() };
}

interface Work {
  readonly context: TaskContext;
  readonly task: ExportPagesTask;
  readonly packer: Packer;
  readonly found: ExportFindings;
  /** Templates of pages that only this task renders here. */
  readonly usedOnce: Set<string>;
}

async function outcomeOf(work: Work, path: string): Promise<ExportOutcome> {
  const { context, task } = work;
  const { site } = task;
  const target = resolvePath(context.memo, site.siteId, path);
  if (target.kind === 'redirect') return { kind: 'spelling', path: target.path };
  if (target.kind === 'missing') return withoutPage(context, site, path);
  const file = fileOfPage(path);
  if (file === undefined) return { kind: 'failed', message: 'this path cannot be a file' };
  const found = new ExportFindings();
  const { html: source } = target.page;
  if (!task.willReturn && !context.tools.engine.keepsSource(source)) work.usedOnce.add(source);
  try {
    const html = await renderPage(context.tools, createExportRequest(task, { ...target, shareable: true }));
    const text = exportHtml(html, {
      site,
      place: { path, file },
      found,
      canonical: canonicalIn(context, site),
    });
    const packed = work.packer.add(file, text);
    work.found.add(found);
    return { kind: 'file', file: packed };
  } catch (error) {
    if (error instanceof NotFoundSignal) return withoutPage(context, site, path);
    if (!(error instanceof SourcesNeeded)) return { kind: 'failed', message: formatErrorMessage(error) };
    if (task.paths.length === 1) throw error;
    return { kind: 'alone' };
  }
}

/** A request of nobody in particular, for a page as it is shown to everybody. */
export function createExportRequest(
  { site, now }: Pick<ExportPagesTask, 'site' | 'now'>,
  target: Pick<RenderRequest, 'page' | 'path' | 'rest' | 'shareable'>,
): RenderRequest {
  return {
    page: target.page,
    path: target.path,
    rest: target.rest,
    shareable: target.shareable,
    site: { siteId: site.siteId, host: getSiteHost(site), fromRequest: site.base === undefined },
    query: '',
    now: new Date(now),
    preview: false,
    inline: undefined,
  };
}

/** Finds the path of the page that a link in another spelling leads to. */
export function canonicalIn({ memo }: TaskContext, { siteId }: ExportedSite) {
  return (path: string): string | undefined => {
    const target = resolvePath(memo, siteId, path);
    return target.kind === 'redirect' ? target.path : undefined;
  };
}

function withoutPage({ memo }: TaskContext, { siteId }: ExportedSite, path: string): ExportOutcome {
  return { kind: findRedirect(memo, siteId, path) === undefined ? 'missing' : 'moved' };
}

export function formatErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
