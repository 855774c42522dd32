import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, createPage, createSite, freshName } from '../support/content.ts';
import { addPerson, addRole, addTokenOf, password } from '../support/people.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp, withSession } from '../support/session.ts';

/** What callers learn of their own rights. */
let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await startServer();
  admin = await setUp(server);
});
afterAll(() => server.stop());

const all = ['read', 'edit', 'publish', 'delete', 'code', 'run', 'settings', 'users'];

describe('GET /auth/me', () => {
  it('tells users who they are, their roles and grants', async () => {
    const me = await call(server, 'GET', '/auth/me', withSession(admin));
    expect(me).toMatchObject({
      status: 200,
      body: {
        user: { id: 1, username: 'ada', role_ids: [1] },
        roles: [{ id: 1, name: 'administrator' }],
        grants: [{ actions: all, on: {} }],
        live_saves: false,
      },
    });
    const grants = [{ actions: ['read', 'edit'], on: { pages: [7] } }];
    const role = await addRole(server, admin, grants);
    const person = await addPerson(server, admin, [role, 5]);
    const { body } = await person.ask('GET', '/auth/me');
    expect(body).toMatchObject({ user: { id: person.id }, roles: [{ id: 5 }, { id: role }] });
    expect(asRecord(body)['grants']).toEqual(
      expect.arrayContaining([...grants, { actions: ['read'], on: {} }]),
    );
  });

  it('tells editors whether they save live', async () => {
    await callOk(server, 'PUT', '/system', { live_saves: true });
    const person = await addPerson(server, admin, [5]);
    expect((await person.ask('GET', '/auth/me')).body).toMatchObject({ live_saves: true });
    await callOk(server, 'PUT', '/system', { live_saves: false });
    expect((await person.ask('GET', '/auth/me')).body).toMatchObject({ live_saves: false });
  });

  it('tells tokens what they may do, users without roles that it is nothing', async () => {
    const none = await addPerson(server, admin, []);
    expect((await none.ask('GET', '/auth/me')).body).toMatchObject({ roles: [], grants: [] });
    const editor = await addTokenOf(server, admin, { role_ids: [3] });
    const reader = await addTokenOf(server, admin, { can_write: false });
    const writer = await addTokenOf(server, admin, { can_write: true });
    const of = async (token: string) => (await call(server, 'GET', '/auth/me', { token })).body;
    expect(await of(editor.secret)).toMatchObject({
      user: null,
      roles: [{ id: 3 }],
      grants: [{ actions: ['read', 'edit', 'publish', 'delete'] }],
    });
    expect(await of(reader.secret)).toEqual({
      user: null,
      roles: [],
      grants: [{ actions: ['read'], on: {} }],
    });
    for (const token of [writer.secret, masterToken])
      expect(await of(token)).toEqual({ user: null, roles: [], grants: [{ actions: all, on: {} }] });
    expect(outcomeOf(await call(server, 'GET', '/auth/me', { token: null }))).toEqual({
      status: 401,
      code: 'auth.required',
    });
  });

  it('follows every change of roles at once', async () => {
    const role = await addRole(server, admin, [{ actions: ['read'] }]);
    const person = await addPerson(server, admin, [role]);
    const token = await addTokenOf(server, admin, { role_ids: [role] });
    const actions = async () => {
      const bodies = [
        (await person.ask('GET', '/auth/me')).body,
        (await call(server, 'GET', '/auth/me', { token: token.secret })).body,
      ];
      return bodies.map((body) => asRecord(Array.isArray(asRecord(body)['grants']) ? body : {})['grants']);
    };
    for (const given of [['edit'], ['read', 'run']]) {
      const grants = [{ actions: given }];
      const answer = await call(server, 'PUT', `/roles/${role}`, withSession(admin, { grants }));
      expect(answer.status).toBe(200);
      const expected = [{ actions: given, on: {} }];
      expect(await actions()).toEqual([expected, expected]);
    }
  });
});

describe('POST /auth/can', () => {
  it('answers in order, for kinds and objects', async () => {
    const site = await createSite(server);
    const [mine, other] = [await createPage(server, site), await createPage(server, site)];
    const below = await createPage(server, mine);
    const slug = freshName('c');
    const collection = await createCollection(server, { slug });
    const role = await addRole(server, admin, [
      { actions: ['read', 'publish'], on: { pages: [mine] } },
      { actions: ['edit'], on: { collections: [slug] } },
      { actions: ['users'] },
    ]);
    const person = await addPerson(server, admin, [role]);
    const questions: readonly (readonly [string, string, number | undefined, boolean])[] = [
      ['publish', 'page', mine, true],
      ['publish', 'page', below, true],
      ['publish', 'page', other, false],
      ['publish', 'page', 999_999, false],
      ['delete', 'page', mine, false],
      ['publish', 'page', undefined, true],
      ['delete', 'page', undefined, false],
      ['edit', 'collection', collection, true],
      ['read', 'collection', collection, false],
      ['users', 'user', undefined, true],
      ['edit', 'role', undefined, true],
      ['settings', 'setting', undefined, false],
    ];
    const checks = questions.map(([action, kind, id]) => ({
      action,
      kind,
      ...(id === undefined ? {} : { id }),
    }));
    const answer = await person.ask('POST', '/auth/can', { checks });
    expect(answer).toMatchObject({ status: 200, body: questions.map(([, , , expected]) => expected) });
    const ofMaster = await call(server, 'POST', '/auth/can', { body: { checks: checks.slice(0, 3) } });
    expect(ofMaster.body).toEqual([true, true, true]);
  });

  it.each([
    ['no checks', {}],
    ['an unknown action', { checks: [{ action: 'write', kind: 'page' }] }],
    ['an unknown kind', { checks: [{ action: 'read', kind: 'pages' }] }],
    ['an ID that is no number', { checks: [{ action: 'read', kind: 'page', id: 'x' }] }],
  ])('refuses %s', async (_what, body) => {
    expect(outcomeOf(await call(server, 'POST', '/auth/can', { body }))).toEqual({
      status: 400,
      code: 'common.invalid',
    });
  });
});

it('a deleted user ends at once, sessions and tokens too', async () => {
  const person = await addPerson(server, admin, [1]);
  const token = await addTokenOf(server, person.session, { role_ids: [1] });
  expect((await call(server, 'DELETE', `/users/${person.id}`, withSession(admin))).status).toBe(204);
  expect((await person.ask('GET', '/auth/me')).status).toBe(401);
  expect((await call(server, 'GET', '/auth/me', { token: token.secret })).status).toBe(401);
  const login = { username: person.username, password };
  expect((await call(server, 'POST', '/auth/login', { token: null, body: login })).status).toBe(401);
});
