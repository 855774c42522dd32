/** What the reference makes of the description of the API. */
import { describe, expect, it } from 'vitest';
import {
  createExample,
  type Description,
  errorCodesIn,
  formatCallAddress,
  groupOperations,
  limitTexts,
  listMembers,
  listOperations,
  typeText,
} from '../../admin/src/screens/system/api-reference/description.ts';

const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } } as const;
const query = { name: 'q', in: 'query', schema: { type: 'string' } } as const;

const description: Description = {
  tags: [{ name: 'pages', description: 'Pages.' }],
  paths: {
    '/pages/{id}': {
      get: {
        operationId: 'getPagesId',
        summary: 'Get a page',
        tags: ['pages'],
        parameters: [id, query],
        responses: {
          '200': { description: 'Get a page' },
          '404': { description: '`common.notFound`, `page.slugTaken`' },
          default: { $ref: '#/components/responses/error', description: '' },
        },
      },
    },
    '/files': {
      post: { operationId: 'postFiles', summary: 'Upload a file', tags: ['files'], responses: {} },
    },
  },
  components: {
    schemas: {
      Block: {
        type: 'object',
        required: ['type', 'children'],
        properties: {
          type: { type: 'string', maxLength: 100 },
          children: { type: 'array', items: { $ref: '#/components/schemas/Block' }, default: [] },
          hidden: { type: 'boolean' },
        },
      },
      Page: { type: 'object', properties: { title: { type: 'string' } }, examples: [{ title: 'Visit' }] },
    },
    parameters: {},
    responses: { error: { description: 'Any other refusal' } },
  },
};
const { schemas } = description.components;
const operations = listOperations(description);

describe('operations', () => {
  it('have the parts that they refer to', () => {
    expect(operations.map(({ method, path, tag }) => [method, path, tag])).toEqual([
      ['GET', '/pages/{id}', 'pages'],
      ['POST', '/files', 'files'],
    ]);
    expect(operations[0]?.answers.at(-1)).toEqual({
      status: 'default',
      answer: { description: 'Any other refusal' },
    });
  });

  it.each([
    ['get pages', ['pages']],
    ['slugTaken', ['pages']],
    ['UPLOAD', ['files']],
    ['', ['pages', 'files']],
    ['pages upload', []],
  ])('are found by every word of "%s"', (words, tags) => {
    expect(groupOperations(operations, words).map(({ tag }) => tag)).toEqual(tags);
  });

  it('name their error codes', () => {
    expect(errorCodesIn('`auth.csrf`, `auth.readOnly`')).toEqual(['auth.csrf', 'auth.readOnly']);
    expect(errorCodesIn('Get a page with `title`')).toEqual([]);
  });

  it('have an address of the values, in which a placeholder without one stays', () => {
    const operation = { path: '/pages/{id}', parameters: [id, query] };
    expect(formatCallAddress(operation, { id: 'a b', q: 'x&y' })).toBe('/api/v1/pages/a%20b?q=x%26y');
    expect(formatCallAddress(operation, { q: '' })).toBe('/api/v1/pages/{id}');
  });
});

describe('schemas', () => {
  it.each([
    [{ type: 'integer' }, 'integer'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 1] }, '"a" | 1'],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, '"a" | "b"'],
    [{ items: { $ref: '#/components/schemas/Page' } }, 'Page[]'],
    [{ items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
    [{ type: 'string', format: 'binary' }, 'file'],
    [{}, 'any'],
  ])('have a type in a few words: %j', (schema, text) => {
    expect(typeText(schema)).toBe(text);
  });

  it('tell their limits and members', () => {
    expect(limitTexts({ minimum: 0, maxLength: 5 })).toEqual(['minimum 0', 'maxLength 5']);
    const names = listMembers({ items: { $ref: '#/components/schemas/Block' } }, schemas).map(
      ({ name, isRequired }) => [name, isRequired],
    );
    expect(names).toEqual([
      ['type', true],
      ['children', true],
      ['hidden', false],
    ]);
    expect(listMembers({ patternProperties: { '^.*$': { type: 'string' } } }, schemas)).toMatchObject([
      { name: '*' },
    ]);
  });

  it('have an example: their own, else what they demand, also when a type holds itself', () => {
    expect(createExample({ $ref: '#/components/schemas/Page' }, schemas)).toEqual({ title: 'Visit' });
    expect(createExample({ $ref: '#/components/schemas/Block' }, schemas)).toEqual({
      type: 'text',
      children: [],
    });
    expect(createExample({ type: 'array', items: { type: 'integer' } }, schemas)).toEqual([1]);
  });
});
