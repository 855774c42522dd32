import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { call, callList, callOk } from '../support/api.ts';
import { makeTempDir, startServer, type TestServer } from '../support/server.ts';

let dataDir: string;

beforeAll(() => {
  dataDir = makeTempDir();
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe('kill -9 during 200 concurrent PUTs', () => {
  const pages = 200;

  it.each([1, 2, 3])('loses no acknowledged one and tears none (round %i)', async (round) => {
    const server = await startServer({ dataDir });
    const ids = await preparePages(server);
    const acknowledged = new Map<number, number>();
    const stopAfter = round * 300;
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
    const site = await callOk(server, 'POST', '/sites', { title: 'load' });
    const ids = Array.from({ length: pages }, async (_, index) => {
      const body = { parent_id: site['id'], title: 'x', slug: `p${index}` };
      return Number((await callOk(server, 'POST', '/pages', body))['id']);
    });
    return Promise.all(ids);
  }

  /** At least what was acknowledged; one more may have been written whose answer did not get through. */
  async function expectWhole(server: TestServer, id: number, round: number, atLeast: number): Promise<void> {
    const { title, html, meta_title } = await callOk(server, 'GET', `/pages/${id}`);
    const number = Number(html || 0);
    expect([atLeast, atLeast + 1]).toContain(number);
    if (number > 0)
      expect({ title, meta_title }).toEqual({ title: `round ${round} number ${number}`, meta_title: html });
  }
});

describe('a stop by signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s answers running requests, then exits with 0',
    async (signal) => {
      const server = await startServer({ dataDir });
      const site = await callOk(server, 'POST', '/sites', { title: 'stop' });
      const running = Array.from({ length: 50 }, (_, index) =>
        call(server, 'PUT', `/pages/${site['id']}`, { body: { title: `t${index}` } }),
      );
      await running[0];
      const code = server.end(signal);
      const settled = await Promise.allSettled(running);
      expect(await code).toBe(0);
      for (const result of settled) if (result.status === 'fulfilled') expect(result.value.status).toBe(200);
      await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    },
  );

  it('leaves a data directory that the next server takes over', async () => {
    const server = await startServer({ dataDir });
    expect((await callList(server, '/pages?roots=1')).length).toBeGreaterThan(0);
    await server.stop();
  });
});
