import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { asRecord, call, callOk } from '../../test/support/api.ts';
import { uploadOne } from '../../test/support/media.ts';
import { mainCommand, masterToken, startServer, type TestServer } from '../../test/support/server.ts';
import { memoryOfTree } from '../process-memory.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { filesOf } from './files.ts';

/** Goal: how much the memory of a server and its processes may grow, in MB. */
const maxGrowthMb = 64;

interface Measured {
  readonly name: string;
  readonly seconds: number;
  /** Before the work, and the most while it ran; of a process of its own the most alone. */
  readonly beforeMb: number;
  readonly peakMb: number;
}

/**
 * Memory while media stream through a bundle and a backup: export, import into another instance, backup, restore. Option:
 * `--mb <n>` (1024) of media.
 */
export async function runBundleBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { mb: { type: 'string', default: '1024' } } });
  const megabytes = Number(values.mb);
  if (!Number.isInteger(megabytes) || megabytes < 16) throw new Error('--mb needs a whole number from 16 on');
  const folder = mkdtempSync(join(tmpdir(), 'incipit-bundle-'));
  try {
    const rows = await measure(folder, megabytes);
    const cells = rows.map(({ name, seconds, beforeMb, peakMb }) => [
      name,
      seconds.toFixed(1),
      (megabytes / seconds).toFixed(0),
      beforeMb.toFixed(0),
      peakMb.toFixed(0),
      (peakMb - beforeMb).toFixed(0),
    ]);
    console.log(`${environmentLine()}; ${megabytes} MB of media\n`);
    console.log(markdownTable(['', 's', 'MB/s', 'before, MB', 'peak, MB', 'growth, MB'], cells));
    const grown = rows.filter(({ beforeMb, peakMb }) => beforeMb > 0 && peakMb - beforeMb > maxGrowthMb);
    if (grown.length > 0)
      throw new Error(
        `memory grew by more than ${maxGrowthMb} MB: ${grown.map(({ name }) => name).join(', ')}`,
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, megabytes: number): Promise<Measured[]> {
  const bundle = join(folder, 'bundle.zip');
  const backup = join(folder, 'backup.zip');
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  const rows: Measured[] = [];
  const source = await startServer({ dataDir: from });
  let hash: unknown;
  try {
    for (const { name, bytes } of filesOf(megabytes)) await uploadOne(source, name, bytes);
    // Hashes of files are kept; without them the export reads every file twice.
    hash = (await callOk(source, 'GET', '/bundle/info'))['hash'];
    rows.push(await measured('export', source, () => download(source, bundle)));
    rows.push(await measuredProcess('backup', ['-data', from, '-backup', backup]));
  } finally {
    await source.stop();
  }
  const target = await startServer({ dataDir: to });
  try {
    rows.push(await measured('import', target, () => upload(target, bundle)));
    if (asRecord((await call(target, 'GET', '/bundle/info')).body)['hash'] !== hash)
      throw new Error('the imported content is another one');
  } finally {
    await target.stop();
  }
  rmSync(to, { recursive: true });
  rows.push(await measuredProcess('restore', ['-data', join(folder, 'restored'), '-restore', backup]));
  return rows;
}

async function download(server: TestServer, file: string): Promise<void> {
  const answer = await fetch(`${server.url}/api/v1/bundle`, { headers: authorization });
  if (answer.status !== 200 || answer.body === null) throw new Error(`the export answered ${answer.status}`);
  await pipeline(Readable.fromWeb(answer.body), createWriteStream(file));
}

async function upload(server: TestServer, file: string): Promise<void> {
  const answer = await fetch(`${server.url}/api/v1/bundle`, {
    method: 'POST',
    headers: {
      ...authorization,
      'content-type': 'application/zip',
      'content-length': String(statSync(file).size),
    },
    body: Readable.toWeb(createReadStream(file)),
    duplex: 'half',
  });
  if (answer.status !== 200) throw new Error(`the import answered ${answer.status}: ${await answer.text()}`);
}

const authorization = { authorization: `Bearer ${masterToken}` };

async function measured(name: string, { pid }: TestServer, work: () => Promise<void>): Promise<Measured> {
  const beforeMb = await settledMemory(pid);
  const { seconds, peakMb } = await watched(pid, work);
  return { name, seconds, beforeMb, peakMb };
}

async function measuredProcess(name: string, args: readonly string[]): Promise<Measured> {
  const [program = '', ...before] = mainCommand;
  const child = spawn(program, [...before, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { seconds, peakMb } = await watched(child.pid ?? 0, async () => {
    const [code]: unknown[] = await once(child, 'exit');
    if (code !== 0) throw new Error(`the ${name} ended with ${code}`);
  });
  return { name: `${name} (process)`, seconds, beforeMb: 0, peakMb };
}

/** How often memory is looked at, in milliseconds. */
const sampleMs = 50;

async function watched(
  pid: number,
  work: () => Promise<void>,
): Promise<Pick<Measured, 'seconds' | 'peakMb'>> {
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, memoryOfTree(pid) ?? 0);
  }, sampleMs);
  const start = performance.now();
  try {
    await work();
    return { seconds: (performance.now() - start) / 1000, peakMb };
  } finally {
    clearInterval(watch);
  }
}

/** Processes that end while they are looked at make a look fail. */
async function settledMemory(pid: number): Promise<number> {
  for (let attempt = 0; attempt < 20; attempt++) {
    await pause(1000);
    const found = memoryOfTree(pid);
    if (found !== undefined) return found;
  }
  throw new Error('this system does not tell the memory of processes');
}
