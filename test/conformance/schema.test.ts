import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import {
  createCollection,
  createItem,
  createPage,
  createSite,
  createSnippet,
  freshName,
  freshSlug,
} from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { Receiver } from '../support/receiver.ts';

/** Data, Automation and Operations, "Schema snapshot" and "Webhook events". */

let server: InProcessServer;
let receiver: Receiver;
let site: number;
let collection: number;
let snippet: number;

beforeAll(async () => {
  server = await startInProcess();
  receiver = new Receiver();
  await receiver.listen();
  site = await createSite(server, { title: 'Museum', domains: 'museum.test\nwww.museum.test' });
  await callOk(server, 'PUT', `/pages/${site}`, { lang: 'en' });
  collection = await createCollection(server, {
    slug: 'objects',
    name: 'Objects',
    lang: 'de',
    fields: [{ name: 'title', type: 'text', required: true }],
  });
  snippet = await createSnippet(server, {
    name: 'blocks/card',
    content: '{{ text }}',
    schema: { block: true, params: [{ name: 'text', type: 'text' }] },
  });
  await callOk(server, 'POST', '/webhooks', { url: receiver.url, events: ['schema.changed'] });
});
afterAll(async () => {
  await server.stop();
  await receiver.close();
});

const schema = () => callOk(server, 'GET', '/schema');
const version = async () => String((await schema())['version']);

describe('GET /schema', () => {
  it('is what content can consist of', async () => {
    const layout = await createSnippet(server, {
      name: 'layout',
      content: '{% blocks page.blocks %}',
      page_layout: { label: 'Plain' },
    });
    expect(await schema()).toEqual({
      version: expect.stringMatching(/^[0-9a-f]{32}$/),
      collections: [
        {
          id: collection,
          slug: 'objects',
          name: 'Objects',
          lang: 'de',
          singleton: false,
          public_api: false,
          live: false,
          detail_page_id: 0,
          detail_field: 'slug',
          fields: [
            { name: 'title', label: 'title', type: 'text', required: true, options: [], collection: null },
          ],
        },
      ],
      block_types: await callList(server, '/blocks/types'),
      languages: ['de', 'en'],
      sites: [
        {
          id: site,
          title: 'Museum',
          lang: 'en',
          domains: ['museum.test', 'www.museum.test'],
          default: false,
        },
      ],
      page_layouts: await callList(server, '/page-layouts'),
    });
    expect((await schema())['block_types']).toMatchObject([{ name: 'blocks/card' }]);
    expect((await schema())['page_layouts']).toMatchObject([{ id: layout, has_blocks: true }]);
  });

  it('has its version as ETag; a client that knows it gets 304 without a body', async () => {
    const tag = (await call(server, 'GET', '/schema')).headers.get('etag') ?? '';
    expect(tag).toBe(`"${await version()}"`);
    const again = (known: string) => call(server, 'GET', '/schema', { headers: { 'If-None-Match': known } });
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const { status, body, headers } = await again(known);
      expect([known, status, body, headers.get('etag')]).toEqual([known, 304, undefined, tag]);
    }
    expect((await again('"other"')).status).toBe(200);
    await callOk(server, 'PUT', `/collections/${collection}`, { name: 'Things' });
    expect((await again(tag)).status).toBe(200);
  });
});

describe('the version', () => {
  const fields = (...names: string[]) => ({ fields: names.map((name) => ({ name, type: 'text' })) });
  const put = (path: string, body: object) => () => callOk(server, 'PUT', path, body);
  const schemaOf = (label: string) => ({ schema: { block: true, label } });

  it.each<[string, () => Promise<unknown>, object[]]>([
    [
      'a new collection',
      () => createCollection(server, { slug: 'news' }),
      [{ kind: 'collection', action: 'created' }],
    ],
    [
      'fields',
      () => put(`/collections/${collection}`, fields('title', 'more'))(),
      [{ kind: 'collection', action: 'updated', slug: 'objects' }],
    ],
    [
      'a deleted collection',
      () => call(server, 'DELETE', '/collections/news'),
      [{ kind: 'collection', action: 'deleted', slug: 'news' }],
    ],
    [
      'a schema of a block type',
      () => put(`/snippets/${snippet}`, schemaOf('Card'))(),
      [{ kind: 'block_type', action: 'updated', name: 'blocks/card' }],
    ],
    [
      'a new block type',
      () => createSnippet(server, { name: 'hero', ...schemaOf('Hero') }),
      [{ kind: 'block_type', action: 'created', name: 'hero' }],
    ],
    [
      'a renamed block type',
      () => put(`/snippets/${snippet}`, { name: 'blocks/panel' })(),
      [
        { kind: 'block_type', action: 'created', name: 'blocks/panel' },
        { kind: 'block_type', action: 'deleted', name: 'blocks/card' },
      ],
    ],
    [
      'a removed block type',
      () => put(`/snippets/${snippet}`, { schema: null })(),
      [{ kind: 'block_type', action: 'deleted', name: 'blocks/panel' }],
    ],
    [
      'a new page layout',
      () => createSnippet(server, { name: 'wide', page_layout: {} }),
      [{ kind: 'page_layout', action: 'created', name: 'wide' }],
    ],
    [
      'a title of a website',
      () => put(`/pages/${site}`, { title: 'Gallery' })(),
      [{ kind: 'site', action: 'updated', name: 'Gallery' }],
    ],
    [
      'a language of a website',
      () => put(`/pages/${site}`, { lang: 'fr' })(),
      [{ kind: 'site', action: 'updated' }],
    ],
    [
      'domains',
      () => put(`/pages/${site}`, { domains: 'gallery.test' })(),
      [{ kind: 'site', action: 'updated' }],
    ],
    [
      'a new website',
      () => createSite(server, { title: 'Second' }),
      [{ kind: 'site', action: 'created', name: 'Second' }],
    ],
  ])('moves with %s, which schema.changed tells at once', async (_name, work, changes) => {
    const before = await version();
    await work();
    const after = await version();
    expect(after).not.toBe(before);
    // What was changed before may be told later.
    const told = () => receiver.received.filter(({ body }) => asRecord(body)['schema_version'] === after);
    await expect.poll(told).toHaveLength(1);
    expect(told()[0]?.body).toMatchObject({ event: 'schema.changed', at: expect.any(Number), changes });
    expect(receiver.received.at(-1)).toBe(told()[0]);
  });

  it('moves when the detail page of a collection is deleted', async () => {
    const page = await createPage(server, site, { catch_all: true });
    await put(`/collections/${collection}`, { detail_page_id: page, detail_field: 'title' })();
    const before = await version();
    await callOk(server, 'DELETE', `/pages/${page}`);
    const { collections, version: after } = await schema();
    expect(after).not.toBe(before);
    expect(collections).toContainEqual(expect.objectContaining({ id: collection, detail_page_id: 0 }));
  });

  it('moves when a website is deleted', async () => {
    const third = await createSite(server, { title: 'Third' });
    const before = await version();
    await callOk(server, 'DELETE', `/pages/${third}`);
    expect(await version()).not.toBe(before);
  });

  describe('stays', () => {
    beforeEach(async () => {
      await callOk(server, 'PUT', `/collections/${collection}`, fields('title'));
    });

    it.each<[string, () => Promise<unknown>]>([
      ['a new entry', () => createItem(server, 'objects', { title: 'Lamp' })],
      ['a new page', () => createPage(server, site, { lang: 'it' })],
      ['a new snippet', () => createSnippet(server, { name: freshName('s') })],
      [
        'the content of a block type',
        async () => {
          const { id } = asRecord((await callList(server, '/snippets')).find(({ name }) => name === 'hero'));
          await callOk(server, 'PUT', `/snippets/${id}`, { content: 'other' });
        },
      ],
      ['text of a home page', put('/pages/1', { html: 'x', description: freshSlug() })],
      ['a folder of a collection', () => put(`/collections/${collection}`, { folder: freshName('f') })()],
      [
        'saves that change nothing',
        async () => {
          const { collections } = await schema();
          const [first] = Array.isArray(collections) ? collections : [];
          const { name, lang, fields: same } = asRecord(first);
          await callOk(server, 'PUT', `/collections/${collection}`, { name, lang, fields: same });
          await callOk(server, 'PUT', `/pages/${site}`, { title: 'Gallery' });
        },
      ],
      [
        'a file',
        async () => {
          const form = new FormData();
          form.append('file', new Blob(['x']), 'a.txt');
          const request = new Request('http://form.test', { method: 'POST', body: form });
          await call(server, 'POST', '/files', {
            raw: new Uint8Array(await request.arrayBuffer()),
            headers: { 'Content-Type': request.headers.get('content-type') ?? '' },
          });
        },
      ],
    ])('with %s', async (_name, work) => {
      const before = await schema();
      await work();
      expect(await schema()).toEqual(before);
    });
  });

  it('is back when a change is taken back', async () => {
    const before = await version();
    await callOk(server, 'PUT', `/pages/${site}`, { title: 'Other' });
    expect(await version()).not.toBe(before);
    await callOk(server, 'PUT', `/pages/${site}`, { title: 'Gallery' });
    expect(await version()).toBe(before);
  });
});
