import type { Engine } from '../engine.ts';
import { pageTemplateName } from '../page/template-name.ts';
import type { TaskContext } from './context.ts';
import type { RegionLosses, RegionLossesTask } from './messages/checks.ts';

/** Which words of pages would show no more with another content of a snippet. */
export async function regionLossesTask(
  context: TaskContext,
  { name, content, pageIds }: RegionLossesTask,
): Promise<RegionLosses> {
  const { value } = await context.onSnapshot(0, () => {
    const changed = context.engineWith(new Map([[name, content]]));
    return pageIds.flatMap((pageId) => lossesOf(context, pageId, changed));
  });
  return value;
}

function lossesOf({ memo, tools }: TaskContext, pageId: number, changed: Engine): RegionLosses {
  const page = memo.page(pageId);
  if (page === undefined) return [];
  const names = (engine: Engine) =>
    new Set([
      ...engine.regionNames(page.html, page.path),
      ...engine.regionNames(page.head, pageTemplateName(page.path, 'head')),
    ]);
  const before = names(tools.engine);
  const after = names(changed);
  return Object.keys(memo.pageRegions(pageId))
    .filter((name) => before.has(name) && !after.has(name))
    .map((name) => ({ page_id: pageId, path: page.path, name }));
}
