import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { environmentLine, markdownTable } from '../report.ts';
import { runTask, type ThreadTask } from './tasks.ts';

const rounds = 9;

interface Candidate {
  readonly name: string;
  /** The tasks of one piece of work, one after the other. */
  tasks(): Iterable<ThreadTask>;
}

interface Cost {
  readonly elapsedMs: number;
  /** Processor time of the main thread. */
  readonly cpuMs: number;
  /** Of that, the most in one turn. */
  readonly longestTurnMs: number;
}

/**
 * Compares work on the main thread, in the slices that it has there, with the same in a thread that runs already.
 * What counts is what the main thread has left to do: taking parts of a result over is work too.
 */
export async function runThreadsBench(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'incipit-threads-'));
  const worker = new Worker(new URL('./thread.ts', import.meta.url));
  try {
    const rows: string[][] = [];
    for (const candidate of await createCandidates(folder)) {
      const here: Cost[] = [];
      const there: Cost[] = [];
      for (let round = 0; round < rounds; round += 1) {
        here.push(await measure(() => runHere(candidate)));
        there.push(await measure(() => runThere(worker, candidate)));
      }
      rows.push([candidate.name, ...describe(here, there)]);
    }
    const head = ['work', 'CPU ms here', 'ratio', 'longest turn here', 'there', 'time, ratio'];
    console.log(`${environmentLine()}\n\n${markdownTable(head, rows)}`);
  } finally {
    await worker.terminate();
    await rm(folder, { recursive: true });
  }
}

function describe(here: readonly Cost[], there: readonly Cost[]): string[] {
  const of = (costs: readonly Cost[], name: keyof Cost) => median(costs.map((cost) => cost[name]));
  return [
    of(here, 'cpuMs').toFixed(1),
    (of(there, 'cpuMs') / of(here, 'cpuMs')).toFixed(2),
    of(here, 'longestTurnMs').toFixed(1),
    of(there, 'longestTurnMs').toFixed(1),
    (of(there, 'elapsedMs') / of(here, 'elapsedMs')).toFixed(2),
  ];
}

async function runHere({ tasks }: Candidate): Promise<void> {
  for (const task of tasks()) {
    for await (const _part of runTask(task));
    await nextTurn();
  }
}

async function runThere(worker: Worker, { tasks }: Candidate): Promise<void> {
  for (const task of tasks()) {
    worker.postMessage(task);
    for (;;) {
      const [answer] = await once(worker, 'message');
      if (answer === 'end') break;
      worker.postMessage('next');
    }
  }
}

async function measure(work: () => Promise<void>): Promise<Cost> {
  const startedAt = performance.now();
  const start = cpuMs();
  let last = start;
  let longestTurnMs = 0;
  let isOver = false;
  const look = (): void => {
    const now = cpuMs();
    longestTurnMs = Math.max(longestTurnMs, now - last);
    last = now;
    if (!isOver) setTimeout(look, 1);
  };
  look();
  await work();
  isOver = true;
  look();
  return { elapsedMs: performance.now() - startedAt, cpuMs: cpuMs() - start, longestTurnMs };
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;
}

async function createCandidates(folder: string): Promise<Candidate[]> {
  const smallCsv = Buffer.from(csvText(500));
  const largeCsv = Buffer.from(csvText(40_000));
  const path = join(folder, 'file');
  await writeFile(path, Buffer.alloc(32 * 2 ** 20, 7));
  const database = join(folder, 'items.db');
  fillDatabase(database);
  const rows = tableRows(20_000);
  const lines = rows.map((cells, id) => JSON.stringify({ id, cells, html: '<p>text</p>'.repeat(20) }));
  const body = {
    operations: rows.map(([title = '', text = '']) => ({ op: 'create', data: { title, text } })),
  };
  const list = (limit: number): Candidate => ({
    name: `list of ${limit} entries`,
    tasks: () => Array.from({ length: 20 }, () => ({ kind: 'list', database, limit }) as const),
  });
  return [
    { name: 'CSV read, 60 KB', tasks: () => [{ kind: 'csv-parse', bytes: smallCsv }] },
    { name: 'CSV read, 5 MB', tasks: () => [{ kind: 'csv-parse', bytes: largeCsv }] },
    {
      name: 'CSV written, 2 MB',
      tasks: () => slicesOf(rows, 200).map((slice) => ({ kind: 'csv-format', rows: slice }) as const),
    },
    list(100),
    list(1000),
    { name: 'hash of a body, 3 MB', tasks: () => [{ kind: 'hash-json', value: body }] },
    { name: 'hash of a file, 32 MB', tasks: () => [{ kind: 'hash-file', path }] },
    {
      name: 'rows of a bundle, 7 MB',
      tasks: () => slicesOf(lines, 100).map((slice) => ({ kind: 'read-lines', lines: slice }) as const),
    },
  ];
}

function tableRows(count: number): string[][] {
  return Array.from({ length: count }, (_, row) => [
    `Title ${row}`,
    `A text, "quoted" ${row}`.repeat(3),
    `${row}`,
    '=1+1',
  ]);
}

function csvText(count: number): string {
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  return tableRows(count)
    .map((cells) => cells.map(quoted).join(','))
    .join('\n');
}

function slicesOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

function fillDatabase(path: string): void {
  const db = new Database(path);
  db.exec('CREATE TABLE items (id INTEGER PRIMARY KEY, data TEXT NOT NULL); BEGIN');
  const insert = db.prepare('INSERT INTO items (data) VALUES (?)');
  for (const [title = '', text = ''] of tableRows(2000))
    insert.run(JSON.stringify({ title, text: text.repeat(8), tags: ['a', 'b'], price: 12.5, on: true }));
  db.exec('COMMIT');
  db.close();
}
