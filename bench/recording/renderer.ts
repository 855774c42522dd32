import { parseArgs } from 'node:util';
import { RenderWorker } from '../../runtime/tasks/context.ts';
import { isTagged } from '../../runtime/tasks/encode.ts';
import type { PageResult } from '../../runtime/tasks/messages/delivery.ts';
import { renderPageTask } from '../../runtime/tasks/render-page.ts';
import { pages } from '../../test/runtime/demo-content/site.ts';
import { UnrecordedMemo } from './unrecorded.ts';

/**
 * A process that renders all pages of the demonstration website whenever its parent sends a message, and answers with
 * the processor time that it took, in microseconds; the first answer is the tags of all pages. Options: `--dir <path>`
 * of the website, `--recording`.
 */
const { values } = parseArgs({ options: { dir: { type: 'string' }, recording: { type: 'boolean' } } });
const { dir } = values;
if (dir === undefined) throw new Error('--dir is missing');

const settings = {
  databaseFile: `${dir}/content.db`,
  cacheDir: `${dir}/cache`,
  scheme: 'http',
  signingKeyFile: `${dir}/media.key`,
} as const;
const worker =
  values.recording === true
    ? new RenderWorker(settings)
    : new RenderWorker(settings, (reader) => new UnrecordedMemo(reader));

process.on('message', async () => {
  const before = process.cpuUsage();
  await renderAll();
  const { user, system } = process.cpuUsage(before);
  process.send?.(user + system);
});
process.on('disconnect', () => worker.close());
process.send?.((await renderAll()).map(tagOf).join());

/** The pages are not stored, so that they are not compressed, which would take most of the time. */
async function renderAll(): Promise<readonly PageResult[]> {
  const context = worker.contextFor();
  const results: PageResult[] = [];
  for (const { path } of pages) {
    const request = { host: 'a.test', scheme: 'http', path, query: '', siteId: 1 } as const;
    results.push(await renderPageTask(context, { kind: 'page', ...request, now: 1.76e12 }));
  }
  return results;
}

/** @throws Error for a page that cannot be rendered */
function tagOf({ outcome }: PageResult): string {
  if (outcome.kind !== 'page' || !isTagged(outcome.body))
    throw new Error(`a page of the demonstration website is ${outcome.kind}`);
  return outcome.body.tag;
}
