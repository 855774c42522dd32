import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { invalid, notFound, runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { contentFile, isAlone } from '../support/shared-database.ts';

/** Open points, "Answers of what goes beyond the specification", Workflows: `/workflow-secrets`. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const put = (name: string, value: unknown) =>
  call(server, 'PUT', `/workflow-secrets/${name}`, { body: { value } });

it('names can be read, values never', async () => {
  expect(await callList(server, '/workflow-secrets')).toEqual([]);
  const { status, body } = await put('SHOP_TOKEN', 'a very secret value');
  expect(status).toBe(200);
  expect(body).toEqual({ name: 'SHOP_TOKEN', updated_at: expect.any(Number) });
  const first = await put('A', 'x');
  expect(await callList(server, '/workflow-secrets')).toEqual([first.body, body]);

  const again = asRecord((await put('SHOP_TOKEN', 'another very secret value')).body);
  expect(Number(again['updated_at'])).toBeGreaterThan(Number(asRecord(body)['updated_at']));
  for (const ending of ['', '-wal'])
    expect(readFileSync(contentFile(server.dataDir) + ending).includes('very secret')).toBe(false);

  expect((await call(server, 'DELETE', '/workflow-secrets/A')).status).toBe(204);
  expect(await callList(server, '/workflow-secrets')).toEqual([again]);
  await callOk(server, 'DELETE', '/workflow-secrets/SHOP_TOKEN');
});

it.runIf(isAlone)('a server whose key is lost starts, and takes a new value', async () => {
  await put('LOST', 'x');
  await server.end('SIGTERM');
  rmSync(join(server.dataDir, 'secret.key'));
  const { dataDir } = server;
  server = await startServer({ dataDir });
  expect(await callList(server, '/workflow-secrets')).toMatchObject([{ name: 'LOST' }]);
  expect((await put('LOST', 'y')).status).toBe(200);
  await callOk(server, 'DELETE', '/workflow-secrets/LOST');
});

describe('refuses', () => {
  const names = ['a', 'a_B', '1A', '_A', 'A-B', 'A.B', 'A%20', `A${'B'.repeat(64)}`, '__proto__', 'Ä'];
  runScenarios(
    () => server,
    [
      ...names.map((name) => ({
        name: `the name ${name}`,
        method: 'PUT',
        path: `/workflow-secrets/${name}`,
        body: { value: 'x' },
        ...invalid('name'),
      })),
      ...[undefined, null, 1, '', 'x'.repeat(10_001), ['x']].map((value) => ({
        name: `the value ${JSON.stringify(value)?.slice(0, 20)}`,
        method: 'PUT',
        path: '/workflow-secrets/A',
        body: { value },
        ...invalid('value'),
      })),
      { name: 'deleting an unknown one', method: 'DELETE', path: '/workflow-secrets/A', ...notFound },
    ],
  );

  it('nothing was stored', async () => {
    expect(await callList(server, '/workflow-secrets')).toEqual([]);
    const longest = 'A'.repeat(64);
    expect((await put(longest, 'x'.repeat(10_000))).status).toBe(200);
    await callOk(server, 'DELETE', `/workflow-secrets/${longest}`);
  });
});
