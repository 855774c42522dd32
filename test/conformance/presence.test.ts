import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk } from '../support/api.ts';
import {
  createAsset,
  createCollection,
  createGlobalBlock,
  createItem,
  createPage,
  createRedirect,
  createSite,
  createSnippet,
  freshName,
  idOf,
} from '../support/content.ts';
import { EventReader } from '../support/event-reader.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { draw, uploadOne } from '../support/media.ts';
import { ManualTimers } from '../support/receiver.ts';
import { invalid, runScenarios, type Scenario } from '../support/scenarios.ts';
import { logIn, setUp, withSession } from '../support/session.ts';

/** `/presence`: who has which object open. */

let server: InProcessServer;
let dataDir: string;
let timers: ManualTimers;
let now: number;
let site: number;
let page: number;
let ada: string;
let ben: string;
let reader: string;

beforeAll(async () => {
  now = 1_767_225_600_000;
  timers = new ManualTimers();
  server = await startInProcess({
    clock: () => now,
    later: (ms, task) => timers.later(ms, task),
    prepare: (folder) => {
      dataDir = folder;
    },
  });
  site = await createSite(server);
  ada = await addToken({ dataDir }, 'ada', true);
  ben = await addToken({ dataDir }, 'ben', true);
  reader = await addToken({ dataDir }, 'reader', false);
});
// Everybody of the test before is forgotten, and streams were told so.
beforeEach(async () => {
  now += 60_000;
  await call(server, 'DELETE', '/presence');
  page = await createPage(server, site);
});
afterAll(() => server.stop());

const report = (token: string, body: object) => call(server, 'PUT', '/presence', { token, body });
const present = (query = `?kind=page&id=${page}`) => callList(server, `/presence${query}`);
const namesOf = async (query?: string) => (await present(query)).map(({ name }) => name);

describe('PUT /presence', () => {
  it('tells others by name who views or edits an object', async () => {
    const answer = await report(ada, { kind: 'page', id: page, state: 'viewing' });
    const entry = { kind: 'page', id: page, name: 'ada', state: 'viewing', at: Math.floor(now / 1000) };
    expect([answer.status, answer.body]).toEqual([200, entry]);
    const list = await call(server, 'GET', `/presence?kind=page&id=${page}`, { token: ben });
    expect(list).toMatchObject({ status: 200, body: [entry] });
    await report(ben, { kind: 'page', id: page, state: 'editing' });
    await report(ada, { kind: 'page', id: page, state: 'editing' });
    expect(await present()).toEqual([
      { ...entry, state: 'editing' },
      { ...entry, name: 'ben', state: 'editing' },
    ]);
  });

  it('is open to read tokens, and to users with their names', async () => {
    expect((await report(reader, { kind: 'page', id: page, state: 'viewing' })).status).toBe(200);
    const session = await setUp(server);
    const body = { kind: 'page', id: page, state: 'editing' };
    const answer = await call(server, 'PUT', '/presence', withSession(session, body));
    expect(answer.status).toBe(200);
    expect(await present()).toMatchObject([
      { name: 'ada', state: 'editing' },
      { name: 'reader', state: 'viewing' },
    ]);
    expect((await call(server, 'DELETE', '/presence', withSession(await logIn(server)))).status).toBe(204);
    expect(await namesOf()).toEqual(['reader']);
  });

  it('names the person whom a token writes for', async () => {
    const body = { kind: 'page', id: page, state: 'editing' };
    const headers = { 'X-IC-On-Behalf-Of': 'Grace' };
    expect((await call(server, 'PUT', '/presence', { token: ada, body, headers })).status).toBe(200);
    expect(await namesOf()).toEqual(['ada (for Grace)']);
  });

  it('takes every kind of the change feed', async () => {
    const collection = await createCollection(server, { fields: [{ name: 't', type: 'text' }] });
    const add = async (path: string, body: object) => idOf(await callOk(server, 'POST', path, body));
    const objects = {
      page,
      item: await createItem(server, collection, { t: 'x' }),
      snippet: await createSnippet(server),
      asset: await createAsset(server),
      global_block: await createGlobalBlock(server),
      collection,
      redirect: await createRedirect(server, site),
      source: await add('/sources', { name: 's', slug: freshName('s'), url: 'http://localhost/' }),
      workflow: await add('/workflows', { name: 'w' }),
      flow_node: await add('/flow-nodes', { name: 'n', code: 'return msg' }),
      folder: await add('/folders', { name: freshName('f') }),
      file: idOf(await uploadOne(server, 'a.jpg', await draw({ width: 2, height: 2 }))),
    };
    for (const [kind, id] of Object.entries(objects)) {
      const body = { kind, id, state: 'viewing' };
      expect([kind, (await report(ada, body)).status]).toEqual([kind, 200]);
      expect(await present(`?kind=${kind}&id=${id}`)).toMatchObject([{ kind, id, name: 'ada' }]);
    }
  });

  it('keeps the latest hundred objects of a name', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 101; count++) {
      ids.push(await createSnippet(server));
      now += 1;
      await report(ben, { kind: 'snippet', id: ids[count], state: 'viewing' });
    }
    const shown = (await present('?kind=snippet')).filter(({ name }) => name === 'ben');
    expect(shown.map(({ id }) => id)).toEqual(ids.slice(1));
  });
});

describe('is forgotten', () => {
  it('after 60 s without a report', async () => {
    await report(ada, { kind: 'page', id: page, state: 'editing' });
    now += 40_000;
    await report(ben, { kind: 'page', id: page, state: 'viewing' });
    now += 19_999;
    expect(await namesOf()).toEqual(['ada', 'ben']);
    now += 1;
    expect(await namesOf()).toEqual(['ben']);
    now += 20_000;
    await report(ben, { kind: 'page', id: page, state: 'viewing' });
    now += 59_999;
    expect(await namesOf()).toEqual(['ben']);
    now += 1;
    expect(await namesOf()).toEqual([]);
  });

  it('by DELETE: everything of the caller, and of nobody else', async () => {
    const other = await createPage(server, site);
    for (const id of [page, other]) await report(ada, { kind: 'page', id, state: 'editing' });
    await report(ben, { kind: 'page', id: page, state: 'editing' });
    expect((await call(server, 'DELETE', '/presence', { token: ada })).status).toBe(204);
    expect([await namesOf(), await namesOf(`?kind=page&id=${other}`)]).toEqual([['ben'], []]);
    expect((await call(server, 'DELETE', '/presence', { token: ada })).status).toBe(204);
  });

  it('by DELETE with an object: only this one', async () => {
    const other = await createPage(server, site);
    for (const id of [page, other]) await report(ada, { kind: 'page', id, state: 'editing' });
    const path = `/presence?kind=page&id=${page}`;
    expect((await call(server, 'DELETE', path, { token: ada })).status).toBe(204);
    expect([await namesOf(), await namesOf(`?kind=page&id=${other}`)]).toEqual([[], ['ada']]);
  });
});

describe('the event stream of /changes', () => {
  const open = async () => {
    const stream = await EventReader.open(server.url, '/changes?since=now', {
      Authorization: `Bearer ${reader}`,
    });
    await stream.next();
    return stream;
  };

  it('tells who comes, what they do and who leaves, and no repetition', async () => {
    const stream = await open();
    const common = { kind: 'page', id: page, name: 'ada', at: Math.floor(now / 1000) };
    await report(ada, { kind: 'page', id: page, state: 'viewing' });
    const first = await stream.block();
    expect(first).toMatch(/^event: presence\ndata: \{/);
    expect(JSON.parse(String(first).split('data: ')[1] ?? '')).toEqual({ ...common, state: 'viewing' });
    await report(ada, { kind: 'page', id: page, state: 'viewing' });
    await report(ada, { kind: 'page', id: page, state: 'editing' });
    expect(await stream.next()).toMatchObject({ event: 'presence', data: { ...common, state: 'editing' } });
    await call(server, 'DELETE', '/presence', { token: ada });
    expect(await stream.next()).toMatchObject({ event: 'presence', data: { ...common, state: 'left' } });
    stream.close();
  });

  it('tells of those who are forgotten', async () => {
    await report(ada, { kind: 'page', id: page, state: 'editing' });
    const stream = await open();
    now += 60_000;
    timers.fire(60_000);
    const data = { kind: 'page', id: page, name: 'ada', state: 'left' };
    expect(await stream.next()).toMatchObject({ event: 'presence', data });
    stream.close();
  });

  it('goes on with commits, whose IDs alone count', async () => {
    const stream = await open();
    await report(ada, { kind: 'page', id: page, state: 'viewing' });
    expect(await stream.next()).toMatchObject({ id: Number.NaN, event: 'presence' });
    await callOk(server, 'PUT', `/pages/${page}`, { title: 'New' });
    expect(await stream.next()).toMatchObject({ event: 'change', data: { changes: [{ id: page }] } });
    stream.close();
    await call(server, 'DELETE', '/presence', { token: ada });
  });
});

it('is no content: version, audit, caches and the object stay as they are', async () => {
  const before = [
    await callOk(server, 'GET', '/changes?since=now'),
    await callOk(server, 'GET', '/audit?limit=1'),
    await callOk(server, 'GET', `/pages/${page}`),
    await callList(server, `/revisions?kind=page&id=${page}`),
  ];
  await report(ada, { kind: 'page', id: page, state: 'editing' });
  await call(server, 'DELETE', '/presence', { token: ada });
  expect([
    await callOk(server, 'GET', '/changes?since=now'),
    await callOk(server, 'GET', '/audit?limit=1'),
    await callOk(server, 'GET', `/pages/${page}`),
    await callList(server, `/revisions?kind=page&id=${page}`),
  ]).toEqual(before);
});

it('locks nothing', async () => {
  await report(ada, { kind: 'page', id: page, state: 'editing' });
  const answer = await call(server, 'PUT', `/pages/${page}`, { token: ben, body: { title: 'Ben' } });
  expect(answer).toMatchObject({ status: 200, body: { title: 'Ben' } });
});

describe('refused', () => {
  const put = (name: string, fields: object, outcome: Partial<Scenario> & { status: number }): Scenario => ({
    name,
    method: 'PUT',
    path: '/presence',
    body: () => ({ kind: 'page', id: page, state: 'viewing', ...fields }),
    ...outcome,
  });
  const unknownKind = { status: 400, code: 'batch.kindUnknown' };
  runScenarios(
    () => server,
    [
      ...['pen', 'globalblock', 'flownode', 'user', 'Page', ''].map((kind) =>
        put(`kind ${JSON.stringify(kind)}`, { kind }, { ...unknownKind, params: { kind } }),
      ),
      put('without kind', { kind: undefined }, invalid('kind')),
      put('a kind that is no text', { kind: 5 }, invalid('kind')),
      put('without id', { id: undefined }, invalid('id')),
      put('an ID that is none', { id: 0 }, invalid('id')),
      put('an ID that is no number', { id: '5x' }, invalid('id')),
      put('another state', { state: 'left' }, invalid('state')),
      put('without state', { state: undefined }, invalid('state')),
      put('an unknown object', { id: 999_999 }, { status: 404, code: 'common.notFound' }),
      put('an object of another kind', { kind: 'workflow' }, { status: 404, code: 'common.notFound' }),
      { name: 'a list of an unknown kind', method: 'GET', path: '/presence?kind=pen', ...unknownKind },
      { name: 'leaving an unknown kind', method: 'DELETE', path: '/presence?kind=pen', ...unknownKind },
      { name: 'a list of no ID', method: 'GET', path: '/presence?kind=page&id=x', ...invalid('id') },
      {
        name: 'an unknown object has nobody',
        method: 'GET',
        path: '/presence?kind=page&id=9999',
        status: 200,
      },
    ],
  );

  it.each(['GET', 'PUT', 'DELETE'])('%s without a credential', async (method) => {
    const answer = await call(server, method, '/presence', {
      token: null,
      ...(method === 'PUT' ? { body: { kind: 'page', id: page, state: 'viewing' } } : {}),
    });
    expect(answer.status).toBe(401);
  });

  it('leaves everybody where they are', async () => {
    await report(ada, { kind: 'page', id: page, state: 'viewing' });
    await report(ada, { kind: 'page', id: page, state: 'gone' });
    expect(asRecord((await present())[0])).toMatchObject({ name: 'ada', state: 'viewing' });
  });
});
