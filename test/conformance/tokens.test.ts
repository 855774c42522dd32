import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { type ApiAnswer, asRecord, call } from '../support/api.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp, withSession } from '../support/session.ts';
import { contentFile } from '../support/shared-database.ts';

/** Core, "API token" and "Token endpoints". */
let server: TestServer;
let session: string;

beforeAll(async () => {
  server = await startServer();
  session = await setUp(server);
});
afterAll(() => server.stop());

function ask(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
  return call(server, method, path, withSession(session, body));
}

async function create(body: unknown): Promise<{ token: Record<string, unknown>; secret: string }> {
  const answer = asRecord((await ask('POST', '/tokens', body)).body);
  return { token: asRecord(answer['token']), secret: String(answer['secret']) };
}

async function list(): Promise<Record<string, unknown>[]> {
  const { body } = await ask('GET', '/tokens');
  return Array.isArray(body) ? body.map(asRecord) : [];
}

describe('POST /tokens', () => {
  it('answers with the secret and the fields of the token', async () => {
    const answer = await ask('POST', '/tokens', {
      name: 'importer',
      can_write: true,
      id: 5,
      secret: 'ic_mine',
      prefix: 'ic_mine',
    });
    const { secret } = asRecord(answer.body);
    expect(answer.status).toBe(201);
    expect(secret).toMatch(/^ic_[\w-]{43}$/);
    expect(answer.body).toEqual({
      token: {
        id: 1,
        name: 'importer',
        prefix: String(secret).slice(0, 10),
        can_write: true,
        created_at: expect.any(Number),
        last_used_at: null,
        role_ids: null,
        expires_at: null,
        owner_id: 1,
      },
      secret,
    });
  });

  it('creates a read-only token unless can_write is true', async () => {
    const { token, secret } = await create({ name: 'reader' });
    expect(token['can_write']).toBe(false);
    expect((await call(server, 'GET', '/pages', { token: secret })).status).toBe(200);
    const refused = await call(server, 'POST', '/sites', { token: secret, body: { title: 'x' } });
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 403,
      body: { error: 'token is read-only', code: 'auth.readOnly', params: {} },
    });
  });

  it('creates a token that can write', async () => {
    const { secret } = await create({ name: 'writer', can_write: true });
    const body = { title: 'x', domains: '' };
    expect((await call(server, 'POST', '/sites', { token: secret, body })).status).toBe(201);
  });

  it('accepts a name that another token has', async () => {
    const secrets = [await create({ name: 'twin' }), await create({ name: 'twin' })].map((t) => t.secret);
    expect(new Set(secrets).size).toBe(2);
  });

  it.each([
    ['no name', { can_write: true }, 'name'],
    ['an empty name', { name: '  ' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['can_write as text', { name: 'x', can_write: 'yes' }, 'can_write'],
    ['can_write as number', { name: 'x', can_write: 1 }, 'can_write'],
    ['can_write as null', { name: 'x', can_write: null }, 'can_write'],
  ])('refuses %s', async (_name, body, field) => {
    const answer = await ask('POST', '/tokens', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'common.invalid', params: { field } });
  });
});

describe('GET /tokens', () => {
  it('lists tokens without their secrets', async () => {
    const { token, secret } = await create({ name: 'listed' });
    const answer = await ask('GET', '/tokens');
    expect(answer.status).toBe(200);
    expect(await list()).toContainEqual(token);
    expect(JSON.stringify(answer.body)).not.toContain(secret.slice(10));
    for (const entry of await list()) {
      expect(Object.keys(entry).sort()).toEqual([
        'can_write',
        'created_at',
        'expires_at',
        'id',
        'last_used_at',
        'name',
        'owner_id',
        'prefix',
        'role_ids',
      ]);
    }
  });

  it('shows the last use of a token at once', async () => {
    const { token, secret } = await create({ name: 'used' });
    const lastUse = async () => (await list()).find(({ id }) => id === token['id'])?.['last_used_at'];
    expect(await lastUse()).toBeNull();
    await call(server, 'GET', '/pages', { token: secret });
    const used = await lastUse();
    expect(Math.abs(Number(used) - Date.now() / 1000)).toBeLessThan(60);
  });
});

describe('DELETE /tokens/{id}', () => {
  it('revokes the token with the next request', async () => {
    const { token, secret } = await create({ name: 'revoked', can_write: true });
    expect((await call(server, 'GET', '/pages', { token: secret })).status).toBe(200);
    const answer = await ask('DELETE', `/tokens/${token['id']}`);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: undefined });
    expect((await call(server, 'GET', '/pages', { token: secret })).status).toBe(401);
    expect((await list()).map(({ id }) => id)).not.toContain(token['id']);
  });

  it.each(['/tokens/9999', '/tokens/x', '/tokens/01'])('%s is 404', async (path) => {
    expect(await ask('DELETE', path)).toMatchObject({ status: 404, body: { code: 'common.notFound' } });
  });
});

describe('a token may not call', () => {
  it.each([
    'GET /tokens',
    'POST /tokens',
    'DELETE /tokens/1',
    'GET /users',
    'POST /users',
    'DELETE /users/1',
  ])('%s', async (endpoint) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const { secret } = await create({ name: 'writer', can_write: true });
    for (const token of [secret, masterToken]) {
      expect(await call(server, method, path, { token })).toMatchObject({
        status: 403,
        body: { code: 'auth.sessionRequired' },
      });
    }
  });
});

it('only the hash of a token is stored', async () => {
  const { secret } = await create({ name: 'hashed' });
  const db = new Connection<never>(contentFile(server.dataDir), { readonly: true });
  expect(JSON.stringify(db.statement('SELECT * FROM tokens').all([]))).not.toContain(secret.slice(10));
  db.close();
});

it('the last use survives a restart', async () => {
  const { token, secret } = await create({ name: 'lasting' });
  await call(server, 'GET', '/pages', { token: secret });
  const { dataDir } = server;
  await server.end('SIGTERM');
  server = await startServer({ dataDir });
  const used = (await list()).find(({ id }) => id === token['id'])?.['last_used_at'];
  expect(used).toEqual(expect.any(Number));
});
