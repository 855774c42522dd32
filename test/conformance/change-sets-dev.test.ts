import { afterAll, beforeAll, expect, it } from 'vitest';
import { addToken, call, callList, callOk } from '../support/api.ts';
import { createPage, createSite, freshName, freshSlug, idOf } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';

/** The contract, "The program": only the developer sees a change set of purpose `dev`, and it ends after a day. */

const dayMs = 86_400_000;
let nowMs = Date.UTC(2026, 0, 1);
let server: InProcessServer;
let site: number;
const tokens: string[] = [];

beforeAll(async () => {
  let dataDir = '';
  server = await startInProcess({
    clock: () => nowMs,
    prepare: (path) => {
      dataDir = path;
    },
  });
  site = await createSite(server, { domains: 'dev.test' });
  for (const name of ['one', 'two']) tokens.push(await addToken({ dataDir }, freshName(name), true));
});
afterAll(() => server.stop());

const as = (token: string | undefined, method: string, path: string, body?: object) =>
  call(server, method, path, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
  });

/** A set of the first developer that changes a page. */
async function prepare(): Promise<{ set: number; page: number }> {
  const [own] = tokens;
  const page = await createPage(server, site, { slug: freshSlug(), title: 'live' });
  const made = await as(own, 'POST', '/change-sets', { name: freshName('dev'), purpose: 'dev' });
  const set = idOf(Object(made.body));
  const put = await as(own, 'PUT', `/change-sets/${set}/items/page/${page}`, { title: 'mine' });
  expect([made.status, put.status]).toEqual([201, 200]);
  return { set, page };
}

it('its author reads and changes it, and shows it by a link', async () => {
  const { set, page } = await prepare();
  const [own] = tokens;
  expect(await as(own, 'GET', `/change-sets/${set}`)).toMatchObject({
    status: 200,
    body: { purpose: 'dev', state: 'open', items: 1 },
  });
  expect((await as(own, 'GET', '/change-sets?purpose=dev')).body).toMatchObject([{ id: set }]);
  expect(await as(own, 'GET', `/pages/${page}?change_set=${set}`)).toMatchObject({ body: { title: 'mine' } });
  expect((await as(own, 'POST', `/change-sets/${set}/preview-links`, { site_id: site })).status).toBe(201);
  expect((await as(own, 'DELETE', `/change-sets/${set}`)).status).toBe(204);
});

it('nobody else learns of it, whatever the address', async () => {
  const { set, page } = await prepare();
  const addresses: readonly (readonly [string, string, object?])[] = [
    ['GET', `/change-sets/${set}`],
    ['PUT', `/change-sets/${set}`, { name: 'x' }],
    ['DELETE', `/change-sets/${set}`],
    ['GET', `/change-sets/${set}/items`],
    ['POST', `/change-sets/${set}/items`, { op: 'update', kind: 'page', id: page, data: { title: 'x' } }],
    ['PUT', `/change-sets/${set}/items/page/${page}`, { title: 'x' }],
    ['DELETE', `/change-sets/${set}/items/page/${page}`],
    ['GET', `/change-sets/${set}/diff`],
    ['POST', `/change-sets/${set}/publish`],
    ['POST', `/change-sets/${set}/publish`, { dry_run: true }],
    ['POST', `/change-sets/${set}/revert`, {}],
    ['GET', `/change-sets/${set}/preview-links`],
    ['POST', `/change-sets/${set}/preview-links`, { site_id: site }],
    ['POST', `/change-sets/${set}/review`, { state: 'requested', note: '' }],
    ['GET', `/change-sets/${set}/comments`],
    ['POST', `/change-sets/${set}/comments`, { text: 'x', kind: 'page', id: page }],
    ['GET', `/pages/${page}?change_set=${set}`],
    ['GET', `/pages?change_set=${set}`],
    ['POST', `/pages/${page}/preview?change_set=${set}`, {}],
    ['POST', `/batch?change_set=${set}`, { ops: [{ op: 'delete', kind: 'page', id: page }] }],
  ];
  // The master token is another caller, too.
  for (const token of [tokens[1], undefined])
    for (const [method, path, body] of addresses)
      expect({ path: `${method} ${path}`, status: (await as(token, method, path, body)).status }).toEqual({
        path: `${method} ${path}`,
        status: 404,
      });
  for (const query of ['', '?purpose=dev', '?state=open', `?kind=page&id=${page}`])
    expect((await callList(server, `/change-sets${query}`)).map(({ id }) => id)).not.toContain(set);
  expect(await as(tokens[0], 'GET', `/change-sets/${set}`)).toMatchObject({ body: { items: 1 } });
});

it('it is discarded after a day, and other sets are not', async () => {
  const { set } = await prepare();
  const release = idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('release') }));
  const stateOf = async () => Object((await as(tokens[0], 'GET', `/change-sets/${set}`)).body)['state'];
  nowMs += dayMs - 1000;
  expect(await stateOf()).toBe('open');
  nowMs += 1000;
  await expect.poll(stateOf, { timeout: 20_000 }).toBe('discarded');
  expect(await callOk(server, 'GET', `/change-sets/${release}`)).toMatchObject({ state: 'open' });
});
