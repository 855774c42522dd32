import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type TransportName, transportNames } from '../../server/http/exchange/transport.ts';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import type { ServerProcess } from '../serve/child.ts';
import { startIncipit } from '../serve/site.ts';

/** What the connections have done before they are idle. */
interface State {
  readonly name: string;
  readonly sends: boolean;
  readonly isEncrypted: boolean;
}

const states: readonly State[] = [
  { name: 'nothing sent', sends: false, isEncrypted: false },
  { name: 'after a request', sends: true, isEncrypted: false },
  { name: 'after a request, TLS', sends: true, isEncrypted: true },
];

interface Result {
  readonly state: string;
  readonly front: TransportName;
  /** What the memory of the server grows by from a third of the connections to all, for each. */
  readonly kilobytes: Spread;
  /** The same when they are closed again. */
  readonly afterwards: Spread;
}

/** Connections that are opened at the same time. */
const atOnce = 200;
/** TLS takes a client longer, and uWebSockets.js closes what is silent for 10 s. */
const maxEncrypted = 2000;
/** How long the server has until its memory is read, milliseconds. */
const restMs = 1500;

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../test/conformance/fixtures/tls/${name}.pem`, import.meta.url));

/**
 * What an idle connection costs each front in memory. Options: `--json`, `--connections <n>` (9900, of TLS 2000 at
 * most), `--rounds <n>` (3), each with a server of its own.
 */
export async function runIdleBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      connections: { type: 'string', default: '9900' },
      rounds: { type: 'string', default: '3' },
    },
  });
  runSelfCheck();
  const [connections, rounds] = [Number(values.connections), Number(values.rounds)];
  if (!(connections >= 1 && rounds >= 1)) throw new Error('--connections and --rounds need numbers above 0');
  const results: Result[] = [];
  for (const state of states) {
    const count = state.isEncrypted ? Math.min(connections, maxEncrypted) : connections;
    for (const front of transportNames) {
      const measured: Measured[] = [];
      for (let round = 0; round < rounds; round += 1) measured.push(await measure(front, state, count));
      results.push({
        state: `${state.name} (${count} connections)`,
        front,
        kilobytes: spreadOf(measured.map(({ kilobytes }) => kilobytes)),
        afterwards: spreadOf(measured.map(({ afterwards }) => afterwards)),
      });
    }
  }
  report(results, values.json);
}

interface Measured {
  readonly kilobytes: number;
  readonly afterwards: number;
}

async function measure(front: TransportName, state: State, count: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-idle-'));
  // Else those that were opened first are closed before the last one is.
  const times = front === 'node' ? ['-keep-alive', '300', '-header-timeout', '300'] : [];
  const tls = state.isEncrypted ? ['-tls-cert', fixture('cert'), '-tls-key', fixture('key')] : [];
  const server = await startIncipit(folder, ['-demo', '-front', front, ...times, ...tls]);
  const sockets: Socket[] = [];
  try {
    const port = Number(new URL(server.url).port);
    // The first ones take memory that the start of the server has left free, and make its code run.
    const first = Math.floor(count / 3);
    await openAll(port, state, first, sockets);
    const before = await residentBytes(server);
    await openAll(port, state, count, sockets);
    const kilobytes = ((await residentBytes(server)) - before) / 1024 / (count - first);
    if (sockets.some(({ destroyed }) => destroyed)) throw new Error('the server closed a connection');
    await closeAll(sockets);
    return { kilobytes, afterwards: ((await residentBytes(server)) - before) / 1024 / (count - first) };
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function residentBytes(server: ServerProcess): Promise<number> {
  await pause(restMs);
  const bytes = server.residentBytes();
  if (bytes === undefined) throw new Error('this system does not tell the memory of a process');
  return bytes;
}

async function openAll(port: number, state: State, count: number, sockets: Socket[]): Promise<void> {
  while (sockets.length < count)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(atOnce, count - sockets.length) }, () => open(port, state)),
      )),
    );
}

async function open(port: number, { sends, isEncrypted }: State): Promise<Socket> {
  const socket = isEncrypted
    ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : connect(port, '127.0.0.1');
  await once(socket, isEncrypted ? 'secureConnect' : 'connect');
  if (sends) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
  }
  return socket.resume();
}

async function closeAll(sockets: Socket[]): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy();
  await pause(restMs);
}

function report(results: readonly Result[], asJson: boolean): void {
  if (asJson) {
    console.log(JSON.stringify({ environment: environmentLine(), results }, null, 2));
    return;
  }
  const text = ({ median, low, high }: Spread): string =>
    `${median.toFixed(1)} (${low.toFixed(1)}-${high.toFixed(1)})`;
  const rows = results.map(({ state, front, kilobytes, afterwards }) => [
    state,
    front,
    text(kilobytes),
    text(afterwards),
  ]);
  console.log(
    [
      environmentLine(),
      markdownTable(['idle connections', 'front', 'KB each', 'KB each, after their end'], rows),
    ].join('\n\n'),
  );
}
