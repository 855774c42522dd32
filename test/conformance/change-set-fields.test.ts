import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collections } from '../../server/features/collections/store.ts';
import { call, callList, callOk } from '../support/api.ts';
import { freshName, idOf } from '../support/content.ts';
import { makeTempDir, startServer, type TestServer } from '../support/server.ts';
import { writeContent } from '../support/shared-database.ts';

/** The contract, "Change sets": `change_set` is a parameter of `/data`, so it is a reserved name of fields. */

const dataDir = makeTempDir();
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ dataDir });
});
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const name = 'change_set';
const field = (named: string) => ({ name: named, type: 'text' });

async function makeCollection(fields: readonly object[]): Promise<string> {
  const slug = freshName('c');
  await callOk(server, 'POST', '/collections', { name: slug, slug, fields });
  return slug;
}

it('a new field cannot have the name', async () => {
  const slug = freshName('c');
  const created = await call(server, 'POST', '/collections', {
    body: { name: slug, slug, fields: [field(name)] },
  });
  expect(created).toMatchObject({
    status: 400,
    body: { code: 'common.invalid', params: { field: 'fields.0.name' } },
  });
  const other = await makeCollection([field('title')]);
  const body = { fields: [field('title'), field(name)] };
  expect(await call(server, 'PUT', `/collections/${other}`, { body })).toMatchObject({
    status: 400,
    body: { code: 'common.invalid', params: { field: 'fields.1.name' } },
  });
  const renaming = { body: { from: 'title', to: name } };
  expect(await call(server, 'POST', `/collections/${other}/rename-field`, renaming)).toMatchObject({
    status: 400,
    body: { code: 'common.invalid', params: { field: 'to' } },
  });
});

it('a part of a group can have it', async () => {
  const group = { name: 'g', type: 'group', fields: [field(name)] };
  const slug = await makeCollection([group]);
  expect(await callOk(server, 'GET', `/collections/${slug}`)).toMatchObject({
    fields: [{ fields: [{ name }] }],
  });
});

it('a field that has it stays, is filtered with an operator, and the start logs it', async () => {
  const slug = await makeCollection([field('title'), field('older')]);
  await writeContent(server.dataDir, async (db) => {
    const collection = (await collections.list(db)).find((one) => one.slug === slug);
    if (collection === undefined) throw new Error('the collection is missing');
    const fields = collection.fields.map((one) => (one.name === 'older' ? { ...one, name } : one));
    await collections.update(db, { ...collection, fields });
  });
  await server.stop();
  server = await startServer({ dataDir });
  const line = server
    .log()
    .split('\n')
    .find((text) => text.includes(slug));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 40, collection: slug, field: name });

  const { fields } = await callOk(server, 'GET', `/collections/${slug}`);
  await callOk(server, 'PUT', `/collections/${slug}`, { name: 'Kept', fields });
  const items = `/collections/${slug}/items`;
  for (const value of ['a', 'b'])
    await callOk(server, 'POST', items, { data: { title: value, [name]: value }, published: true });
  const titles = async (query: string) =>
    (await callList(server, `/data/${slug}${query}`)).map(({ title }) => title);
  expect(await titles(`?${name}__in=a`)).toEqual(['a']);
  const set = idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('r') }));
  expect(await titles(`?${name}=${set}`)).toEqual(['a', 'b']);
  expect(await titles(`?${name}=${set}&${name}__in=b`)).toEqual(['b']);
});
