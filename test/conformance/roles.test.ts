import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, call, outcomeOf } from '../support/api.ts';
import { idOf } from '../support/content.ts';
import { addPerson, addRole, addTokenOf, freshName, password } from '../support/people.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { administrator, logIn, setUp, withSession } from '../support/session.ts';

/** Roles themselves, and who may give them to users and tokens. */
let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await startServer();
  await setUp(server);
  admin = await logIn(server, administrator);
});
afterAll(() => server.stop());

function ask(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
  return call(server, method, path, withSession(admin, body));
}

const notFound = { status: 404, code: 'common.notFound' };
const invalid = { status: 400, code: 'common.invalid' };
const notAllowed = { status: 403, code: 'auth.notAllowed' };
const usersOnly = [{ actions: ['users', 'read'] }];

describe('built-in roles', () => {
  const all = ['read', 'edit', 'publish', 'delete', 'code', 'run', 'settings', 'users'];
  it.each([
    ['administrator', all],
    ['developer', ['read', 'edit', 'publish', 'delete', 'code', 'run']],
    ['editor', ['read', 'edit', 'publish', 'delete']],
    ['author', ['read', 'edit']],
    ['viewer', ['read']],
  ])('%s may %j', async (name, actions) => {
    const { body } = await ask('GET', '/roles');
    const role = (Array.isArray(body) ? body.map(asRecord) : []).find((one) => one['name'] === name);
    expect(role).toEqual({
      id: expect.any(Number),
      name,
      description: expect.any(String),
      builtin: true,
      require_factor: false,
      grants: [{ actions, on: {} }],
    });
    const path = `/roles/${role?.['id']}`;
    expect((await ask('GET', path)).body).toEqual(role);
    const builtin = { status: 409, code: 'role.builtin' };
    expect(outcomeOf(await ask('PUT', path, { name: 'other' }))).toEqual(builtin);
    expect(outcomeOf(await ask('PUT', path, {}))).toEqual(builtin);
    expect(outcomeOf(await ask('DELETE', path))).toEqual(builtin);
  });
});

describe('roles', () => {
  it('are created with defaults, changed field by field and deleted', async () => {
    const name = freshName('news');
    const created = await ask('POST', '/roles', { name });
    const role = { name, description: '', builtin: false, require_factor: false, grants: [] };
    expect(created).toMatchObject({ status: 201, body: role });
    const path = `/roles/${idOf(asRecord(created.body))}`;
    const grants = [
      { actions: ['read', 'edit'], on: { kinds: ['page'], sites: [1], pages: [2, 3], languages: ['de'] } },
      { actions: ['publish'], on: { collections: [4, 'news'], workflows: [5] } },
    ];
    const changes = { description: 'Writes the news.', require_factor: true, grants };
    expect(await ask('PUT', path, changes)).toMatchObject({ status: 200, body: { ...role, ...changes } });
    expect((await ask('PUT', path, { name: `${name}!` })).body).toMatchObject({
      ...changes,
      name: `${name}!`,
    });
    expect((await ask('GET', path)).body).toMatchObject({ ...changes, name: `${name}!` });
    expect((await ask('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(outcomeOf(await ask(method, path, method === 'PUT' ? {} : undefined))).toEqual(notFound);
  });

  it('takes no `on` for no limits', async () => {
    const id = await addRole(server, admin, [{ actions: ['read'] }]);
    expect((await ask('GET', `/roles/${id}`)).body).toMatchObject({
      grants: [{ actions: ['read'], on: {} }],
    });
  });

  it.each([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a name that is no text', { name: 5 }],
    ['a name of 201 characters', { name: 'x'.repeat(201) }],
    ['an unknown action', { grants: [{ actions: ['write'], on: {} }] }],
    ['actions that are no list', { grants: [{ actions: 'read', on: {} }] }],
    ['no actions', { grants: [{ on: {} }] }],
    ['an unknown limit', { grants: [{ actions: ['read'], on: { page: [1] } }] }],
    ['an unknown field of a grant', { grants: [{ actions: ['read'], deny: true, on: {} }] }],
    ['an unknown kind', { grants: [{ actions: ['read'], on: { kinds: ['pages'] } }] }],
    ['pages that are no numbers', { grants: [{ actions: ['read'], on: { pages: ['1'] } }] }],
    ['a limit that is no list', { grants: [{ actions: ['read'], on: { sites: 1 } }] }],
    ['languages that are no texts', { grants: [{ actions: ['read'], on: { languages: [1] } }] }],
    ['limits that are no object', { grants: [{ actions: ['read'], on: [] }] }],
    ['grants that are no list', { grants: {} }],
    ['`require_factor` that is no flag', { require_factor: 'yes' }],
    ['a description that is no text', { description: null }],
  ])('refuses %s', async (_what, fields) => {
    expect(outcomeOf(await ask('POST', '/roles', { name: freshName('bad'), ...fields }))).toEqual(invalid);
  });

  it('cannot be deleted while a user or token has them', async () => {
    const role = await addRole(server, admin, usersOnly);
    const person = await addPerson(server, admin, [role]);
    const inUse = { status: 409, code: 'role.inUse' };
    expect(outcomeOf(await ask('DELETE', `/roles/${role}`))).toEqual(inUse);
    expect((await ask('PUT', `/users/${person.id}`, { role_ids: [] })).status).toBe(200);
    const token = await addTokenOf(server, admin, { role_ids: [role] });
    expect(outcomeOf(await ask('DELETE', `/roles/${role}`))).toEqual(inUse);
    expect((await ask('DELETE', `/tokens/${token.id}`)).status).toBe(204);
    expect((await ask('DELETE', `/roles/${role}`)).status).toBe(204);
  });

  it('are closed to every token', async () => {
    for (const path of ['/roles', '/users', '/tokens'])
      expect(outcomeOf(await call(server, 'GET', path, { token: masterToken }))).toEqual({
        status: 403,
        code: 'auth.sessionRequired',
      });
  });
});

describe('users', () => {
  it('is an administrator with name and password alone, else what `role_ids` says', async () => {
    const plain = await ask('POST', '/users', { username: freshName('plain'), password });
    expect(plain).toMatchObject({ status: 201, body: { role_ids: [1] } });
    const path = `/users/${idOf(asRecord(plain.body))}`;
    expect(await ask('GET', path)).toMatchObject({ status: 200, body: plain.body });
    const other = await ask('POST', '/users', { username: freshName('more'), password, remark: 'x' });
    expect(other).toMatchObject({ status: 201, body: { role_ids: [] } });
    const editor = await ask('POST', '/users', { username: freshName('editor'), password, role_ids: [3, 3] });
    expect(editor).toMatchObject({ status: 201, body: { role_ids: [3] } });
  });

  it('are merged by PUT', async () => {
    const { id, username, ask: asThem } = await addPerson(server, admin, [5]);
    const renamed = `${username}-2`;
    expect(await ask('PUT', `/users/${id}`, { role_ids: [3] })).toMatchObject({
      status: 200,
      body: { id, username, role_ids: [3] },
    });
    expect((await ask('PUT', `/users/${id}`, { username: renamed })).body).toMatchObject({
      username: renamed,
      role_ids: [3],
    });
    expect((await asThem('GET', '/auth/status')).body).toMatchObject({ user: { username: renamed } });
    expect(outcomeOf(await ask('PUT', `/users/${id}`, { username: administrator.username }))).toEqual({
      status: 409,
      code: 'user.nameTaken',
    });
    expect(outcomeOf(await ask('PUT', `/users/${id}`, { role_ids: [99_999] }))).toEqual(invalid);
    expect(outcomeOf(await ask('PUT', `/users/${id}`, { role_ids: ['3'] }))).toEqual(invalid);
    expect(outcomeOf(await ask('PUT', '/users/99999', {}))).toEqual(notFound);
    expect(outcomeOf(await ask('GET', '/users/99999'))).toEqual(notFound);
  });

  it('keep one administrator', async () => {
    const fresh = await startServer();
    try {
      const session = await setUp(fresh);
      const asAdmin = (method: string, path: string, body?: unknown) =>
        call(fresh, method, path, withSession(session, body));
      const last = { status: 409, code: 'auth.lastAdministrator' };
      expect(outcomeOf(await asAdmin('DELETE', '/users/1'))).toEqual(last);
      expect(outcomeOf(await asAdmin('PUT', '/users/1', { role_ids: [2] }))).toEqual(last);
      expect(outcomeOf(await asAdmin('DELETE', '/users/1?dry_run=1'))).toEqual(last);
      const other = await addPerson(fresh, session, [1]);
      const demotions = [1, other.id].map((id) => asAdmin('PUT', `/users/${id}`, { role_ids: [3] }));
      const outcomes = (await Promise.all(demotions)).map(({ status }) => status);
      expect(outcomes.filter((status) => status === 200)).toHaveLength(1);
    } finally {
      await fresh.stop();
    }
  });
});

describe('nobody gives beyond their own grants', () => {
  it('neither roles, nor users, nor tokens, nor passwords', async () => {
    const [small, large] = [
      await addRole(server, admin, usersOnly),
      await addRole(server, admin, [{ actions: ['read', 'edit', 'users'] }]),
    ];
    const manager = await addPerson(server, admin, [small]);
    const equal = await addPerson(server, admin, [small]);
    const above = await addPerson(server, admin, [large]);
    const role = (grants: unknown) => ({ name: freshName('role'), grants });
    const refused: readonly (readonly [string, string, unknown])[] = [
      ['POST', '/roles', role([{ actions: ['publish'] }])],
      ['PUT', `/roles/${large}`, { description: 'x' }],
      ['DELETE', `/roles/${large}`, undefined],
      ['PUT', `/roles/${small}`, { grants: [{ actions: ['edit'] }] }],
      ['POST', '/users', { username: freshName('x'), password }],
      ['POST', '/users', { username: freshName('x'), password, role_ids: [large] }],
      ['PUT', `/users/${manager.id}`, { role_ids: [large] }],
      ['PUT', `/users/${above.id}`, { role_ids: [] }],
      ['PUT', `/users/${above.id}`, { username: freshName('x') }],
      ['PUT', `/users/${above.id}/password`, { password }],
      ['PUT', '/users/1/password', { password }],
      ['DELETE', `/users/${above.id}`, undefined],
      ['POST', '/tokens', { name: 'x', role_ids: [large] }],
      ['POST', '/tokens', { name: 'x', can_write: true }],
    ];
    for (const [method, path, body] of refused)
      expect([method, path, outcomeOf(await manager.ask(method, path, body))]).toEqual([
        method,
        path,
        notAllowed,
      ]);
    const allowed: readonly (readonly [string, string, unknown, number])[] = [
      ['POST', '/roles', role([{ actions: ['read'], on: { pages: [1] } }]), 201],
      ['POST', '/users', { username: freshName('x'), password, role_ids: [small] }, 201],
      ['PUT', `/users/${equal.id}`, { role_ids: [] }, 200],
      ['PUT', `/users/${equal.id}/password`, { password }, 204],
      ['POST', '/tokens', { name: 'x', role_ids: [small] }, 201],
      ['POST', '/tokens', { name: 'x' }, 201],
      ['DELETE', `/users/${equal.id}`, undefined, 204],
    ];
    for (const [method, path, body, status] of allowed)
      expect([method, path, (await manager.ask(method, path, body)).status]).toEqual([method, path, status]);
  });
});

describe('tokens', () => {
  it('have roles, an end and an owner', async () => {
    const expires_at = Math.floor(Date.now() / 1000) + 3600;
    const created = await ask('POST', '/tokens', { name: 'x', role_ids: [3], expires_at });
    expect(created).toMatchObject({
      status: 201,
      body: { token: { role_ids: [3], expires_at, owner_id: 1, can_write: true } },
    });
    const plain = asRecord(asRecord((await ask('POST', '/tokens', { name: 'x' })).body)['token']);
    expect(plain).toMatchObject({ role_ids: null, expires_at: null, owner_id: 1, can_write: false });
    const { body } = await ask('GET', '/tokens');
    expect(body).toContainEqual(asRecord(asRecord(created.body)['token']));
    expect(body).toContainEqual(plain);
  });

  it.each([
    ['a time that is over', { expires_at: 1 }],
    ['a time that is no number', { expires_at: 'tomorrow' }],
    ['a role that is none', { role_ids: [99_999] }],
    ['roles that are no list', { role_ids: 3 }],
  ])('refuses %s', async (_what, fields) => {
    expect(outcomeOf(await ask('POST', '/tokens', { name: 'x', ...fields }))).toEqual(invalid);
  });

  it('end with their owner, which a dry run lists', async () => {
    const owner = await addPerson(server, admin, [1]);
    const { id, secret } = await addTokenOf(server, owner.session, { can_write: true });
    const status = async () => (await call(server, 'GET', '/pages', { token: secret })).status;
    expect(await status()).toBe(200);
    expect((await ask('DELETE', `/users/${owner.id}?dry_run=1`)).body).toMatchObject({ tokens: [{ id }] });
    expect(await status()).toBe(200);
    expect((await ask('DELETE', `/users/${owner.id}`)).status).toBe(204);
    expect(await status()).toBe(401);
  });
});
