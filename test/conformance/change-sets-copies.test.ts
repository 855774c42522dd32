import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import {
  createGlobalBlock,
  createPage,
  createSite,
  createSnippet,
  freshName,
  idOf,
} from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The contract, "Change sets": working copies and autosave. */

let server: TestServer;
let site: number;
let anna: string;
let bob: string;
let reader: string;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
  anna = await addToken(server, 'Anna', true);
  bob = await addToken(server, 'Bob', true);
  reader = await addToken(server, 'Reader', false);
});
afterAll(() => server.stop());

const noCopy = { status: 404, code: 'changeset.noCopy' };
const get = (path: string, token?: string | null) =>
  call(server, 'GET', `${path}/copy`, { ...(token === undefined ? {} : { token }) });
const put = (path: string, body: unknown, token?: string | null) =>
  call(server, 'PUT', `${path}/copy`, { body, ...(token === undefined ? {} : { token }) });
const publish = (path: string, body: object = {}) => call(server, 'POST', `${path}/copy/publish`, { body });
const seenIn = async (path: string) => Number(asRecord((await get(path)).body)['updated_at']);
const pagePath = async (fields: Record<string, unknown> = {}) =>
  `/pages/${await createPage(server, site, fields)}`;

describe('a working copy', () => {
  it('is a change set of purpose copy with one item, made by the first PUT', async () => {
    const path = await pagePath({ title: 'Live' });
    expect(outcomeOf(await get(path))).toEqual(noCopy);
    const answer = await put(path, { title: 'Mine' });
    const live = await callOk(server, 'GET', path);
    const id = idOf(live);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      ...{ ...live, title: 'Mine', local_modified: true, updated_at: expect.any(Number), warnings: [] },
      item: { kind: 'page', id, op: 'update', fields: ['title'], conflicts: [] },
    });
    expect((await get(path)).body).toEqual(answer.body);
    const sets = await callList(server, `/change-sets?purpose=copy&kind=page&id=${id}`);
    expect(sets).toMatchObject([{ purpose: 'copy', state: 'open', items: 1, name: 'Live' }]);
    const named = await callList(server, '/change-sets?state=open&objects=true');
    expect(named.find((set) => set['id'] === sets[0]?.['id'])).toEqual({
      ...sets[0],
      objects: [{ kind: 'page', id }],
    });
    expect(asRecord(answer.body)['change_set']).toBe(sets[0]?.['id']);
    expect(live).toMatchObject({ title: 'Live' });
  });

  it('is one for all editors', async () => {
    const path = await pagePath();
    await put(path, { title: 'A' }, anna);
    await put(path, { meta_title: 'B' }, bob);
    expect((await get(path, reader)).body).toMatchObject({
      ...{ title: 'A', meta_title: 'B' },
      item: { fields: ['title', 'meta_title'], authors: ['Anna', 'Bob'] },
    });
    const id = path.split('/').at(-1);
    expect(await callList(server, `/change-sets?purpose=copy&kind=page&id=${id}`)).toHaveLength(1);
  });

  it('without changes vanishes, and a first PUT without changes makes none', async () => {
    const path = await pagePath({ title: 'Live' });
    expect((await put(path, { title: 'Live' })).status).toBe(200);
    expect(outcomeOf(await get(path))).toEqual(noCopy);
    await put(path, { title: 'Mine' });
    const back = await put(path, { title: 'Live' });
    expect(back).toMatchObject({ status: 200, body: { title: 'Live', item: null, change_set: null } });
    expect(outcomeOf(await get(path))).toEqual(noCopy);
    const id = path.split('/').at(-1);
    expect(await callList(server, `/change-sets?kind=page&id=${id}`)).toEqual([]);
  });

  it('is discarded', async () => {
    const path = await pagePath();
    await put(path, { title: 'Mine' });
    expect((await call(server, 'DELETE', `${path}/copy`)).status).toBe(204);
    expect(outcomeOf(await get(path))).toEqual(noCopy);
    expect(outcomeOf(await call(server, 'DELETE', `${path}/copy`))).toEqual(noCopy);
    const id = path.split('/').at(-1);
    const sets = await callList(server, `/change-sets?kind=page&id=${id}`);
    expect(sets).toMatchObject([{ purpose: 'copy', state: 'discarded' }]);
  });

  it('is published as a change set is', async () => {
    const path = await pagePath({ title: 'Live' });
    expect(outcomeOf(await publish(path))).toEqual(noCopy);
    await put(path, { title: 'Mine' }, anna);
    await put(path, { title: 'More' }, anna);
    expect((await publish(path, { dry_run: true })).body).toEqual({ conflicts: [], faults: [] });
    const answer = await publish(path);
    expect(answer.body).toMatchObject({
      ...{ purpose: 'copy', state: 'published' },
      results: [{ index: 0, op: 'update', kind: 'page' }],
    });
    expect(await callOk(server, 'GET', path)).toMatchObject({ title: 'More' });
    expect(outcomeOf(await get(path))).toEqual(noCopy);
    const id = path.split('/').at(-1);
    expect(await callList(server, `/revisions?kind=page&id=${id}`)).toHaveLength(1);
  });

  it('tells conflicts at publication, and resolves them', async () => {
    const path = await pagePath({ title: 'Base' });
    await put(path, { title: 'Mine' });
    await callOk(server, 'PUT', path, { title: 'Live' });
    expect(outcomeOf(await publish(path))).toEqual({ status: 409, code: 'changeset.conflict' });
    const key = `page:${path.split('/').at(-1)}`;
    expect((await publish(path, { resolve: { [key]: { title: 'mine' } } })).status).toBe(200);
    expect(await callOk(server, 'GET', path)).toMatchObject({ title: 'Mine' });
  });

  it('of an object that was deleted live can be read; its publication is the conflict deleted', async () => {
    const path = await pagePath({ title: 'Base' });
    await put(path, { title: 'Mine' });
    await call(server, 'DELETE', path);
    expect(await get(path)).toMatchObject({
      status: 200,
      body: { title: 'Mine', item: { op: 'update', conflicts: ['deleted'] } },
    });
    const answer = await publish(path);
    expect(outcomeOf(answer)).toEqual({ status: 409, code: 'changeset.conflict' });
    expect(asRecord(asRecord(answer.body)['params'])['conflicts']).toMatchObject([{ field: 'deleted' }]);
  });

  it('is no change of content', async () => {
    const path = await pagePath();
    const version = async () => (await callOk(server, 'GET', '/changes?since=0&limit=1'))['version'];
    const before = await version();
    await put(path, { title: 'Mine' });
    await get(path);
    await call(server, 'DELETE', `${path}/copy`);
    expect(await version()).toBe(before);
  });

  it.each<[string, unknown, number, string]>([
    ['a wrong type', { title: 5 }, 400, 'common.invalid'],
    ['a seen that is no number', { title: 'x', seen: 'now' }, 400, 'common.invalid'],
    ['an old base', { title: 'x', base_updated_at: 1 }, 409, 'common.conflict'],
    ['a list', [], 400, 'common.invalid'],
  ])('is not made by %s', async (_name, body, status, code) => {
    const path = await pagePath();
    expect(outcomeOf(await put(path, body))).toEqual({ status, code });
    expect(outcomeOf(await get(path))).toEqual(noCopy);
  });

  it('of an unknown object is unknown', async () => {
    const unknown = { status: 404, code: 'common.notFound' };
    expect(outcomeOf(await get('/pages/999999'))).toEqual(unknown);
    expect(outcomeOf(await put('/pages/999999', { title: 'x' }))).toEqual(unknown);
    expect(outcomeOf(await get('/collections/none/items/1'))).toEqual(unknown);
  });

  it('is seen by read tokens, changed by write tokens, and unknown to others', async () => {
    const collection = await makeCollection({ public: true });
    for (const path of [await pagePath(), `/collections/${collection}`]) {
      await put(path, { [path.startsWith('/pages') ? 'title' : 'name']: 'Mine' });
      expect((await get(path, reader)).status).toBe(200);
      expect((await put(path, {}, reader)).status).toBe(403);
      expect((await get(path, null)).status).toBe(404);
      expect((await put(path, {}, null)).status).toBe(404);
    }
  });
});

describe('every kind', () => {
  it.each<[string, () => Promise<string>, object, object]>([
    ['snippets', async () => `/snippets/${await createSnippet(server)}`, { content: 'x' }, { content: 'x' }],
    ['collections', async () => `/collections/${await makeCollection()}`, { name: 'N' }, { name: 'N' }],
    ['entries', makeEntry, { data: { title: 'T' } }, { data: { title: 'T', text: 'Two' } }],
    ['sources', makeSource, { name: 'N' }, { name: 'N' }],
    ['folders', makeFolder, { name: 'N' }, { name: 'N' }],
    ['workflows', makeWorkflow, { name: 'N' }, { name: 'N' }],
  ])('has working copies: %s', async (_name, make, body, shown) => {
    const path = await make();
    const answer = await put(path, body);
    expect(answer).toMatchObject({ status: 200, body: shown });
    expect((await get(path)).body).toEqual(answer.body);
    expect((await publish(path)).status).toBe(200);
    expect(outcomeOf(await get(path))).toEqual(noCopy);
  });
});

describe('autosave', () => {
  it('has an updated_at that grows with every save', async () => {
    const path = await pagePath();
    const times: number[] = [];
    for (const title of ['a', 'b', 'c']) {
      await put(path, { title });
      times.push(await seenIn(path));
    }
    expect(new Set(times).size).toBe(3);
    expect(times).toEqual([...times].sort((left, right) => left - right));
  });

  it('merges what somebody else has saved since', async () => {
    const path = await pagePath({ html: 'one\ntwo\nthree', title: 'T' });
    await put(path, { html: 'one\ntwo\nthree\nfour' }, anna);
    const seen = await seenIn(path);
    await put(path, { html: 'ONE\ntwo\nthree\nfour', meta_title: 'Anna', seen }, anna);
    const answer = await put(path, { html: 'one\ntwo\nthree\nFOUR', title: 'Bob', seen }, bob);
    expect(answer.body).toMatchObject({
      ...{ html: 'ONE\ntwo\nthree\nFOUR', title: 'Bob', meta_title: 'Anna' },
    });
  });

  it('leaves what others have saved where the value is as it was seen', async () => {
    const path = await pagePath({ title: 'T' });
    await put(path, { meta_title: 'm' }, anna);
    const seen = await seenIn(path);
    await put(path, { title: 'Anna', seen }, anna);
    const answer = await put(path, { title: 'T', meta_title: 'Bob', seen }, bob);
    expect(answer.body).toMatchObject({ title: 'Anna', meta_title: 'Bob' });
  });

  it('answers 409 changeset.fieldTaken for overlaps, and saves nothing', async () => {
    const path = await pagePath({ title: 'T' });
    await put(path, { title: 'First' }, anna);
    const seen = await seenIn(path);
    await put(path, { title: 'Anna', seen }, anna);
    const answer = await put(path, { title: 'Bob', meta_title: 'm', seen }, bob);
    expect(outcomeOf(answer)).toEqual({ status: 409, code: 'changeset.fieldTaken' });
    expect(asRecord(answer.body)['params']).toEqual({ field: 'title', theirs: 'Anna', by: 'Anna' });
    expect((await get(path)).body).toMatchObject({ title: 'Anna', item: { fields: ['title'] } });
    const again = await put(path, { title: 'Bob', seen: await seenIn(path) }, bob);
    expect(again.body).toMatchObject({ title: 'Bob' });
  });

  it('names the block, and merges what others have saved in other blocks', async () => {
    const type = freshName('card');
    const schema = { block: true, params: [{ name: 'text', type: 'text' }] };
    await callOk(server, 'POST', '/snippets', { name: type, content: '{{ text }}', schema });
    const block = (id: string, text: string) => ({ id, type, params: { text } });
    const path = `/global-blocks/${await createGlobalBlock(server, { blocks: [block('a', '1'), block('b', '1')] })}`;
    await put(path, { blocks: [block('a', '2'), block('b', '2')] }, anna);
    const seen = await seenIn(path);
    await put(path, { blocks: [block('a', 'Anna'), block('b', '2')], seen }, anna);
    const merged = await put(path, { blocks: [block('a', '2'), block('b', 'Bob')], seen }, bob);
    expect(merged.body).toMatchObject({ blocks: [block('a', 'Anna'), block('b', 'Bob')] });
    const answer = await put(path, { blocks: [block('a', 'Bob'), block('b', '2')], seen }, bob);
    const theirs = block('a', 'Anna');
    expect(answer).toMatchObject({
      status: 409,
      body: { params: { field: 'blocks', block: 'a', by: 'Anna', theirs } },
    });
  });

  it('does not count own saves', async () => {
    const path = await pagePath();
    await put(path, { title: 'One' }, anna);
    const seen = await seenIn(path);
    await put(path, { title: 'Two', seen }, anna);
    expect((await put(path, { title: 'Three', seen }, anna)).body).toMatchObject({ title: 'Three' });
  });

  it('without seen overwrites', async () => {
    const path = await pagePath();
    await put(path, { title: 'Anna' }, anna);
    expect((await put(path, { title: 'Bob' }, bob)).body).toMatchObject({ title: 'Bob' });
  });

  it('names values of entries data.<name>', async () => {
    const path = await makeEntry();
    await put(path, { data: { title: 'First' } }, anna);
    const seen = await seenIn(path);
    await put(path, { data: { title: 'Anna' }, seen }, anna);
    const answer = await put(path, { data: { title: 'Bob' }, seen }, bob);
    const params = { field: 'data.title', theirs: 'Anna', by: 'Anna' };
    expect(answer).toMatchObject({ status: 409, body: { params } });
  });
});

async function makeCollection(fields: object = {}): Promise<string> {
  const slug = freshName('c').replaceAll('-', '_');
  const text = (name: string) => ({ name, label: name, type: 'text' });
  const body = { slug, name: 'C', fields: [text('title'), text('text')], ...fields };
  await callOk(server, 'POST', '/collections', body);
  return slug;
}

async function makeEntry(): Promise<string> {
  const slug = await makeCollection();
  const data = { title: 'One', text: 'Two' };
  return `/collections/${slug}/items/${idOf(await callOk(server, 'POST', `/collections/${slug}/items`, { data }))}`;
}

async function makeSource(): Promise<string> {
  const body = { slug: freshName('s').replaceAll('-', '_'), url: 'https://example.org/' };
  return `/sources/${idOf(await callOk(server, 'POST', '/sources', body))}`;
}

async function makeFolder(): Promise<string> {
  return `/folders/${idOf(await callOk(server, 'POST', '/folders', { name: freshName('f') }))}`;
}

async function makeWorkflow(): Promise<string> {
  return `/workflows/${idOf(await callOk(server, 'POST', '/workflows', { name: freshName('w') }))}`;
}
