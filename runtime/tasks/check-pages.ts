import { SourcesNeeded } from '../content/source-data.ts';
import { renderLimits } from '../engine/budgets.ts';
import { NotFoundSignal } from '../functions/not-found.ts';
import { renderPage } from '../page/render.ts';
import { resolvePath } from '../page/route.ts';
import type { TaskContext } from './context.ts';
import type {
  CheckedAddress,
  CheckPagesResult,
  CheckPagesTask,
  PageCheck,
  PageCheckOutcome,
} from './messages/delivery.ts';
import { findSiteHost } from './page-render.ts';
import { toRenderedPage, toRenderFailure } from './render-page.ts';

/** Renders pages as for a visitor, and answers only whether they fail. Each is a snapshot of its own. */
export async function checkPagesTask(
  context: TaskContext,
  { addresses, now, budgetMs }: CheckPagesTask,
): Promise<CheckPagesResult> {
  const start = process.cpuUsage();
  const checks: PageCheck[] = [];
  let cpuMs = 0;
  for (const address of addresses) {
    const { value, reads } = await context.onSnapshot(now, () => checkPage(context, address, now));
    checks.push({ reads, outcome: value });
    const { user, system } = process.cpuUsage(start);
    cpuMs = (user + system) / 1000;
    if (cpuMs >= budgetMs) break;
  }
  return { checks, cpuMs };
}

async function checkPage(
  context: TaskContext,
  { siteId, path, query, host }: CheckedAddress,
  now: number,
): Promise<PageCheckOutcome> {
  const target = resolvePath(context.memo, siteId, encodePath(path));
  if (target.kind !== 'page') return { kind: 'absent' };
  const { page, rest } = target;
  const of = toRenderedPage(page, target.path);
  const begin = performance.now();
  try {
    await renderPage(context.tools, {
      page,
      site: findSiteHost(context, page, host),
      path: target.path,
      rest,
      query,
      now: new Date(now),
      shareable: true,
      preview: false,
      inline: undefined,
    });
    return { kind: 'rendered', of };
  } catch (error) {
    if (error instanceof NotFoundSignal) return { kind: 'absent' };
    // Processes that yield to others may be slow for reasons that are not the page's.
    const isSlow = performance.now() - begin >= renderLimits.timeMs;
    if (isSlow || error instanceof SourcesNeeded) return { kind: 'unchecked', of };
    return { kind: 'failed', of, error: toRenderFailure(error, page.path) };
  }
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
