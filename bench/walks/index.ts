import { Session } from 'node:inspector/promises';
import { dirname, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { callOk } from '../../test/support/api.ts';
import { createCollection, createItem, createPage, createSite } from '../../test/support/content.ts';
import { type InProcessServer, startInProcess } from '../../test/support/in-process.ts';
import { environmentLine, markdownTable } from '../report.ts';

/** How long the server is left alone before a request is recorded, in milliseconds; some writes are 2 s late. */
const quietMs = 2500;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** One kind of request and what its calls run through on the main thread. */
interface Walk {
  readonly name: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly functions: number;
}

/**
 * Shows how many files, folders and functions of the project a request runs through on the main thread: a PUT of a
 * title, an uncached page, a save of an entry. Options: `--json`, `--files` (lists the files of each).
 */
export async function runWalks(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean', default: false }, files: { type: 'boolean', default: false } },
  });
  const server = await startInProcess();
  try {
    const walks = await measureWalks(server);
    if (values.json) console.log(JSON.stringify(walks));
    else printWalks(walks, values.files);
  } finally {
    await server.stop();
  }
}

function printWalks(walks: readonly Walk[], withFiles: boolean): void {
  console.log(environmentLine());
  const rows = walks.map(({ name, files, folders, functions }) =>
    [name, files.length, folders.length, functions].map(String),
  );
  console.log(markdownTable(['request', 'files', 'folders', 'functions'], rows));
  if (!withFiles) return;
  for (const { name, files } of walks)
    console.log(`\n${name}\n${files.map((file) => `- ${file}`).join('\n')}`);
}

async function measureWalks(server: InProcessServer): Promise<Walk[]> {
  const home = await createSite(server);
  const page = await createPage(server, home, {
    slug: 'page',
    html: '<p>{{ page.title }}</p>',
    published: true,
  });
  const collection = await createCollection(server, { fields: [{ name: 'title', type: 'text' }] });
  const entry = await createItem(server, collection, { title: 'First' });

  const requests: readonly (readonly [name: string, run: (round: number) => Promise<unknown>])[] = [
    ['PUT of a title', (round) => callOk(server, 'PUT', `/pages/${page}`, { title: `Title ${round}` })],
    ['uncached GET of a page', (round) => load(`${server.url}/page?round=${round}`)],
    [
      'save of an entry',
      (round) =>
        callOk(server, 'PUT', `/collections/${collection}/items/${entry}`, {
          data: { title: `Entry ${round}` },
        }),
    ],
  ];
  const walks: Walk[] = [];
  for (const [name, run] of requests) {
    // What only the first request of a kind does, such as loading code, is no part of the walk, nor what earlier
    // requests have left for later.
    for (const round of [1, 2, 3]) await run(round);
    await wait(quietMs);
    walks.push({ name, ...(await recordCalls(() => run(4))) });
  }
  return walks;
}

async function load(url: string): Promise<void> {
  const response = await fetch(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`GET ${url} answered ${response.status}`);
}

/** Runs a request and records which functions of the project were called meanwhile, by V8's call counts. */
async function recordCalls(run: () => Promise<unknown>): Promise<Omit<Walk, 'name'>> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const called = result
      .filter(({ url }) => /^file:.*\/(grammar|compiler|runtime|server)\/.*\.ts$/.test(url))
      .map(({ url, functions }) => ({
        file: relative(root, fileURLToPath(url)),
        count: functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0)).length,
      }))
      .filter(({ count }) => count > 0);
    const files = called.map(({ file }) => file).sort();
    return {
      files,
      folders: [...new Set(files.map(dirname))],
      functions: called.reduce((sum, { count }) => sum + count, 0),
    };
  } finally {
    session.disconnect();
  }
}
