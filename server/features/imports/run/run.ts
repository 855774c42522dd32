/** Takes over pages of another website (Data, "Website import"). */

import { open } from 'node:fs/promises';
import { TimeSlices } from '../../../base/timers.ts';
import { fieldLimits } from '../../../content/common-fields.ts';
import { formatLoadError } from '../loading/load-page.ts';
import { readRobots } from '../loading/robots.ts';
import type { RunResult } from '../model.ts';
import { forEachInParallel } from '../parallel.ts';
import type { SiteMapLine } from '../parsing/messages.ts';
import { type LoadedPages, loadPages } from './load-pages.ts';
import { addKnownCode, type TakenResources, takeResources } from './resources.ts';
import { type SharedCode, sharedCode } from './shared.ts';
import { type Counters, newCounters, type PlannedPage, type RunPlan, type RunTools } from './tools.ts';
import { type ConvertedEntry, writePages } from './write.ts';

/** Pages that are converted at the same time. */
const width = 4;
/** Longest content of a page in characters. */
const maxPageLength = fieldLimits.template;

export async function runImport(tools: RunTools, plan: RunPlan): Promise<RunResult> {
  const { progress, fetcher } = tools;
  const counters = newCounters();
  const { pauseMs } = await readRobots(fetcher, plan.base);
  fetcher.setPause(plan.base.host, pauseMs);
  const loaded = await loadPages(tools, plan);
  const written = loaded.pages.filter(({ content }) => content !== undefined);
  progress.phase('import.phaseFiles', written.length);
  // Pages that have not changed are not read again, but the code that they load may have changed.
  if (loaded.pages.some(({ action }) => action === 'unchanged'))
    await addKnownCode(tools, plan, loaded.resources);
  const taken = await takeResources(tools, plan, counters, loaded.resources);
  const { pages, shared, entries } = await convert(tools, plan, loaded, taken);
  progress.signal.throwIfAborted();
  progress.phase('import.phaseWrite');
  const results = await writePages(tools, { plan, counters, shared }, entries);
  return summary(plan, counters, [
    ...results,
    ...pages.filter(({ content }) => content === undefined).map(untouched),
  ]);
}

interface Conversion {
  readonly pages: readonly PlannedPage[];
  readonly shared: SharedCode;
  readonly entries: readonly ConvertedEntry[];
}

/** A page that cannot be converted takes no path and shares no code: all others are converted again without it. */
async function convert(
  tools: RunTools,
  plan: RunPlan,
  first: LoadedPages,
  taken: TakenResources,
): Promise<Conversion> {
  for (let loaded = first; ; ) {
    const { pages } = loaded;
    const shared = await sharedCode(tools, plan, pages, taken.assets);
    tools.progress.phase('import.phaseConvert', pages.filter(({ content }) => content !== undefined).length);
    const { entries, failed } = await convertPages(tools, plan, { loaded, taken, shared });
    if (failed.length === 0) return { pages, shared, entries };
    loaded = await loaded.without(failed);
  }
}

interface ConvertInput {
  readonly loaded: LoadedPages;
  readonly taken: TakenResources;
  readonly shared: SharedCode;
}

/** Converts the sources of pages into fields, which stay in files. Sources stay too, for another conversion. */
async function convertPages(
  { pool, workspace, progress }: RunTools,
  { base }: RunPlan,
  { loaded, taken, shared }: ConvertInput,
): Promise<{ readonly entries: readonly ConvertedEntry[]; readonly failed: readonly PlannedPage[] }> {
  const siteMap = workspace.newPath();
  await writeLines(siteMap, siteMapLines(base, loaded, taken));
  const assigned = [...shared.styles, ...shared.scripts].map(({ url }) => url);
  const entries: ConvertedEntry[] = [];
  const failed: PlannedPage[] = [];
  await forEachInParallel(loaded.pages, width, async (page) => {
    if (page.content === undefined) return;
    const { file, url, contentType } = page.content.source;
    const output = workspace.newPath();
    try {
      const { size } = await pool.run({
        kind: 'convert-page',
        file,
        url,
        contentType,
        siteMap,
        assigned,
        output,
      });
      if (size > maxPageLength) throw new Error(`it has more than ${maxPageLength} characters`);
      entries.push({ page, output });
    } catch (error) {
      progress.signal.throwIfAborted();
      progress.note('error', 'import.pageNotRead', { reason: formatLoadError(error) }, page.url);
      failed.push(page);
    }
    progress.pageDone();
  });
  await workspace.remove(siteMap);
  return { entries, failed };
}

function* siteMapLines(base: URL, { paths }: LoadedPages, taken: TakenResources): Generator<SiteMapLine> {
  yield { origin: base.origin };
  for (const page of paths) yield { page };
  for (const asset of taken.assets) yield { asset };
  for (const file of taken.files) yield { file };
}

function untouched({ existing, path, url, action }: PlannedPage): RunResult['pages'][number] {
  return { id: existing?.id ?? 0, path: existing === undefined ? '' : path, source: url, action };
}

function summary({ target }: RunPlan, counters: Counters, pages: RunResult['pages']): RunResult {
  const counted = { ...counters };
  for (const { action } of pages) counted[action] += 1;
  return { target_page_id: target.id, ...counted, pages };
}

/** Characters that are written at once. */
const charactersPerWrite = 256 * 2 ** 10;

/** Writes values into a new file, each as a line of JSON, in slices. */
async function writeLines(path: string, values: Iterable<object>): Promise<void> {
  const slices = new TimeSlices();
  const file = await open(path, 'wx', 0o600);
  try {
    let text = '';
    for (const value of values) {
      text += `${JSON.stringify(value)}\n`;
      if (text.length >= charactersPerWrite) {
        await file.writeFile(text);
        text = '';
      }
      await slices.next();
    }
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
