import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { environmentLine, markdownTable } from '../report.ts';
import { createToken, startIncipit } from '../serve/site.ts';
import { clients } from './clients.ts';

const megabyte = 2 ** 20;
const sizesMb = [5, 17];

/** A request whose body the server refuses, by the status that its sender must read. */
interface Refusal {
  readonly status: number;
  readonly path: string;
  readonly type: string;
  readonly authorized: boolean;
  /** Only with bodies above this, megabytes. */
  readonly fromMb?: number;
  /** What is read instead if the limit lets a request through. */
  readonly letThrough?: readonly number[];
}

const json = 'application/json';
const refusals: readonly Refusal[] = [
  { status: 401, path: '/api/v1/assets', type: json, authorized: false },
  { status: 404, path: '/api/v1/nothing-here', type: json, authorized: true },
  { status: 413, path: '/api/v1/auth/login', type: json, authorized: false },
  { status: 413, path: '/api/v1/assets', type: json, authorized: true, fromMb: 17 },
  { status: 415, path: '/api/v1/assets', type: 'text/plain', authorized: true },
];
const limited: Refusal = {
  status: 429,
  path: '/api/v1/assets',
  type: json,
  authorized: true,
  letThrough: [400, 413],
};

/**
 * Sends large bodies that are refused, with three clients that send the whole body before they read, and fails
 * if one of them does not get the answer. Option: `--tries <n>` for each (60).
 */
export async function runRefusalsBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { tries: { type: 'string', default: '60' } } });
  const tries = Number(values.tries);
  if (!(Number.isSafeInteger(tries) && tries > 0)) throw new Error('--tries needs a whole number above 0');
  const rows = [
    ...(await rowsOn(refusals, [], tries)),
    ...(await rowsOn([limited], ['-rate-limit', '1'], tries)),
  ];
  const head = ['status', 'path', 'MB', 'client', 'answers read', 'otherwise'];
  console.log(`${environmentLine()}\n\n${markdownTable(head, rows)}`);
  const missed = rows.filter((row) => row.at(-1) !== '');
  if (missed.length > 0) throw new Error(`${missed.length} rows with answers that were not read`);
}

async function rowsOn(
  list: readonly Refusal[],
  options: readonly string[],
  tries: number,
): Promise<readonly (readonly string[])[]> {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-refusals-'));
  const server = await startIncipit(folder, options);
  try {
    const token = createToken(folder);
    const rows: (readonly string[])[] = [];
    for (const refusal of list) {
      for (const megabytes of sizesMb.filter((size) => size >= (refusal.fromMb ?? 0)))
        rows.push(...(await rowsOf(server.url, token, refusal, megabytes, tries)));
    }
    return rows;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rowsOf(url: string, token: string, refusal: Refusal, megabytes: number, tries: number) {
  const headers = {
    'content-type': refusal.type,
    ...(refusal.authorized && { authorization: `Bearer ${token}` }),
  };
  const expected = new Set<unknown>([refusal.status, ...(refusal.letThrough ?? [])]);
  const body = Buffer.alloc(megabytes * megabyte, 0x20);
  const rows: (readonly string[])[] = [];
  for (const [name, send] of clients) {
    const others = new Map<string, number>();
    let read = 0;
    for (let attempt = 0; attempt < tries; attempt++) {
      const outcome = await send(new URL(refusal.path, url), headers, body).catch(reasonOf);
      if (expected.has(outcome)) read += 1;
      else others.set(String(outcome), (others.get(String(outcome)) ?? 0) + 1);
    }
    const otherwise = [...others].map(([outcome, times]) => `${outcome}: ${times}`).join(', ');
    rows.push([String(refusal.status), refusal.path, String(megabytes), name, String(read), otherwise]);
  }
  return rows;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
