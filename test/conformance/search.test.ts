/** GET /search: entries and files by a text. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callList } from '../support/api.ts';
import { createCollection, createItem, idOf } from '../support/content.ts';
import { draw, upload } from '../support/media.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
const ids: Record<string, number> = {};

beforeAll(async () => {
  server = await startServer();
  const text = (name: string) => ({ name, type: 'text' });
  await createCollection(server, { slug: 'objects', fields: [text('title'), text('maker')] });
  await createCollection(server, {
    slug: 'rooms',
    fields: [{ name: 'floor', type: 'number' }, text('title')],
  });
  await createCollection(server, { slug: 'hours', singleton: true, fields: [text('title')] });
  ids['gauge'] = await createItem(server, 'objects', { title: 'Tide gauge', maker: 'Harbour works' });
  ids['scale'] = await createItem(server, 'objects', { title: 'Pound scale', maker: 'Harbour works' });
  ids['room'] = await createItem(server, 'rooms', { floor: 2, title: 'Harbour room' });
  ids['hours'] = await createItem(server, 'hours', { title: 'Open with the tide' });
  const bytes = await draw({ width: 20, height: 20, format: 'png' });
  const { body } = await upload(server, [{ name: 'harbour.png', bytes }]);
  ids['file'] = idOf(Object(body));
});
afterAll(() => server.stop());

const search = (query: string) => callList(server, `/search?${query}`);

describe('GET /search', () => {
  it('finds entries of all collections by any text, and files by their names', async () => {
    expect(await search('q=harbour')).toEqual([
      { kind: 'item', id: ids['gauge'], title: 'Tide gauge', collection: 'objects' },
      { kind: 'item', id: ids['scale'], title: 'Pound scale', collection: 'objects' },
      { kind: 'item', id: ids['room'], title: 'Harbour room', collection: 'rooms' },
      { kind: 'file', id: ids['file'], title: 'harbour.png', collection: '' },
    ]);
  });

  it('finds the entry of a singleton, and drafts', async () => {
    await call(server, 'PUT', `/collections/objects/items/${ids['gauge']}`, { body: { published: false } });
    const titles = (await search('q=tide')).map(({ title }) => title);
    expect(titles.sort()).toEqual(['Open with the tide', 'Tide gauge']);
  });

  it('stops at the limit', async () => {
    const hits = await search('q=harbour&limit=1');
    expect(hits.map(({ kind, id }) => [kind, id])).toEqual([
      ['item', ids['gauge']],
      ['file', ids['file']],
    ]);
  });

  it('takes signs of patterns as they are, and finds nothing then', async () => {
    for (const sign of ['%25', '_', "'", '%22', '%5C']) expect(await search(`q=${sign}`)).toEqual([]);
  });

  it('shows a change at once', async () => {
    expect(await search('q=zebra')).toEqual([]);
    const id = await createItem(server, 'objects', { title: 'Zebra' });
    expect(await search('q=zebra')).toEqual([{ kind: 'item', id, title: 'Zebra', collection: 'objects' }]);
  });

  it.each(['', 'q=', 'q=x&limit=0', 'q=x&limit=101'])('refuses the query "%s"', async (query) => {
    expect(await call(server, 'GET', `/search?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'common.invalid' },
    });
  });
});
