import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, createItem, createSnippet, freshName } from '../support/content.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** CSV export and import of entries (Data, Automation and Operations, "CSV import into an existing collection"). */

let server: TestServer;
let other: number;

beforeAll(async () => {
  server = await startServer();
  const schema = { block: true, params: [{ name: 'x', type: 'text' }] };
  await createSnippet(server, { name: 'x', schema });
  other = await createCollection(server, { slug: 'other', fields: [{ name: 't', type: 'text' }] });
});
afterAll(() => server.stop());

interface Upload {
  readonly query?: string;
  readonly mapping?: unknown;
  readonly key?: string;
  readonly collection?: unknown;
  readonly name?: string;
}

async function upload(
  path: string,
  csv: string | Uint8Array<ArrayBuffer>,
  { query = '', ...fields }: Upload = {},
) {
  const form = new FormData();
  form.set('file', new Blob([csv]), 'a.csv');
  for (const [name, value] of Object.entries(fields))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  const request = new Request('http://x', { method: 'POST', body: form });
  const answer = await call(server, 'POST', `${path}${query}`, {
    raw: new Uint8Array(await request.arrayBuffer()),
    headers: { 'Content-Type': request.headers.get('content-type') ?? '' },
  });
  return { status: answer.status, body: asRecord(answer.body) };
}

const importInto = (slug: string, csv: string, options?: Upload) =>
  upload(`/collections/${slug}/import`, csv, options);

async function collection(fields: readonly object[], more: object = {}): Promise<string> {
  const slug = freshName('csv');
  await createCollection(server, { slug, fields, ...more });
  return slug;
}

async function dataOf(slug: string): Promise<Record<string, unknown>[]> {
  return (await callList(server, `/collections/${slug}/items`)).map(({ data }) => asRecord(data));
}

async function exported(slug: string): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/collections/${slug}/export`, {
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
}

describe('the conversion of cells', () => {
  const cases: [string, string, unknown][] = [
    ['number', '3.5', 3.5],
    ['number', '-7', -7],
    ['number', '1.234,5', 1234.5],
    ['number', '1,234.5', 1234.5],
    ['number', '1,5', 1.5],
    ['number', '1,234', 1.234],
    ['number', '1.234', 1.234],
    ['number', '1.234.567', 1_234_567],
    ['number', '1,234,567', 1_234_567],
    ['number', ' 7 ', 7],
    ['number', '1e3', 1000],
    ['number', '', null],
    ['boolean', 'true', true],
    ['boolean', 'JA', true],
    ['boolean', 'yes', true],
    ['boolean', '1', true],
    ['boolean', 'x', true],
    ['boolean', 'X', true],
    ['boolean', 'false', false],
    ['boolean', 'nein', false],
    ['boolean', 'No', false],
    ['boolean', '0', false],
    ['boolean', '', false],
    ['date', '2026-03-01', '2026-03-01'],
    ['date', '2026-03-01T23:59:00Z', '2026-03-01'],
    ['date', '2026-03-01 10:00:00+02:00', '2026-03-01'],
    ['date', '1.3.2026', '2026-03-01'],
    ['date', '01.03.2026', '2026-03-01'],
    ['date', 'Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06'],
    ['date', 'Sun Nov 06 1994 08:49:37 GMT+0000 (Coordinated Universal Time)', '1994-11-06'],
    ['date', '', null],
    ['text', ' a ', ' a '],
    ['text', "'=SUM(A1)", '=SUM(A1)'],
    ['text', "'a", "'a"],
    ['textarea', '"a\nb"', 'a\nb'],
    ['html', '"<b class=""x"">"', '<b class="x">'],
    ['markdown', '"a,b"', 'a,b'],
    ['url', 'https://a.test/', 'https://a.test/'],
    ['select', 'a', 'a'],
    ['image', '', null],
    ['blocks', '"[{""id"":""i"",""type"":""x""}]"', [{ id: 'i', type: 'x', params: {} }]],
    ['blocks', '', null],
  ];
  it.each(cases)('%s %j', async (type, cell, value) => {
    const slug = await collection([
      { name: 'f', type },
      { name: 'n', type: 'text' },
    ]);
    const answer = await importInto(
      slug,
      `n,f\nx,${/[,\n]/.test(cell) && !cell.startsWith('"') ? `"${cell}"` : cell}\n`,
    );
    expect(answer).toMatchObject({ status: 200, body: { created: 1, imported: 1, warning_count: 0 } });
    expect(await dataOf(slug)).toEqual([{ f: value, n: 'x' }]);
  });

  it.each([
    ['number', 'one'],
    ['number', '1.2.3'],
    ['boolean', 'maybe'],
    ['date', 'soon'],
    ['date', '31.02.2026'],
    ['date', '2026-13-01'],
    ['select', 'c'],
    ['reference', '99999'],
    ['references', 'a'],
  ])('%s is no %j', async (type, cell) => {
    const slug = await collection([{ name: 'f', label: 'F', type, options: ['a'], collection: other }]);
    const answer = await importInto(slug, `F,x\n${cell},1`);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'csv.cellError',
        params: { row: 2, column: 'F' },
        errors: [{ row: 2, column: 'F', code: expect.any(String), params: { field: 'f' } }],
        error_count: 1,
      },
    });
    expect(await dataOf(slug)).toEqual([]);
  });

  it('references are IDs, several with commas', async () => {
    const ids = [await createItem(server, other, {}), await createItem(server, other, {})];
    const slug = await collection([
      { name: 'one', type: 'reference', collection: other },
      { name: 'all', type: 'references', collection: other },
    ]);
    await importInto(slug, `one;all\n${ids[0]};${ids[1]},${ids[0]}`);
    expect(await dataOf(slug)).toEqual([{ one: ids[0], all: [ids[1], ids[0]] }]);
  });

  it('what is no file or block tree becomes empty with a warning', async () => {
    const slug = await collection([
      { name: 'n', type: 'text' },
      { name: 'i', type: 'image' },
      { name: 'b', type: 'blocks' },
    ]);
    const answer = await importInto(slug, 'n,i,b\nx,https://a.test/a.png,no tree');
    expect(answer.body).toMatchObject({
      created: 1,
      warning_count: 2,
      warnings: [
        { row: 2, column: 'i', code: 'csv.noFileFor', params: { value: 'https://a.test/a.png' } },
        { row: 2, column: 'b', code: 'block.fieldInvalid' },
      ],
    });
    expect(await dataOf(slug)).toEqual([{ n: 'x', i: null, b: null }]);
    const unknownType = await importInto(slug, 'n,b\ny,"[{""type"":""none""}]"');
    expect(unknownType.body).toMatchObject({
      created: 1,
      warnings: [
        { row: 2, column: 'b', code: 'block.typeUnknown', params: { path: '0', type: 'none', field: 'b' } },
      ],
    });
  });
});

describe('the columns', () => {
  const fields = [
    { name: 'title', label: 'Title', type: 'text' },
    { name: 'count', label: 'How many', type: 'number' },
  ];

  it.each([
    ['title,count\na,1', ',', ['title', 'count']],
    ['TITLE;How many\na;1', ';', ['title', 'count']],
    ['title\thow many\textra\na\t1\tx', '\t', ['title', 'count', '']],
    ['id,Title,published,count\n9,a,no,1', ',', ['_id', 'title', '_published', 'count']],
    ['\uFEFFTitle,Draft,Archived,count\na,yes,,1', ',', ['title', '_draft', '_draft', 'count']],
  ])('of %j are found by name or label', async (csv, delimiter, mapping) => {
    const slug = await collection(fields);
    const answer = await importInto(slug, csv);
    expect(answer.body).toMatchObject({ delimiter, mapping, rows: 1, created: 1, key: '' });
    expect(await callList(server, `/collections/${slug}/items`)).toMatchObject([
      { data: { title: 'a', count: 1 }, published: !/no,|yes,/.test(csv) },
    ]);
  });

  it.each<[string, object[], object]>([
    ['a field is called published', [{ name: 'published', type: 'text' }], { published: 'Reclam, 1888' }],
    ['a label is Published', [{ name: 'day', label: 'Published', type: 'date' }], { day: '1888-05-01' }],
    ['a label is ID', [{ name: 'number', label: 'ID', type: 'text' }], { number: 'A 7' }],
    [
      'a label is the name of another field',
      [
        { name: 'a', label: 'b' },
        { name: 'b', label: 'a' },
      ],
      { a: 'x', b: 'y' },
    ],
  ])('of an exported file are those of the export when %s', async (_case, fields, data) => {
    const slug = await collection(fields.map((field) => ({ type: 'text', ...field })));
    const item = await callOk(server, 'POST', `/collections/${slug}/items`, { data, published: false });
    const answer = await importInto(slug, await exported(slug), { key: '_id', query: '?replace=1' });
    expect(answer).toMatchObject({ status: 200, body: { created: 0, updated: 1, deleted: 0 } });
    expect(await callList(server, `/collections/${slug}/items`)).toEqual([item]);
  });

  it('of an exported file that is imported unchanged are no change', async () => {
    const slug = await collection(fields);
    await createItem(server, slug, { title: 'a', count: 1 });
    const version = async () => (await callOk(server, 'GET', '/changes?since=0&limit=1'))['version'];
    const before = await version();
    for (const query of ['', '?replace=1'])
      expect(await importInto(slug, await exported(slug), { key: '_id', query })).toMatchObject({
        status: 200,
        body: { created: 0, updated: 1, deleted: 0, imported: 1 },
      });
    expect(await version()).toBe(before);
  });

  it('are mapped as the form says', async () => {
    const slug = await collection(fields);
    await importInto(slug, 'a,b,c\nx,y,1', { mapping: ['', 'title', 'count'] });
    expect(await dataOf(slug)).toEqual([{ title: 'y', count: 1 }]);
  });

  it.each<[Upload]>([
    [{ mapping: 'no json' }],
    [{ mapping: {} }],
    [{ mapping: [1] }],
    [{ mapping: ['nothing'] }],
    [{ mapping: ['title', 'title'] }],
    [{ mapping: ['', '', '', ''] }],
    [{ key: 'nothing' }],
    [{ key: '_id' }],
    [{ key: '_published' }],
    [{ query: '?dry_run=maybe' }],
    [{ query: '?replace=2' }],
  ])('%j is refused', async (options) => {
    const slug = await collection(fields);
    const answer = await importInto(slug, 'title,count\na,1', options);
    expect([answer.status, answer.body['code']]).toEqual([400, 'common.invalid']);
    expect(await dataOf(slug)).toEqual([]);
  });

  it.each([
    ['', 'common.invalid'],
    ['\n\na', 'common.invalid'],
    ['title\n"a', 'csv.syntax'],
    [`${Array.from({ length: 1001 }, (_, index) => `c${index}`).join(',')}\n1`, 'common.invalid'],
    [`title\n${'a\n'.repeat(50_001)}`, 'csv.tooManyRows'],
    [`title\n${'a'.repeat(9 * 2 ** 20)}`, 'csv.syntax'],
  ])('a file like %# is refused', async (csv, code) => {
    const slug = await collection(fields);
    expect((await importInto(slug, csv)).body['code']).toBe(code);
  });

  it('a file that is not UTF-8, or above 32 MB, is refused', async () => {
    const slug = await collection(fields);
    const latin = new Uint8Array([...Buffer.from('title\n'), 0xe4]);
    expect((await upload(`/collections/${slug}/import`, latin)).body['code']).toBe('common.invalid');
    const large = `title\n${'a\n'.repeat(17 * 2 ** 20)}`;
    expect(outcomeOf({ ...(await importInto(slug, large)), headers: new Headers() })).toEqual({
      status: 413,
      code: 'common.tooLarge',
    });
  });

  it('names that reach a prototype are ordinary names', async () => {
    const slug = await collection(fields);
    await importInto(slug, '__proto__,constructor,title\n1,2,a');
    expect(await dataOf(slug)).toEqual([{ title: 'a', count: null }]);
    expect(Reflect.get({}, '1')).toBeUndefined();
  });
});

describe('rows', () => {
  const fields = [
    { name: 'slug', type: 'text', required: true },
    { name: 'n', type: 'number' },
    { name: 'note', type: 'text' },
  ];

  it('are appended; empty ones are skipped and counted', async () => {
    const slug = await collection(fields);
    await createItem(server, slug, { slug: 'first' });
    const answer = await importInto(slug, 'slug,n\na,1\n\n,,\nb,x\n');
    expect(answer).toMatchObject({ status: 400, body: { code: 'csv.cellError', params: { row: 5 } } });
    const good = await importInto(slug, 'slug,n\na,1\n\nb,2\n');
    expect(good.body).toMatchObject({ rows: 2, created: 2, updated: 0, deleted: 0, imported: 2 });
    expect((await dataOf(slug)).map((data) => data['slug'])).toEqual(['first', 'a', 'b']);
  });

  it('with errors are listed all, and nothing is imported', async () => {
    const slug = await collection(fields);
    const answer = await importInto(slug, 'slug,n\na,1\n,2\nb,x,extra\n');
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'csv.errors',
        error_count: 3,
        errors: [
          { row: 3, column: 'slug', code: 'item.fieldRequired', params: { field: 'slug' } },
          { row: 4, column: 'n', code: 'common.invalid' },
          { row: 4, column: '', code: 'csv.extraCells' },
        ],
      },
    });
    expect(await dataOf(slug)).toEqual([]);
    const single = await importInto(slug, 'slug,n\na,1,extra\n');
    expect(single).toMatchObject({ status: 400, body: { code: 'csv.rowError', params: { row: 2 } } });
  });

  it('with a key change entries, only their mapped fields', async () => {
    const slug = await collection(fields);
    const id = await createItem(server, slug, { slug: 'a', n: 1, note: 'kept' });
    const answer = await importInto(slug, 'slug,n\na,5\nb,6\n', { key: 'slug' });
    expect(answer.body).toMatchObject({ key: 'slug', created: 1, updated: 1, imported: 2 });
    expect(await callList(server, `/collections/${slug}/items`)).toMatchObject([
      { id, data: { slug: 'a', n: 5, note: 'kept' }, published: true },
      { data: { slug: 'b', n: 6 } },
    ]);
    const [version] = await callList(server, `/revisions?kind=item&id=${id}`);
    expect(version).toBeDefined();
  });

  it('with the key _id change the entry of that ID', async () => {
    const slug = await collection(fields);
    const id = await createItem(server, slug, { slug: 'a' });
    await importInto(slug, `id,slug,published\n${id},b,no\n,new,\n`, { key: '_id' });
    expect(await callList(server, `/collections/${slug}/items`)).toMatchObject([
      { id, data: { slug: 'b' }, published: false },
      { data: { slug: 'new' }, published: true },
    ]);
    const foreign = await createItem(server, other, {});
    for (const wrong of ['99999', 'x', foreign])
      expect((await importInto(slug, `id,slug\n${wrong},b`, { key: '_id' })).body).toMatchObject({
        code: 'csv.cellError',
        errors: [{ code: 'csv.idUnknown' }],
      });
  });

  it('with a key that is there twice are refused', async () => {
    const slug = await collection(fields);
    expect((await importInto(slug, 'slug\na\na', { key: 'slug' })).body).toMatchObject({
      code: 'csv.cellError',
      errors: [{ row: 3, column: 'slug', code: 'csv.keyDuplicate', params: { value: 'a', row: 2 } }],
    });
    for (let count = 0; count < 2; count++) await createItem(server, slug, { slug: 'b' });
    expect((await importInto(slug, 'slug\nb', { key: 'slug' })).body).toMatchObject({
      errors: [{ row: 2, code: 'csv.keyAmbiguous', params: { value: 'b' } }],
    });
  });

  it('replace what was there', async () => {
    const slug = await collection(fields);
    const old = await createItem(server, slug, { slug: 'old' });
    const kept = await createItem(server, slug, { slug: 'kept' });
    expect(
      (await importInto(slug, 'slug\nkept\nnew', { key: 'slug', query: '?replace=1&dry_run=1' })).body,
    ).toMatchObject({
      created: 1,
      updated: 1,
      deleted: 1,
    });
    expect(await dataOf(slug)).toHaveLength(2);
    expect(
      (await importInto(slug, 'slug\nkept\nnew', { key: 'slug', query: '?replace=1' })).body,
    ).toMatchObject({ deleted: 1 });
    const list = await callList(server, `/collections/${slug}/items`);
    expect(list).toMatchObject([{ id: kept }, { data: { slug: 'new' } }]);
    expect(list.every(({ id }) => id !== old)).toBe(true);
    expect((await importInto(slug, 'slug\nx', { query: '?replace=true' })).body).toMatchObject({
      created: 1,
      deleted: 2,
    });
    expect(await callOk(server, 'GET', `/collections/${slug}`)).toMatchObject({ item_count: 1 });
  });

  it('of a dry run write nothing', async () => {
    const slug = await collection(fields);
    const id = await createItem(server, slug, { slug: 'a' });
    const answer = await importInto(slug, 'slug,n\na,1\nb,2\n', { key: 'slug', query: '?dry_run=1' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        columns: [
          { name: 'slug', samples: ['a', 'b'] },
          { name: 'n', samples: ['1', '2'] },
        ],
        preview: [
          { data: { slug: 'a', n: 1 }, published: true, action: 'update', id },
          { data: { slug: 'b', n: 2 }, published: true, action: 'create', id: 0 },
        ],
        created: 1,
        updated: 1,
      },
    });
    expect(await dataOf(slug)).toHaveLength(1);
    const wrong = await importInto(slug, 'slug,n\n,x\n', { query: '?dry_run=1' });
    expect(wrong).toMatchObject({ status: 200, body: { error_count: 2, errors: [{ row: 2 }, { row: 2 }] } });
  });

  it('are not for singletons', async () => {
    const slug = await collection(fields, { singleton: true });
    expect((await importInto(slug, 'slug\na')).body['code']).toBe('csv.singleton');
  });
});

describe('export', () => {
  it('names the file by slug and date, and includes drafts', async () => {
    const slug = await collection([
      { name: 'a', type: 'text' },
      { name: 'n', type: 'number' },
      { name: 'b', type: 'boolean' },
      { name: 'r', type: 'references', collection: other },
      { name: 't', type: 'blocks' },
    ]);
    const r = [await createItem(server, other, {}), await createItem(server, other, {})];
    const id = await createItem(server, slug, {
      a: '=1+1',
      n: -1.5,
      b: true,
      r,
      t: [{ id: 'i', type: 'x' }],
    });
    const { id: draft } = await callOk(server, 'POST', `/collections/${slug}/items`, {
      data: { a: 'a,"b"' },
      published: false,
    });
    const response = await fetch(`${server.url}/api/v1/collections/${slug}/export`, {
      headers: { Authorization: `Bearer ${masterToken}` },
    });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const day = new Date().toISOString().slice(0, 10);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${slug}-${day}.csv"`);
    expect(await exported(slug)).toBe(
      `\uFEFFid,published,a,n,b,r,t\n${id},true,'=1+1,-1.5,true,"${r[0]},${r[1]}","[{""id"":""i"",""type"":""x"",""params"":{}}]"\n${draft},false,"a,""b""",,false,,\n`,
    );
  });

  it('needs a credential, also for a public collection', async () => {
    const slug = await collection([], { public_api: true });
    expect((await call(server, 'GET', `/collections/${slug}/export`, { token: null })).status).toBe(401);
  });

  it('then import gives the same entries', async () => {
    const ids = [await createItem(server, other, {}), await createItem(server, other, {})];
    const fields = [
      ...['text', 'html', 'url', 'number', 'boolean', 'date', 'blocks'].map((type) => ({ name: type, type })),
      { name: 'one', type: 'reference', collection: other },
      { name: 'all', type: 'references', collection: other },
    ];
    const text = fc.oneof(
      fc.constant(null),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom(
        '=1',
        '+1',
        '-1',
        '@x',
        '\t=',
        "'=",
        "'",
        '"',
        ',',
        ';',
        'a\r\nb',
        '\n',
        'true',
        '007',
        ' x ',
      ),
    );
    const entry = fc.record({
      text,
      html: text,
      url: text,
      number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      boolean: fc.boolean(),
      date: fc.constantFrom(null, '2026-02-28', '1999-12-31'),
      blocks: fc.constantFrom(null, [{ type: 'x', params: { x: ',"\n' } }]),
      one: fc.constantFrom(null, ...ids),
      all: fc.constantFrom(null, [ids[0]], [ids[1], ids[0]]),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(entry, fc.boolean()), { minLength: 1, maxLength: 12 }),
        async (entries) => {
          const slug = await collection(fields);
          const body = entries.map(([data, published]) => ({ data, published }));
          const created = await call(server, 'POST', `/collections/${slug}/items`, { body });
          expect(created.status).toBe(201);
          const copy = await collection(fields);
          const answer = await importInto(copy, await exported(slug));
          expect([answer.body['error_count'], answer.body['warning_count']]).toEqual([0, 0]);
          const plain = (list: readonly Record<string, unknown>[]) =>
            list.map(({ data, published }) => ({ data, published }));
          expect(plain(await callList(server, `/collections/${copy}/items`))).toEqual(
            plain(await callList(server, `/collections/${slug}/items`)),
          );
          expect(
            (await importInto(slug, await exported(slug), { key: '_id', query: '?replace=1' })).body,
          ).toMatchObject({
            created: 0,
            updated: entries.length,
            deleted: 0,
          });
          expect(await callList(server, `/collections/${slug}/items`)).toEqual(created.body);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('a new collection from a file', () => {
  const csv = [
    'Name,Collection ID,ID,Price,Active,Since,Link,Body,Notes,Zip,Empty,Name',
    'A,5,1,"1,5",yes,2026-01-01,https://a.test,<p>x</p>,"a\nb",01234,,x',
    'B,5,2,2,no,02.01.2026,http://b.test,plain,c,04567,,y',
  ].join('\n');

  it('is suggested with types by all values', async () => {
    const answer = await upload('/collections/import', csv, { query: '?dry_run=1', name: 'My Shop' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        collection: {
          slug: 'my-shop',
          name: 'My Shop',
          fields: [
            { name: 'name', label: 'Name', type: 'text' },
            { name: 'price', type: 'number' },
            { name: 'active', type: 'boolean' },
            { name: 'since', type: 'date' },
            { name: 'link', type: 'url' },
            { name: 'body', type: 'html' },
            { name: 'notes', type: 'textarea' },
            { name: 'zip', type: 'text' },
            { name: 'empty', type: 'text' },
            { name: 'name_2', type: 'text' },
          ],
        },
        created: 2,
      },
    });
    expect((await call(server, 'GET', '/collections/my-shop')).status).toBe(404);
  });

  it('is created with its entries, or not at all', async () => {
    const answer = await upload('/collections/import', csv, { name: 'Shop' });
    expect(answer).toMatchObject({
      status: 201,
      body: { collection: { id: expect.any(Number), slug: 'shop' }, created: 2 },
    });
    expect(await dataOf('shop')).toMatchObject([
      { name: 'A', price: 1.5, active: true, zip: '01234' },
      { name: 'B' },
    ]);
    expect((await upload('/collections/import', csv, { name: 'Shop' })).body['code']).toBe(
      'collection.slugTaken',
    );
    const given = { slug: 'given', fields: [{ name: 'n', type: 'number' }] };
    expect((await upload('/collections/import', 'n\nx', { collection: given })).body['code']).toBe(
      'csv.cellError',
    );
    expect((await call(server, 'GET', '/collections/given')).status).toBe(404);
    expect((await upload('/collections/import', 'a\n5', { collection: given, mapping: ['n'] })).status).toBe(
      201,
    );
    expect(await dataOf('given')).toEqual([{ n: 5 }]);
    for (const wrong of ['no json', { slug: 'x y' }, { slug: 5 }])
      expect((await upload('/collections/import', csv, { collection: wrong })).body).toMatchObject({
        code: 'common.invalid',
      });
  });
});
