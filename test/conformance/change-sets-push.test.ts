import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, createItem, freshName, idOf } from '../support/content.ts';
import { siteFiles, TestFolder } from '../support/folders.ts';
import { runProgram } from '../support/program.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** "Fields": a push takes entries as they are and warns; only `unique` is refused, and values of a wrong type. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

type Fields = Readonly<Record<string, unknown>>;

const createSet = async (purpose: string) =>
  idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('p'), purpose }));
const add = (set: number, body: Fields) =>
  call(server, 'POST', `/change-sets/${set}/items`, { body: { kind: 'item', ...body } });
const publish = (set: number, body: Fields = {}) =>
  call(server, 'POST', `/change-sets/${set}/publish`, { body });
const dataOf = async (path: string, id: unknown) =>
  asRecord((await callOk(server, 'GET', `${path}/items/${String(id)}`))['data']);
const warning = (count = 1) => [
  { code: 'item.breaksRule', level: 'warning', error: expect.any(String), params: { count } },
];

const monday = { day: 'Mon' };
const inner = [{ name: 'day', type: 'text', required: true, max: 3 }];

/** A field, a value that breaks a rule of it, and what is stored. */
const broken: readonly (readonly [name: string, field: Fields, value: unknown, stored: unknown])[] = [
  ['required', { type: 'text', required: true }, null, null],
  ['min', { type: 'text', min: 3 }, 'a', 'a'],
  ['max', { type: 'number', max: 3 }, 4, 4],
  ['min of a date', { type: 'date', min: '2026-02-01' }, '2026-01-01', '2026-01-01'],
  ['pattern', { type: 'text', pattern: '^[0-9]+$' }, 'x', 'x'],
  ['options', { type: 'select', options: ['a'] }, 'b', 'b'],
  ['options of a list', { type: 'multiselect', options: ['a'] }, ['a', 'b'], ['a', 'b']],
  ['the number of entries', { type: 'group', many: true, min: 2, fields: inner }, [monday], [monday]],
  ['required in a group', { type: 'group', fields: inner }, {}, { day: null }],
  ['max in a group', { type: 'group', fields: inner }, { day: 'Monday' }, { day: 'Monday' }],
];

describe('a change set of purpose push', () => {
  it.each(broken)('takes what breaks %s, and warns', async (_name, field, value, stored) => {
    const slug = freshName('taken');
    const path = `/collections/${slug}`;
    await createCollection(server, { slug, fields: [{ name: 'v', type: field['type'], ...loose(field) }] });
    const id = await createItem(server, slug, {});
    await callOk(server, 'PUT', path, { fields: [{ name: 'v', ...field }] });
    const set = await createSet('push');

    const created = await add(set, { op: 'create', collection: slug, data: { v: value } });
    expect(created).toMatchObject({ status: 201, body: { data: { v: stored }, warnings: warning() } });
    const updated = await call(server, 'PUT', `/change-sets/${set}/items/item/${id}`, {
      body: { data: { v: value } },
    });
    expect(updated).toMatchObject({ status: 200, body: { data: { v: stored }, warnings: warning() } });
    const seen = await callOk(server, 'GET', `${path}/items/${id}?change_set=${set}`);
    expect(asRecord(seen['data'])['v']).toEqual(stored);

    const trial = await publish(set, { dry_run: true });
    expect(trial).toMatchObject({ status: 200, body: { conflicts: [], faults: [] } });
    const isChanged = value !== null;
    expect(asRecord(trial.body)['warnings']).toEqual(warning(isChanged ? 2 : 1));
    const done = await publish(set);
    expect(done).toMatchObject({ status: 200, body: { state: 'published' } });
    expect(asRecord(done.body)['warnings']).toEqual(warning(isChanged ? 2 : 1));
    for (const result of Object(asRecord(done.body)['results']))
      expect(asRecord(result)['warnings']).toEqual(warning());
    expect((await dataOf(path, id))['v']).toEqual(stored);
    expect((await dataOf(path, asRecord(created.body)['id']))['v']).toEqual(stored);
  });

  it('takes them in a batch, with the warning in its result', async () => {
    const slug = freshName('taken');
    await createCollection(server, { slug, fields: [{ name: 'v', type: 'text', min: 2 }] });
    const set = await createSet('push');
    const ops = ['a', 'bb'].map((v) => ({ op: 'create', kind: 'item', collection: slug, data: { v } }));
    const answer = await callOk(server, 'POST', `/batch?change_set=${set}`, { ops });
    expect(answer['results']).toMatchObject([{ warnings: warning() }, { kind: 'item' }]);
    expect(asRecord(Object(answer['results'])[1])).not.toHaveProperty('warnings');
    const published = await publish(set);
    expect(asRecord(published.body)['warnings']).toEqual(warning());
  });

  it('has no warnings if no rule is broken', async () => {
    const slug = freshName('taken');
    await createCollection(server, { slug, fields: [{ name: 'v', type: 'text', min: 2 }] });
    const set = await createSet('push');
    const created = await add(set, { op: 'create', collection: slug, data: { v: 'ab' } });
    expect(asRecord(created.body)['warnings']).toEqual([]);
    const done = await publish(set);
    expect(done.status).toBe(200);
    expect(asRecord(done.body)).not.toHaveProperty('warnings');
  });

  it('takes what a definition that was published meanwhile forbids', async () => {
    const slug = freshName('taken');
    await createCollection(server, { slug, fields: [{ name: 'v', type: 'text' }] });
    const sets = await Promise.all([createSet('push'), createSet('release')]);
    for (const set of sets) expect((await add(set, createIn(slug, 'a'))).status).toBe(201);
    await callOk(server, 'PUT', `/collections/${slug}`, { fields: [{ name: 'v', type: 'text', min: 2 }] });
    expect((await publish(sets[0])).body).toMatchObject({ state: 'published', warnings: warning() });
    expect(outcomeOf(await publish(sets[1]))).toEqual({ status: 400, code: 'common.invalid' });
  });

  it('refuses a value that is not unique, and one of a wrong type', async () => {
    const slug = freshName('taken');
    const fields = [
      { name: 'v', type: 'text', unique: true },
      ...[
        { name: 'n', type: 'number' },
        { name: 'd', type: 'date' },
        { name: 'g', type: 'group', fields: [{ name: 'n', type: 'number' }] },
      ],
      { name: 'r', type: 'reference', collection: slug },
    ];
    await createCollection(server, { slug, fields: fields.slice(0, 4) });
    await callOk(server, 'PUT', `/collections/${slug}`, { fields });
    const id = await createItem(server, slug, { v: 'a' });
    const set = await createSet('push');
    const create = (data: Fields) => add(set, { op: 'create', collection: slug, data });
    expect(await create({ v: 'a' })).toMatchObject({
      status: 409,
      body: { code: 'item.notUnique', params: { field: 'v', id } },
    });
    for (const data of [{ n: 'many' }, { d: 'soon' }, { g: { n: 'many' } }])
      expect(outcomeOf(await create(data))).toEqual({ status: 400, code: 'common.invalid' });
    expect(outcomeOf(await create({ r: 999_999 }))).toEqual({ status: 400, code: 'item.referenceMissing' });
    expect(await callList(server, `/change-sets/${set}/items`)).toEqual([]);
  });

  it('fills a default that is not sent, though it takes an empty value', async () => {
    const slug = freshName('taken');
    const field = { name: 'v', type: 'text', required: true, default: 'initial' };
    await createCollection(server, { slug, fields: [field] });
    const set = await createSet('push');
    const filled = await add(set, { op: 'create', collection: slug, data: {} });
    expect(filled.body).toMatchObject({ data: { v: 'initial' }, warnings: [] });
    const empty = await add(set, createIn(slug, null));
    expect(empty.body).toMatchObject({ data: { v: null }, warnings: warning() });
  });

  it('may delete an entry that breaks a rule together with its collection', async () => {
    const slug = freshName('taken');
    const collection = await createCollection(server, { slug, fields: [{ name: 'v', type: 'text' }] });
    const id = await createItem(server, slug, {});
    await callOk(server, 'PUT', `/collections/${slug}`, {
      fields: [{ name: 'v', type: 'text', required: true }],
    });
    const set = await createSet('push');
    const deleted = await add(set, { op: 'delete', collection: slug, id });
    expect(deleted).toMatchObject({ status: 200, body: { warnings: [] } });
    await callOk(server, 'POST', `/change-sets/${set}/items`, {
      ...{ op: 'delete', kind: 'collection', id: collection },
    });
    const done = await publish(set);
    expect(done.status).toBe(200);
    expect(asRecord(done.body)).not.toHaveProperty('warnings');
  });
});

describe('a change set of another purpose', () => {
  it.each(['release', 'dev'])('%s refuses what breaks a rule', async (purpose) => {
    const slug = freshName('refused');
    await createCollection(server, { slug, fields: [{ name: 'v', type: 'text', min: 2 }] });
    const set = await createSet(purpose);
    expect(outcomeOf(await add(set, createIn(slug, 'a')))).toEqual({ status: 400, code: 'common.invalid' });
  });
});

describe('incipit push', () => {
  it('sends entries that break rules, with a finding for each', async () => {
    const target = await startServer();
    const folder = new TestFolder();
    const push = async (...more: string[]) => {
      const args = ['push', folder.path, '--remote', target.url, '--token', masterToken, '--json', ...more];
      const run = await runProgram(args);
      return { code: run.code, ...asRecord(JSON.parse(run.stdout)) };
    };
    const finding = (file: string) => ({
      ...{ file, line: 1, column: 1, level: 'warning', code: 'item.breaksRule' },
      message: 'One entry breaks rules of its fields; it was taken as it is',
    });
    try {
      const fields = [
        { name: 'title', type: 'text' },
        { name: 'code', type: 'text', pattern: '^[0-9]+$' },
        { name: 'place', type: 'text', required: true },
      ];
      folder.write({
        ...siteFiles,
        'collections/works/collection.json': JSON.stringify({ name: 'Works', fields }),
        'collections/works/entries/one.json': '{ "data": { "title": "One", "code": "x" } }\n',
        'collections/works/entries/two.json':
          '{ "data": { "title": "Two", "code": "2", "place": "Rome" } }\n',
      });
      expect(await push()).toMatchObject({
        code: 0,
        findings: [finding('collections/works/entries/one.json')],
      });
      const items = await callList(target, '/collections/works/items');
      expect(items.map(({ data }) => asRecord(data)['code'])).toEqual(['x', '2']);

      folder.write({
        'collections/works/entries/two.json':
          '{ "data": { "title": "Two", "code": "y", "place": "Rome" } }\n',
      });
      expect(await push()).toMatchObject({
        code: 0,
        findings: [finding('collections/works/entries/two.json')],
      });
      expect(await push()).toMatchObject({ code: 0, findings: [], changes: [] });
    } finally {
      folder.remove();
      await target.stop();
    }
  });
});

function createIn(collection: string, v: unknown): Fields {
  return { op: 'create', collection, data: { v } };
}

/** What a definition of a field must have, without rules. */
function loose({ many, fields }: Fields): Fields {
  const withoutRules = (field: unknown) => ({ ...asRecord(field), required: false, max: undefined });
  return {
    ...(many === undefined ? {} : { many }),
    ...(Array.isArray(fields) ? { fields: fields.map(withoutRules) } : {}),
  };
}
