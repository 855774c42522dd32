import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiClient } from '../batch/client.ts';
import { createManyObjects, objectCount } from '../batch/content.ts';
import { findProcessorMs } from '../failing/processor-time.ts';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { createToken, startIncipit } from '../serve/site.ts';
import { killWhilePublishing } from './kills.ts';
import { prepareSet } from './prepared-set.ts';

/** Previews of one measurement. */
const previewCount = 40;
const connections = 8;

interface Pair {
  readonly name: string;
  readonly goal: number;
  readonly ratio: Spread;
}

/** What change sets cost. Options: `--json`, `--rounds <n>` (5), `--kills <n>` (0). */
export async function runChangeSetsBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      kills: { type: 'string', default: '0' },
    },
  });
  runSelfCheck();
  const dataDir = mkdtempSync(join(tmpdir(), 'incipit-bench-'));
  try {
    const pairs = await measurePairs(dataDir, Number(values.rounds));
    const kills = await killWhilePublishing(dataDir, Number(values.kills));
    report(pairs, kills, values.json);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measurePairs(dataDir: string, rounds: number): Promise<Pair[]> {
  const server = await startIncipit(dataDir);
  const client = new ApiClient(server.url, createToken(dataDir), connections);
  // Another author, so that the batch stores versions, too.
  const colleague = new ApiClient(server.url, createToken(dataDir, 'colleague'), connections);
  const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
    const start = findProcessorMs(server.pid ?? 0) ?? Number.NaN;
    await work();
    return (findProcessorMs(server.pid ?? 0) ?? Number.NaN) - start;
  };
  try {
    const { pages } = await createManyObjects(client);
    const publications: number[] = [];
    const previews: number[] = [];
    const firstPreviews: number[] = [];
    const bystanders: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const [first = 0] = pages;
      const preview = (query: string) => previewMany(client, first, query);
      const alone = await timeOf(() => preview(''));
      const kept = await prepareSet(client, pages, `kept ${round}`);
      const beside = await timeOf(() => preview(''));
      const batch = await timeOf(() => writeAsBatch(colleague, pages, round));
      // After the batch, so that nothing is in conflict.
      const published = await prepareSet(client, pages, `published ${round}`);
      const publication = await timeOf(() => client.send('POST', `/change-sets/${published}/publish`, '{}'));
      const prepared = await timeOf(() => client.read(`/pages/${first}/render?change_set=${kept}`));
      const again = await timeOf(() => preview(''));
      const shown = await timeOf(() => preview(`?change_set=${kept}`));
      await client.send('PUT', `/change-sets/${kept}`, JSON.stringify({ name: 'done' }));
      // The first round warms up.
      if (round < 0) continue;
      publications.push(publication / batch);
      previews.push(shown / again);
      firstPreviews.push(prepared / batch);
      bystanders.push(beside / alone);
    }
    return [
      { name: `publication of ${objectCount} pages / batch`, goal: 1.2, ratio: spreadOf(publications) },
      { name: `preview with ${objectCount} items / without`, goal: 1.2, ratio: spreadOf(previews) },
      {
        name: `first preview with ${objectCount} items / batch`,
        goal: 1,
        ratio: spreadOf(firstPreviews),
      },
      { name: 'preview while a change set is there / is not', goal: 1, ratio: spreadOf(bystanders) },
    ];
  } finally {
    await client.close();
    await colleague.close();
    await server.stop();
  }
}

async function previewMany(client: ApiClient, page: number, query: string): Promise<void> {
  for (let count = 0; count < previewCount; count++) await client.read(`/pages/${page}/render${query}`);
}

async function writeAsBatch(client: ApiClient, pages: readonly number[], round: number): Promise<void> {
  const ops = pages.map((id) => ({
    op: 'update',
    kind: 'page',
    id,
    data: { title: `Batch ${round} ${id}` },
  }));
  await client.send('POST', '/batch', JSON.stringify({ idempotency_key: `round ${round}`, ops }));
}

function report(pairs: readonly Pair[], kills: number, asJson: boolean): void {
  if (asJson) {
    console.log(JSON.stringify({ environment: environmentLine(), pairs, kills }, null, 2));
    return;
  }
  const rows = pairs.map(({ name, goal, ratio }) => [
    name,
    ratio.median.toFixed(2),
    `${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)}`,
    goal.toFixed(2),
  ]);
  const table = markdownTable(['pair', 'ratio', 'spread', 'goal'], rows);
  console.log([environmentLine(), table, `${kills} kills, each left all or nothing`].join('\n\n'));
}
