import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, callList } from '../support/api.ts';
import { createSnippet } from '../support/content.ts';
import { check } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp, withSession } from '../support/session.ts';

/** POST /demo: the demo website, installed by an administrator into an instance without content. */

let server: TestServer;
let session: string;

beforeAll(async () => {
  server = await startServer();
  session = await setUp(server);
});
afterAll(() => server.stop());

it('is for admin sessions only', async () => {
  await check(server, {
    name: 'nobody',
    method: 'POST',
    path: '/demo',
    token: null,
    status: 401,
    code: 'auth.required',
  });
  await check(server, {
    name: 'a token',
    method: 'POST',
    path: '/demo',
    status: 403,
    code: 'auth.sessionRequired',
  });
  expect(await callList(server, '/pages?roots=1')).toEqual([]);
});

it('is refused while there is content, and changes nothing', async () => {
  const snippet = await createSnippet(server, { name: 'own' });
  expect(await call(server, 'POST', '/demo', withSession(session))).toMatchObject({
    status: 409,
    body: { code: 'demo.notEmpty', params: {} },
  });
  expect(await callList(server, '/pages?roots=1')).toEqual([]);
  expect(await callList(server, '/snippets')).toHaveLength(1);
  await call(server, 'DELETE', `/snippets/${snippet}`);
});

it('installs the website, once', async () => {
  const answer = await call(server, 'POST', '/demo', withSession(session));
  const [site] = await callList(server, '/pages?roots=1');
  expect(answer).toMatchObject({ status: 201, body: { root_id: site?.['id'] } });
  expect((await fetch(server.url)).status).toBe(200);
  expect(await callList(server, '/data/open-objects?gallery=sky')).toHaveLength(4);
  expect(await callList(server, '/data/artikel')).toHaveLength(4);
  const [german] = await callList(server, '/data/objekte?slug=gate-ell');
  const [version] = await callList(server, `/collections/objekte/items/${german?.['id']}/translations`);
  expect([german?.['_url'], version?.['url']]).toEqual(['/de/sammlung/gate-ell', '/collection/gate-ell']);
  expect((await call(server, 'POST', '/demo', withSession(session))).status).toBe(409);
  expect((await callList(server, '/pages?roots=1')).length).toBe(1);
});
