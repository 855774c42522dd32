import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { countsIn, download, hashOf, importBundle } from '../support/bundles.ts';
import {
  createCollection,
  createGlobalBlock,
  createItem,
  createPage,
  createSite,
} from '../support/content.ts';
import { draw, upload, uploadOne } from '../support/media.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp, withSession } from '../support/session.ts';

/**
 * Entries of live collections and the files that they use stay as they are, whatever a push or an import brings: IDs,
 * versions, bytes. What comes gives way, and everything that names it follows.
 */

let here: TestServer;
let live: TestServer;
let session: string;
let connection: number;
/** On the instance that is pushed. */
const ids = { site: 0, products: 0, lamp: 0, chair: 0, logo: 0, manual: 0, shared: 0 };
let files: { readonly cv: string; readonly photo: string };

const orderFields = [
  { name: 'text', type: 'text' },
  { name: 'cv', type: 'file' },
  { name: 'note', type: 'markdown' },
];

beforeAll(async () => {
  [here, live] = await Promise.all([startServer(), startServer()]);
  session = await setUp(here);
  const body = { name: 'Live', url: live.url, token: masterToken };
  connection = Number((await adminOk('POST', '/connections', body))['id']);

  await createCollection(here, { slug: 'orders', live: true, fields: orderFields });
  ids.products = await createCollection(here, {
    slug: 'products',
    fields: [{ name: 'title', type: 'text' }],
  });
  await callOk(here, 'PUT', `/collections/${ids.products}`, {
    fields: [
      { name: 'title', type: 'text' },
      { name: 'picture', type: 'image' },
      { name: 'next', type: 'reference', collection: ids.products },
      { name: 'others', type: 'references', collection: ids.products },
    ],
  });
  ids.site = await createSite(here);
  await push();

  // Visitors order on the live server, with files.
  await uploadOne(live, 'cv.txt', 'the CV of a visitor');
  await uploadOne(live, 'photo.txt', 'the photo of a visitor');
  await createItem(live, 'orders', { text: 'first', cv: 1, note: 'see ![](/media/photo.txt)' });
  await createItem(live, 'orders', { text: 'second' });
  await callOk(live, 'PUT', '/collections/orders/items/1', { data: { text: 'first, changed' } });
  files = { cv: 'the CV of a visitor', photo: 'the photo of a visitor' };

  // Editors work here, and their objects get the same IDs.
  ids.logo = Number((await uploadOne(here, 'logo.jpg', await draw({ width: 60, height: 40 })))['id']);
  ids.manual = Number((await uploadOne(here, 'cv.txt', 'how to write a CV'))['id']);
  ids.chair = await createItem(here, 'products', { title: 'Chair', picture: ids.logo });
  ids.lamp = await createItem(here, 'products', { title: 'Lamp', next: ids.chair, others: [ids.chair] });
  await callOk(here, 'PUT', `/collections/products/items/${ids.chair}`, { data: { next: ids.lamp } });
  await callOk(here, 'POST', '/snippets', {
    name: 'offer',
    content: '<p>{{ product.title }} <img src="{{ picture.url }}"></p>',
    schema: {
      block: true,
      params: [
        { name: 'picture', type: 'image', default: ids.logo },
        { name: 'product', type: 'reference', collection: ids.products },
      ],
    },
  });
  const offer = { type: 'offer', params: { picture: ids.logo, product: ids.lamp } };
  ids.shared = await createGlobalBlock(here, { blocks: [offer] });
  await createPage(here, ids.site, {
    slug: 'shop',
    published: true,
    html: `<a href="/media/cv.txt">CV</a> {{ image(${ids.logo}).url }} {{ item("products", "id", ${ids.lamp}).title }} {{ page.blocks|safe }}`,
    og_image_file_id: ids.logo,
    blocks: [offer, { global: ids.shared }],
  });
});
afterAll(() => Promise.all([here.stop(), live.stop()]));

async function adminOk(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await call(here, method, path, withSession(session, body));
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return asRecord(answer.body);
}

const push = () => adminOk('POST', '/bundle/push', { connection_id: connection });
const status = () => adminOk('GET', `/connections/${connection}/status`);
const changedKinds = async (direction: 'push' | 'pull') =>
  Object.entries(
    asRecord((await adminOk('GET', `/connections/${connection}/diff?direction=${direction}`))['kinds']),
  ).flatMap(([kind, diff]) =>
    Object.entries(asRecord(diff)).flatMap(([action, list]) =>
      Array.isArray(list) ? list.map((entry) => `${kind} ${action} ${asRecord(entry)['title']}`) : [],
    ),
  );

async function textOf(server: TestServer, url: unknown): Promise<string> {
  return (await fetch(`${server.url}${url}`)).text();
}

async function expectLiveDataAsBefore(): Promise<void> {
  expect(await callOk(live, 'GET', '/collections/orders/items/1')).toMatchObject({
    data: { text: 'first, changed', cv: 1, note: 'see ![](/media/photo.txt)' },
  });
  expect(await callList(live, '/revisions?kind=item&id=1')).toHaveLength(1);
  expect((await call(live, 'GET', '/collections/orders/items/2')).status).toBe(200);
  expect(await textOf(live, '/media/cv.txt')).toBe(files.cv);
  expect(await textOf(live, '/media/photo.txt')).toBe(files.photo);
  expect(await callOk(live, 'GET', '/files/1')).toMatchObject({ path: 'cv.txt' });
}

describe('a push to a server with live data', () => {
  it('is announced without it, as the status says', async () => {
    expect(await status()).toMatchObject({ local_changed: true, remote_changed: false });
    const changed = await changedKinds('push');
    expect(changed.filter((change) => /orders|first|photo/.test(change))).toEqual([]);
    expect(changed).toEqual(
      expect.arrayContaining(['item created Chair', 'item created Lamp', 'file created cv.txt']),
    );
    expect(changed.filter((change) => / (?:updated|deleted) /.test(change))).toEqual([]);
  });

  it('leaves entries, their versions and files as they are', async () => {
    const report = await importBundle(live, await download(here), '?dry_run=1');
    expect(countsIn(report)['deleted']).toEqual({});
    await push();
    await expectLiveDataAsBefore();
  });

  it('brings its objects under free IDs, and what names them follows', async () => {
    const products = await callList(live, '/collections/products/items');
    const [chair, lamp] = ['Chair', 'Lamp'].map((title) =>
      products.find(({ data }) => asRecord(data)['title'] === title),
    );
    const list = await callList(live, '/files');
    const logo = list.find(({ name }) => name === 'logo.jpg');
    const manual = list.find(({ name, path }) => name === 'cv.txt' && path !== 'cv.txt');
    expect(Number(chair?.['id'])).toBeGreaterThan(2);
    expect(Number(logo?.['id'])).toBeGreaterThan(2);
    expect(asRecord(chair?.['data'])).toMatchObject({ picture: logo?.['id'], next: lamp?.['id'] });
    expect(asRecord(lamp?.['data'])).toMatchObject({ next: chair?.['id'], others: [chair?.['id']] });
    expect(await textOf(live, manual?.['url'])).toBe('how to write a CV');
    const page = (await callList(live, '/pages')).find(({ slug }) => slug === 'shop');
    const shop = await callOk(live, 'GET', `/pages/${page?.['id']}`);
    expect(shop).toMatchObject({
      og_image_file_id: logo?.['id'],
      blocks: [{ params: { picture: logo?.['id'], product: lamp?.['id'] } }, {}],
      html: `<a href="${manual?.['url']}">CV</a> {{ image(${logo?.['id']}).url }} {{ item("products", "id", ${lamp?.['id']}).title }} {{ page.blocks|safe }}`,
    });
    expect(await callOk(live, 'GET', `/global-blocks/${ids.shared}`)).toMatchObject({
      blocks: [{ params: { picture: logo?.['id'], product: lamp?.['id'] } }],
    });
    const [snippet] = await callList(live, '/snippets');
    expect(await callOk(live, 'GET', `/snippets/${snippet?.['id']}`)).toMatchObject({
      schema: { params: [{ default: logo?.['id'] }, {}] },
    });
    const html = await textOf(live, '/shop');
    expect(html).toContain('Lamp');
    expect(html).toContain(String(logo?.['url']));
  });

  it('is in sync afterwards, and a second push changes nothing', async () => {
    expect(await hashOf(live)).toBe(await hashOf(here));
    expect(await status()).toMatchObject({ synced: true, local_changed: false, remote_changed: false });
    for (const direction of ['push', 'pull'] as const) expect(await changedKinds(direction)).toEqual([]);
    const report = await importBundle(live, await download(here));
    expect(countsIn(report)).toEqual({ created: {}, updated: {}, deleted: {} });
    await expectLiveDataAsBefore();
  });

  it('finds its objects again when they are changed', async () => {
    const before = (await callList(live, '/collections/products/items')).map(({ id }) => id);
    await callOk(here, 'PUT', `/collections/products/items/${ids.lamp}`, { data: { title: 'Lantern' } });
    const bytes = await draw({ width: 70, height: 40 });
    await upload(here, [{ name: 'logo.jpg', bytes }], {}, { method: 'PUT', path: `/files/${ids.logo}` });
    expect((await changedKinds('push')).sort()).toEqual(['file updated logo.jpg', 'item updated Lantern']);
    await push();
    const after = await callList(live, '/collections/products/items');
    expect(after.map(({ id }) => id)).toEqual(before);
    expect(after.map(({ data }) => asRecord(data)['title'])).toContain('Lantern');
    expect(await status()).toMatchObject({ synced: true });
    await expectLiveDataAsBefore();
  });

  it('lets visitors go on: what they add and upload is no change of content', async () => {
    const upload = await uploadOne(live, 'new.txt', 'of another visitor');
    await createItem(live, 'orders', { text: 'third', cv: upload['id'] });
    expect(await status()).toMatchObject({ synced: true, local_changed: false, remote_changed: false });
    expect(await changedKinds('push')).toEqual([]);
    await createItem(here, 'products', { title: 'Table' });
    await push();
    expect(await status()).toMatchObject({ synced: true });
    expect(await textOf(live, upload['url'])).toBe('of another visitor');
    await expectLiveDataAsBefore();
  });

  it('keeps a file that it brought once a live entry uses it and it is gone here', async () => {
    const brought = await uploadOne(here, 'terms.txt', 'terms');
    await push();
    const there = (await callList(live, '/files')).find(({ name }) => name === 'terms.txt');
    await createItem(live, 'orders', { text: 'fourth', cv: there?.['id'] });
    expect(await status()).toMatchObject({ synced: true });
    await call(here, 'DELETE', `/files/${brought['id']}`);
    await push();
    expect(await textOf(live, there?.['url'])).toBe('terms');
    expect(await status()).toMatchObject({ synced: true });
  });
});

describe('a pull from a server with live data', () => {
  it('brings changes to the objects here, which keep their IDs', async () => {
    const lamp = (await callList(live, '/collections/products/items')).find(
      ({ data }) => asRecord(data)['title'] === 'Lantern',
    );
    await callOk(live, 'PUT', `/collections/products/items/${lamp?.['id']}`, { data: { title: 'Candle' } });
    expect(await status()).toMatchObject({ local_changed: false, remote_changed: true });
    expect(await changedKinds('pull')).toEqual(['item updated Candle']);
    await adminOk('POST', '/bundle/pull', { connection_id: connection });
    expect(await callOk(here, 'GET', `/collections/products/items/${ids.lamp}`)).toMatchObject({
      data: { title: 'Candle', next: ids.chair },
    });
    expect(await callList(here, '/collections/orders/items')).toEqual([]);
    expect(await status()).toMatchObject({ synced: true });
    const page = (await callList(here, '/pages')).find(({ slug }) => slug === 'shop');
    expect(await callOk(here, 'GET', `/pages/${page?.['id']}`)).toMatchObject({ og_image_file_id: ids.logo });
    await expectLiveDataAsBefore();
  });

  it('and its bundle makes an equal server, with the live data', async () => {
    const other = await startServer();
    try {
      const bytes = await download(live);
      expect((await importBundle(other, bytes)).status).toBe(200);
      expect(await hashOf(other)).toBe(await hashOf(live));
      expect(await callOk(other, 'GET', '/collections/orders/items/1')).toMatchObject({ data: { cv: 1 } });
      expect(await textOf(other, '/media/cv.txt')).toBe(files.cv);
      expect(countsIn(await importBundle(other, bytes))).toEqual({ created: {}, updated: {}, deleted: {} });
    } finally {
      await other.stop();
    }
  });

  it('restoring a backup there leaves live data alone', async () => {
    const [backup] = await callList(live, '/bundle/backups');
    expect((await call(live, 'POST', `/bundle/backups/${backup?.['name']}`)).status).toBe(200);
    await expectLiveDataAsBefore();
  });
});

it('versions of live entries stay when their collection has another ID in the bundle', async () => {
  const [from, to] = await Promise.all([startServer(), startServer()]);
  try {
    const other = await createCollection(to, { slug: 'other' });
    for (const server of [from, to])
      await createCollection(server, { slug: 'letters', live: true, fields: orderFields });
    await callOk(to, 'DELETE', `/collections/${other}`);
    const id = await createItem(to, 'letters', { text: 'one' });
    await callOk(to, 'PUT', `/collections/letters/items/${id}`, { data: { text: 'two' } });
    expect((await importBundle(to, await download(from))).status).toBe(200);
    expect(await callOk(to, 'GET', `/collections/letters/items/${id}`)).toMatchObject({
      data: { text: 'two' },
    });
    expect(await callList(to, `/revisions?kind=item&id=${id}`)).toHaveLength(1);
    expect(await callOk(to, 'GET', '/collections/letters')).toMatchObject({ item_count: 1 });
  } finally {
    await Promise.all([from.stop(), to.stop()]);
  }
});
