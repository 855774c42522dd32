import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, callList, callOk } from '../support/api.ts';
import { createSnippet, freshName } from '../support/content.ts';
import { check, runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let snippet: number;

beforeAll(async () => {
  server = await startServer();
  snippet = await createSnippet(server, { name: 'base' });
});
afterAll(() => server.stop());

async function warningsOf(schema: unknown, content: string): Promise<unknown[]> {
  const body = { name: freshName('warned'), schema, content };
  const { warnings } = await callOk(server, 'POST', '/snippets', body);
  return Array.isArray(warnings) ? warnings : [];
}

function refusals(
  code: string,
  cases: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>])[],
): void {
  const endpoints = ['POST /snippets', 'PUT /snippets/1'];
  runScenarios(
    () => server,
    cases.flatMap(([name, schema, params]) =>
      endpoints.map((endpoint) => ({
        name: `${endpoint} with ${name}`,
        method: endpoint.split(' ')[0] ?? '',
        path: endpoint.split(' ')[1] ?? '',
        body: { name: 'refused', schema },
        status: 400,
        code,
        params,
      })),
    ),
  );
}

describe('a schema is stored', () => {
  it('as it is sent', async () => {
    const schema = {
      block: true,
      label: 'Card',
      description: 'd',
      icon: 'i',
      category: 'c',
      params: [
        { name: '_a1', label: 'A', type: 'text', required: true, default: 'x', design: true },
        { name: 'size', type: 'select', options: ['s', 'm'], default: 'm' },
      ],
      slots: [{ name: 'default' }, { name: 'footer', label: 'F', allow: ['base'], max: 3 }],
      own: { kept: true },
    };
    const saved = await callOk(server, 'PUT', `/snippets/${snippet}`, { schema });
    expect(saved['schema']).toEqual(schema);
    expect((await callOk(server, 'GET', `/snippets/${snippet}`))['schema']).toEqual(schema);
  });

  it('until it is set to null; a save without it keeps it', async () => {
    const put = (body: unknown) => callOk(server, 'PUT', `/snippets/${snippet}`, body);
    await put({ schema: { block: false } });
    expect((await put({ description: 'x' }))['schema']).toEqual({ block: false });
    expect((await put({ schema: null }))['schema']).toBeNull();
  });

  it.each([
    ['text', 'x'],
    ['textarea', 'x\ny'],
    ['html', '<b>'],
    ['markdown', '*x*'],
    ['number', 1.5],
    ['boolean', false],
    ['date', '2024-02-29'],
    ['url', '/x'],
    ['select', 'any'],
    ['image', 7],
    ['file', 7],
    ['text', null],
    ['number', ''],
  ])('with a parameter of type %s and default %j', async (type, value) => {
    const schema = { params: [{ name: 'x', type, default: value }] };
    expect((await callOk(server, 'PUT', `/snippets/${snippet}`, { schema }))['schema']).toEqual(schema);
  });
});

describe('block.paramNameInvalid', () => {
  const named = (name: unknown) => ({ params: [{ name, type: 'text' }] });
  refusals('block.paramNameInvalid', [
    ['an empty name', named(''), { name: '', type: 'text' }],
    ['no name', { params: [{ type: 'text' }] }, { name: '', type: 'text' }],
    ['a digit in front', named('1a'), { name: '1a', type: 'text' }],
    ['a hyphen', named('a-b'), { name: 'a-b', type: 'text' }],
    ['a letter beyond ASCII', named('ä'), { name: 'ä', type: 'text' }],
    ['the name block', named('block'), { name: 'block', type: 'text' }],
    ['the name slots', named('slots'), { name: 'slots', type: 'text' }],
    ['the name id', named('id'), { name: 'id', type: 'text' }],
    [
      'a name twice',
      {
        params: [
          { name: 'a', type: 'text' },
          { name: 'a', type: 'number' },
        ],
      },
      { name: 'a', type: 'number' },
    ],
  ]);
});

describe('block.paramTypeInvalid', () => {
  const typed = (type: unknown) => ({ params: [{ name: 'a', type }] });
  refusals('block.paramTypeInvalid', [
    ['an unknown type', typed('colour'), { name: 'a', type: 'colour' }],
    ['the type blocks', typed('blocks'), { name: 'a', type: 'blocks' }],
    ['a type in upper case', typed('Text'), { name: 'a', type: 'Text' }],
    ['no type', { params: [{ name: 'a' }] }, { name: 'a', type: '' }],
    ['the type constructor', typed('constructor'), { name: 'a', type: 'constructor' }],
  ]);
});

describe('block.paramLinkMissing', () => {
  refusals('block.paramLinkMissing', [
    [
      'a reference to nothing',
      { params: [{ name: 'a', type: 'reference' }] },
      { name: 'a', type: 'reference' },
    ],
    [
      'references to a collection that does not exist',
      { params: [{ name: 'a', type: 'references', collection: 99 }] },
      { name: 'a', type: 'references' },
    ],
  ]);
});

describe('block.paramDefaultInvalid', () => {
  const withDefault = (type: string, value: unknown) => ({
    params: [{ name: 'a', type, default: value, options: ['s', 'm'] }],
  });
  refusals(
    'block.paramDefaultInvalid',
    (
      [
        ['text', 1],
        ['textarea', {}],
        ['html', true],
        ['markdown', []],
        ['number', 'x'],
        ['boolean', 'true'],
        ['date', '2023-02-29'],
        ['date', '1.2.2024'],
        ['url', 5],
        ['select', 'l'],
        ['image', 'x'],
        ['file', 1.5],
      ] as const
    ).map(([type, value]) => [
      `${JSON.stringify(value)} for ${type}`,
      withDefault(type, value),
      { name: 'a', type },
    ]),
  );
});

describe('block.slotNameInvalid', () => {
  const named = (...names: readonly unknown[]) => ({ slots: names.map((name) => ({ name })) });
  refusals('block.slotNameInvalid', [
    ['an empty name', named(''), { name: '', type: '' }],
    ['no name', { slots: [{}] }, { name: '', type: '' }],
    ['a hyphen', named('a-b'), { name: 'a-b', type: '' }],
    ['a digit in front', named('1'), { name: '1', type: '' }],
    ['a name twice', named('a', 'a'), { name: 'a', type: '' }],
  ]);
});

describe('a schema with a wrong type', () => {
  it.each([
    [[], 'schema'],
    ['x', 'schema'],
    [{ block: 'yes' }, 'schema.block'],
    [{ label: 1 }, 'schema.label'],
    [{ params: {} }, 'schema.params'],
    [{ params: [1] }, 'schema.params.0'],
    [{ params: [{ name: 1 }] }, 'schema.params.0.name'],
    [{ params: [{ name: 'a', type: 'select', options: 's' }] }, 'schema.params.0.options'],
    [{ slots: [{ name: 'a', max: -1 }] }, 'schema.slots.0.max'],
    [{ slots: [{ name: 'a', allow: [1] }] }, 'schema.slots.0.allow.0'],
  ])('%j is refused at %s', async (schema, field) => {
    await check(server, {
      name: 'form',
      method: 'POST',
      path: '/snippets',
      body: { name: 'refused', schema },
      status: 400,
      code: 'common.invalid',
      params: { field },
    });
  });
});

describe('warnings about slots', () => {
  const slots = (...names: string[]) => names.map((name) => ({ name }));
  const inContent = (slot: string) => ({
    code: 'block.slotNotInContent',
    level: 'warning',
    error: expect.stringContaining(`"${slot}"`),
    params: { slot },
  });
  const inSchema = (slot: string) => ({ ...inContent(slot), code: 'block.slotNotInSchema' });

  it('name slots of the schema that the snippet does not use', async () => {
    const content = '{% slot a %}{% endslot %}';
    expect(await warningsOf({ block: false, slots: slots('a', 'b', 'default') }, content)).toEqual([
      inContent('b'),
      inContent('default'),
    ]);
  });

  it('name slots of a block type that its schema lacks', async () => {
    const content = '{% slot %}{% endslot %}{% if x %}{% slot a %}{% endslot %}{% endif %}';
    expect(await warningsOf({ block: true }, content)).toEqual([inSchema('a'), inSchema('default')]);
    expect(await warningsOf({ block: false }, content)).toEqual([]);
    expect(await warningsOf(null, content)).toEqual([]);
    expect(await warningsOf({ block: true, slots: slots('a', 'default') }, content)).toEqual([]);
  });

  it('are left out when the content has a syntax error', async () => {
    const warnings = await warningsOf({ block: true, slots: slots('a') }, '{% slot b %}');
    expect(warnings.map((warning) => asRecord(warning)['code'])).toEqual(['template.syntax']);
  });

  it('are in the answer to PUT too', async () => {
    const body = { content: '', schema: { block: true, slots: slots('a') } };
    const { warnings } = await callOk(server, 'PUT', `/snippets/${snippet}`, body);
    expect(warnings).toEqual([inContent('a')]);
  });
});

describe('GET /blocks/types', () => {
  it('lists block types by name, with defaults for missing fields', async () => {
    const types = {
      'Zoo/b': { block: true },
      'a/Card': {
        block: true,
        label: 'Card',
        description: 'own',
        icon: 'card',
        category: 'Text',
        params: [
          { name: 'x', type: 'text' },
          {
            name: 'y',
            label: 'Y',
            type: 'select',
            options: ['s'],
            default: 's',
            required: true,
            design: true,
          },
        ],
        slots: [{ name: 'default' }, { name: 'f', label: 'F', allow: ['a/Card'], max: 2 }],
      },
      'no-block': { block: false, label: 'never' },
    };
    for (const { id } of await callList(server, '/snippets'))
      await callOk(server, 'DELETE', `/snippets/${id}`);
    expect(await callList(server, '/blocks/types')).toEqual([]);
    for (const [name, schema] of Object.entries(types)) {
      await createSnippet(server, { name, schema, description: 'of the snippet' });
    }
    await createSnippet(server);
    expect(await callList(server, '/blocks/types')).toEqual([
      {
        name: 'a/Card',
        label: 'Card',
        description: 'own',
        icon: 'card',
        category: 'Text',
        params: [
          {
            name: 'x',
            label: 'x',
            type: 'text',
            required: false,
            options: [],
            collection: null,
            default: null,
            design: false,
          },
          {
            name: 'y',
            label: 'Y',
            type: 'select',
            required: true,
            options: ['s'],
            collection: null,
            default: 's',
            design: true,
          },
        ],
        slots: [
          { name: 'default', label: 'default', allow: [], max: 0 },
          { name: 'f', label: 'F', allow: ['a/Card'], max: 2 },
        ],
      },
      {
        name: 'Zoo/b',
        label: 'Zoo/b',
        description: 'of the snippet',
        icon: '',
        category: '',
        params: [],
        slots: [],
      },
    ]);
  });
});
