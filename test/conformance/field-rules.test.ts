import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, createItem, freshName } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** "Fields": what the rules of a field say about the values of entries, through the API. */

let server: TestServer;
let targets: readonly number[];
let linked: number;

beforeAll(async () => {
  server = await startServer();
  linked = await createCollection(server, { fields: [{ name: 'title', type: 'text' }] });
  targets = await Promise.all(['a', 'b', 'c'].map((title) => createItem(server, linked, { title })));
});
afterAll(() => server.stop());

type Fields = Readonly<Record<string, unknown>>;

async function withFields(...fields: readonly Fields[]): Promise<string> {
  return `/collections/${await createCollection(server, { fields })}`;
}
const post = (path: string, data: Fields, more: Fields = {}) =>
  call(server, 'POST', `${path}/items`, { body: { data, ...more } });
const put = (path: string, id: unknown, data: Fields) =>
  call(server, 'PUT', `${path}/items/${id}`, { body: { data } });
const fieldFault = (field: string, reason: unknown = expect.any(String)) => ({
  status: 400,
  body: expect.objectContaining({ code: 'common.invalid', params: { field, reason } }),
});
const dataOf = async (path: string, id: unknown) =>
  (await callOk(server, 'GET', `${path}/items/${id}`))['data'];
const warningsOf = (answer: unknown) => {
  const { warnings } = asRecord(answer);
  return (Array.isArray(warnings) ? warnings : []).map((warning) => {
    const { code, level, params } = asRecord(warning);
    return { code, level, params };
  });
};

const taken = (field: string, id: unknown) => ({
  status: 409,
  body: expect.objectContaining({ code: 'item.notUnique', params: { field, id } }),
});

/** Type and rule, values that keep it, values that break it. Lengths are in code points. */
const rules: readonly (readonly [
  name: string,
  field: Fields,
  good: readonly unknown[],
  bad: readonly unknown[],
])[] = [
  ['min of a length', { type: 'text', min: 2 }, ['ab', '😀😀'], ['a', '😀']],
  ['max of a length', { type: 'textarea', max: 2 }, ['ab', '😀😀'], ['abc', '😀😀😀']],
  ['max of HTML', { type: 'html', max: 8 }, ['<p>a</p>'], ['<p>ab</p>']],
  ['max of Markdown', { type: 'markdown', max: 3 }, ['**a'], ['**ab']],
  ['max of an address', { type: 'url', max: 5 }, ['/abcd'], ['/abcde']],
  ['min of a number', { type: 'number', min: -1.5 }, [-1.5, '0', 7], [-1.6, '-2']],
  ['max of a number', { type: 'number', max: 0 }, [0, -3], [1, '0.1']],
  ['min of a date', { type: 'date', min: '2026-02-01' }, ['2026-02-01', '2026-02-01T00:00'], ['2026-01-31']],
  ['max of a date', { type: 'date', max: '2026-02-01' }, ['2026-02-01', '2026-02-01T23:59'], ['2026-02-02']],
  ['a pattern', { type: 'text', pattern: '[0-9]{2}' }, ['12', 'a12b'], ['1', 'a1b2']],
  ['an anchored pattern', { type: 'url', pattern: '^https://' }, ['https://a.test'], ['http://https://']],
  ['a pattern of code points', { type: 'text', pattern: '^..$' }, ['😀😀'], ['😀']],
  ['a pattern of a select', { type: 'select', pattern: '^a' }, ['ab'], ['ba']],
];

describe('a rule', () => {
  it.each(rules)('%s', async (_name, field, good, bad) => {
    const path = await withFields({ name: 'v', ...field });
    const ids = [];
    for (const v of good) {
      const answer = await post(path, { v });
      expect([v, answer.status]).toEqual([v, 201]);
      ids.push(asRecord(answer.body)['id']);
    }
    for (const v of bad) {
      expect([v, await post(path, { v })]).toEqual([v, expect.objectContaining(fieldFault('v'))]);
      expect([v, await put(path, ids[0], { v })]).toEqual([v, expect.objectContaining(fieldFault('v'))]);
    }
    expect(await callList(server, `${path}/items`)).toHaveLength(good.length);
  });

  it('counts the entries of a list', async () => {
    const path = await withFields({ name: 'v', type: 'references', collection: linked, min: 2, max: 2 });
    const [a = 0, b = 0, c = 0] = targets;
    expect(await post(path, { v: [a] })).toMatchObject(fieldFault('v', 'must have at least 2 entries'));
    expect(await post(path, { v: [a, b, c] })).toMatchObject(fieldFault('v', 'must have at most 2 entries'));
    // Duplicates are dropped before.
    expect(await post(path, { v: [a, a] })).toMatchObject(fieldFault('v'));
    expect((await post(path, { v: `${a},${b}` })).status).toBe(201);
  });

  it('is not asked of an empty value, which only required refuses', async () => {
    const path = await withFields(
      { name: 't', type: 'text', min: 2, pattern: 'x' },
      { name: 'l', type: 'references', collection: linked, min: 1 },
      { name: 'n', type: 'number', min: 1 },
      { name: 'r', type: 'text', required: true, min: 2 },
    );
    expect((await post(path, { t: '', l: [], n: null, r: 'ab' })).status).toBe(201);
    const missing = await post(path, { t: null, r: '' });
    expect([missing.status, missing.body]).toEqual([
      400,
      expect.objectContaining({ code: 'item.fieldRequired', params: { field: 'r' } }),
    ]);
  });

  it('says pattern_help as reason', async () => {
    const path = await withFields({ name: 'v', type: 'text', pattern: '^a', pattern_help: 'begins with a' });
    expect(await post(path, { v: 'b' })).toMatchObject(fieldFault('v', 'begins with a'));
  });

  it('is told with all other faults', async () => {
    const path = await withFields(
      { name: 'a', type: 'number', max: 1 },
      { name: 'b', type: 'text', required: true },
      { name: 'c', type: 'text', pattern: 'x' },
    );
    const { body } = await post(path, { a: 2, c: 'y' });
    const { errors } = asRecord(asRecord(body)['params']);
    expect((Array.isArray(errors) ? errors : []).map((fault) => asRecord(fault)['field'])).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('refuses a text that is too long to be compared with a pattern', async () => {
    const path = await withFields({ name: 'v', type: 'text', pattern: 'a' });
    expect((await post(path, { v: 'a'.repeat(100_000) })).status).toBe(201);
    expect(await post(path, { v: 'a'.repeat(100_001) })).toMatchObject(fieldFault('v'));
  });
});

describe('a date that is none', () => {
  it('is refused on create and change', async () => {
    const path = await withFields({ name: 'day', type: 'date' });
    const id = await createItem(server, path.slice('/collections/'.length), { day: '2026-02-28' });
    for (const day of ['2026-02-30', 'soon', '28.02.2026']) {
      expect(await post(path, { day })).toMatchObject(fieldFault('day'));
      expect(await put(path, id, { day })).toMatchObject(fieldFault('day'));
    }
    expect(await dataOf(path, id)).toEqual({ day: '2026-02-28' });
  });
});

describe('what is stored', () => {
  it('can be sent back, whatever the rules are by now, and PUT checks only what is sent', async () => {
    const names = ['t', 'p', 'n', 'o', 'r', 'd'];
    const loose = [
      ...['t', 'p', 'n', 'o', 'r'].map((name) => ({ name, type: 'text' })),
      { name: 'd', type: 'date' },
    ];
    const path = await withFields(...loose);
    const data = { t: 'a', p: 'b', n: 'five', o: 'old', r: null, d: '2026-01-01' };
    const id = asRecord((await post(path, data)).body)['id'];
    await callOk(server, 'PUT', path, {
      fields: [
        { name: 't', type: 'text', min: 5 },
        { name: 'p', type: 'text', pattern: 'x' },
        { name: 'n', type: 'number' },
        { name: 'o', type: 'select', options: ['new'] },
        { name: 'r', type: 'text', required: true },
        { name: 'd', type: 'date', min: '2026-06-01' },
        { name: 'more', type: 'text' },
      ],
    });
    const shown = asRecord(await dataOf(path, id));
    expect(names.map((name) => shown[name])).toEqual(Object.values(data));
    const { n: _gone, ...others } = data;
    // A text does not survive the change to a number, sent back or not.
    expect((await put(path, id, { ...shown, more: 'x' })).body).toMatchObject({
      data: { ...others, n: null },
    });
    expect((await put(path, id, { more: 'y' })).status).toBe(200);
    expect(await put(path, id, { t: 'abcd' })).toMatchObject(fieldFault('t'));
    expect(await put(path, id, { p: 'bb' })).toMatchObject(fieldFault('p'));
    expect(await put(path, id, { d: '2026-01-02' })).toMatchObject(fieldFault('d'));
  });
});

describe('default', () => {
  const fields = [
    { name: 't', type: 'text', default: 'x', required: true },
    { name: 'n', type: 'number', default: 3 },
    { name: 'f', type: 'boolean', default: true },
    { name: 'd', type: 'date', default: '2026-01-01' },
    { name: 's', type: 'select', options: ['a', 'b'], default: 'b' },
  ];
  const filled = { t: 'x', n: 3, f: true, d: '2026-01-01', s: 'b' };

  it('fills what is not sent on creation, alone, in a list, in a batch and in a singleton', async () => {
    const path = await withFields(...fields);
    expect((await post(path, {})).body).toMatchObject({ data: filled });
    expect((await post(path, { n: 4 })).body).toMatchObject({ data: { ...filled, n: 4 } });
    const list = await call(server, 'POST', `${path}/items`, { body: [{ data: {} }] });
    expect(list.body).toMatchObject([{ data: filled }]);
    const collection = Number(path.split('/').at(-1));
    await callOk(server, 'POST', '/batch', {
      ops: [{ op: 'create', kind: 'item', collection, data: { f: false } }],
    });
    const entries = await callList(server, `${path}/items`);
    expect(entries.at(-1)).toMatchObject({ data: { ...filled, f: false } });
    const slug = freshName('single');
    await callOk(server, 'POST', '/collections', { slug, singleton: true, fields });
    expect(await callOk(server, 'PUT', `/collections/${slug}/item`, { data: {} })).toMatchObject({
      data: filled,
    });
  });

  it('never replaces null, and does nothing on PUT', async () => {
    const path = await withFields(...fields.map((field) => ({ ...field, required: false })));
    const empty = { t: null, n: null, f: null, d: '', s: '' };
    const created = await post(path, empty);
    const none = { t: null, n: null, f: false, d: null, s: null };
    expect(created.body).toMatchObject({ data: none });
    const id = asRecord(created.body)['id'];
    await put(path, id, { n: 1 });
    expect(await dataOf(path, id)).toEqual({ ...none, n: 1 });
    await callOk(server, 'PUT', path, { fields: [...fields, { name: 'late', type: 'text', default: 'y' }] });
    await put(path, id, { t: 'z' });
    expect(await dataOf(path, id)).toEqual({ ...none, t: 'z', n: 1, late: null });
  });

  it('of a reference is left out when its entry is gone', async () => {
    const target = await createItem(server, linked, { title: 'gone soon' });
    const path = await withFields({ name: 'r', type: 'reference', collection: linked, default: target });
    expect((await post(path, {})).body).toMatchObject({ data: { r: target } });
    await call(server, 'DELETE', `/collections/${linked}/items/${target}`);
    expect((await post(path, {})).body).toMatchObject({ data: { r: null } });
  });
});

describe('unique', () => {
  it.each([
    ['text', 'a', 'A'],
    ['number', 1, 2],
    ['date', '2026-01-01', '2026-01-02'],
    ['url', '/a', '/b'],
    ['select', 'a', 'b'],
  ])('of the type %s refuses the value of another entry, drafts too', async (type, value, other) => {
    const path = await withFields({ name: 'v', type, unique: true });
    const id = asRecord((await post(path, { v: value }, { published: false })).body)['id'];
    expect(await post(path, { v: value })).toMatchObject(taken('v', id));
    const second = asRecord((await post(path, { v: other })).body)['id'];
    expect(await put(path, second, { v: value })).toMatchObject(taken('v', id));
    expect((await put(path, second, { v: other })).status).toBe(200);
    expect(await callList(server, `${path}/items`)).toHaveLength(2);
  });

  it('compares stored values: "5" is 5, and an empty value never collides', async () => {
    const path = await withFields(
      { name: 'n', type: 'number', unique: true },
      { name: 't', type: 'text', unique: true },
    );
    const id = asRecord((await post(path, { n: 5 })).body)['id'];
    expect(await post(path, { n: '5', t: 'x' })).toMatchObject(taken('n', id));
    expect((await post(path, { n: null, t: '' })).status).toBe(201);
    expect((await post(path, {})).status).toBe(201);
  });

  it('holds within a collection, and within one request', async () => {
    const unique = { name: 'v', type: 'text', unique: true };
    const [one, two] = [await withFields(unique), await withFields(unique)];
    expect((await post(one, { v: 'a' })).status).toBe(201);
    expect((await post(two, { v: 'a' })).status).toBe(201);
    const list = [{ data: { v: 'b' } }, { data: { v: 'b' } }];
    const answer = await call(server, 'POST', `${one}/items`, { body: list });
    expect(outcomeOf(answer)).toEqual({ status: 409, code: 'item.notUnique' });
    expect(await callList(server, `${one}/items`)).toHaveLength(1);
  });

  it('lets one of many simultaneous requests win', async () => {
    const path = await withFields({ name: 'v', type: 'text', unique: true });
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(path, { v: 'x' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it('gives a value free with its entry', async () => {
    const path = await withFields({ name: 'v', type: 'text', unique: true });
    const id = asRecord((await post(path, { v: 'x' })).body)['id'];
    await call(server, 'DELETE', `${path}/items/${id}`);
    expect((await post(path, { v: 'x' })).status).toBe(201);
  });
});

describe('queries', () => {
  it('compare and sort numbers as numbers and days as times', async () => {
    const slug = freshName('asked');
    await createCollection(server, {
      slug,
      fields: [
        { name: 'n', type: 'number' },
        { name: 'day', type: 'date' },
      ],
    });
    const days = ['2026-10-01', '2026-02-28', '2025-12-31'];
    for (const [index, n] of ['10', 9, '-100.5'].entries())
      await createItem(server, slug, { n, day: days[index] });
    const ask = async (query: string) =>
      (await callList(server, `/data/${slug}?${query}`)).map((entry) => entry['n']);
    expect(await ask('_sort=n')).toEqual([-100.5, 9, 10]);
    expect(await ask('_sort=-n')).toEqual([10, 9, -100.5]);
    expect(await ask('n__gt=9')).toEqual([10]);
    expect(await ask('n__lte=9.0&_sort=n')).toEqual([-100.5, 9]);
    expect(await ask('n__in=10,9')).toEqual([10, 9]);
    expect(await ask('_sort=day')).toEqual([-100.5, 9, 10]);
    expect(await ask('day__lt=2026-03-01&_sort=-day')).toEqual([9, -100.5]);
  });

  it('compare a day with moments as times, and order nothing by what is no time', async () => {
    const slug = freshName('days');
    await createCollection(server, { slug, fields: [{ name: 'day', type: 'date' }] });
    for (const day of ['2026-02-01', '2026-02-02', '2026-02-03T10:30'])
      await createItem(server, slug, { day });
    const ask = async (query: string) =>
      (await callList(server, `/data/${slug}?${query}`)).map((entry) => entry['day']);
    expect(await ask('day=2026-02-01T00:00:00Z')).toEqual(['2026-02-01']);
    expect(await ask('day__gte=2026-02-02T00:00:00Z')).toEqual(['2026-02-02', '2026-02-03T10:30']);
    expect(await ask('day__gt=2026-02-02T01:00:00%2B01:00')).toEqual(['2026-02-03T10:30']);
    expect(await ask('day=2026-02-03T10:30')).toEqual(['2026-02-03T10:30']);
    expect(await ask('day__lt=soon')).toEqual([]);
    expect(await ask('day__startswith=2026-02-0')).toHaveLength(3);
  });

  it.each([
    ['_sort=v', ['words', 'two', 'nine', 'half', 'ten', 'hundred']],
    ['_sort=-v', ['hundred', 'ten', 'half', 'nine', 'two', 'words']],
    ['v__gt=9', ['ten', 'half', 'hundred']],
    ['v__lt=9.5', ['nine', 'two']],
    ['v=10', ['ten']],
    ['v__in=2,9.50', ['half', 'two']],
    ['v__ne=2', ['ten', 'nine', 'half', 'words', 'hundred']],
    ['v__isnull=1', []],
  ])('compare texts of a field that became a number as numbers: %s', async (query, found) => {
    const slug = freshName('became');
    const fields = (type: string) => [
      { name: 'title', type: 'text' },
      { name: 'v', type, unique: true },
    ];
    const id = await createCollection(server, { slug, fields: fields('text') });
    const stored = { ten: '10', nine: '9', half: '9.5', two: '2', words: 'many' };
    for (const [title, v] of Object.entries(stored)) await createItem(server, slug, { title, v });
    await callOk(server, 'PUT', `/collections/${id}`, { fields: fields('number') });
    await createItem(server, slug, { title: 'hundred', v: 100 });
    const titles = (await callList(server, `/data/${slug}?${query}`)).map(({ title }) => title);
    // Without an order the entries come as they were made.
    expect(titles).toEqual(found);
    expect((await post(`/collections/${slug}`, { v: 10 })).status).toBe(409);
  });
});

describe('a restored version', () => {
  it('is taken as it was, with a warning', async () => {
    const path = await withFields({ name: 't', type: 'text' }, { name: 's', type: 'select', options: ['a'] });
    const id = asRecord((await post(path, { t: 'long', s: 'a' })).body)['id'];
    await put(path, id, { t: 'abc', s: null });
    await callOk(server, 'PUT', path, {
      fields: [
        { name: 't', type: 'text', max: 3 },
        { name: 's', type: 'select', options: ['b'] },
      ],
    });
    const [version] = await callList(server, `/revisions?kind=item&id=${id}`);
    const restored = await callOk(server, 'POST', `/revisions/${version?.['id']}/restore`);
    expect(restored['data']).toEqual({ t: 'long', s: 'a' });
    expect(warningsOf(restored)).toEqual([
      { code: 'item.breaksRule', level: 'warning', params: { count: 1 } },
    ]);
  });

  it('is refused if a value must be unique and is taken', async () => {
    const path = await withFields({ name: 'v', type: 'text', unique: true });
    const id = asRecord((await post(path, { v: 'a' })).body)['id'];
    await put(path, id, { v: 'b' });
    const other = asRecord((await post(path, { v: 'a' })).body)['id'];
    const [version] = await callList(server, `/revisions?kind=item&id=${id}`);
    const answer = await call(server, 'POST', `/revisions/${version?.['id']}/restore`);
    expect(answer).toMatchObject(taken('v', other));
    expect(await dataOf(path, id)).toEqual({ v: 'b' });
  });
});

describe('a schema that tightens a rule', () => {
  it('leaves the entries and says how many break it, by field', async () => {
    const names = ['t', 'p', 'r', 'u', 's', 'free'];
    const path = await withFields(...names.map((name) => ({ name, type: 'text' })));
    const entries = [
      { t: 'a', p: 'x', r: 'r', u: 'same', s: 'a', free: '1' },
      { t: 'abc', p: 'y', r: null, u: 'same', s: 'b', free: '2' },
      { t: 'b', p: null, r: '', u: 'other', s: null, free: '3' },
      { t: null, p: 'x', r: 'r', u: null, s: 'a', free: null },
    ];
    for (const data of entries) expect((await post(path, data, { published: false })).status).toBe(201);
    const before = await callList(server, `${path}/items`);
    const tightened = {
      fields: [
        { name: 't', type: 'text', min: 2 },
        { name: 'p', type: 'text', pattern: 'x' },
        { name: 'r', type: 'text', required: true },
        { name: 'u', type: 'text', unique: true },
        { name: 's', type: 'select', options: ['a'] },
        { name: 'free', type: 'text', max: 1, help: 'fits all' },
      ],
    };
    const saved = await callOk(server, 'PUT', path, tightened);
    const count = (field: string, number: number) => ({
      code: 'collection.entriesBreakRule',
      level: 'warning',
      params: { field, count: number },
    });
    expect(warningsOf(saved)).toEqual([
      count('t', 2),
      count('p', 1),
      count('r', 2),
      count('u', 2),
      count('s', 1),
    ]);
    expect(await callList(server, `${path}/items`)).toEqual(before);
    // The same again tightens nothing.
    expect(warningsOf(await callOk(server, 'PUT', path, tightened))).toEqual([]);
    expect(warningsOf(await callOk(server, 'PUT', path, { name: 'Other' }))).toEqual([]);
  });
});
