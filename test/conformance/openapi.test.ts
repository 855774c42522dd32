import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes, errorStatus } from '../../server/errors.ts';
import { asRecord, call } from '../support/api.ts';
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

describe('the document', () => {
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
    const code = asRecord(asRecord(asRecord(schemas['error'])['properties'])['code']);
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
    expect(tags).toEqual([endpoint.path.split(/[/.]/)[1]]);
    const success = Object.keys(responses(endpoint)).filter((status) => status.startsWith('2'));
    expect(success).toHaveLength(1);
    if (endpoint.method === 'DELETE') expect(success).toEqual(['204']);
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
    if (endpoint.access === 'public') expect(statuses).not.toContain('401');
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
    const schema = asRecord(asRecord(asRecord(body['content'])['application/json'])['schema']);
    expect(body['required']).toBe(true);
    expect(schema['required']).toEqual(['parent_id', 'title', 'slug']);
    expect(asRecord(schema['properties'])['title']).toEqual({ type: 'string', maxLength: 1000 });
  });

  it('with base_updated_at has the conflict among its answers', () => {
    const conflict = asRecord(responses({ method: 'PUT', path: '/pages/{id}' })['409']);
    const schema = asRecord(asRecord(asRecord(conflict['content'])['application/json'])['schema']);
    expect(schema).toEqual({ $ref: '#/components/schemas/conflict' });
  });
});
