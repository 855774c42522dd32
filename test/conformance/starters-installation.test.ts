import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { createSnippet } from '../support/content.ts';
import { TestFolder } from '../support/folders.ts';
import { runProgram } from '../support/program.ts';
import { check } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp, withSession } from '../support/session.ts';

/** GET and POST /starters: websites to begin with, installed by an administrator into an instance without content. */

const names = ['blank', 'magazine', 'company', 'documentation'];

describe('an instance without content', () => {
  let server: TestServer;
  let session: string;

  beforeAll(async () => {
    server = await startServer();
    session = await setUp(server);
  });
  afterAll(() => server.stop());

  it.each([
    ['GET', '/starters'],
    ['POST', '/starters/blank'],
  ] as const)('answers %s %s to admin sessions only', async (method, path) => {
    const request = { name: 'without a session', method, path } as const;
    await check(server, { ...request, token: null, status: 401, code: 'auth.required' });
    await check(server, { ...request, status: 403, code: 'auth.sessionRequired' });
    expect(await callList(server, '/pages?roots=1')).toEqual([]);
  });

  it('lists the starters, and what is there', async () => {
    const { body } = await call(server, 'GET', '/starters', withSession(session));
    expect(body).toEqual({ starters: names, content: [] });
  });

  it('does not know other names', async () => {
    expect(await call(server, 'POST', '/starters/museum', withSession(session))).toMatchObject({
      status: 404,
      body: { code: 'common.notFound' },
    });
    expect(await callList(server, '/pages?roots=1')).toEqual([]);
  });

  it('refuses while there is content, says which, and changes nothing', async () => {
    const snippet = await createSnippet(server, { name: 'own' });
    expect((await call(server, 'GET', '/starters', withSession(session))).body).toMatchObject({
      content: ['snippet'],
    });
    expect(await call(server, 'POST', '/starters/magazine', withSession(session))).toMatchObject({
      status: 409,
      body: { code: 'demo.notEmpty', params: {} },
    });
    expect(await callList(server, '/pages?roots=1')).toEqual([]);
    expect(await callList(server, '/files')).toEqual([]);
    expect(await callList(server, '/snippets')).toHaveLength(1);
    await call(server, 'DELETE', `/snippets/${snippet}?purge=1`);
  });
});

describe.each(names)('the starter %s', (name) => {
  let server: TestServer;
  let session: string;
  const folders = [new TestFolder(), new TestFolder()] as const;

  beforeAll(async () => {
    server = await startServer();
    session = await setUp(server);
  });
  afterAll(async () => {
    for (const folder of folders) folder.remove();
    await server.stop();
  });

  it('is installed once, as the folder says, and its pages answer', async () => {
    const answer = await call(server, 'POST', `/starters/${name}`, withSession(session));
    const [site, ...others] = await callList(server, '/pages?roots=1');
    expect(others).toEqual([]);
    expect(answer).toMatchObject({ status: 201, body: { root_id: site?.['id'] } });
    const xml = await (await fetch(`${server.url}/sitemap.xml`)).text();
    const paths = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
    expect(paths).toContain('/');
    for (const path of paths) expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
    expect(await callList(server, '/change-sets')).toEqual([]);
    const [source, pulled] = folders;
    expect(await runProgram(['init', source.path, '--starter', name])).toMatchObject({ code: 0 });
    expect(await pulled.pull(server)).toMatchObject({ findings: [], conflicts: [], exitCode: 0 });
    expect(pulled.files()).toEqual(source.files());
  });

  it('is refused a second time, and everything stays', async () => {
    const before = await callList(server, '/pages');
    for (const path of [`/starters/${name}`, '/demo'])
      expect(await call(server, 'POST', path, withSession(session))).toMatchObject({
        status: 409,
        body: { code: 'demo.notEmpty' },
      });
    expect(await callList(server, '/pages')).toEqual(before);
    expect((await callOk(server, 'GET', `/pages/${before[0]?.['id']}`))['html']).not.toBe('');
  });
});
