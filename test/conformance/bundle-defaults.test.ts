import { afterAll, beforeAll, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { download, importBundle } from '../support/bundles.ts';
import { createCollection, createItem, createSnippet } from '../support/content.ts';
import { uploadOne } from '../support/media.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Defaults of fields and parameters in bundles: what they refer to may come under other IDs. */

let source: TestServer;
let target: TestServer;
beforeAll(async () => {
  [source, target] = await Promise.all([startServer(), startServer()]);
});
afterAll(() => Promise.all([source.stop(), target.stop()]));

it('defaults follow the files and entries that they refer to', async () => {
  await createCollection(source, { slug: 'orders', live: true, fields: [{ name: 'cv', type: 'file' }] });
  const topics = await createCollection(source, {
    slug: 'topics',
    fields: [{ name: 'title', type: 'text' }],
  });
  expect((await importBundle(target, await download(source))).status).toBe(200);
  // Visitors of the target have sent entries with files, which keep their IDs.
  for (const name of ['one.txt', 'two.txt'])
    await createItem(target, 'orders', { cv: Number((await uploadOne(target, name, name))['id']) });

  const file = Number((await uploadOne(source, 'terms.txt', 'terms'))['id']);
  const topic = await createItem(source, 'topics', { title: 'News' });
  const definitions = (file: unknown, topic: unknown) => [
    { name: 'paper', type: 'file', default: file },
    { name: 'topic', type: 'reference', collection: topics, default: topic },
    { name: 'topics', type: 'references', collection: topics, default: [topic] },
    { name: 'more', type: 'link', default: { file } },
    { name: 'words', type: 'text', default: '7' },
    {
      name: 'parts',
      type: 'group',
      fields: [{ name: 'scan', type: 'file', default: file }],
      default: { scan: file },
    },
  ];
  const texts = await createCollection(source, { slug: 'texts', fields: definitions(file, topic) });
  const block = await createSnippet(source, {
    name: 'card',
    schema: { block: true, params: definitions(file, topic) },
  });

  expect((await importBundle(target, await download(source))).status).toBe(200);
  const idIn = async (path: string, isMeant: (row: Record<string, unknown>) => boolean) =>
    (await callList(target, path)).map(asRecord).find(isMeant)?.['id'];
  const movedFile = await idIn('/files', ({ name }) => name === 'terms.txt');
  const movedTopic = await idIn('/collections/topics/items', () => true);
  // Otherwise the test would say nothing.
  expect([movedFile, movedTopic]).not.toContain(file);
  expect(movedTopic).not.toBe(topic);

  const expected = definitions(movedFile, movedTopic).map((field) =>
    expect.objectContaining({ default: field.default }),
  );
  const { fields } = await callOk(target, 'GET', `/collections/${texts}`);
  expect(fields).toEqual(expected);
  expect(asRecord(Array.isArray(fields) ? fields.at(-1) : {})['fields']).toMatchObject([
    { name: 'scan', default: movedFile },
  ]);
  expect(asRecord((await callOk(target, 'GET', `/snippets/${block}`))['schema'])['params']).toEqual(expected);
  const created = await call(target, 'POST', '/collections/texts/items', { body: { data: {} } });
  expect(created).toMatchObject({
    status: 201,
    body: { data: { paper: movedFile, topic: movedTopic, topics: [movedTopic], parts: { scan: movedFile } } },
  });

  // Imported again, nothing moves.
  expect((await importBundle(target, await download(source))).status).toBe(200);
  expect((await callOk(target, 'GET', `/collections/${texts}`))['fields']).toEqual(fields);
});
