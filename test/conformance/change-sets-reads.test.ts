import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createPage, createSite, createSnippet, freshName, idOf } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { notFound } from '../support/scenarios.ts';
import { masterToken } from '../support/server.ts';
import { visit } from './public-client.ts';

/** The contract, "Change sets": `?change_set=` shows the state with a change set. */

let server: InProcessServer;
let site: number;
const host = 'reads.example';

beforeAll(async () => {
  server = await startInProcess();
  site = await createSite(server, { domains: host });
});
afterAll(() => server.stop());

const release = async () => idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('r') }));
const put = (set: number, of: string, body: object) =>
  callOk(server, 'PUT', `/change-sets/${set}/items/${of}`, body);
const add = (set: number, body: object) => callOk(server, 'POST', `/change-sets/${set}/items`, body);

/** Reads of content without an ID in their address. */
const lists = [
  ...['/pages', '/snippets', '/assets', '/global-blocks', '/collections', '/redirects'],
  ...['/sources', '/workflows', '/flow-nodes', '/folders', '/files', '/schema'],
] as const;

describe('the parameter change_set', () => {
  it('is documented for reads of content, and for bundles and the export it is not', async () => {
    const { paths } = await callOk(server, 'GET', '/openapi.json');
    const takes = Object.entries(asRecord(paths)).flatMap(([path, methods]) => {
      const read = asRecord(asRecord(methods)['get'] ?? {});
      return JSON.stringify(read['parameters'] ?? []).includes('parameters/change_set') ? [path] : [];
    });
    expect(lists.filter((path) => !takes.some((one) => one.endsWith(path)))).toEqual([]);
    expect(takes.filter((path) => /^\/(api\/v1\/)?(bundle|export)/.test(path))).toEqual([]);
  });

  it.each(lists)('of GET %s is for readers, and unknown to all others', async (path) => {
    const set = await release();
    const query = path === '/redirects' ? `?root_id=${site}&` : '?';
    const address = `${path}${query}change_set=`;
    expect((await call(server, 'GET', `${address}${set}`)).status).toBe(200);
    for (const [id, token] of [
      [set, null],
      [set + 1_000, masterToken],
    ] as const)
      expect(outcomeOf(await call(server, 'GET', `${address}${id}`, { token }))).toEqual({
        status: 404,
        code: 'common.notFound',
      });
    expect((await call(server, 'GET', `${address}x`)).status).toBe(400);
  });

  it('hides public data from callers without a credential', async () => {
    const slug = freshName('c');
    const fields = [{ name: 'title', type: 'text' }];
    await callOk(server, 'POST', '/collections', { slug, fields, public_api: true });
    const set = await release();
    expect((await call(server, 'GET', `/data/${slug}`, { token: null })).status).toBe(200);
    expect((await call(server, 'GET', `/data/${slug}?change_set=${set}`, { token: null })).status).toBe(404);
  });
});

describe('with a change set', () => {
  it('an object, its list and the address of a page are those of the set', async () => {
    const id = await createPage(server, site, { slug: freshName('p'), title: 'Live' });
    const set = await release();
    await put(set, `page/${id}`, { title: 'Mine' });
    const data = { parent_id: site, title: 'New', slug: freshName('n') };
    const created = idOf(await add(set, { op: 'create', kind: 'page', data }));
    expect(await callOk(server, 'GET', `/pages/${id}?change_set=${set}`)).toMatchObject({ title: 'Mine' });
    const titles = (list: readonly Readonly<Record<string, unknown>>[]) =>
      list.filter((page) => page['id'] === id || page['id'] === created).map(({ title }) => title);
    expect(titles(await callList(server, `/pages?change_set=${set}`))).toEqual(['Mine', 'New']);
    expect(await callOk(server, 'GET', `/pages/${created}?change_set=${set}`)).toMatchObject(data);
    // The live state stays, whatever was asked before.
    expect(await callOk(server, 'GET', `/pages/${id}`)).toMatchObject({ title: 'Live' });
    expect(titles(await callList(server, '/pages'))).toEqual(['Live']);
    expect((await call(server, 'GET', `/pages/${created}`)).status).toBe(404);
  });

  it('a preview is rendered, and visitors see nothing of it', async () => {
    const name = freshName('part');
    const snippet = await createSnippet(server, { name, content: 'live' });
    const slug = freshName('p');
    const id = await createPage(server, site, { slug, html: `{% include "${name}" %}`, published: true });
    const before = (await visit(server, `/${slug}`, { host })).text;
    const set = await release();
    await put(set, `snippet/${snippet}`, { content: 'prepared' });
    const preview = await fetch(`${server.url}/api/v1/pages/${id}/preview?change_set=${set}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
      body: '{}',
    });
    const text = await preview.text();
    expect({ status: preview.status, text: text.includes('prepared') }).toEqual({ status: 200, text: true });
    expect((await visit(server, `/${slug}`, { host })).text).toBe(before);
  });

  it('entries are read by /data too, and what the set deletes is gone', async () => {
    const slug = freshName('c');
    const fields = [{ name: 'title', type: 'text' }];
    const collection = idOf(await callOk(server, 'POST', '/collections', { name: slug, slug, fields }));
    const items = `/collections/${slug}/items`;
    const make = async (title: string) =>
      idOf(await callOk(server, 'POST', items, { data: { title }, published: true }));
    const [changed, gone] = [await make('one'), await make('two')];
    expect(collection).toBeGreaterThan(0);
    const set = await release();
    await put(set, `item/${changed}`, { data: { title: 'prepared' } });
    await add(set, { op: 'delete', kind: 'item', id: gone, collection: slug });
    const titles = async (query: string) =>
      (await callList(server, `/data/${slug}${query}`)).map(({ title }) => title);
    expect(await titles(`?change_set=${set}`)).toEqual(['prepared']);
    expect(await titles('')).toEqual(['one', 'two']);
    expect((await call(server, 'GET', `${items}/${gone}?change_set=${set}`)).status).toBe(404);
  });
});

it('is 404 for anonymous callers and unknown sets, 400 for what is no ID', async () => {
  const set = await release();
  const address = `/pages/${site}?change_set=`;
  expect(outcomeOf(await call(server, 'GET', `${address}${set}`, { token: null }))).toEqual(notFound);
  expect(outcomeOf(await call(server, 'GET', `${address}999999`))).toEqual(notFound);
  expect(await call(server, 'GET', `${address}one`)).toMatchObject({
    status: 400,
    body: { code: 'common.invalid', params: { field: 'change_set' } },
  });
});
