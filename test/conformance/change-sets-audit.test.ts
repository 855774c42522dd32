import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createPage, createSite, freshName, idOf } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { Receiver } from '../support/receiver.ts';
import { visit } from './public-client.ts';

/** The contract, "Change sets": work on a change set is no change of content; the audit has one line for each sitting. */

let server: InProcessServer;
let site: number;
let now = Date.now();

beforeAll(async () => {
  server = await startInProcess({ clock: () => now });
  site = await createSite(server);
});
afterAll(() => server.stop());

const release = async (name = freshName('r')) => idOf(await callOk(server, 'POST', '/change-sets', { name }));
const put = (set: number, page: number, body: object, person = 'ada') =>
  call(server, 'PUT', `/change-sets/${set}/items/page/${page}`, {
    body,
    headers: { 'X-IC-On-Behalf-Of': person },
  });
const by = (person: string) => `Master-Token (for ${person})`;
const audit = async (query: string) => {
  const { changes, next } = await callOk(server, 'GET', `/audit?${query}`);
  return { changes: Array.isArray(changes) ? changes.map(asRecord) : [], next };
};
const linesOf = async (set: number) => (await audit(`kind=change_set&id=${set}`)).changes;

describe('the audit', () => {
  it('has one line for each sitting, and each author has his own', async () => {
    const name = freshName('release');
    const page = await createPage(server, site);
    const set = await release(name);
    now += 3_600_000;
    const at = Math.floor(now / 1000);
    await put(set, page, { title: 'a' });
    await put(set, page, { title: 'b' });
    now += 600_000;
    await put(set, page, { title: 'c' });
    await put(set, page, { title: 'd' }, 'bob');
    const line = {
      ...{ version: expect.any(Number), kind: 'change_set', action: 'updated', id: set, name },
    };
    const [bob, ada, made, ...more] = await linesOf(set);
    expect(more).toEqual([]);
    expect(bob).toEqual({ ...line, actor: by('bob'), at: at + 600, until: at + 600 });
    expect(ada).toEqual({ ...line, actor: by('ada'), at, until: at + 600 });
    expect(made).toMatchObject({ ...line, actor: 'Master-Token', at: at - 3600 });
    now += 3_600_000;
    await put(set, page, { title: 'e' });
    expect((await linesOf(set)).map(({ actor }) => actor)).toEqual([
      ...[by('ada'), by('bob'), by('ada'), 'Master-Token'],
    ]);
  });

  it.each<[string, (set: number, page: number) => Promise<unknown>]>([
    ['a changed name', (set) => callOk(server, 'PUT', `/change-sets/${set}`, { name: 'other' })],
    ['an edit', (set, page) => put(set, page, { title: 'x' })],
    [
      'a batch',
      (set) =>
        callOk(server, 'POST', `/batch?change_set=${set}`, {
          ops: [{ op: 'create', kind: 'asset', data: { name: freshName('a'), kind: 'css' } }],
        }),
    ],
    [
      'an object that is taken out',
      (set) => call(server, 'DELETE', `/change-sets/${set}/items/page/${site}`),
    ],
    ['a review', (set) => callOk(server, 'POST', `/change-sets/${set}/review`, { state: 'requested' })],
    [
      'a comment',
      (set, page) =>
        callOk(server, 'POST', `/change-sets/${set}/comments`, { text: 't', kind: 'page', id: page }),
    ],
    ['its end', (set) => call(server, 'DELETE', `/change-sets/${set}`)],
  ])('has a line for %s', async (_name, work) => {
    const [set, page] = [await release(), await createPage(server, site)];
    await put(set, site, { title: 'x' });
    const before = await linesOf(set);
    now += 7_200_000;
    await work(set, page);
    expect((await linesOf(set)).slice(1)).toEqual(before);
  });

  it('has none for a refused edit', async () => {
    const [set, page] = [await release(), await createPage(server, site)];
    now += 7_200_000;
    expect((await put(set, page, { title: 7 })).status).toBe(400);
    expect(await linesOf(set)).toHaveLength(1);
  });

  it('has one line for a sitting of a working copy, with the title of the object', async () => {
    const page = await createPage(server, site, { title: 'Menu' });
    const copy = await callOk(server, 'PUT', `/pages/${page}/copy`, { html: 'a' });
    await callOk(server, 'PUT', `/pages/${page}/copy`, { html: 'b' });
    expect(await linesOf(Number(copy['change_set']))).toMatchObject([{ name: 'Menu' }]);
  });

  it('lists the lines where they belong, on pages of any size', async () => {
    const page = await createPage(server, site);
    const first = await release();
    await callOk(server, 'PUT', `/pages/${page}`, { title: 'a' });
    const second = await release();
    await callOk(server, 'PUT', `/pages/${page}`, { title: 'b' });
    const shown = (changes: readonly Readonly<Record<string, unknown>>[]) =>
      changes.map(({ kind, id }) => `${kind} ${id}`);
    const expected = [
      ...[`page ${page}`, `change_set ${second}`, `page ${page}`, `change_set ${first}`, `page ${page}`],
    ];
    expect(shown((await audit('limit=5')).changes).slice(0, 5)).toEqual(expected);
    const paged: string[] = [];
    for (let before = ''; paged.length < 5; ) {
      const { changes, next } = await audit(`limit=1${before}`);
      paged.push(...shown(changes));
      before = `&before=${next}`;
    }
    expect(paged.slice(0, 5)).toEqual(expected);
  });

  it('finds them by time and author', async () => {
    const [set, page] = [await release(), await createPage(server, site)];
    const person = freshName('person');
    now += 3_600_000;
    const at = Math.floor(now / 1000);
    await put(set, page, { title: 'x' }, person);
    expect((await audit(`actor=${person}&from=${at}&to=${at}`)).changes).toMatchObject([{ id: set }]);
    expect((await audit(`actor=${person}&to=${at - 1}`)).changes).toEqual([]);
  });
});

it('comments, reviews and edits reach no cache, no version, no object and no listener', async () => {
  const slug = freshName('cached');
  const host = `${slug}.example`;
  const root = await createSite(server, { domains: host });
  const page = await createPage(server, root, { slug, published: true });
  const receiver = new Receiver();
  await receiver.listen();
  const webhook = await callOk(server, 'POST', '/webhooks', {
    ...{ url: receiver.url, events: ['content.changed'] },
  });
  const cached = async () => (await visit(server, `/${slug}`, { host })).header('x-cache');
  expect([await cached(), await cached()]).toEqual(['MISS', 'HIT']);
  const version = async () => (await callOk(server, 'GET', '/changes?since=now'))['version'];
  const state = async () => [
    ...[await version(), await callOk(server, 'GET', `/pages/${page}`)],
    await callList(server, `/revisions?kind=page&id=${page}`),
  ];
  const before = await state();

  const set = await release();
  await put(set, page, { title: 'x' });
  await callOk(server, 'PUT', `/pages/${page}/copy`, { title: 'y' });
  const { id } = await callOk(server, 'POST', `/change-sets/${set}/comments`, {
    ...{ text: 't', kind: 'page', id: page },
  });
  await callOk(server, 'PUT', `/change-sets/${set}/comments/${id}`, { resolved: true });
  await call(server, 'DELETE', `/change-sets/${set}/comments/${id}`);
  await callOk(server, 'POST', `/change-sets/${set}/review`, { state: 'requested' });
  await callOk(server, 'PUT', '/presence', { kind: 'page', id: page, state: 'editing' });
  await call(server, 'DELETE', '/presence');
  await call(server, 'DELETE', `/change-sets/${set}`);

  expect(await cached()).toBe('HIT');
  expect(await state()).toEqual(before);
  expect(before[1]).toMatchObject({ local_modified: false });
  // The first that a listener hears is the next change of content.
  await callOk(server, 'PUT', `/pages/${site}`, { title: 'Later' });
  await receiver.until(1);
  expect(receiver.received[0]?.body).toMatchObject({ changes: [{ kind: 'page', id: site }] });
  await call(server, 'DELETE', `/webhooks/${webhook['id']}`);
  await receiver.close();
});
