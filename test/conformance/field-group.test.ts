import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { download, importBundle } from '../support/bundles.ts';
import {
  createCollection,
  createItem,
  createPage,
  createSite,
  createSnippet,
  freshName,
} from '../support/content.ts';
import { uploadOne } from '../support/media.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** Fields and parameters of the type `group`. */

let server: TestServer;
let site: number;
let people: number;
let ada: number;
let about: number;

const opening = {
  name: 'opening',
  type: 'group',
  many: true,
  min: 1,
  max: 3,
  fields: [
    { name: 'day', type: 'select', options: ['mon', 'tue'], required: true },
    { name: 'from', type: 'text', pattern: '^[0-9:]+$' },
    { name: 'seats', type: 'number', max: 10 },
    { name: 'since', type: 'date' },
  ],
};
const contact = () => ({
  name: 'contact',
  type: 'group',
  fields: [
    { name: 'mail', type: 'email' },
    { name: 'person', type: 'reference', collection: people },
    { name: 'others', type: 'references', collection: people },
    { name: 'more', type: 'link' },
    { name: 'photo', type: 'image' },
    { name: 'open', type: 'boolean' },
  ],
});

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
  about = await createPage(server, site, { slug: 'about', published: true });
  people = await createCollection(server, { slug: 'people', fields: [{ name: 'name', type: 'text' }] });
  ada = await createItem(server, 'people', { name: 'Ada' });
  await createCollection(server, {
    slug: 'shops',
    public_api: true,
    fields: [{ name: 'title', type: 'text' }, opening, contact()],
  });
  await createSnippet(server, {
    name: 'shop',
    schema: { block: true, params: [opening, contact()] },
    content:
      '{% for o in opening %}{{ o.day }} {{ o.from }};{% endfor %}{{ contact.person.name }} {{ contact.more }}',
  });
});
afterAll(() => server.stop());

const post = (data: object) => call(server, 'POST', '/collections/shops/items', { body: { data } });

async function render(html: string, fields: object = {}): Promise<string> {
  const page = await createPage(server, site, { html, published: true, ...fields });
  const response = await fetch(`${server.url}/api/v1/pages/${page}/render`, {
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  const text = await response.text();
  return /<body[^>]*>([\s\S]*)<\/body>/.exec(text)?.[1]?.trim() ?? text;
}

describe('a definition', () => {
  it('is shown as it was sent, with what was left out', async () => {
    const { fields } = await callOk(server, 'GET', '/collections/shops');
    expect(fields).toMatchObject([
      { name: 'title' },
      {
        name: 'opening',
        type: 'group',
        many: true,
        min: 1,
        max: 3,
        fields: [
          {
            name: 'day',
            label: 'day',
            type: 'select',
            required: true,
            options: ['mon', 'tue'],
            collection: null,
          },
          { name: 'from', pattern: '^[0-9:]+$' },
          { name: 'seats', max: 10 },
          { name: 'since', required: false },
        ],
      },
      { name: 'contact', fields: [{ name: 'mail' }, { name: 'person', collection: people }, {}, {}, {}, {}] },
    ]);
    const { id } = await callOk(server, 'GET', '/collections/shops');
    expect((await callOk(server, 'PUT', `/collections/${id}`, { fields }))['fields']).toEqual(fields);
  });

  const inner = [{ name: 'a', type: 'text' }];
  const faults: [string, object, string][] = [
    ['a group in a group', { fields: [{ name: 'a', type: 'group', fields: inner }] }, 'fields.0.type'],
    ['blocks in a group', { fields: [{ name: 'a', type: 'blocks' }] }, 'fields.0.type'],
    ['an unknown type', { fields: [{ name: 'a', type: 'cat' }] }, 'fields.0.type'],
    ['no fields', {}, 'fields'],
    ['an empty list of fields', { fields: [] }, 'fields'],
    ['a bad name', { fields: [{ name: '1a', type: 'text' }] }, 'fields.0.name'],
    ['a name twice', { fields: [...inner, ...inner] }, 'fields.1.name'],
    ['no linked collection', { fields: [{ name: 'a', type: 'reference' }] }, 'fields.0.collection'],
    [
      'a linked collection that is gone',
      { fields: [{ name: 'a', type: 'reference', collection: 99_999 }] },
      'fields.0.collection',
    ],
    ['min without many', { fields: inner, min: 1 }, 'min'],
    ['max without many', { fields: inner, max: 1 }, 'max'],
    ['a rule that does not suit', { fields: [{ name: 'a', type: 'text', min: 5, max: 1 }] }, 'fields.0.min'],
    ['many that is no flag', { fields: inner, many: 'yes' }, 'many'],
  ];
  it.each(faults)('%s is refused', async (_name, group, key) => {
    const field = { name: 'g', type: 'group', ...group };
    expect(
      await call(server, 'POST', '/collections', { body: { slug: 'bad', fields: [field] } }),
    ).toMatchObject({ status: 400, body: { code: 'common.invalid', params: { field: `fields.0.${key}` } } });
    const schema = { block: true, params: [field] };
    expect(await call(server, 'POST', '/snippets', { body: { name: 'bad', schema } })).toMatchObject({
      status: 400,
      body: { code: 'block.paramRuleInvalid', params: { name: 'g', key } },
    });
  });

  it.each([
    ['many', { many: true }],
    ['fields', { fields: inner }],
  ])('%s of another type is refused', async (key, parts) => {
    const field = { name: 'g', type: 'text', ...parts };
    expect(
      await call(server, 'POST', '/collections', { body: { slug: 'bad', fields: [field] } }),
    ).toMatchObject({ status: 400, body: { code: 'common.invalid', params: { field: `fields.0.${key}` } } });
  });
});

describe('a default', () => {
  it.each([
    ['of a required field that is missing', { many: true, fields: opening.fields, default: [{ from: '9' }] }],
    ['that breaks a rule', { many: true, fields: opening.fields, default: [{ day: 'mon', seats: 11 }] }],
    ['that breaks a rule of one object', { fields: opening.fields, default: { day: 'mon', from: 'nine' } }],
  ])('keeps the rules of the group: %s', async (_reason, parts) => {
    const definition = { name: 'o', type: 'group', ...parts };
    const body = { slug: freshName('c'), fields: [definition] };
    expect(await call(server, 'POST', '/collections', { body })).toMatchObject({
      status: 400,
      body: { code: 'common.invalid', params: { field: 'fields.0.default' } },
    });
    const schema = { block: true, params: [definition] };
    expect(await call(server, 'POST', '/snippets', { body: { name: freshName('s'), schema } })).toMatchObject(
      {
        status: 400,
        body: { code: 'block.paramRuleInvalid', params: { name: 'o', key: 'default' } },
      },
    );
  });

  it('of a group fills what is not sent', async () => {
    const initial = [{ day: 'mon', from: null, seats: 3, since: null }];
    const slug = freshName('filled');
    await createCollection(server, { slug, fields: [{ ...opening, default: [{ day: 'mon', seats: '3' }] }] });
    const created = await call(server, 'POST', `/collections/${slug}/items`, { body: { data: {} } });
    expect(created).toMatchObject({ status: 201, body: { data: { opening: initial } } });
  });
});

describe('a value', () => {
  it.each<[string, object, object]>([
    [
      'gets null for what is missing, and loses unknown keys',
      { opening: [{ day: 'mon', x: 1 }], contact: { mail: 'a@b.test' } },
      {
        opening: [{ day: 'mon', from: null, seats: null, since: null }],
        contact: { mail: 'a@b.test', person: null, others: null, more: null, photo: null, open: null },
      },
    ],
    [
      'is converted by the types',
      { opening: '[{"day":"tue","seats":"3"}]', contact: { more: { url: '/a' }, open: 1 } },
      {
        opening: [{ day: 'tue', from: null, seats: 3, since: null }],
        contact: { mail: null, person: null, others: null, more: { url: '/a' }, photo: null, open: true },
      },
    ],
    ['is null if it is empty', { opening: [], contact: '' }, { opening: null, contact: null }],
  ])('%s', async (_name, sent, stored) => {
    const answer = await post(sent);
    expect(answer).toMatchObject({ status: 201 });
    const path = `/collections/shops/items/${asRecord(answer.body)['id']}`;
    const { data } = await callOk(server, 'GET', path);
    expect(data).toMatchObject(stored);
    expect(asRecord(await callOk(server, 'PUT', path, { data }))['data']).toEqual(data);
    const page = await call(server, 'POST', '/pages', {
      body: {
        parent_id: site,
        slug: `g${asRecord(answer.body)['id']}`,
        title: 'g',
        blocks: [{ type: 'shop', params: sent }],
      },
    });
    expect(page).toMatchObject({ status: 201, body: { blocks: [{ params: stored }] } });
  });

  const faults: [string, object, string, string][] = [
    ['a list without many', { contact: [{ mail: 'a@b.test' }] }, 'contact', 'common.invalid'],
    ['an object with many', { opening: { day: 'mon' } }, 'opening', 'common.invalid'],
    ['no object', { opening: ['mon'] }, 'opening.0', 'common.invalid'],
    ['text', { opening: 'mon' }, 'opening', 'common.invalid'],
    ['a bad option', { opening: [{ day: 'mon' }, { day: 'sun' }] }, 'opening.1.day', 'common.invalid'],
    ['a missing value', { opening: [{ from: '9' }] }, 'opening.0.day', 'item.fieldRequired'],
    ['a broken pattern', { opening: [{ day: 'mon', from: 'x' }] }, 'opening.0.from', 'common.invalid'],
    ['a number too large', { opening: [{ day: 'mon', seats: 11 }] }, 'opening.0.seats', 'common.invalid'],
    ['no date', { opening: [{ day: 'mon', since: 'soon' }] }, 'opening.0.since', 'common.invalid'],
    ['too many', { opening: Array.from({ length: 4 }, () => ({ day: 'mon' })) }, 'opening', 'common.invalid'],
    ['a bad address', { contact: { mail: 'x' } }, 'contact.mail', 'common.invalid'],
    ['a bad link', { contact: { more: { url: 'javascript:x' } } }, 'contact.more', 'common.invalid'],
    ['a page that is gone', { contact: { more: { page: 99_999 } } }, 'contact.more', 'item.pageMissing'],
    ['an entry that is gone', { contact: { others: [99_999] } }, 'contact.others', 'item.referenceMissing'],
    ['a file that is gone', { contact: { photo: 99_999 } }, 'contact.photo', 'item.fileMissing'],
  ];
  it.each(faults)('%s is refused', async (_name, data, field, code) => {
    expect(await post(data)).toMatchObject({ status: 400, body: { code, params: { field } } });
    const blocks = [{ type: 'shop', params: data }];
    expect(
      await call(server, 'POST', '/pages', { body: { parent_id: site, slug: 'bad', title: 'x', blocks } }),
    ).toMatchObject({
      status: 400,
      body: { code: 'block.paramInvalid', params: { path: '0', param: field } },
    });
  });

  it('is replaced as a whole by PUT', async () => {
    const id = await createItem(server, 'shops', { contact: { mail: 'a@b.test', open: true } });
    const path = `/collections/shops/items/${id}`;
    expect(await callOk(server, 'PUT', path, { data: { contact: { open: false } } })).toMatchObject({
      data: { contact: { mail: null, open: false } },
    });
  });
});

describe('in templates', () => {
  it.each([
    ['{{ e.opening.0.day }} {{ e.opening.1.from }}', 'mon 10:00'],
    ['{% for o in e.opening %}{{ o.day }}{% endfor %}', 'montue'],
    ['{{ e.contact.person.name }}', 'Ada'],
    ['{% for p in e.contact.others %}{{ p.name }}{% endfor %}', 'Ada'],
    ['<a href="{{ e.contact.more }}">{{ e.contact.more.text }}</a>', '<a href="/about">More</a>'],
    ['{{ e.contact.mail }}|{{ e.contact.nothing }}', 'None|'],
  ])('%s', async (html, expected) => {
    const item = await createItem(server, 'shops', {
      opening: [{ day: 'mon' }, { day: 'tue', from: '10:00' }],
      contact: { person: ada, others: [ada], more: { page: about, text: 'More' } },
    });
    expect(await render(`{% set e = item("shops", "id", ${item}) %}${html}`)).toBe(expected);
  });

  it('of blocks, and without a value', async () => {
    const params = { opening: [{ day: 'mon', from: '9' }], contact: { person: ada, more: { page: about } } };
    expect(await render('{% blocks page.blocks %}', { blocks: [{ type: 'shop', params }] })).toBe(
      'mon 9;Ada /about',
    );
    expect(await render('{% blocks page.blocks %}', { blocks: [{ type: 'shop' }] })).toBe('');
  });

  it('follow what they show', async () => {
    const bob = await createItem(server, 'people', { name: 'Bob' });
    const item = await createItem(server, 'shops', { contact: { person: bob } });
    const html = `{{ item("shops", "id", ${item}).contact.person.name }}`;
    await createPage(server, site, { slug: 'bob', published: true, html });
    const shown = async () =>
      /<body[^>]*>\s*(\S+)/.exec(await (await fetch(`${server.url}/bob`)).text())?.[1];
    expect(await shown()).toBe('Bob');
    await callOk(server, 'PUT', `/collections/people/items/${bob}`, { data: { name: 'Rob' } });
    expect(await shown()).toBe('Rob');
  });
});

it('/data has entries and addresses in groups, and knows groups only by isnull', async () => {
  await createItem(server, 'shops', {
    title: 'data',
    contact: { person: ada, more: { page: about } },
  });
  expect((await callList(server, '/data/shops?title=data'))[0]).toMatchObject({
    contact: { person: { name: 'Ada' }, more: { page: about, href: '/about' } },
    opening: null,
  });
  for (const query of ['contact=1', 'contact__ne=1', 'opening__contains=mon', '_sort=contact'])
    expect(await call(server, 'GET', `/data/shops?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'data.unknownField' },
    });
  expect(await callList(server, '/data/shops?contact__isnull=0&title=data')).toHaveLength(1);
});

describe('what values in groups lead to', () => {
  const usersOf = async (kind: string, id: number) =>
    asRecord((await call(server, 'GET', `/usage?kind=${kind}&id=${id}`)).body)['usage'];

  it('counts as use', async () => {
    const page = await createPage(server, site, { slug: 'in-group' });
    const photo = Number((await uploadOne(server, 'in-group.txt', 'x'))['id']);
    const item = await createItem(server, 'shops', {
      title: 'uses',
      contact: { more: { page }, photo },
    });
    expect(await usersOf('page', page)).toEqual([{ kind: 'item', id: item, title: 'uses' }]);
    expect(await usersOf('file', photo)).toEqual([{ kind: 'item', id: item, title: 'uses' }]);
  });

  it('is not shown when it is gone, and the rest stays', async () => {
    const page = await createPage(server, site, { slug: 'goes' });
    const item = await createItem(server, 'shops', { contact: { mail: 'a@b.test', more: { page } } });
    await callOk(server, 'DELETE', `/pages/${page}`);
    const path = `/collections/shops/items/${item}`;
    const { data } = await callOk(server, 'GET', path);
    expect(data).toMatchObject({ contact: { mail: 'a@b.test', more: null } });
    expect((await call(server, 'PUT', path, { body: { data } })).status).toBe(200);
  });

  it('is reached by @ref of a batch', async () => {
    const { results } = asRecord(
      await callOk(server, 'POST', '/batch', {
        ops: [
          { op: 'create', kind: 'page', ref: 'p', data: { parent_id: site, slug: 'batched', title: 'B' } },
          { op: 'create', kind: 'item', collection: 'people', ref: 'q', data: { name: 'Q' } },
          {
            op: 'create',
            kind: 'item',
            collection: 'shops',
            data: { contact: { more: { page: '@p' }, person: '@q', others: ['@q'] } },
          },
        ],
      }),
    );
    const [page, person, item] = results as { readonly id: number }[];
    const { data } = await callOk(server, 'GET', `/collections/shops/items/${item?.id}`);
    expect(data).toMatchObject({
      contact: { more: { page: page?.id }, person: person?.id, others: [person?.id] },
    });
  });
});

it('CSV has groups as JSON, in both directions', async () => {
  await createCollection(server, { slug: 'sheet', fields: [opening] });
  await createItem(server, 'sheet', { opening: [{ day: 'mon' }] });
  const response = await fetch(`${server.url}/api/v1/collections/sheet/export`, {
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  const importCsv = async (text: string) => {
    const form = new FormData();
    form.set('file', new Blob([text]), 'a.csv');
    const request = new Request('http://x', { method: 'POST', body: form });
    return call(server, 'POST', '/collections/sheet/import?replace=1', {
      raw: new Uint8Array(await request.arrayBuffer()),
      headers: { 'Content-Type': request.headers.get('content-type') ?? '' },
    });
  };
  expect((await importCsv(await response.text())).status).toBe(200);
  const [entry] = await callList(server, '/collections/sheet/items');
  expect(entry).toMatchObject({ data: { opening: [{ day: 'mon', from: null, seats: null, since: null }] } });
  expect(await importCsv('opening\n"[{""day"":""sun""}]"')).toMatchObject({
    status: 400,
    body: {
      code: 'csv.cellError',
      params: { row: 2, column: 'opening', code: 'common.invalid', params: { field: 'opening.0.day' } },
    },
  });
});

it('a field that the group gets or loses is null or gone in stored values, which can be sent back', async () => {
  const before = {
    name: 'g',
    type: 'group',
    fields: [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'text' },
    ],
  };
  const id = await createCollection(server, { slug: 'changing', fields: [before] });
  const item = await createItem(server, 'changing', { g: { a: 'A', b: 'B' } });
  const fields = [
    { name: 'a', type: 'text' },
    { name: 'c', type: 'text', required: true },
  ];
  await callOk(server, 'PUT', `/collections/${id}`, { fields: [{ ...before, fields }] });
  const path = `/collections/changing/items/${item}`;
  const { data } = await callOk(server, 'GET', path);
  expect(data).toMatchObject({ g: { a: 'A', c: null } });
  expect((await call(server, 'PUT', path, { body: { data } })).status).toBe(200);
});

it('a rule of the group that is tightened leaves the entries, and is told', async () => {
  const field = { name: 'g', type: 'group', fields: [{ name: 'a', type: 'text' }] };
  const id = await createCollection(server, { slug: 'tightened', fields: [field] });
  const item = await createItem(server, 'tightened', { g: { a: 'long' } });
  await createItem(server, 'tightened', { g: { a: 'ok' } });
  const fields = [{ name: 'a', type: 'text', max: 2 }];
  const saved = await callOk(server, 'PUT', `/collections/${id}`, { fields: [{ ...field, fields }] });
  expect(saved['warnings']).toMatchObject([
    { code: 'collection.entriesBreakRule', params: { field: 'g', count: 1 } },
  ]);
  const path = `/collections/tightened/items/${item}`;
  expect((await call(server, 'PUT', path, { body: { data: { g: { a: 'long' } } } })).status).toBe(200);
  expect(await call(server, 'PUT', path, { body: { data: { g: { a: 'longer' } } } })).toMatchObject({
    status: 400,
    body: { code: 'common.invalid', params: { field: 'g.a' } },
  });
});

it('a bundle keeps groups', async () => {
  const id = await createItem(server, 'shops', { title: 'bundled', contact: { more: { page: about } } });
  const target = await startServer();
  try {
    expect((await importBundle(target, await download(server))).status).toBe(200);
    const { data } = await callOk(target, 'GET', `/collections/shops/items/${id}`);
    expect(data).toMatchObject({ title: 'bundled', contact: { more: { page: about } } });
  } finally {
    await target.stop();
  }
});
