import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { call, callList, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { requestHead } from '../support/raw.ts';
import { makeTempDir, masterToken, startServer, type TestServer } from '../support/server.ts';

let dataDir: string;

beforeAll(() => {
  dataDir = makeTempDir();
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** The rounds of kill -9; `CRASH_ROUNDS=25` in the environment runs more of them. */
const rounds = Array.from({ length: Number(process.env['CRASH_ROUNDS'] ?? 3) }, (_, index) => index + 1);

describe('kill -9 during 200 concurrent PUTs', () => {
  const pages = 200;

  it.each(rounds)('loses no answered save and writes none in part (round %i)', async (round) => {
    const server = await startServer({ dataDir });
    const ids = await preparePages(server);
    const acknowledged = new Map<number, number>();
    const stopAfter = 300 * (1 + ((round - 1) % 3)) + Math.floor((round - 1) / 3) * 37;
    let answers = 0;
    let killed: Promise<unknown> | undefined;
    // Each client writes rising numbers to its own page until the server is gone.
    await Promise.all(
      ids.map(async (id) => {
        for (let number = 1; killed === undefined; number++) {
          const body = {
            title: `round ${round} number ${number}`,
            html: `${number}`,
            meta_title: `${number}`,
          };
          const answer = await call(server, 'PUT', `/pages/${id}`, { body }).catch(() => undefined);
          if (answer === undefined) return;
          expect(answer.status).toBe(200);
          acknowledged.set(id, number);
          answers++;
          if (answers >= stopAfter) killed ??= server.end('SIGKILL');
        }
      }),
    );
    await killed;
    expect(answers).toBeGreaterThanOrEqual(stopAfter);

    const restarted = await startServer({ dataDir });
    try {
      for (const id of ids) await expectWhole(restarted, id, round, acknowledged.get(id) ?? 0);
    } finally {
      await restarted.stop();
    }
    const db = new Connection<object>(join(dataDir, 'content.db'));
    expect(db.pragma('integrity_check')).toBe('ok');
    db.close();
  });

  async function preparePages(server: TestServer): Promise<number[]> {
    const site = await createSite(server);
    return Promise.all(Array.from({ length: pages }, () => createPage(server, site)));
  }

  /** The page has the last answered save, or the next one, whose answer was lost; never parts of two saves. */
  async function expectWhole(server: TestServer, id: number, round: number, atLeast: number): Promise<void> {
    const { title, html, meta_title } = await callOk(server, 'GET', `/pages/${id}`);
    const number = Number(html || 0);
    expect([atLeast, atLeast + 1]).toContain(number);
    if (number > 0)
      expect({ title, meta_title }).toEqual({ title: `round ${round} number ${number}`, meta_title: html });
  }
});

describe('kill -9 during batches with keys', () => {
  it('leaves each applied once or not at all, and a repeated request finishes the rest', async () => {
    const server = await startServer({ dataDir });
    const site = await createSite(server);
    const keys = Array.from({ length: 200 }, (_, index) => `crash-${index}`);
    const send = (to: TestServer, key: string) => {
      const page = (slug: string) => ({
        op: 'create',
        kind: 'page',
        data: { parent_id: site, title: key, slug },
      });
      const ops = [page(`${key}-a`), page(`${key}-b`)];
      return call(to, 'POST', '/batch', { body: { idempotency_key: key, ops } });
    };
    let answered = 0;
    const killed = Promise.withResolvers<unknown>();
    await Promise.all(
      keys.map(async (key) => {
        const answer = await send(server, key).catch(() => undefined);
        if (answer?.status === 200 && ++answered === 60) killed.resolve(server.end('SIGKILL'));
      }),
    );
    await killed.promise;

    const restarted = await startServer({ dataDir });
    const answers = await Promise.all(keys.map((key) => send(restarted, key)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const replays = answers.filter(({ headers }) => headers.get('idempotent-replay') === 'true');
    expect(replays.length).toBeGreaterThanOrEqual(60);
    const pages = (await callList(restarted, '/pages')).filter(({ parent_id }) => parent_id === site);
    expect(pages.map(({ slug }) => slug).sort()).toEqual(
      keys.flatMap((key) => [`${key}-a`, `${key}-b`]).sort(),
    );
    await restarted.stop();
  });
});

describe('a stop by signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s answers running requests, then exits with 0',
    async (signal) => {
      const server = await startServer({ dataDir });
      const site = await createSite(server);
      const running = Array.from({ length: 50 }, (_, index) =>
        call(server, 'PUT', `/pages/${site}`, { body: { title: `t${index}` } }),
      );
      await running[0];
      const code = server.end(signal);
      const settled = await Promise.allSettled(running);
      expect(await code).toBe(0);
      for (const result of settled) if (result.status === 'fulfilled') expect(result.value.status).toBe(200);
      await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    },
  );

  it.each([
    ['SIGTERM', 'SIGTERM'],
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGINT'],
  ] as const)('%s and then %s exits at once, although a request is running', async (first, second) => {
    const server = await startServer({ dataDir });
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    const head = requestHead(
      'POST /api/v1/sites HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${masterToken}`,
      'Content-Type: application/json',
      'Content-Length: 100',
    );
    await once(socket, 'connect');
    socket.write(`${head}{`);
    // The health check is answered after the head of the first request has been read.
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const code = server.end(first);
    await untilRefused(server.port);
    server.end(second);
    // A stop that had waited for the request would have exited with 0.
    expect(await code).toBe(1);
    socket.destroy();
  });

  it('leaves a data directory that the next server can use', async () => {
    const server = await startServer({ dataDir });
    expect((await callList(server, '/pages?roots=1')).length).toBeGreaterThan(0);
    await server.stop();
  });
});

/** Resolves when nothing accepts connections on the port any more. */
async function untilRefused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const refused = await Promise.race([
      once(socket, 'connect').then(() => false),
      once(socket, 'error').then(() => true),
    ]).catch(() => true);
    socket.destroy();
    if (refused) return;
  }
}
