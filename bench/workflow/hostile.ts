import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { startInProcess } from '../../test/support/in-process.ts';
import { masterToken } from '../../test/support/server.ts';
import { markdownTable } from '../report.ts';

/** Goal for `/healthz`, in milliseconds. */
const maxWaitMs = 100;
/** How often the thread looks at what it has used, in milliseconds. */
const lookMs = 5;

const Report = Type.Object({
  waits: Type.Array(Type.Number()),
  outcomes: Type.Array(Type.Object({ what: Type.String(), status: Type.Number(), error: Type.String() })),
});

interface Waits {
  readonly name: string;
  readonly asked: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Longest time for which the server's thread had no time for others; processor time, so other programs do not count. */
  readonly longestTurnMs: number;
}

export interface HostileResult {
  readonly waits: readonly Waits[];
  readonly flows: number;
  /** Flows whose run was refused or lost. */
  readonly unanswered: readonly string[];
}

/**
 * How long `/healthz` waits while hostile flows run. The server runs in this process, so that its thread can be
 * watched; who asks is another one.
 */
export async function measureHostile(): Promise<HostileResult> {
  const server = await startInProcess();
  try {
    const idle = await watched('nothing else', server.url, 'idle');
    const hostile = await watched('hostile flows', server.url, 'run');
    return {
      waits: [idle.waits, hostile.waits],
      flows: hostile.outcomes.length,
      unanswered: hostile.outcomes
        .filter(({ status }) => status !== 200)
        .map(({ what, status }) => `${what}: ${status}`),
    };
  } finally {
    await server.stop();
  }
}

async function watched(name: string, url: string, mode: string) {
  const file = fileURLToPath(new URL('./hostile-client.ts', import.meta.url));
  const child = spawn(process.execPath, [file, url, masterToken, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let longestTurnMs = 0;
  let last = cpuMs();
  const look = setInterval(() => {
    const now = cpuMs();
    longestTurnMs = Math.max(longestTurnMs, now - last);
    last = now;
  }, lookMs);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  clearInterval(look);
  const { waits, outcomes } = Value.Parse(Report, JSON.parse(Buffer.concat(chunks).toString()));
  waits.sort((left, right) => left - right);
  const at = (share: number): number =>
    waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  const shown = { name, asked: waits.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), longestTurnMs };
  return { waits: shown, outcomes };
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export function hostileTable({ waits, flows, unanswered }: HostileResult): string {
  const head = ['/healthz beside', 'asked', 'p50 ms', 'p99 ms', 'max ms', 'longest turn, CPU ms'];
  const rows = waits.map(({ name, asked, p50Ms, p99Ms, maxMs, longestTurnMs }) => [
    name,
    String(asked),
    ...[p50Ms, p99Ms, maxMs, longestTurnMs].map((value) => value.toFixed(1)),
  ]);
  const late = waits.filter(({ longestTurnMs }) => longestTurnMs > maxWaitMs);
  return [
    `${flows} hostile flows`,
    markdownTable(head, rows),
    ...unanswered.map((what) => `not answered: ${what}`),
    ...late.map(({ name }) => `beyond the goal of ${maxWaitMs} ms: ${name}`),
  ].join('\n');
}
