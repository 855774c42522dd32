import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { memoryOfTree } from '../process-memory.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { type ServerProcess, startServer } from '../serve/child.ts';
import { callApi, createToken, startIncipit } from '../serve/site.ts';

const Job = Type.Object({
  id: Type.String(),
  status: Type.String(),
  phase_code: Type.String(),
  error: Type.String(),
  result: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
type Job = Static<typeof Job>;

const Visits = Type.Object({
  visits: Type.Number(),
  p50: Type.Number(),
  p99: Type.Number(),
  longest: Type.Number(),
});

/**
 * An import of a website on this machine: how long it takes, how much memory the server uses, and how long visitors of
 * a cached page wait meanwhile. Options: `--pages <n>` (2000), `--files <n>` (4000), `--json`.
 */
export async function runImportBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      pages: { type: 'string', default: '2000' },
      files: { type: 'string', default: '4000' },
      json: { type: 'boolean', default: false },
    },
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'incipit-import-'));
  const origin = await startServer([fileOf('origin.ts'), values.pages, values.files]);
  let server: ServerProcess | undefined;
  try {
    const token = createToken(dataDir);
    server = await startIncipit(dataDir, ['-workers', '2']);
    const figures = await measureImport(server, origin.url, token, Number(values.pages));
    if (values.json) console.log(JSON.stringify(figures));
    else {
      console.log(`${environmentLine()}; ${values.pages} pages, ${values.files} files\n`);
      console.log(
        markdownTable(
          ['measure', 'value'],
          Object.entries(figures).map(([name, value]) => [name, String(value)]),
        ),
      );
    }
  } finally {
    await server?.stop();
    await origin.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** How long the visitor is measured before the import begins, in milliseconds. */
const quietMs = 5000;

async function measureImport(
  server: ServerProcess,
  origin: string,
  token: string,
  pageCount: number,
): Promise<Readonly<Record<string, number | string>>> {
  const site = { title: 'Cached', domains: 'cached.example' };
  const { id } = await callApi(server.url, token, 'POST', '/sites', site);
  await callApi(server.url, token, 'PUT', `/pages/${id}`, { html: '<h1>Cached</h1>' });
  const visitorBefore = await startVisitor(server.url);
  await pause(quietMs);
  const before = await visitorBefore.end();
  const visitor = await startVisitor(server.url);
  const start = performance.now();
  const urls = Array.from({ length: pageCount }, (_, index) => `${origin}/${index === 0 ? '' : `p${index}`}`);
  const body = { base: `${origin}/`, urls, new_site: { title: 'Import', domains: 'import.example' } };
  let job = await ask(server, token, 'POST', '/import/run', body);
  const phases = new Map<string, number>();
  let peakTotal = 0;
  let polls = 0;
  while (job.status === 'running') {
    await pause(100);
    job = await ask(server, token, 'GET', `/import/jobs/${job.id}?log_since=3000`);
    const seconds = Math.round((performance.now() - start) / 100) / 10;
    if (job.phase_code !== '') phases.set(job.phase_code.replace('import.phase', ''), seconds);
    // Asking takes the system some milliseconds.
    polls += 1;
    if (polls % 10 === 0) peakTotal = Math.max(peakTotal, memoryOfTree(server.pid ?? 0) ?? 0);
  }
  const seconds = (performance.now() - start) / 1000;
  const visits = await visitor.end();
  if (job.status !== 'done') throw new Error(`the import ended as ${job.status}: ${job.error}`);
  const { created, files, failed } = job.result ?? {};
  return {
    seconds: seconds.toFixed(1),
    'phases end at (s)': [...phases].map(([name, end]) => `${name} ${end}`).join(', '),
    'pages, files, failed': `${created}, ${files}, ${failed}`,
    'server, peak MB': peakMb(server.pid),
    'with its processes, shared once, peak MB': Math.round(peakTotal),
    'visits of a cached page': visits.visits,
    'visit p50, before (ms)': `${visits.p50.toFixed(2)}, ${before.p50.toFixed(2)}`,
    'visit p99, before (ms)': `${visits.p99.toFixed(2)}, ${before.p99.toFixed(2)}`,
    'visit longest, before (ms)': `${visits.longest.toFixed(1)}, ${before.longest.toFixed(1)}`,
  };
}

async function ask(
  { url }: ServerProcess,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<Job> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return Value.Parse(Job, await response.json());
}

async function startVisitor(url: string) {
  const child = spawn(process.execPath, [fileOf('visitor.ts'), `${url}/`, 'cached.example'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  return {
    async end(): Promise<Static<typeof Visits>> {
      child.stdin.end();
      const [line]: string[] = await once(lines, 'line');
      return Value.Parse(Visits, JSON.parse(line ?? ''));
    },
  };
}

/** The largest memory that the process has had; 0 where the system does not tell. */
function peakMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
  } catch {
    return 0;
  }
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
