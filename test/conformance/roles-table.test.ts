import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, call, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { addPerson, addRole, type Person } from '../support/people.ts';
import { routeRights } from '../support/route-rights.ts';
import { setUp } from '../support/session.ts';

/** All endpoints for all built-in roles: who is refused before anything is looked at. */
const noOtherHosts = ['-outgoing', 'allowlist', '-outgoing-allow', 'nobody.example'];
const roles = {
  administrator: ['read', 'edit', 'publish', 'delete', 'code', 'run', 'settings', 'users'],
  developer: ['read', 'edit', 'publish', 'delete', 'code', 'run'],
  editor: ['read', 'edit', 'publish', 'delete'],
  author: ['read', 'edit'],
  viewer: ['read'],
  nobody: [],
} as const;
type RoleName = keyof typeof roles;
const roleNames = ['administrator', 'developer', 'editor', 'author', 'viewer', 'nobody'] as const;

let server: InProcessServer;
let admin: string;
let people: ReadonlyMap<RoleName, Person>;

beforeAll(async () => {
  server = await startInProcess({ args: noOtherHosts });
  admin = await setUp(server);
  const made = new Map<RoleName, Person>();
  for (const [index, name] of roleNames.entries())
    made.set(name, await addPerson(server, admin, name === 'nobody' ? [] : [index + 1]));
  people = made;
});
afterAll(() => server.stop());

function nameOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}

/** Endpoints whose success would end the session or the state that the other cells need. */
const unasked = new Set(['POST /auth/logout', 'DELETE /auth/sessions', 'DELETE /auth/confirm']);

it('has a row for every route, and no other', () => {
  const routes = server.app.routes.map((route) => {
    const { needs } = route;
    return [nameOf(route), typeof needs === 'object' ? `${needs.action} ${needs.kind}` : needs];
  });
  expect(Object.fromEntries(routes)).toEqual(routeRights);
});

describe.each(roleNames)('%s', (role) => {
  it.each(Object.entries(routeRights).filter(([route]) => !unasked.has(route)))(
    '%s (%s)',
    async (route, right) => {
      const [method = '', path = ''] = route.split(' ');
      const [action = ''] = right.split(' ');
      const isMissing =
        right !== 'objects' && right !== 'nothing' && !roles[role].some((given) => given === action);
      // Who reads nothing does not learn which objects there are.
      const isHidden = role === 'nobody' && right.includes(' ') && path.includes('{');
      const isRefused = isMissing && !isHidden;
      // What succeeds is not done: the cells of all routes share one server.
      if (!isRefused && action !== 'objects' && method !== 'GET') return expectOpen(role, method, path);
      const answer = await askAs(role, method, path);
      const { code, params } = asRecord(answer.body);
      if (isRefused)
        expect({ status: answer.status, code, params }).toMatchObject({
          status: 403,
          code: 'auth.notAllowed',
          params: { action, needs: expect.any(String) },
        });
      else expect(code).not.toBe('auth.notAllowed');
    },
  );
});

/** Asks with a body that no endpoint takes, so that the answer is from after the check of rights. */
async function expectOpen(role: RoleName, method: string, path: string): Promise<void> {
  const { session } = personOf(role);
  const headers = {
    Cookie: `ic_session=${session}`,
    'X-IC-CSRF': '1',
    'Content-Type': 'application/json',
  };
  if (method === 'DELETE' && !path.includes('{')) return;
  const answer = await call(server, method, fill(path), { token: null, headers, raw: '{' });
  expect(asRecord(answer.body)['code']).not.toBe('auth.notAllowed');
}

function askAs(role: RoleName, method: string, path: string): Promise<ApiAnswer> {
  return personOf(role).ask(method, fill(path), method === 'GET' || method === 'DELETE' ? undefined : {});
}

function personOf(role: RoleName): Person {
  const person = people.get(role);
  if (person === undefined) throw new Error(`nobody is ${role}`);
  return person;
}

function fill(path: string): string {
  return path.replace(/\{\w+\}/g, '9999');
}

describe('own and foreign pages, by what a role gives below one page', () => {
  const changes = [
    ['PUT', (id: number) => `/pages/${id}`, { title: 'x' }, 'publish'],
    ['PUT', (id: number) => `/pages/${id}/assets`, [], 'publish'],
    ['PUT', (id: number) => `/pages/${id}/copy`, { title: 'y' }, 'edit'],
    ['POST', (id: number) => `/pages/${id}/copy/publish`, {}, 'publish'],
    ['POST', (id: number) => `/pages/${id}/preview`, {}, 'edit'],
    ['GET', (id: number) => `/pages/${id}/preview-links`, undefined, 'edit'],
    ['DELETE', (id: number) => `/pages/${id}`, undefined, 'delete'],
  ] as const;

  it.each(roleNames.filter((name) => name !== 'administrator'))('%s', async (name) => {
    const site = await createSite(server);
    const [own, foreign] = [await createPage(server, site), await createPage(server, site)];
    const role = await addRole(server, admin, [
      { actions: ['read'] },
      { actions: roles[name], on: { pages: [own] } },
    ]);
    const person = await addPerson(server, admin, [role]);
    // Somebody else has begun a working copy of the foreign page.
    await callOk(server, 'PUT', `/pages/${foreign}/copy`, { title: 'theirs' });
    for (const [method, pathOf, body, action] of changes) {
      const isGiven = roles[name].some((given) => given === action);
      const refused = await person.ask(method, pathOf(foreign), body);
      expect([method, pathOf(0), refused.status]).toEqual([method, pathOf(0), 403]);
      const answer = await person.ask(method, pathOf(own), body);
      expect([method, pathOf(0), answer.status < 300]).toEqual([method, pathOf(0), isGiven]);
      if (!isGiven) expect(asRecord(answer.body)).toMatchObject({ code: 'auth.notAllowed' });
    }
  });
});
