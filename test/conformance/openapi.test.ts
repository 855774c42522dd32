import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes, errorStatus } from '../../server/base/errors.ts';
import { asRecord, call } from '../support/api.ts';
import { inlined } from '../support/contract.ts';
import { endpoints } from '../support/endpoints.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** GET /openapi.json: OpenAPI 3.1 of every endpoint, generated from the route table. */

let server: TestServer;
let document: Record<string, unknown>;

beforeAll(async () => {
  server = await startServer();
  document = asRecord((await call(server, 'GET', '/openapi.json', { token: null })).body);
});
afterAll(() => server.stop());

/** The description of an endpoint in the document. */
function operation({ method, path }: { method: string; path: string }): Record<string, unknown> {
  return asRecord(asRecord(asRecord(document['paths'])[path])[method.toLowerCase()]);
}

function responses(endpoint: { method: string; path: string }): Record<string, unknown> {
  return asRecord(operation(endpoint)['responses']);
}

function schemas(): Record<string, unknown> {
  return asRecord(asRecord(document['components'])['schemas']);
}

/** Every object in the document with its place. */
function* nodes(value: unknown, at = ''): Generator<[at: string, node: Record<string, unknown>]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* nodes(item, `${at}/${index}`);
  } else if (typeof value === 'object' && value !== null) {
    yield [at, asRecord(value)];
    for (const [key, inner] of Object.entries(value))
      if (key !== 'examples') yield* nodes(inner, `${at}/${key}`);
  }
}

describe('the document', () => {
  it.each(['minimal', 'recommended', 'recommended-strict'] as const)(
    'is valid by the %s rules of Redocly, without warnings',
    async (ruleset) => {
      const config = await createConfig({ extends: [ruleset] });
      const problems = await lintFromString({ source: JSON.stringify(document), config });
      expect(
        problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      ).toEqual([]);
    },
  );

  it('with a mistake is found by those rules', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify({
      ...document,
      security: undefined,
      paths: { '/x': { get: { responses: {} } } },
    });
    expect((await lintFromString({ source, config })).length).toBeGreaterThan(0);
  });

  it('is the same whatever the options of the server are', async () => {
    const args = ['-headless', '-disable-admin', '-front', 'node', '-cache-mb', '0', '-outgoing', 'public'];
    const other = await startServer({ args });
    const { body } = await call(other, 'GET', '/openapi.json');
    await other.stop();
    expect(body).toEqual(document);
  });

  it('describes every property, parameter, tag and named schema', () => {
    const missing: string[] = [];
    const need = (at: string, node: unknown) => {
      const { description, $ref } = asRecord(node);
      if ($ref === undefined && !/\S/.test(String(description ?? ''))) missing.push(at);
    };
    for (const [at, node] of nodes(document)) {
      if (at.endsWith('/properties'))
        for (const [name, property] of Object.entries(node)) need(`${at}/${name}`, property);
      if (/\/parameters\/[^/]+$/.test(at)) need(at, node);
    }
    for (const [name, schema] of Object.entries(schemas())) need(name, schema);
    for (const tag of Array.isArray(document['tags']) ? document['tags'] : []) need(String(tag.name), tag);
    expect(missing).toEqual([]);
  });

  it('names the schemas of the objects, and describes each once', () => {
    expect(Object.keys(schemas())).toEqual(
      expect.arrayContaining([
        'Page',
        'SavedPage',
        'Snippet',
        'Asset',
        'Redirect',
        'User',
        'Token',
        'Warning',
      ]),
    );
    const { schema } = asRecord(
      asRecord(asRecord(asRecord(responses({ method: 'GET', path: '/pages/{id}' })['200'])['content']))[
        'application/json'
      ],
    );
    expect(schema).toEqual({ $ref: '#/components/schemas/Page' });
    expect(Object.values(schemas()).filter((named) => 'title' in asRecord(named))).toEqual([]);
  });

  it('gives examples that fit their schemas', () => {
    let examples = 0;
    for (const [name, schema] of Object.entries(schemas())) {
      const list: unknown = asRecord(schema)['examples'];
      for (const example of Array.isArray(list) ? list : []) {
        examples++;
        const [valid, errors] = Compile(Object(inlined(schema, schemas()))).Errors(example);
        expect([name, valid, errors]).toEqual([name, true, []]);
      }
    }
    expect(examples).toBeGreaterThan(15);
    for (const name of [
      'Page',
      'PageCreate',
      'Snippet',
      'SnippetCreate',
      'Asset',
      'AssetCreate',
      'Redirect',
      'Token',
      'Error',
    ])
      expect([name, asRecord(schemas()[name])['examples']]).toEqual([name, expect.any(Array)]);
  });

  it('names `strict=1` where it speaks of warnings', () => {
    const { level } = asRecord(asRecord(schemas()['Warning'])['properties']);
    for (const described of [document['info'], level])
      expect(asRecord(described)['description']).toContain('strict=1');
    const warned = Object.entries(schemas()).flatMap(([name, schema]) => {
      const { warnings = {} } = asRecord(asRecord(schema)['properties'] ?? {});
      const isWarned = JSON.stringify(warnings).includes('"#/components/schemas/Warning"');
      return isWarned ? [`"#/components/schemas/${name}"`] : [];
    });
    const without = Object.entries(asRecord(document['paths'])).flatMap(([path, methods]) =>
      Object.entries(asRecord(methods)).flatMap(([method, described]) => {
        const { parameters, responses } = asRecord(described);
        const answers = JSON.stringify(Object.entries(asRecord(responses)).filter(([code]) => code < '300'));
        const isWarned = warned.some((reference) => answers.includes(reference));
        return isWarned && !JSON.stringify(parameters).includes('"strict"') ? [`${method} ${path}`] : [];
      }),
    );
    // These take no texts, save nothing, or take what others have saved.
    expect(without).toEqual([
      ...['post /sites', 'put /pages/{id}/assets', 'post /blocks/validate'],
      ...['post /bundle', 'post /bundle/backups/{name}'],
    ]);
  });

  it('lists every code of warnings, each with its level', () => {
    const { code, level } = asRecord(asRecord(schemas()['Warning'])['properties']);
    expect(asRecord(level)['enum']).toEqual(['error', 'warning']);
    expect(asRecord(code)['enum']).toEqual(
      expect.arrayContaining([
        'template.syntax',
        'template.unknownSnippet',
        'block.slotNotInContent',
        'asset.syntax',
      ]),
    );
  });

  it('is valid by the schema of OpenAPI 3.1', async () => {
    const result = await new Validator().validate(document);
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(document['openapi']).toMatch(/^3\.1\.\d$/);
  });

  it('with a mistake is invalid by that schema', async () => {
    const paths = { '/x': { get: { responses: { 200: {} } } } };
    expect((await new Validator().validate({ ...document, paths })).valid).toBe(false);
  });

  it('describes every endpoint and no others', () => {
    const described = Object.entries(asRecord(document['paths'])).flatMap(([path, methods]) =>
      Object.keys(asRecord(methods)).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('gives every operation its own operationId', () => {
    const ids = endpoints.map((endpoint) => operation(endpoint)['operationId']);
    expect(new Set(ids).size).toBe(endpoints.length);
  });

  it('lists every error code', () => {
    const schemas = asRecord(asRecord(document['components'])['schemas']);
    const code = asRecord(asRecord(asRecord(schemas['Error'])['properties'])['code']);
    expect(code['enum']).toEqual(errorCodes);
  });

  it('resolves every reference it makes', () => {
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(0);
    for (const reference of new Set(references)) {
      const target = reference
        .slice('"$ref":"#/'.length, -1)
        .split('/')
        .reduce<unknown>((node, key) => asRecord(node)[key], document);
      expect([reference, target]).toEqual([reference, expect.any(Object)]);
    }
  });

  it('is the same for every caller', async () => {
    const again = await call(server, 'GET', '/openapi.json');
    expect(again.body).toEqual(document);
    expect(again.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

describe('every operation', () => {
  it.each(endpoints)('$method $path has a summary, a tag and its answers', (endpoint) => {
    const { summary, tags, parameters } = operation(endpoint);
    expect(summary).toMatch(/^[A-Z]/);
    expect(tags).toEqual([endpoint.path.split(/[/.]/)[1] || 'api']);
    // The steps of single sign-on lead the browser on.
    const success = Object.keys(responses(endpoint)).filter((status) => /^[23](?!04$)|^204$/.test(status));
    // A dry run of what creates something is answered with 200, and so is an operation that creates nothing.
    const isUserDeletion = endpoint.method === 'DELETE' && endpoint.path === '/users/{id}';
    const hasTwo =
      endpoint.path.endsWith('/import') || endpoint.path === '/change-sets/{id}/items' || isUserDeletion;
    expect(success.length).toBeLessThanOrEqual(hasTwo ? 2 : 1);
    expect(success).not.toEqual([]);
    if (endpoint.method === 'DELETE') expect(success).toEqual(isUserDeletion ? ['200', '204'] : ['204']);
    const placeholders = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const inPath = (Array.isArray(parameters) ? parameters : [])
      .map(asRecord)
      .filter((parameter) => parameter['in'] === 'path');
    expect(inPath.map(({ name }) => name)).toEqual(placeholders);
    expect(Object.keys(responses(endpoint)).includes('404') || placeholders.length === 0).toBe(true);
  });

  it.each(endpoints)('$method $path lists the credentials that it accepts', (endpoint) => {
    const { security } = operation(endpoint);
    const session = endpoint.method === 'GET' ? { session: [] } : { session: [], csrf: [] };
    const tokens = endpoint.method === 'GET' ? [{ bearer: [] }, { queryToken: [] }] : [{ bearer: [] }];
    const expected: Record<string, unknown[]> = {
      public: [],
      read: [...tokens, session],
      write: [...tokens, session],
      admin: [session],
    };
    expect(security).toEqual(expected[endpoint.access]);
  });

  it.each(endpoints)('$method $path lists the answers to a missing credential', (endpoint) => {
    const statuses = Object.keys(responses(endpoint));
    const needs = { public: [], read: ['401'], write: ['401', '403'], admin: ['401', '403'] };
    expect(statuses).toEqual(expect.arrayContaining([...needs[endpoint.access], '429', 'default']));
    const refusal = asRecord(responses(endpoint)['401'])['description'] ?? '';
    // Each HTTP input of a workflow says itself whether it is for everyone.
    const mayAsk = endpoint.access !== 'public' || endpoint.path === '/flows/{path}';
    expect(String(refusal).includes('auth.required')).toBe(mayAsk);
  });

  it.each(endpoints)('$method $path lists each error under its own status', (endpoint) => {
    for (const [status, answer] of Object.entries(responses(endpoint))) {
      if (status < '400' || status === 'default') continue;
      const codes = String(asRecord(answer)['description']).match(/(?<=`)\w+\.\w+(?=`)/g) ?? [];
      expect(codes.length).toBeGreaterThan(0);
      for (const code of codes) {
        const known = errorCodes.find((name) => name === code);
        expect([code, known === undefined ? 0 : errorStatus(known)]).toEqual([code, Number(status)]);
      }
    }
  });
});

describe('a body', () => {
  it('is described with its required fields', () => {
    const body = asRecord(operation({ method: 'POST', path: '/pages' })['requestBody']);
    const { schema } = asRecord(asRecord(body['content'])['application/json']);
    expect(body['required']).toBe(true);
    expect(schema).toEqual({ $ref: '#/components/schemas/PageCreate' });
    const { required, properties } = asRecord(schemas()['PageCreate']);
    expect(required).toEqual(['parent_id', 'title', 'slug']);
    const description = expect.any(String);
    expect(asRecord(properties)['title']).toEqual({ type: 'string', maxLength: 1000, description });
  });

  it('with base_updated_at has the conflict among its answers', () => {
    const conflict = asRecord(responses({ method: 'PUT', path: '/pages/{id}' })['409']);
    const schema = asRecord(asRecord(asRecord(conflict['content'])['application/json'])['schema']);
    expect(schema).toEqual({ $ref: '#/components/schemas/Conflict' });
  });
});

describe('the address of the API itself', () => {
  it.each(['', '/'])('%j answers what is there, to everyone', async (path) => {
    const answer = await call(server, 'GET', path, { token: null });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        name: 'Incipit',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        openapi: '/api/v1/openapi.json',
        docs: expect.any(String),
        health: '/healthz',
      },
    });
    expect(answer.headers.get('x-ic-build')).toBeTruthy();
    const { openapi, health } = asRecord(answer.body);
    for (const link of [openapi, health]) expect((await fetch(`${server.url}${link}`)).status).toBe(200);
  });

  it.each(['v2', 'v1x', 'v1x/pages', 'v', ''])('/api/%s is not', async (path) => {
    expect((await fetch(`${server.url}/api/${path}`)).status).toBe(404);
  });
});
