import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes, errorStatus } from '../../server/base/errors.ts';
import { Connection } from '../../server/db/connection.ts';
import { type ApiCall, addToken, asRecord, call } from '../support/api.ts';
import { createSite } from '../support/content.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp, withSession } from '../support/session.ts';
import { contentFile } from '../support/shared-database.ts';

/** Core, "Errors": the form of errors, their codes and statuses. */

let server: TestServer;
let readToken: string;
let session: string;
let siteId: number;

beforeAll(async () => {
  server = await startServer();
  readToken = await addToken(server, 'reader', false);
  session = await setUp(server);
  siteId = await createSite(server, { domains: 'taken.test' });
});
afterAll(() => server.stop());

describe('the codes that the specification names', () => {
  it.each([
    ['common.notFound', 404],
    ['common.invalid', 400],
    ['common.invalidJson', 400],
    ['common.tooLarge', 413],
    ['common.contentType', 415],
    ['common.methodNotAllowed', 405],
    ['common.rateLimited', 429],
    ['common.conflict', 409],
    ['auth.invalidCredentials', 401],
    ['auth.tooManyAttempts', 429],
    ['auth.setupDone', 409],
    ['auth.setupToken', 403],
    ['auth.publicUrlMissing', 400],
    ['auth.factorRequired', 401],
    ['auth.factorMissing', 409],
    ['auth.tooManyFactors', 409],
    ['auth.passkeyInvalid', 400],
    ['auth.confirm', 403],
    ['auth.passwordTooShort', 400],
    ['auth.passwordTooLong', 400],
    ['auth.passwordWeak', 400],
    ['user.nameTaken', 409],
    ['auth.lastAdministrator', 409],
    ['auth.notAllowed', 403],
    ['role.inUse', 409],
    ['role.builtin', 409],
    ['batch.onBehalfTooLong', 400],
    ['page.slugInvalid', 400],
    ['page.slugReserved', 400],
    ['page.slugTaken', 409],
    ['page.layoutWithHTML', 400],
    ['page.layoutUnknown', 400],
    ['site.domainTaken', 409],
    ['snippet.nameTaken', 409],
    ['snippet.layoutTooLong', 400],
    ['translation.langInvalid', 400],
    ['translation.noLang', 400],
    ['translation.langTaken', 409],
    ['translation.alreadyLinked', 409],
    ['redirect.sourceTaken', 409],
    ['redirect.loop', 400],
    ['file.tooLarge', 413],
    ['file.missing', 400],
    ['file.imageInvalid', 400],
    ['csv.errors', 422],
    ['csv.columnMissing', 400],
    ['block.paramNameInvalid', 400],
    ['block.paramTypeInvalid', 400],
    ['block.paramLinkMissing', 400],
    ['block.paramDefaultInvalid', 400],
    ['block.slotNameInvalid', 400],
  ])('%s is %i', (code, status) => {
    const known = errorCodes.find((name) => name === code);
    expect([known, known === undefined ? 0 : errorStatus(known)]).toEqual([code, status]);
  });

  it('have the form area.name, like all codes', () => {
    for (const code of errorCodes) expect(code).toMatch(/^[a-z]+\.[a-z][A-Za-z]+$/);
  });

  it('are each provoked by a test, like all codes', () => {
    const texts = testSources().join('\n');
    expect(errorCodes.filter((code) => !texts.includes(`'${code}'`))).toEqual([]);
  });
});

/** The sources of all tests, without the list above: it names codes and provokes none. */
function testSources(): string[] {
  const root = fileURLToPath(new URL('..', import.meta.url));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8').split("describe('every status'").at(-1) ?? '');
}

describe('every status', () => {
  const json = { 'Content-Type': 'application/json' };
  const cases: [number, string, string, string, () => ApiCall, Record<string, unknown>][] = [
    [
      400,
      'common.invalidJson',
      'POST',
      '/assets',
      () => ({ raw: '{', headers: json }),
      { position: 1, reason: expect.any(String) },
    ],
    [
      400,
      'common.invalid',
      'POST',
      '/assets',
      () => ({ body: { kind: 'css' } }),
      { field: 'name', reason: 'is required' },
    ],
    [401, 'auth.required', 'GET', '/pages', () => ({ token: null }), { reason: 'missing' }],
    [401, 'auth.required', 'GET', '/pages', () => ({ token: 'ic_wrong' }), { reason: 'unknownToken' }],
    [
      401,
      'auth.invalidCredentials',
      'POST',
      '/auth/login',
      () => ({ token: null, body: { username: 'ada', password: 'wrong password' } }),
      {},
    ],
    [403, 'auth.readOnly', 'POST', '/assets', () => ({ token: readToken, body: {} }), {}],
    [403, 'auth.sessionRequired', 'GET', '/tokens', () => ({}), {}],
    [
      403,
      'auth.csrf',
      'POST',
      '/assets',
      () => ({ token: null, body: {}, headers: { Cookie: `ic_session=${session}` } }),
      {},
    ],
    [404, 'common.notFound', 'GET', '/pages/99999', () => ({}), {}],
    [404, 'common.notFound', 'GET', '/nothing', () => ({}), {}],
    [
      405,
      'common.methodNotAllowed',
      'PATCH',
      '/pages',
      () => ({}),
      { method: 'PATCH', allowed: 'GET, HEAD, POST' },
    ],
    [
      409,
      'site.domainTaken',
      'POST',
      '/sites',
      () => ({ body: { title: 'x', domains: 'taken.test' } }),
      { domain: 'taken.test' },
    ],
    [
      409,
      'common.conflict',
      'PUT',
      '/pages/1',
      () => ({ body: { base_updated_at: 1 } }),
      { updated_at: expect.any(Number) },
    ],
    [415, 'common.contentType', 'POST', '/assets', () => ({ raw: '{}' }), { expected: 'application/json' }],
  ];
  it.each(cases)('%i %s of %s %s is JSON with error, code and params', async (...scenario) => {
    const [status, code, method, path, request, params] = scenario;
    const answer = await call(server, method, path, request());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
    const conflict = code === 'common.conflict' ? { conflict: true, updated_at: expect.any(Number) } : {};
    expect(answer.body).toEqual({ error: expect.stringMatching(/^\S.*\S$/), code, params, ...conflict });
    expect(answer.headers.get('x-ic-build')).toBeTruthy();
    expect(answer.headers.get('cache-control')).toBe('no-store');
    if (status === 401 && code === 'auth.required')
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD, POST' : null);
  });

  it('401 tells why the credential was refused', async () => {
    const headers = (fields: Record<string, string>): ApiCall => ({ token: null, headers: fields });
    const cases: [string, string, string, ApiCall][] = [
      ['missing', 'GET', '/pages', headers({})],
      ['scheme', 'GET', '/pages', headers({ Authorization: 'Basic YTpi' })],
      ['scheme', 'GET', '/pages', headers({ Authorization: 'ic_wrong' })],
      ['unknownToken', 'GET', '/pages', headers({ Authorization: 'Bearer' })],
      ['unknownToken', 'GET', '/pages?token=ic_wrong', headers({})],
      ['tokenInAddress', 'POST', '/pages?token=ic_wrong', headers({})],
      ['sessionEnded', 'GET', '/pages', headers({ Cookie: 'ic_session=gone' })],
    ];
    for (const [reason, method, path, options] of cases) {
      const answer = await call(server, method, path, options);
      expect([path, answer.status, answer.body]).toEqual([
        path,
        401,
        {
          error: expect.stringMatching(/^authentication required: ./),
          code: 'auth.required',
          params: { reason },
        },
      ]);
    }
  });

  it('400 lists all fields that are not valid, in words', async () => {
    const body = { kind: 'html', content: 5, name: 'x'.repeat(201) };
    const answer = asRecord((await call(server, 'POST', '/assets', { body })).body);
    const faults = asRecord(answer['params'])['errors'];
    expect(faults).toEqual(
      expect.arrayContaining([
        { field: 'name', reason: 'must have at most 200 characters' },
        { field: 'kind', reason: 'must be one of "css", "js", not "html"' },
        { field: 'content', reason: 'must be string' },
      ]),
    );
    expect(answer['params']).toMatchObject({ field: expect.any(String), errors: faults });
    expect(answer['error']).toContain('kind must be one of "css", "js"');
  });

  it.each([
    [
      'POST',
      '/pages',
      () => ({
        title: ' ',
        slug: 5,
        parent_id: siteId,
        og_image_file_id: 9,
        sitemap_source: 'x',
        assets: [{ asset_id: 98 }, { asset_id: 99 }],
      }),
      ['slug', 'title', 'sitemap_source', 'og_image_file_id', 'assets.0.asset_id', 'assets.1.asset_id'],
    ],
    [
      'POST',
      '/pages',
      () => ({ title: '', slug: 'x', parent_id: siteId, og_image_file_id: 9 }),
      ['title', 'og_image_file_id'],
    ],
    [
      'PUT',
      () => `/pages/${siteId}`,
      () => ({ published: 'yes', title: '', domains: 'a b', notfound_page_id: 999, favicon_file_id: 7 }),
      ['published', 'title', 'favicon_file_id', 'notfound_page_id', 'domains'],
    ],
    ['POST', '/sites', () => ({ title: '', domains: 'a b' }), ['title', 'domains']],
    [
      'PUT',
      () => `/pages/${siteId}/assets`,
      () => [{ asset_id: 98 }, { asset_id: 99 }],
      ['0.asset_id', '1.asset_id'],
    ],
    [
      'POST',
      '/snippets',
      () => ({ name: '-', content: 1, schema: { block: 'x', label: 5 } }),
      ['content', 'name', 'schema.block', 'schema.label'],
    ],
    [
      'POST',
      '/redirects',
      () => ({ root_id: siteId, source: '/api/x', target: 'ftp://x', status: 303 }),
      ['status', 'source', 'target'],
    ],
    ['POST', '/assets', () => ({ name: '', kind: 'ts' }), ['kind', 'name']],
  ] as const)(
    '400 of %s lists the faults of the schema and of the rules',
    async (method, path, body, fields) => {
      const at = typeof path === 'string' ? path : path();
      const answer = await call(server, method, at, { body: body() });
      expect(answer).toMatchObject({ status: 400, body: { code: 'common.invalid' } });
      const params = asRecord(asRecord(answer.body)['params']);
      const { field, reason, errors } = params;
      const faults = Array.isArray(errors) ? errors.map(asRecord) : [];
      expect(faults.map((fault) => fault['field'])).toEqual(fields);
      expect(faults[0]).toEqual({ field, reason });
    },
  );

  it('400 lists more than 64 faults, and names ten in its text', async () => {
    const assets = Array.from({ length: 500 }, () => ({ asset_id: 'x' }));
    const body = { title: 'x', slug: 'x', parent_id: siteId, assets };
    const answer = asRecord((await call(server, 'POST', '/pages', { body })).body);
    expect(asRecord(answer['params'])['errors']).toHaveLength(500);
    expect(answer['error']).toMatch(/^assets\.0\.asset_id must be integer; .*; and 490 more$/);
  });

  it.each([
    ['a b.example', /line 1 \("a b\.example"\) has more than one word/],
    ['ok.example\nfirst.example, second.example', /line 2 .* has more than one word/],
    ['http://', /line 1 .* has no domain after its scheme/],
    ['me@site.example', /line 1 .* has a user name|is an address with a user name/],
    [`${'x'.repeat(64)}.example`, /line 1 .* has a part of more than 63 characters/],
    ['a..b\n-', /line 1 .* has an empty part between dots; line 2 \("-"\) is not a domain/],
    [['a.example'], /^domains must be string: one domain per line$/],
  ])('400 explains what is wrong with the domains %j', async (domains, expected) => {
    const { body } = await call(server, 'POST', '/sites', { body: { title: 'x', domains } });
    expect(body).toMatchObject({ code: 'common.invalid', params: { field: 'domains' } });
    expect(asRecord(body)['error']).toMatch(expected);
    if (typeof domains === 'string')
      expect(asRecord(body)['error']).toContain('one domain per line, such as example.org');
  });

  it.each([
    ['POST', '/pages', { title: 'x', slug: 'x', parent_id: 99_999 }, 'parent_id'],
    ['POST', '/redirects', { root_id: 99_999, source: '/a', target: '/b' }, 'root_id'],
    ['GET', '/redirects?root_id=99999', undefined, 'root_id'],
    ['POST', () => `/pages/${siteId}/translations`, { page_id: 99_999 }, 'page_id'],
  ] as const)('404 of %s %s names the field of the missing object', async (method, path, body, field) => {
    const at = typeof path === 'string' ? path : path();
    const answer = await call(server, method, at, body === undefined ? {} : { body });
    expect(answer).toMatchObject({ status: 404, body: { code: 'common.notFound', params: { field } } });
  });

  it('405 names the methods that are allowed', async () => {
    const { body } = await call(server, 'PATCH', '/pages');
    expect(body).toMatchObject({ error: 'method PATCH is not supported here, only GET, HEAD, POST' });
  });

  it('403 has the messages of the specification', async () => {
    const readOnly = await call(server, 'DELETE', '/cache', { token: readToken });
    expect(asRecord(readOnly.body)['error']).toBe('token is read-only');
    const cookie = { token: null, headers: { Cookie: `ic_session=${session}` } };
    const forged = await call(server, 'DELETE', '/cache', cookie);
    expect(asRecord(forged.body)['error']).toBe('missing X-IC-CSRF header');
    expect((await call(server, 'DELETE', '/cache', withSession(session))).status).toBe(204);
  });

  it('429 has the time to wait', async () => {
    const limited = await startServer({ args: ['-rate-limit', '1'] });
    const answers = [];
    for (let round = 0; round < 4; round++)
      answers.push(await fetch(`${limited.url}/api/v1/auth/status`).then(async (response) => response));
    const refused = answers.at(-1);
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.headers.get('x-ic-build')).toBeTruthy();
    expect(await refused?.json()).toMatchObject({ code: 'common.rateLimited', error: expect.any(String) });
    await limited.stop();
  });
});

describe('a refused call', () => {
  it('changes nothing', async () => {
    const before = (await call(server, 'GET', '/pages')).body;
    const bad = { parent_id: siteId, title: 'x', slug: 'half', assets: [{ asset_id: 9 }] };
    expect((await call(server, 'POST', '/pages', { body: bad })).status).toBe(400);
    expect((await call(server, 'GET', '/pages')).body).toEqual(before);
  });

  it('repeats a text of the caller only as JSON', async () => {
    const slug = '<img src=x onerror=1>"\n';
    const body = { parent_id: siteId, title: 'x', slug };
    const answer = await call(server, 'POST', '/pages', { body });
    expect(answer.body).toMatchObject({ code: 'page.slugInvalid', params: { slug } });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('an unexpected error', () => {
  it('is a 500 without details, with an id that is in the log', async () => {
    const broken = await startServer();
    const db = new Connection<object>(contentFile(broken.dataDir));
    db.execute('ALTER TABLE assets RENAME TO lost');
    db.close();
    const answer = await call(broken, 'GET', '/assets', { token: masterToken });
    expect(answer.status).toBe(500);
    const { error, code, params } = asRecord(answer.body);
    const id = String(asRecord(params)['id']);
    expect([code, params]).toEqual(['common.internal', { id: expect.stringMatching(/^[\da-f-]{36}$/) }]);
    expect(error).toBe(`unexpected error ${id}`);
    expect(JSON.stringify(answer.body)).not.toMatch(/assets|table|sqlite/i);
    const line = broken
      .log()
      .split('\n')
      .find((text) => text.includes(id));
    expect(line).toContain('no such table');
    expect((await call(broken, 'GET', '/cache')).status).toBe(200);
    await broken.stop();
  });
});
