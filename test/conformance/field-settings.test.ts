import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, createItem, createSnippet, freshName } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** "Fields": settings of fields of collections and of parameters of block types, and their faults in definitions. */

let server: TestServer;
let linked: number;

beforeAll(async () => {
  server = await startServer();
  linked = await createCollection(server, { slug: 'linked', fields: [{ name: 'title', type: 'text' }] });
});
afterAll(() => server.stop());

const settings = {
  help: 'Shown to readers.',
  placeholder: 'e.g. AB-1',
  group: 'Basics',
  show_if: { field: 'kind', op: 'in', value: ['a', 'b'] },
  pattern: '^[A-Z]{2}-\\d+$',
  pattern_help: 'two letters, a hyphen, digits',
  min: 3,
  max: 20,
  default: 'AB-1',
};
const rich = {
  richtext: ['bold', 'italic', 'link', 'lists', 'headings', 'quote', 'code', 'table', 'image'],
  classes: [
    { name: 'lead', label: 'Lead' },
    { name: 'small', label: 'small' },
  ],
};
const definitions = [
  { name: 'kind', type: 'select', options: ['a', 'b'] },
  { name: 'code', type: 'text', ...settings },
  { name: 'body', type: 'html', ...rich },
  { name: 'day', type: 'date', min: '2026-01-01', max: '2026-12-31' },
  { name: 'n', type: 'number', min: -1.5, max: 2, default: 0 },
];

describe('settings are stored and answered', () => {
  it('of fields of a collection, and one that is not set is absent', async () => {
    const fields = definitions.map((field) => (field.name === 'code' ? { ...field, unique: true } : field));
    const created = await callOk(server, 'POST', '/collections', { slug: 'all', fields });
    const shown = fields.map(({ name, ...field }) => ({
      name,
      label: name,
      required: false,
      options: [],
      collection: null,
      ...field,
    }));
    expect(created['fields']).toEqual(shown);
    expect((await callOk(server, 'GET', '/collections/all'))['fields']).toEqual(shown);
    const [listed] = (await callList(server, '/collections')).filter(({ slug }) => slug === 'all');
    expect(listed?.['fields']).toEqual(shown);
    // What GET answers can be sent back.
    const again = await callOk(server, 'PUT', '/collections/all', { fields: created['fields'] });
    expect(again).toEqual({ ...created, warnings: undefined });
  });

  it('of parameters, in the schema as sent and in the list of block types', async () => {
    const name = freshName('card');
    const schema = { block: true, params: definitions };
    const saved = await callOk(server, 'POST', '/snippets', { name, schema });
    expect(saved['schema']).toEqual(schema);
    const [type] = (await callList(server, '/blocks/types')).filter((known) => known['name'] === name);
    expect(type?.['params']).toEqual(
      definitions.map(({ name, ...param }) => ({
        name,
        label: name,
        required: false,
        options: [],
        collection: null,
        default: null,
        design: false,
        ...param,
      })),
    );
  });

  it('and null, false, an empty text, or a list without them take them away', async () => {
    const id = await createCollection(server, {
      fields: [
        { name: 'a', type: 'text', help: null, pattern: '', unique: false, min: null, default: null },
        { name: 'b', type: 'text', help: 'x' },
      ],
    });
    const plain = { label: expect.any(String), type: 'text', required: false, options: [], collection: null };
    const path = `/collections/${id}`;
    expect((await callOk(server, 'GET', path))['fields']).toEqual([
      { name: 'a', ...plain },
      { name: 'b', ...plain, help: 'x' },
    ]);
    await callOk(server, 'PUT', path, { fields: [{ name: 'b', type: 'text' }] });
    expect((await callOk(server, 'GET', path))['fields']).toEqual([{ name: 'b', ...plain }]);
  });

  it('and a default of another form as entries store it', async () => {
    const id = await createCollection(server, {
      fields: [
        { name: 'n', type: 'number', default: '5' },
        { name: 'f', type: 'boolean', default: 'true' },
        { name: 'l', type: 'references', collection: linked, default: [] },
      ],
    });
    const { fields } = await callOk(server, 'GET', `/collections/${id}`);
    const list = Array.isArray(fields) ? fields.map(asRecord) : [];
    expect(list.map((field) => field['default'])).toEqual([5, true, undefined]);
  });

  it('and take part in the schema snapshot', async () => {
    const { collections } = await callOk(server, 'GET', '/schema');
    const list = Array.isArray(collections) ? collections.map(asRecord) : [];
    const all = list.find(({ slug }) => slug === 'all');
    expect(all?.['fields']).toEqual((await callOk(server, 'GET', '/collections/all'))['fields']);
  });
});

type Fault = readonly [reason: string, field: Readonly<Record<string, unknown>>, key: string];

/** Faults of fields and of parameters. Each definition is the second one of two. */
const faults: readonly Fault[] = [
  ['min above max of a number', { type: 'number', min: 3, max: 2 }, 'min'],
  ['min above max of a length', { type: 'text', min: 3, max: 2 }, 'min'],
  ['min above max of a date', { type: 'date', min: '2026-02-01', max: '2026-01-31' }, 'min'],
  ['min above max of a list', { type: 'references', min: 3, max: 2 }, 'min'],
  ['a text as min of a number', { type: 'number', min: '3' }, 'min'],
  ['a number as min of a date', { type: 'date', min: 3 }, 'min'],
  ['no day as max of a date', { type: 'date', max: '2026-02-30' }, 'max'],
  ['a fraction as length', { type: 'text', max: 1.5 }, 'max'],
  ['a length below 0', { type: 'markdown', min: -1 }, 'min'],
  ['min of a boolean', { type: 'boolean', min: 1 }, 'min'],
  ['max of an image', { type: 'image', max: 1 }, 'max'],
  ['a list as min', { type: 'number', min: [] }, 'min'],
  ['an unknown field in show_if', { type: 'text', show_if: { field: 'x', op: 'set' } }, 'show_if.field'],
  ['its own name in show_if', { type: 'text', show_if: { field: 'b', op: 'set' } }, 'show_if.field'],
  ['an unknown operator', { type: 'text', show_if: { field: 'a', op: 'gt', value: 1 } }, 'show_if.op'],
  ['no value', { type: 'text', show_if: { field: 'a', op: 'eq' } }, 'show_if.value'],
  ['no list', { type: 'text', show_if: { field: 'a', op: 'in', value: 'a' } }, 'show_if.value'],
  ['a text as show_if', { type: 'text', show_if: 'a' }, 'show_if'],
  ['a pattern that is none', { type: 'text', pattern: '(' }, 'pattern'],
  ['a pattern that RE2 does not know', { type: 'text', pattern: '(a)\\1' }, 'pattern'],
  ['a pattern of a number', { type: 'number', pattern: '1' }, 'pattern'],
  ['a pattern of a reference', { type: 'reference', pattern: '1' }, 'pattern'],
  ['richtext of a text', { type: 'text', richtext: ['bold'] }, 'richtext'],
  ['an unknown tool', { type: 'html', richtext: ['bold', 'blink'] }, 'richtext.1'],
  ['a text as richtext', { type: 'html', richtext: 'bold' }, 'richtext'],
  ['classes of a textarea', { type: 'textarea', classes: [{ name: 'a' }] }, 'classes'],
  ['two names in one class', { type: 'html', classes: [{ name: 'a b' }] }, 'classes.0.name'],
  ['a class twice', { type: 'html', classes: [{ name: 'a' }, { name: 'a' }] }, 'classes.1.name'],
  ['a number as help', { type: 'text', help: 1 }, 'help'],
  ['a list as group', { type: 'text', group: [] }, 'group'],
  ['a number as placeholder', { type: 'text', placeholder: 1 }, 'placeholder'],
  ['a default that breaks max', { type: 'text', max: 2, default: 'abc' }, 'default'],
  ['a default that breaks min', { type: 'number', min: 2, default: 1 }, 'default'],
  ['a default that does not match', { type: 'text', pattern: '^a', default: 'b' }, 'default'],
];

describe('faults of fields are 400 common.invalid with fields.<n>.<key>', () => {
  const onlyHere: readonly Fault[] = [
    ['a text as unique', { type: 'text', unique: 'yes' }, 'unique'],
    ['a unique boolean', { type: 'boolean', unique: true }, 'unique'],
    ['unique references', { type: 'references', unique: true }, 'unique'],
    ['unique blocks', { type: 'blocks', unique: true }, 'unique'],
    ['a default of blocks', { type: 'blocks', default: [] }, 'default'],
    ['a default of another type', { type: 'number', default: 'x' }, 'default'],
    ['a default that is no option', { type: 'select', options: ['a'], default: 'b' }, 'default'],
    ['a default that is no day', { type: 'date', default: 'soon' }, 'default'],
  ];
  it.each([...faults, ...onlyHere])('%s', async (_reason, definition, key) => {
    const field = { name: 'b', collection: linked, ...definition };
    const fields = [{ name: 'a', type: 'text' }, field];
    const field_ = expect.stringMatching(new RegExp(`^fields\\.1\\.${key.replaceAll('.', '\\.')}$`));
    const expected = { code: 'common.invalid', params: { field: field_, reason: expect.any(String) } };
    const created = await call(server, 'POST', '/collections', { body: { slug: freshName('c'), fields } });
    expect([created.status, created.body]).toEqual([400, expect.objectContaining(expected)]);
    const changed = await call(server, 'PUT', `/collections/${linked}`, { body: { fields } });
    expect([changed.status, changed.body]).toEqual([400, expect.objectContaining(expected)]);
    const impact = await call(server, 'POST', '/collections/linked/impact', { body: { fields } });
    expect(impact.status).toBe(400);
  });

  it('and all faults of a list are told at once', async () => {
    const fields = [
      { name: 'a', type: 'text', pattern: '(', min: 2, max: 1 },
      { name: 'b', type: 'text', richtext: ['bold'] },
    ];
    const answer = await call(server, 'POST', '/collections', { body: { slug: freshName('c'), fields } });
    expect(answer.status).toBe(400);
    const { errors } = asRecord(asRecord(answer.body)['params']);
    const named = (Array.isArray(errors) ? errors : []).map((fault) => asRecord(fault)['field']);
    expect(named).toEqual(['fields.0.pattern', 'fields.0.min', 'fields.1.richtext']);
  });
});

describe('faults of parameters are 400 block.paramRuleInvalid', () => {
  it.each([...faults, ['a unique parameter', { type: 'text', unique: true }, 'unique'] as const])(
    '%s',
    async (_reason, definition, key) => {
      const param = { name: 'b', collection: linked, ...definition };
      const schema = { block: true, params: [{ name: 'a', type: 'text' }, param] };
      const params = { name: 'b', type: definition['type'], key, reason: expect.any(String) };
      const expected = expect.objectContaining({ code: 'block.paramRuleInvalid', params });
      const created = await call(server, 'POST', '/snippets', { body: { name: freshName('s'), schema } });
      expect([created.status, created.body]).toEqual([400, expected]);
      const id = await createSnippet(server);
      const changed = await call(server, 'PUT', `/snippets/${id}`, { body: { schema } });
      expect([changed.status, changed.body]).toEqual([400, expected]);
    },
  );
});

describe('renames follow show_if.field', () => {
  const other = { name: 'b', type: 'text', show_if: { field: 'a', op: 'set' } };

  it('of a field', async () => {
    const id = await createCollection(server, { fields: [{ name: 'a', type: 'text' }, other] });
    await createItem(server, id, { a: 'x', b: 'y' });
    const renamed = await callOk(server, 'POST', `/collections/${id}/rename-field`, { from: 'a', to: 'z' });
    expect(renamed['fields']).toMatchObject([{ name: 'z' }, { show_if: { field: 'z', op: 'set' } }]);
    const { fields } = await callOk(server, 'GET', `/collections/${id}`);
    expect(outcomeOf(await call(server, 'PUT', `/collections/${id}`, { body: { fields } })).status).toBe(200);
  });

  it('of a parameter', async () => {
    const params = [{ name: 'a', type: 'text' }, other];
    const id = await createSnippet(server, { schema: { block: true, params } });
    const renamed = await callOk(server, 'POST', `/snippets/${id}/rename-param`, { from: 'a', to: 'z' });
    expect(renamed['schema']).toMatchObject({
      params: [{ name: 'z' }, { show_if: { field: 'z', op: 'set' } }],
    });
  });
});
