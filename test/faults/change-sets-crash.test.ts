import { rmSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { createPage, createSite, idOf } from '../support/content.ts';
import { makeTempDir, startServer } from '../support/server.ts';

const dataDir = makeTempDir();
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** The rounds of kill -9; `CRASH_ROUNDS=25` in the environment runs more of them. */
const rounds = Array.from({ length: Number(process.env['CRASH_ROUNDS'] ?? 3) }, (_, index) => index);
const pageCount = 120;

it.each(rounds)('kill -9 while a change set is published leaves all of it or nothing (%i)', async (round) => {
  const server = await startServer({ dataDir });
  const site = await createSite(server);
  const ids = await Promise.all(Array.from({ length: pageCount }, () => createPage(server, site)));
  const set = idOf(await callOk(server, 'POST', '/change-sets', { name: 'r' }));
  const title = `round ${round}`;
  const ops = ids.map((id) => ({ op: 'update', kind: 'page', id, data: { title } }));
  await callOk(server, 'POST', `/batch?change_set=${set}`, { ops });
  const path = `/change-sets/${set}/publish`;
  const answer = call(server, 'POST', path, { body: {} }).catch(() => undefined);
  // Other rounds end it at other moments of the work.
  for (let count = 0; count < round * 2; count++) await call(server, 'GET', '/change-sets');
  await server.end('SIGKILL');
  const isAnswered = (await answer)?.status === 200;

  const restarted = await startServer({ dataDir });
  try {
    const pages = (await callList(restarted, '/pages')).filter(({ parent_id }) => parent_id === site);
    const count = pages.filter((page) => page['title'] === title).length;
    const { state } = await callOk(restarted, 'GET', `/change-sets/${set}`);
    expect({ count, state }).toEqual(
      state === 'published' ? { count: pageCount, state } : { count: 0, state: 'open' },
    );
    if (isAnswered) expect(state).toBe('published');
    if (state === 'open') await callOk(restarted, 'POST', path, {});
    expect(await callOk(restarted, 'POST', `/change-sets/${set}/revert`, {})).toMatchObject({ skipped: [] });
  } finally {
    await restarted.stop();
  }
});
