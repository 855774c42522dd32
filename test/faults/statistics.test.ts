import { rmSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { visit } from '../conformance/public-client.ts';
import { callOk } from '../support/api.ts';
import { createSite } from '../support/content.ts';
import { makeTempDir, startServer, type TestServer } from '../support/server.ts';

/** Statistics when the server ends: what was written is there, and nothing counts twice. */

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const dataDir = makeTempDir();
const servers: TestServer[] = [];

async function start(): Promise<TestServer> {
  const server = await startServer({ dataDir });
  servers.push(server);
  return server;
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.end('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

async function ask(server: TestServer, count: number): Promise<void> {
  const headers = { 'User-Agent': userAgent };
  for (let number = 0; number < count; number++) await visit(server, '/', { headers });
}

it('a stop writes what is waiting, kill -9 loses only that, and visitors stay who they are', async () => {
  let server = await start();
  const site = await createSite(server);
  const stats = () => callOk(server, 'GET', `/stats?root_id=${site}`);
  await callOk(server, 'PUT', `/pages/${site}`, { html: 'home' });

  await ask(server, 7);
  expect(await server.end('SIGTERM')).toBe(0);
  server = await start();
  expect(await stats()).toMatchObject({ views: 7, visitors: 1 });

  await ask(server, 3);
  expect(await stats()).toMatchObject({ views: 10, visitors: 1 });
  await ask(server, 5);
  await server.end('SIGKILL');
  server = await start();
  const { views, visitors, pages } = await stats();
  expect(Number(views)).toBeGreaterThanOrEqual(10);
  expect(Number(views)).toBeLessThanOrEqual(15);
  expect(visitors).toBe(1);
  expect(pages).toEqual([{ root_id: site, name: '/', views, visitors: 1 }]);
});
