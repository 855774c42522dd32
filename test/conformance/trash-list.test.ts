import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk } from '../support/api.ts';
import {
  createAsset,
  createCollection,
  createItem,
  createPage,
  createRedirect,
  createSite,
  createSnippet,
  idOf,
} from '../support/content.ts';
import { upload, uploadOne } from '../support/media.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { discard, listTrash, restore } from '../support/trash.ts';
import { visit } from './public-client.ts';

/** What is in the trash and what is not, who may see it, and when it ends. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server, { title: 'Museum', lang: 'en' });
});
afterAll(() => server.stop());

const day = 86_400;
const idsOf = (entries: readonly { readonly object_id: number }[]) =>
  entries.map(({ object_id }) => object_id);
const originals = () =>
  readdirSync(join(server.dataDir, 'media'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('/original'),
  ).length;

describe('GET /trash', () => {
  it('lists deleted objects with all facts, newest first', async () => {
    const page = await createPage(server, site, { title: 'Opening hours', slug: 'hours' });
    await createPage(server, await createPage(server, page));
    const asset = await createAsset(server, { name: 'print' });
    await discard(server, `/pages/${page}`, 'page', page);
    await discard(server, `/assets/${asset}`, 'asset', asset);
    const [first, second] = await listTrash(server);
    expect(first).toMatchObject({ kind: 'asset', object_id: asset, title: 'print', path: '', contains: {} });
    expect(second).toEqual({
      id: expect.any(Number),
      kind: 'page',
      object_id: page,
      title: 'Opening hours',
      path: '/hours',
      deleted_by: 'Master-Token',
      deleted_at: expect.any(Number),
      expires_at: Number(second?.['deleted_at']) + 30 * day,
      contains: { page: 2 },
      bytes: expect.any(Number),
    });
  });

  it.each([
    ['?kind=page', 'page'],
    ['?q=HOURS', 'page'],
    ['?q=%2Fhou', 'page'],
    ['?q=print', 'asset'],
  ])('%s finds %s', async (query, kind) => {
    expect((await listTrash(server, query)).map((entry) => entry.kind)).toEqual([kind]);
  });

  it('finds nothing for what nothing has', async () => {
    expect(await listTrash(server, '?kind=snippet')).toEqual([]);
    expect(await listTrash(server, '?q=100%25')).toEqual([]);
  });

  it.each([
    ['?limit=1', ['asset'], '2'],
    ['?limit=1&offset=1', ['page'], '2'],
    ['?offset=2', [], '2'],
    ['?kind=page&limit=1000', ['page'], '1'],
  ])('%s answers with %j and counts all that fit', async (query, kinds, count) => {
    const { body, headers } = await call(server, 'GET', `/trash${query}`);
    expect(body).toMatchObject(kinds.map((kind) => ({ kind })));
    expect(headers.get('X-Total-Count')).toBe(count);
  });

  it.each(['?limit=0', '?limit=1001', '?offset=-1', '?limit=x'])('%s is refused', async (query) => {
    expect((await call(server, 'GET', `/trash${query}`)).status).toBe(400);
  });

  it('has a size that the clean-up tells', async () => {
    const bytes = (await listTrash(server)).reduce((sum, entry) => sum + Number(entry['bytes']), 0);
    expect(await callOk(server, 'GET', '/cleanup')).toMatchObject({ trash_bytes: bytes });
    const file = idOf(await uploadOne(server, 'size.txt', 'x'.repeat(50_000)));
    const entry = await discard(server, `/files/${file}`, 'file', file);
    expect(entry['bytes']).toBeGreaterThan(50_000);
    expect(Number((await callOk(server, 'GET', '/cleanup'))['trash_bytes'])).toBeGreaterThan(50_000);
  });
});

describe('GET /trash/{id}', () => {
  it.each<[string, () => Promise<readonly [string, number, string]>]>([
    ['page', async () => ['/pages', await createPage(server, site, { html: '<b>1</b>' }), 'page']],
    ['snippet', async () => ['/snippets', await createSnippet(server, { content: 'x' }), 'snippet']],
    ['file', async () => ['/files', idOf(await uploadOne(server, 'get.txt', 'x')), 'file']],
    ['collection', async () => ['/collections', await createCollection(server), 'collection']],
  ])('answers with a %s as its GET', async (_name, make) => {
    const [path, id, kind] = await make();
    const before = await callOk(server, 'GET', `${path}/${id}`);
    const entry = await discard(server, `${path}/${id}`, kind, id);
    expect(await callOk(server, 'GET', `/trash/${entry.id}`)).toEqual(before);
  });

  it('answers with a redirect as its list', async () => {
    const id = await createRedirect(server, site, { target: '/nowhere' });
    const before = (await callList(server, `/redirects?root_id=${site}`)).find((one) => one['id'] === id);
    const entry = await discard(server, `/redirects/${id}`, 'redirect', id);
    expect(await callOk(server, 'GET', `/trash/${entry.id}`)).toEqual(before);
  });

  it('answers with an entry whose collection is deleted too', async () => {
    const collection = await createCollection(server, { fields: [{ name: 'title', type: 'text' }] });
    const path = `/collections/${collection}/items`;
    const id = await createItem(server, collection, { title: 'Lamp' });
    const before = await callOk(server, 'GET', `${path}/${id}`);
    const entry = await discard(server, `${path}/${id}`, 'item', id);
    expect(await callOk(server, 'GET', `/trash/${entry.id}`)).toEqual(before);
    await call(server, 'DELETE', `/collections/${collection}?purge=1`);
    expect(await callOk(server, 'GET', `/trash/${entry.id}`)).toMatchObject({ id, data: { title: 'Lamp' } });
  });
});

describe('access', () => {
  it('is read for GET and write for the rest; nobody else gets anything', async () => {
    const source = { slug: 'keys', url: 'https://example.org/', headers: { 'X-Key': 'secret' } };
    const id = idOf(await callOk(server, 'POST', '/sources', source));
    const entry = await discard(server, `/sources/${id}`, 'source', id);
    const path = `/trash/${entry.id}`;
    const token = await addToken(server, 'reader', false);
    const requests = [
      ['GET', '/trash'],
      ['GET', path],
      ['POST', `${path}/restore`],
      ['DELETE', path],
      ['DELETE', '/trash'],
    ] as const;
    const statuses = async (as: string | null) => {
      const found: number[] = [];
      for (const [method, address] of requests)
        found.push(
          (await call(server, method, address, { token: as, ...(method === 'POST' ? { body: {} } : {}) }))
            .status,
        );
      return found;
    };
    expect(await statuses(null)).toEqual([401, 401, 401, 401, 401]);
    expect(await statuses(token)).toEqual([200, 200, 403, 403, 403]);
    expect((await call(server, 'GET', path, { token })).body).toMatchObject({ headers: { 'X-Key': '' } });
    expect((await call(server, 'GET', path)).body).toMatchObject({ headers: { 'X-Key': 'secret' } });
  });
});

describe('a deletion for good', () => {
  it.each<[string, (id: number) => Promise<unknown>]>([
    ['`purge=1`', (id) => call(server, 'DELETE', `/snippets/${id}?purge=1`)],
    [
      '`purge` in a batch',
      (id) => callOk(server, 'POST', '/batch', { ops: [{ op: 'delete', kind: 'snippet', id, purge: true }] }),
    ],
  ])('by %s leaves nothing in the trash', async (_name, remove) => {
    const id = await createSnippet(server);
    await remove(id);
    expect((await call(server, 'GET', `/snippets/${id}`)).status).toBe(404);
    expect(idsOf(await listTrash(server, '?kind=snippet'))).not.toContain(id);
  });

  it('refuses a `purge` in a batch that is no flag', async () => {
    const ops = [{ op: 'delete', kind: 'snippet', id: 1, purge: 'yes' }];
    expect(await call(server, 'POST', '/batch', { body: { ops } })).toMatchObject({
      status: 400,
      body: { code: 'common.invalid', params: { field: 'purge' } },
    });
  });

  it('DELETE /trash/{id} takes one object, DELETE /trash all', async () => {
    const [first, second] = [await createSnippet(server), await createSnippet(server)];
    const entry = await discard(server, `/snippets/${first}`, 'snippet', first);
    await discard(server, `/snippets/${second}`, 'snippet', second);
    expect((await call(server, 'DELETE', `/trash/${entry.id}`)).status).toBe(204);
    expect((await call(server, 'DELETE', `/trash/${entry.id}`)).status).toBe(404);
    expect(idsOf(await listTrash(server, '?kind=snippet'))).toContain(second);
    expect((await call(server, 'DELETE', '/trash')).status).toBe(204);
    expect(await listTrash(server)).toEqual([]);
    expect(await callOk(server, 'GET', '/cleanup')).toMatchObject({ trash_bytes: 0, trash_dropped: null });
  });
});

describe('the bytes of a deleted file', () => {
  it('stay until the trash forgets them, but nobody can read them', async () => {
    const photo = await uploadOne(server, 'kept.txt', 'kept', { private: '1' });
    const id = idOf(photo);
    const signed = await callOk(server, 'POST', `/files/${id}/signed-url`, {});
    const before = originals();
    const entry = await discard(server, `/files/${id}`, 'file', id);
    expect((await visit(server, '/media/kept.txt')).status).toBe(404);
    expect((await visit(server, String(signed['url']).replace(server.url, ''))).status).toBe(404);
    expect(originals()).toBe(before);
    await restore(server, entry.id);
    expect(await callOk(server, 'GET', `/files/${id}`)).toMatchObject({ path: 'kept.txt' });
    const again = await discard(server, `/files/${id}`, 'file', id);
    await call(server, 'DELETE', `/trash/${again.id}`);
    await expect.poll(originals).toBe(before - 1);
  });
});

describe('other deletions', () => {
  it('of a batch go to the trash', async () => {
    const id = await createSnippet(server);
    await callOk(server, 'POST', '/batch', { ops: [{ op: 'delete', kind: 'snippet', id }] });
    expect(idsOf(await listTrash(server, '?kind=snippet'))).toContain(id);
  });

  it('of the clean-up go to the trash', async () => {
    const id = await createSnippet(server);
    await callOk(server, 'POST', '/cleanup', { snippets: [id] });
    expect(idsOf(await listTrash(server, '?kind=snippet'))).toContain(id);
  });

  it('of a CSV that replaces all go to the trash, entries and redirects', async () => {
    const collection = await createCollection(server, { fields: [{ name: 'title', type: 'text' }] });
    const item = await createItem(server, collection, { title: 'Lamp' });
    const file = { name: 'a.csv', bytes: 'title\nChair\n' };
    await upload(server, [file], {}, { path: `/collections/${collection}/import?replace=1` });
    const [entry] = await listTrash(server, '?kind=item');
    expect(entry).toMatchObject({ object_id: item, title: 'Lamp' });
    await restore(server, Number(entry?.id));
    expect(await callList(server, `/collections/${collection}/items`)).toMatchObject([
      { data: { title: 'Lamp' } },
      { data: { title: 'Chair' } },
    ]);
    const redirect = await createRedirect(server, site);
    const csv = { name: 'r.csv', bytes: 'source,target\n/from-csv,/to\n' };
    await upload(server, [csv], {}, { path: `/redirects/import?root_id=${site}&delete=1` });
    expect(idsOf(await listTrash(server, '?kind=redirect'))).toContain(redirect);
  });

  it('by a workflow are final', async () => {
    const fields = [{ name: 'title', type: 'text' }];
    const collection = await createCollection(server, { slug: 'by-flow', fields });
    const item = await createItem(server, collection, { title: 'Lamp' });
    const nodes = [
      { id: 'in', type: 'http-in', config: { method: 'GET', path: '/remove' } },
      {
        id: 'remove',
        type: 'collection',
        config: { collection: 'by-flow', action: 'delete', id: String(item) },
      },
      { id: 'out', type: 'http-response', config: {} },
    ];
    const wires = [
      { from: 'in', to: 'remove' },
      { from: 'remove', to: 'out' },
    ];
    await callOk(server, 'POST', '/workflows', { name: 'Remove', flow: { nodes, wires } });
    await callOk(server, 'GET', '/flows/remove');
    expect((await call(server, 'GET', `/collections/${collection}/items/${item}`)).status).toBe(404);
    expect(idsOf(await listTrash(server, '?kind=item'))).not.toContain(item);
  });
});

describe('`trash_days` and `trash_max_mb` of /system', () => {
  it.each([
    { trash_days: -1 },
    { trash_days: 366 },
    { trash_days: 1.5 },
    { trash_max_mb: -1 },
    { trash_max_mb: '1' },
  ])('refuse %j', async (body) => {
    expect((await call(server, 'PUT', '/system', { body })).status).toBe(400);
  });

  it('0 days: nothing goes to the trash from now on, and what is there stays as it is', async () => {
    const [before, after] = [await createSnippet(server), await createSnippet(server)];
    const entry = await discard(server, `/snippets/${before}`, 'snippet', before);
    expect(await callOk(server, 'PUT', '/system', { trash_days: 0 })).toMatchObject({ trash_days: 0 });
    await call(server, 'DELETE', `/snippets/${after}`);
    const ids = idsOf(await listTrash(server, '?kind=snippet'));
    expect([ids.includes(before), ids.includes(after)]).toEqual([true, false]);
    await callOk(server, 'PUT', '/system', { trash_days: 365 });
    const now = (await listTrash(server)).find(({ id }) => id === entry.id);
    expect(now?.['expires_at']).toBe(entry['expires_at']);
  });

  it('when it is full the oldest objects go, and the clean-up tells of it', async () => {
    await call(server, 'DELETE', '/trash');
    const sent = { trash_days: 30, trash_max_mb: 1 };
    expect(await callOk(server, 'PUT', '/system', sent)).toMatchObject(sent);
    const ids: number[] = [];
    for (const name of ['old.bin', 'new.bin']) {
      ids.push(idOf(await uploadOne(server, name, 'x'.repeat(700_000))));
      await call(server, 'DELETE', `/files/${ids.at(-1)}`);
    }
    await expect.poll(async () => idsOf(await listTrash(server))).toEqual([ids[1]]);
    const { trash_dropped: dropped } = await callOk(server, 'GET', '/cleanup');
    expect(dropped).toEqual({ count: 1, bytes: expect.any(Number), at: expect.any(Number) });
    expect(Number(asRecord(dropped)['bytes'])).toBeGreaterThanOrEqual(700_000);
    await expect.poll(async () => (await visit(server, '/media/old.bin')).status).toBe(404);
  });
});
