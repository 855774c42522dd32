import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createCollection, createItem, createPage, createSite, createSnippet } from '../support/content.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** The types of fields and parameters beyond the seeds: values, stored form, templates, queries, CSV. `link` and `group` have tests of their own. */

let server: TestServer;
let site: number;

const options = ['red', 'green', 'a, b'];
const fields = ['datetime', 'multiselect', 'color', 'email', 'phone', 'place'].map((type) => ({
  name: type,
  type,
  ...(type === 'multiselect' ? { options } : {}),
}));

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server, { zone: 'Europe/Berlin' });
  await createCollection(server, {
    slug: 'all',
    public_api: true,
    fields: [{ name: 'title', type: 'text' }, ...fields],
  });
  await createSnippet(server, {
    name: 'all',
    schema: { block: true, params: fields },
    content: fields.map(({ name }) => `{{ ${name} }}`).join('|'),
  });
});
afterAll(() => server.stop());

/** Type, what is sent, what is stored; undefined = refused. */
const values: [type: string, sent: unknown, stored?: unknown][] = [
  ['datetime', '2026-05-31T09:30:00Z', '2026-05-31T09:30:00Z'],
  ['datetime', '2026-05-31T09:30:00.999+02:00', '2026-05-31T07:30:00Z'],
  ['datetime', '2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00Z'],
  ['datetime', '2026-05-31t09:30:00z', '2026-05-31T09:30:00Z'],
  ['datetime', '2026-05-31 09:30:00-00:00', '2026-05-31T09:30:00Z'],
  ['datetime', '', null],
  ['datetime', '2026-05-31T09:30:00'],
  ['datetime', '2026-05-31'],
  ['datetime', '2026-02-30T09:30:00Z'],
  ['datetime', '2026-05-31T25:00:00Z'],
  ['datetime', '2026-05-31T09:30:00 Europe/Berlin'],
  ['datetime', 1_780_000_000],
  ['datetime', 'soon'],
  ['multiselect', ['red', 'green'], ['red', 'green']],
  ['multiselect', 'green, red', ['green', 'red']],
  ['multiselect', ['red', 'red'], ['red']],
  ['multiselect', ['a, b'], ['a, b']],
  ['multiselect', '["a, b","red"]', ['a, b', 'red']],
  ['multiselect', [], null],
  ['multiselect', '', null],
  ['multiselect', ['blue']],
  ['multiselect', 'red, blue'],
  ['multiselect', { red: true }],
  ['multiselect', 5],
  ['color', '#AbCdEf', '#abcdef'],
  ['color', '#FA0', '#ffaa00'],
  ['color', '#11223344', '#11223344'],
  ['color', null, null],
  ['color', '#1234'],
  ['color', 'red'],
  ['color', '#gggggg'],
  ['color', 123],
  ['email', 'ada@example.com', 'ada@example.com'],
  ['email', 'Ada.Lovelace+x@mail.example.co.uk', 'Ada.Lovelace+x@mail.example.co.uk'],
  ['email', 'ada'],
  ['email', 'ada@'],
  ['email', '@example.com'],
  ['email', 'a b@example.com'],
  ['email', 'Ada <ada@example.com>'],
  ['email', 'ada@example.com, bob@example.com'],
  ['phone', '+49 (30) 123-45/6', '+49 (30) 123-45/6'],
  ['phone', '110', '110'],
  ['phone', '11'],
  ['phone', '+--()'],
  ['phone', 'call 123'],
  ['phone', '030.123'],
  ['place', { lat: 52.5, lng: 13.4 }, { lat: 52.5, lng: 13.4 }],
  ['place', { lat: '-90', lng: 180, label: 'Pole' }, { lat: -90, lng: 180, label: 'Pole' }],
  ['place', { lat: 0, lng: 0, label: '', zoom: 5 }, { lat: 0, lng: 0 }],
  ['place', '{"lat":1,"lng":2}', { lat: 1, lng: 2 }],
  ['place', '', null],
  ['place', { lat: 90.1, lng: 0 }],
  ['place', { lat: 0, lng: -180.5 }],
  ['place', { lat: 0 }],
  ['place', { lng: 0 }],
  ['place', {}],
  ['place', { lat: null, lng: 3 }],
  ['place', { lat: 'north', lng: 3 }],
  ['place', [52.5, 13.4]],
  ['place', '52.5, 13.4'],
];

describe.each(values)('%s %j', (type, sent, stored) => {
  it(stored === undefined ? 'is refused' : `is stored as ${JSON.stringify(stored)}`, async () => {
    const answer = await call(server, 'POST', '/collections/all/items', { body: { data: { [type]: sent } } });
    const blocks = [{ id: 'b', type: 'all', params: { [type]: sent } }];
    const title = `${type} ${JSON.stringify(sent)}`;
    const body = {
      parent_id: site,
      slug: `p${values.findIndex((row) => row[1] === sent)}-${type}`,
      title,
      blocks,
    };
    const page = await call(server, 'POST', '/pages', { body });
    if (stored === undefined) {
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'common.invalid', params: { field: type } },
      });
      expect(page).toMatchObject({
        status: 400,
        body: { code: 'block.paramInvalid', params: { path: '0', param: type } },
      });
      return;
    }
    expect(answer).toMatchObject({ status: 201, body: { data: { [type]: stored } } });
    expect(page).toMatchObject({ status: 201, body: { blocks: [{ params: { [type]: stored } }] } });
    const path = `/collections/all/items/${asRecord(answer.body)['id']}`;
    const { data } = await callOk(server, 'GET', path);
    expect(asRecord(await callOk(server, 'PUT', path, { data }))['data']).toEqual(data);
  });
});

/** Renders a template on a page of its own. */
async function render(html: string, fields: object = {}): Promise<string> {
  const page = await createPage(server, site, { html, published: true, ...fields });
  const response = await fetch(`${server.url}/api/v1/pages/${page}/render`, {
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  const text = await response.text();
  return /<body[^>]*>([\s\S]*)<\/body>/.exec(text)?.[1]?.trim() ?? text;
}

describe('in templates', () => {
  const data = {
    datetime: '2026-07-01T22:30:00Z',
    multiselect: ['red', 'a, b'],
    color: '#fff',
    email: 'ada@example.com',
    phone: '+49 30',
    place: { lat: 52.5, lng: 13.4, label: 'Here' },
  };

  it.each([
    ['{{ e.datetime }}', '2026-07-01T22:30:00Z'],
    ['{{ e.datetime|date:"Y-m-d H:i" }}', '2026-07-02 00:30'],
    ['{% for o in e.multiselect %}{{ o }};{% endfor %}', 'red;a, b;'],
    ['{{ e.multiselect|join:"/" }}', 'red/a, b'],
    ['{{ e.color }}', '#ffffff'],
    ['{{ e.email }} {{ e.phone }}', 'ada@example.com +49 30'],
    ['{{ e.place.lat }},{{ e.place.lng }} {{ e.place.label }}', '52.5,13.4 Here'],
  ])('%s', async (html, expected) => {
    const item = await createItem(server, 'all', data);
    expect(await render(`{% set e = item("all", "id", ${item}) %}${html}`)).toBe(expected);
  });

  it('of blocks', async () => {
    const blocks = [{ type: 'all', params: { ...data, phone: '123', place: null } }];
    expect(await render('{% blocks page.blocks %}', { blocks })).toBe(
      '2026-07-01T22:30:00Z|[&#x27;red&#x27;, &#x27;a, b&#x27;]|#ffffff|ada@example.com|123|',
    );
    expect(await render('{% blocks page.blocks %}', { blocks: [{ type: 'all' }] })).toBe('|||||');
  });
});

describe('zone', () => {
  it.each(['Mars/Olympus', '+02:00', 'x y', '../etc/localtime'])('%s is refused', async (zone) => {
    expect(await call(server, 'PUT', `/pages/${site}`, { body: { zone } })).toMatchObject({
      status: 400,
      body: { code: 'common.invalid', params: { field: 'zone' } },
    });
    expect(await call(server, 'POST', '/sites', { body: { title: 'x', zone } })).toMatchObject({
      status: 400,
      body: { code: 'common.invalid', params: { field: 'zone' } },
    });
  });

  it('is shown by GET, counts for all pages of the website, and is ignored on other pages', async () => {
    const other = await createSite(server, { domains: 'zone.test' });
    expect(await callOk(server, 'GET', `/pages/${other}`)).toMatchObject({ zone: '' });
    const html = '{{ "2026-07-01T12:00:00Z"|date:"H:i" }}';
    const page = await createPage(server, other, { slug: 'time', html, published: true });
    const shown = async () => {
      const response = await fetch(`${server.url}/api/v1/pages/${page}/render`, {
        headers: { Authorization: `Bearer ${masterToken}` },
      });
      return /<body[^>]*>\s*(\S+)/.exec(await response.text())?.[1];
    };
    await callOk(server, 'PUT', `/pages/${other}`, { zone: 'Asia/Tokyo' });
    expect(await shown()).toBe('21:00');
    await callOk(server, 'PUT', `/pages/${other}`, { zone: 'America/New_York' });
    expect(await shown()).toBe('08:00');
    await callOk(server, 'PUT', `/pages/${page}`, { zone: 'Asia/Tokyo' });
    expect(await shown()).toBe('08:00');
    expect(await callOk(server, 'GET', `/pages/${page}`)).toMatchObject({ zone: '' });
    expect(await callOk(server, 'GET', `/pages/${other}`)).toMatchObject({ zone: 'America/New_York' });
  });

  it('changes pages that visitors have seen', async () => {
    const html = '{{ "2026-07-01T12:00:00Z"|date:"H:i" }}';
    await createPage(server, site, { slug: 'cached', html, published: true });
    const shown = async () =>
      /<body[^>]*>\s*(\S+)/.exec(await (await fetch(`${server.url}/cached`)).text())?.[1];
    expect(await shown()).toBe('14:00');
    await callOk(server, 'PUT', `/pages/${site}`, { zone: 'UTC' });
    expect(await shown()).toBe('12:00');
    await callOk(server, 'PUT', `/pages/${site}`, { zone: 'Europe/Berlin' });
    expect(await shown()).toBe('14:00');
  });
});

describe('queries', () => {
  beforeAll(async () => {
    await createCollection(server, {
      slug: 'asked',
      public_api: true,
      fields: [{ name: 'title', type: 'text' }, ...fields],
    });
    const rows = [
      {
        title: 'one',
        datetime: '2026-01-01T10:00:00Z',
        multiselect: ['red'],
        color: '#111',
        email: 'a@b.test',
      },
      { title: 'two', datetime: '2026-01-01T12:00:00+03:00', multiselect: ['red', 'green'], phone: '123 45' },
      { title: 'three', datetime: '2026-01-02T00:00:00Z', multiselect: ['a, b'] },
      { title: 'none' },
    ];
    for (const row of rows) await createItem(server, 'asked', row);
  });

  it.each([
    ['datetime__lt=2026-01-01T10:00:00Z', 'two'],
    ['datetime__lte=2026-01-01T11:00:00%2B01:00', 'one two'],
    ['datetime=2026-01-01T11:00:00%2B01:00', 'one'],
    ['datetime__gte=2026-01-02', 'three'],
    ['datetime__gt=soon', ''],
    ['datetime__isnull=1', 'none'],
    ['datetime__startswith=2026-01-01', 'one two'],
    ['datetime__isnull=0&_sort=datetime', 'two one three'],
    ['datetime__isnull=0&_sort=-datetime', 'three one two'],
    ['multiselect=red', 'one two'],
    ['multiselect__contains=green', 'two'],
    ['multiselect__ne=red', 'three none'],
    ['multiselect__in=green,red', 'one two'],
    ['multiselect=a, b', 'three'],
    ['multiselect__isnull=1', 'none'],
    ['multiselect=blue', ''],
    ['color=%23111111', 'one'],
    ['email__icontains=B.TEST', 'one'],
    ['phone__startswith=123', 'two'],
    ['_search=b.test', 'one'],
  ])('%s', async (query, expected) => {
    const found = await callList(server, `/data/asked?${query}`);
    expect(found.map(({ title }) => title).join(' ')).toBe(expected);
  });

  it('of a template that has been shown see a new entry', async () => {
    const html = '{{ data("asked", "multiselect", "green")|length }}';
    await createPage(server, site, { slug: 'counted', html, published: true });
    const shown = async () =>
      /<body[^>]*>\s*(\S+)/.exec(await (await fetch(`${server.url}/counted`)).text())?.[1];
    expect(await shown()).toBe('1');
    const item = await createItem(server, 'asked', { title: 'more', multiselect: ['green'] });
    expect(await shown()).toBe('2');
    await callOk(server, 'PUT', `/collections/asked/items/${item}`, { data: { multiselect: ['red'] } });
    expect(await shown()).toBe('1');
    await callOk(server, 'DELETE', `/collections/asked/items/${item}`);
  });

  it('moments and templates: a date of the template', async () => {
    expect(await render('{{ data("asked", "datetime__lt", now)|length }}')).toBe('3');
  });

  it('a place is no query field but for isnull', async () => {
    for (const query of ['place=1', 'place__gt=1', '_sort=place'])
      expect(await call(server, 'GET', `/data/asked?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'data.unknownField', params: { field: 'place' } },
      });
    expect(await callList(server, '/data/asked?place__isnull=0')).toHaveLength(0);
  });

  it('several options are not compared by size', async () => {
    expect(await call(server, 'GET', '/data/asked?multiselect__gt=red')).toMatchObject({
      status: 400,
      body: { code: 'data.unknownOperator' },
    });
  });
});

describe('CSV', () => {
  async function importCsv(text: string) {
    const form = new FormData();
    form.set('file', new Blob([text]), 'a.csv');
    const request = new Request('http://x', { method: 'POST', body: form });
    return call(server, 'POST', '/collections/sheet/import?replace=1', {
      raw: new Uint8Array(await request.arrayBuffer()),
      headers: { 'Content-Type': request.headers.get('content-type') ?? '' },
    });
  }

  it('has what can be read back', async () => {
    await createCollection(server, { slug: 'sheet', fields });
    const rows = [
      { datetime: '2026-01-01T10:00:00Z', multiselect: ['red', 'green'], color: '#123456' },
      { multiselect: ['a, b', 'red'], email: 'a@b.test', phone: '+49 30 123' },
      { place: { lat: 1.5, lng: -2, label: 'x' } },
    ];
    for (const row of rows) await createItem(server, 'sheet', row);
    const response = await fetch(`${server.url}/api/v1/collections/sheet/export`, {
      headers: { Authorization: `Bearer ${masterToken}` },
    });
    const csv = await response.text();
    expect(csv).toContain('2026-01-01T10:00:00Z,"red,green",#123456');
    expect(csv).toContain('"[""a, b"",""red""]"');
    expect((await importCsv(csv)).status).toBe(200);
    const data = (await callList(server, '/collections/sheet/items')).map((item) => asRecord(item['data']));
    expect(data).toMatchObject(rows);
  });

  it.each([
    ['datetime', '2026-01-01T10:00:00'],
    ['multiselect', 'blue'],
    ['color', 'red'],
    ['email', 'x'],
    ['phone', 'x'],
    ['place', 'x'],
  ])('refuses a cell of %s', async (column, cell) => {
    expect(await importCsv(`${column}\n${cell}`)).toMatchObject({
      status: 400,
      body: {
        code: 'csv.cellError',
        params: { row: 2, column, code: 'common.invalid', params: { field: column } },
      },
    });
  });
});

it('an option that is gone stays where it is, and can be sent back', async () => {
  const id = await createCollection(server, {
    slug: 'options',
    fields: [{ name: 'o', type: 'multiselect', options: ['a', 'b'] }],
  });
  const item = await createItem(server, 'options', { o: ['a', 'b'] });
  await callOk(server, 'PUT', `/collections/${id}`, {
    fields: [{ name: 'o', type: 'multiselect', options: ['b'] }],
  });
  const path = `/collections/options/items/${item}`;
  expect(await callOk(server, 'GET', path)).toMatchObject({ data: { o: ['a', 'b'] } });
  expect((await call(server, 'PUT', path, { body: { data: { o: ['a', 'b'] } } })).status).toBe(200);
  expect((await call(server, 'PUT', path, { body: { data: { o: ['a'] } } })).status).toBe(400);
});
