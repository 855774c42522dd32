import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createPage, createSite, createSnippet, freshName, idOf } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The contract, "Change sets": POST /batch?change_set=<id>. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
});
afterAll(() => server.stop());

const release = async () => idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('r') }));
const send = (set: number | string, body: object, query = '') =>
  call(server, 'POST', `/batch?change_set=${set}${query}`, { body });
const items = (set: number) => callList(server, `/change-sets/${set}/items`);
const version = async () => (await callOk(server, 'GET', '/changes?since=0&limit=1'))['version'];
const renaming = (id: number, title = 'Mine') => ({ op: 'update', kind: 'page', id, data: { title } });

describe('a batch with change_set', () => {
  it('puts its operations into the set, and runs none', async () => {
    const [set, page, gone] = [await release(), await createPage(server, site), await createSnippet(server)];
    const before = await version();
    const slug = freshName('new');
    const answer = await send(set, {
      ops: [
        { op: 'create', kind: 'page', ref: 'new', data: { parent_id: site, title: 'New', slug } },
        { op: 'create', kind: 'page', data: { parent_id: '@new', title: 'Below', slug: 'below' } },
        renaming(page),
        { op: 'update', kind: 'page', id: page, data: { meta_title: 'm' } },
        { op: 'delete', kind: 'snippet', id: gone },
      ],
    });
    expect(answer.status).toBe(200);
    const some = expect.any(Number);
    expect(answer.body).toEqual({
      ...{ idempotency_key: '', applied_at: some },
      results: [
        { index: 0, op: 'create', kind: 'page', id: some, ref: 'new', updated_at: some, warnings: [] },
        { index: 1, op: 'create', kind: 'page', id: some, updated_at: some, warnings: [] },
        { index: 2, op: 'update', kind: 'page', id: page, updated_at: some, warnings: [] },
        { index: 3, op: 'update', kind: 'page', id: page, updated_at: some, warnings: [] },
        { index: 4, op: 'delete', kind: 'snippet', id: gone, deleted: true },
      ],
    });
    const [first, second] = resultsOf(answer.body);
    expect(await items(set)).toMatchObject([
      { kind: 'page', id: first?.['id'], op: 'create', title: 'New' },
      { kind: 'page', id: second?.['id'], op: 'create', title: 'Below' },
      { kind: 'page', id: page, op: 'update', fields: ['title', 'meta_title'] },
      { kind: 'snippet', id: gone, op: 'delete' },
    ]);
    expect(await version()).toBe(before);
    expect((await call(server, 'GET', `/pages/${first?.['id']}`)).status).toBe(404);
    await callOk(server, 'POST', `/change-sets/${set}/publish`, {});
    expect(await callOk(server, 'GET', `/pages/${second?.['id']}`)).toMatchObject({
      parent_id: first?.['id'],
      title: 'Below',
    });
    expect((await call(server, 'GET', `/snippets/${gone}`)).status).toBe(404);
  });

  it('sees what the set has', async () => {
    const set = await release();
    const data = { parent_id: site, title: 'New', slug: freshName('new') };
    const { id } = await callOk(server, 'POST', `/change-sets/${set}/items`, {
      ...{ op: 'create', kind: 'page', data },
    });
    const below = { parent_id: id, title: 'Below', slug: 'below' };
    const answer = await send(set, {
      ops: [renaming(Number(id)), { op: 'create', kind: 'page', data: below }],
    });
    expect(answer.status).toBe(200);
    expect(await items(set)).toHaveLength(2);
  });

  it('takes an object that it creates and deletes out again', async () => {
    const set = await release();
    const data = { parent_id: site, title: 'New', slug: freshName('new') };
    const answer = await send(set, {
      ops: [
        { op: 'create', kind: 'page', ref: 'new', data },
        { op: 'delete', kind: 'page', id: '@new' },
      ],
    });
    expect(answer.status).toBe(200);
    expect(await items(set)).toEqual([]);
  });

  it('puts in all operations or none, and names the refused one', async () => {
    const [set, page] = [await release(), await createPage(server, site)];
    const bad = { op: 'create', kind: 'page', data: { parent_id: site, title: 'x', slug: 'a/b c' } };
    const answer = await send(set, { ops: [renaming(page), bad] });
    expect(answer).toMatchObject({ status: 400, body: { index: 1, params: { index: 1 } } });
    expect(await items(set)).toEqual([]);
    const missing = await send(set, { ops: [renaming(page), renaming(999_999)] });
    expect(missing).toMatchObject({ status: 404, body: { index: 1 } });
    expect(await items(set)).toEqual([]);
  });

  it('refuses texts that cannot work with strict=1', async () => {
    const set = await release();
    const data = { name: freshName('s'), content: '{% if %}' };
    const broken = { op: 'create', kind: 'snippet', data };
    const answer = await send(set, { ops: [broken] }, '&strict=1');
    expect(answer).toMatchObject({ status: 422, body: { code: 'template.invalid', index: 0 } });
    expect(await items(set)).toEqual([]);
    expect((await send(set, { ops: [broken] })).status).toBe(200);
  });

  it('compares base_updated_at with the live object when it comes in', async () => {
    const [set, page] = [await release(), await createPage(server, site)];
    const stale = { ...renaming(page), base_updated_at: 1 };
    const answer = await send(set, { ops: [stale] });
    expect(outcomeOf(answer)).toEqual({ status: 409, code: 'batch.conflict' });
    expect(asRecord(asRecord(answer.body)['params'])['conflicts']).toMatchObject([
      { kind: 'page', id: page },
    ]);
    expect((await send(set, { ops: [renaming(page)] })).status).toBe(200);
    expect((await send(set, { ops: [stale] })).status).toBe(200);
  });

  it.each<[string, () => Promise<number | string>, number, string]>([
    ['an unknown set', async () => 999_999, 404, 'common.notFound'],
    ['no ID', async () => 'x', 400, 'common.invalid'],
    ['a discarded set', discarded, 409, 'changeset.closed'],
  ])('is refused for %s', async (_name, findSet, status, code) => {
    const page = await createPage(server, site);
    expect(outcomeOf(await send(await findSet(), { ops: [renaming(page)] }))).toEqual({ status, code });
  });

  it('needs write access', async () => {
    const [set, page] = [await release(), await createPage(server, site)];
    const token = await addToken(server, freshName('reader'), false);
    const answer = await call(server, 'POST', `/batch?change_set=${set}`, {
      ...{ body: { ops: [renaming(page)] }, token },
    });
    expect(answer.status).toBe(403);
  });
});

describe('an idempotency_key', () => {
  it('counts for the set, and a replay answers the same', async () => {
    const [set, other, page] = [await release(), await release(), await createPage(server, site)];
    const body = { idempotency_key: freshName('key'), ops: [renaming(page)] };
    const first = await send(set, body);
    expect(first.body).toMatchObject({ idempotency_key: body.idempotency_key });
    await callOk(server, 'PUT', `/change-sets/${set}/items/page/${page}`, { title: 'Later' });
    const again = await send(set, body);
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.body).toEqual(first.body);
    const [field] = fieldsOf(await callList(server, `/change-sets/${set}/diff`));
    expect(field).toMatchObject({ field: 'title', mine: 'Later' });
    const elsewhere = await send(other, body);
    expect(elsewhere.headers.get('idempotent-replay')).toBeNull();
    expect(await items(other)).toHaveLength(1);
  });

  it('answers the same also after the publication', async () => {
    const [set, page] = [await release(), await createPage(server, site)];
    const body = { idempotency_key: freshName('key'), ops: [renaming(page)] };
    const first = await send(set, body);
    await callOk(server, 'POST', `/change-sets/${set}/publish`, {});
    expect(await send(set, body)).toMatchObject({ status: 200, body: first.body });
  });

  it('is another one than that of a batch that runs', async () => {
    const [set, page] = [await release(), await createPage(server, site)];
    const body = { idempotency_key: freshName('key'), ops: [renaming(page)] };
    await send(set, body);
    expect((await call(server, 'GET', `/batch/${body.idempotency_key}`)).status).toBe(404);
    await callOk(server, 'POST', '/batch', body);
    expect(await callOk(server, 'GET', `/pages/${page}`)).toMatchObject({ title: 'Mine' });
  });

  it('is refused with other operations', async () => {
    const [set, page] = [await release(), await createPage(server, site)];
    const key = freshName('key');
    await send(set, { idempotency_key: key, ops: [renaming(page)] });
    const answer = await send(set, { idempotency_key: key, ops: [renaming(page, 'Other')] });
    expect(outcomeOf(answer)).toEqual({ status: 409, code: 'batch.keyReused' });
  });
});

async function discarded(): Promise<number> {
  const set = await release();
  await call(server, 'DELETE', `/change-sets/${set}`);
  return set;
}

function resultsOf(body: unknown): Record<string, unknown>[] {
  const { results } = asRecord(body);
  return Array.isArray(results) ? results.map(asRecord) : [];
}

function fieldsOf([item]: readonly Record<string, unknown>[]): unknown[] {
  const fields = item?.['fields'];
  return Array.isArray(fields) ? fields : [];
}
