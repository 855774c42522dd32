import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createPage, createSite, createSnippet, freshName } from '../support/content.ts';
import { Origin, runJob } from '../support/origin.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The contract, "Change sets": revert of batches, imports, pushes and the work of an author. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
});
afterAll(() => server.stop());

const revert = (body: object) => call(server, 'POST', '/change-sets/revert', { body });
const reverted = async (body: object) => {
  const answer = await revert(body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return asRecord(answer.body);
};
const batch = async (key: string, ops: readonly object[]) => {
  const answer = await callOk(server, 'POST', '/batch', { idempotency_key: key, ops });
  return Array.isArray(answer['results']) ? answer['results'].map(asRecord) : [];
};
const page = (id: number) => callOk(server, 'GET', `/pages/${id}`);
const status = async (path: string) => (await call(server, 'GET', path)).status;

describe('reverting a batch', () => {
  it('puts back what it changed, created, deleted and moved', async () => {
    const [changed, gone] = [
      await createPage(server, site, { title: 'Before' }),
      await createSnippet(server),
    ];
    const moved = await createPage(server, site, { title: 'Moved' });
    const { sort, parent_id: parent } = await page(moved);
    const key = freshName('batch');
    const results = await batch(key, [
      { op: 'update', kind: 'page', id: changed, data: { title: 'After' } },
      { op: 'create', kind: 'page', data: { parent_id: site, title: 'New', slug: freshName('n') } },
      { op: 'delete', kind: 'snippet', id: gone },
      { op: 'move', kind: 'page', id: moved, data: { parent_id: changed } },
    ]);
    const created = Number(results[1]?.['id']);
    const answer = await reverted({ batch: key });
    expect(answer).toMatchObject({ skipped: [], change_set: expect.any(Number) });
    expect(await page(changed)).toMatchObject({ title: 'Before' });
    expect(await page(moved)).toMatchObject({ sort, parent_id: parent });
    expect(await status(`/pages/${created}`)).toBe(404);
    expect(await status(`/snippets/${gone}`)).toBe(200);
    expect(await callOk(server, 'GET', `/change-sets/${answer['change_set']}`)).toMatchObject({
      ...{ purpose: 'revert', state: 'published', items: 4 },
    });
  });

  it('leaves what was changed since; a dry run changes nothing', async () => {
    const id = await createPage(server, site, { title: 'Before' });
    const key = freshName('batch');
    await batch(key, [{ op: 'update', kind: 'page', id, data: { title: 'After', meta_title: 'm' } }]);
    await callOk(server, 'PUT', `/pages/${id}`, { title: 'Later' });
    const skipped = [{ kind: 'page', id, field: 'title', mine: 'After', live: 'Later' }];
    expect(await reverted({ batch: key, dry_run: true })).toMatchObject({ change_set: null, skipped });
    expect(await page(id)).toMatchObject({ title: 'Later', meta_title: 'm' });
    expect(await reverted({ batch: key })).toMatchObject({ skipped });
    expect(await page(id)).toMatchObject({ title: 'Later', meta_title: '' });
  });

  it('is refused a second time, and for one that is not known', async () => {
    const key = freshName('batch');
    await batch(key, [{ op: 'create', kind: 'snippet', data: { name: freshName('s'), content: 'x' } }]);
    await reverted({ batch: key });
    expect(outcomeOf(await revert({ batch: key }))).toEqual({ status: 409, code: 'changeset.reverted' });
    expect((await revert({ batch: freshName('unknown') })).status).toBe(404);
  });
});

describe('reverting the work of an author', () => {
  it('puts back what the author did in that time, and nothing of others', async () => {
    const author = freshName('author');
    const token = await addToken(server, author, true);
    const [both, others] = [
      await createPage(server, site, { title: 'Before', meta_title: 'before' }),
      await createPage(server, site, { title: 'Before' }),
    ];
    const gone = await createSnippet(server);
    const from = Math.floor(Date.now() / 1000);
    const asAuthor = async (method: string, path: string, body?: object) => {
      const answer = await call(server, method, path, { token, ...(body === undefined ? {} : { body }) });
      if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
      return asRecord(answer.body ?? {});
    };
    await asAuthor('PUT', `/pages/${both}`, { title: 'After', meta_title: 'after' });
    await callOk(server, 'PUT', `/pages/${both}`, { description: 'of somebody else' });
    await callOk(server, 'PUT', `/pages/${others}`, { title: 'Other' });
    const created = await asAuthor('POST', '/snippets', { name: freshName('s'), content: 'x' });
    await asAuthor('DELETE', `/snippets/${gone}`);
    const work = { author, from, to: from + 3600 };
    expect(await reverted({ ...work, dry_run: true })).toMatchObject({ change_set: null, skipped: [] });
    expect(await page(both)).toMatchObject({ title: 'After' });
    expect(await reverted(work)).toMatchObject({ skipped: [], change_set: expect.any(Number) });
    expect(await page(both)).toMatchObject({
      ...{ title: 'Before', meta_title: 'before', description: 'of somebody else' },
    });
    expect(await page(others)).toMatchObject({ title: 'Other' });
    expect(await status(`/snippets/${created['id']}`)).toBe(404);
    expect(await status(`/snippets/${gone}`)).toBe(200);
    expect(outcomeOf(await revert(work))).toEqual({ status: 409, code: 'changeset.reverted' });
  });

  it('leaves what others have changed since', async () => {
    const author = freshName('author');
    const token = await addToken(server, author, true);
    const id = await createPage(server, site, { title: 'Before', meta_title: 'before' });
    const from = Math.floor(Date.now() / 1000);
    await call(server, 'PUT', `/pages/${id}`, { token, body: { title: 'After', meta_title: 'after' } });
    await callOk(server, 'PUT', `/pages/${id}`, { title: 'Later' });
    expect((await reverted({ author, from }))['skipped']).toEqual([
      { kind: 'page', id, field: 'title', mine: 'After', live: 'Later' },
    ]);
    expect(await page(id)).toMatchObject({ title: 'Later', meta_title: 'before' });
  });

  it('of more than 1,000 objects is refused', async () => {
    const author = freshName('author');
    const token = await addToken(server, author, true);
    const from = Math.floor(Date.now() / 1000);
    for (let part = 0; part < 3; part++) {
      const ops = Array.from({ length: 334 }, () => ({
        ...{ op: 'create', kind: 'snippet', data: { name: freshName('many'), content: 'x' } },
      }));
      expect((await call(server, 'POST', '/batch', { token, body: { ops } })).status).toBe(200);
    }
    expect(outcomeOf(await revert({ author, from }))).toEqual({ status: 409, code: 'changeset.notKept' });
  });
});

describe('reverting an import', () => {
  it('puts back the pages that it wrote, and removes those that it made', async () => {
    const origin = await new Origin({
      '/': '<html><head><title>Home</title></head><body><main><h1>Home</h1></main></body></html>',
      '/a': '<html><head><title>A</title></head><body><main><h1>A</h1></main></body></html>',
    }).listen();
    try {
      const target = await createPage(server, site, { title: 'Target', html: 'before' });
      const job = await runJob(server, '/import/run', {
        ...{ base: origin.url(), urls: [origin.url('/'), origin.url('/a')], target_page_id: target },
        ...{ overwrite: true, overwrite_modified: true, force: true },
      });
      const children = async () =>
        (await callList(server, '/pages')).filter(({ parent_id }) => parent_id === target);
      expect(await children()).toHaveLength(1);
      expect(await reverted({ import: job['id'] })).toMatchObject({ skipped: [] });
      expect(await children()).toEqual([]);
      expect(await page(target)).toMatchObject({ title: 'Target', html: 'before' });
    } finally {
      await origin.close();
    }
  });
});

describe('a request', () => {
  it.each([
    [{}],
    [{ batch: 'a', author: 'b', from: 1 }],
    [{ author: 'b' }],
    [{ author: 'b', from: 5, to: 4 }],
  ])('%j is refused', async (body) => {
    expect(outcomeOf(await revert(body))).toEqual({ status: 400, code: 'common.invalid' });
  });

  it('about a push that is none is not found', async () => {
    const { id } = await callOk(server, 'POST', '/change-sets', { name: 'x' });
    expect((await revert({ push: id })).status).toBe(404);
  });
});
