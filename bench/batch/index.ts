import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { createToken, startIncipit } from '../serve/site.ts';
import { ApiClient } from './client.ts';
import {
  createManyObjects,
  type ManyObjects,
  objectCount,
  type Write,
  type WritesOf,
  writers,
} from './content.ts';

interface Result {
  readonly name: string;
  /** Operations that are on disk, per second. */
  readonly operationsPerSecond: Spread;
  /** Divided by those of the reference in the same round; 1 for the reference itself. */
  readonly ratio: Spread;
}

/** Requests at the same time for single writes: enough that commits are shared. */
const connections = 32;
const webhookCount = 20;
/** How long the receiver of the webhooks takes for an answer, milliseconds. */
const slowMs = 2_000;

/**
 * Batches of 500 changes compared with the same changes one by one, and single changes with and without 20 webhooks
 * whose receiver is slow. Options: `--json`, `--rounds <n>` (5), `--seconds <n>` (2).
 */
export async function runBatchBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
    },
  });
  const options = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
  runSelfCheck();
  const dataDir = mkdtempSync(join(tmpdir(), 'incipit-bench-'));
  const server = await startIncipit(dataDir);
  const client = new ApiClient(server.url, createToken(dataDir), connections);
  try {
    const objects = await createManyObjects(client);
    const results: Result[] = [];
    for (const [name, writesOf] of writers)
      results.push(...(await compareWithBatches(client, name, objects, writesOf, options)));
    results.push(...(await compareWithWebhooks(client, objects, options)));
    report(results, values.json);
  } finally {
    await client.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface RoundOptions {
  readonly rounds: number;
  readonly seconds: number;
}

async function compareWithBatches(
  client: ApiClient,
  name: string,
  objects: ManyObjects,
  writesOf: WritesOf,
  { rounds, seconds }: RoundOptions,
): Promise<Result[]> {
  const turns = new Turns(objects, writesOf);
  const single: number[] = [];
  const batched: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const rates = [await rateOf(seconds, () => writeSingly(client, turns.next()))];
    rates.push(await rateOf(seconds, () => writeAsBatch(client, turns.next())));
    // The first round warms up.
    if (round < 0) continue;
    single.push(rates[0] ?? Number.NaN);
    batched.push(rates[1] ?? Number.NaN);
  }
  return [
    result(`${name}, one by one (${connections} at a time)`, single, single),
    result(`${name}, ${objectCount} in a batch`, batched, single),
  ];
}

/** Webhooks are created and deleted in turn, so that both sides see the same machine. */
async function compareWithWebhooks(
  client: ApiClient,
  objects: ManyObjects,
  { rounds, seconds }: RoundOptions,
): Promise<Result[]> {
  const receiver = await startSlowReceiver();
  // Type boundary: a server that listens on a port has an address.
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const ids: string[] = [];
  for (let count = 0; count < webhookCount; count++) {
    const made = await client.send('POST', '/webhooks', JSON.stringify({ url, enabled: false }));
    ids.push(String(Reflect.get(Object(made), 'id')));
  }
  const turns = new Turns(objects, writers.get('pages') ?? (() => []));
  const without: number[] = [];
  const withWebhooks: number[] = [];
  for (let round = -1; round < rounds; round++) {
    for (const enabled of round % 2 === 0 ? [false, true] : [true, false]) {
      for (const id of ids) await client.send('PUT', `/webhooks/${id}`, JSON.stringify({ enabled }));
      const rate = await rateOf(seconds, () => writeSingly(client, turns.next()));
      if (round >= 0) (enabled ? withWebhooks : without).push(rate);
    }
  }
  receiver.closeAllConnections();
  receiver.close();
  return [
    result('pages, one by one, no webhooks', without, without),
    result(`pages, one by one, ${webhookCount} webhooks with a slow receiver`, withWebhooks, without),
  ];
}

async function startSlowReceiver(): Promise<Server> {
  const receiver = createServer((request, response) => {
    request.resume();
    setTimeout(() => response.writeHead(204).end(), slowMs);
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  return receiver;
}

/** The writes of each turn. */
class Turns {
  readonly #objects: ManyObjects;
  readonly #writesOf: WritesOf;
  #turn = 0;

  constructor(objects: ManyObjects, writesOf: WritesOf) {
    this.#objects = objects;
    this.#writesOf = writesOf;
  }

  next(): Write[] {
    this.#turn += 1;
    return this.#writesOf(this.#objects, this.#turn);
  }
}

/** Operations per second. @param work writes all objects once */
async function rateOf(seconds: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  let operations = 0;
  let passed = 0;
  while (passed < seconds) {
    await work();
    operations += objectCount;
    passed = (performance.now() - start) / 1000;
  }
  return operations / passed;
}

async function writeSingly(client: ApiClient, writes: readonly Write[]): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let write = writes[next++]; write !== undefined; write = writes[next++])
      await client.send('PUT', write.path, JSON.stringify(write.body));
  };
  await Promise.all(Array.from({ length: connections }, work));
}

async function writeAsBatch(client: ApiClient, writes: readonly Write[]): Promise<void> {
  await client.send('POST', '/batch', JSON.stringify({ ops: writes.map(({ operation }) => operation) }));
}

function result(name: string, rates: readonly number[], reference: readonly number[]): Result {
  return {
    name,
    operationsPerSecond: spreadOf([...rates]),
    ratio: spreadOf(rates.map((rate, round) => rate / (reference[round] ?? Number.NaN))),
  };
}

function report(results: readonly Result[], asJson: boolean): void {
  if (asJson) {
    console.log(JSON.stringify({ environment: environmentLine(), results }, null, 2));
    return;
  }
  const rows = results.map(({ name, operationsPerSecond, ratio }) => [
    name,
    operationsPerSecond.median.toFixed(0),
    ratio.median.toFixed(2),
    `${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)}`,
  ]);
  console.log(
    [environmentLine(), markdownTable(['writes', 'operations/s', 'ratio', 'spread'], rows)].join('\n\n'),
  );
}
