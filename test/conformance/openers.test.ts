import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiCall, call, callOk } from '../support/api.ts';
import { createPage, createSite, freshName, freshSlug, idOf } from '../support/content.ts';
import { uploadOne } from '../support/media.ts';
import { addPerson, addRole, addTokenOf } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp, withSession } from '../support/session.ts';
import { bodyOf, visit } from './public-client.ts';

/** Beyond, 3.2: preview links and signed addresses end with the token, session, user or right that opened them. */

let server: TestServer;
let admin: string;
let site: number;
let page: number;
let file: number;
const host = `${freshSlug()}.example`;
const slug = freshSlug();

beforeAll(async () => {
  server = await startServer();
  admin = await setUp(server);
  site = await createSite(server, { domains: host });
  file = idOf(await uploadOne(server, `${freshSlug()}.txt`, 'secret', { private: '1' }));
  page = await createPage(server, site, { slug, html: `{{ file(${file}).url }}` });
});
afterAll(() => server.stop());

/** A call of somebody. */
type Ask = (body?: unknown) => ApiCall;
/** Whether it is still open. */
type IsOpen = () => Promise<boolean>;

async function open(path: string, options: ApiCall): Promise<unknown> {
  const { status, body } = await call(server, 'POST', path, options);
  expect([path, status]).toEqual([path, expect.toBeOneOf([200, 201])]);
  return body;
}

function targetOf(link: unknown): string {
  const { pathname, search } = new URL(String(Object(link).url));
  return pathname + search;
}

const addressIn = (html: unknown) => bodyOf({ text: String(html) }).replaceAll('&amp;', '&');
const shows =
  (target: string): IsOpen =>
  async () =>
    (await visit(server, target, { host })).status === 200;

const openings: Readonly<Record<string, (ask: Ask) => Promise<IsOpen>>> = {
  'a preview link of a page': async (ask) =>
    shows(targetOf(await open(`/pages/${page}/preview-links`, ask({})))),

  'a preview link of a change set': async (ask) => {
    const set = idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('release') }));
    await callOk(server, 'PUT', `/change-sets/${set}/items/page/${page}`, { title: freshName('title') });
    const target = targetOf(await open(`/change-sets/${set}/preview-links`, ask({ site_id: site })));
    // With a link that has ended it is a visit like any other.
    return async () => (await visit(server, target, { host })).text.includes('data-ic-preview-bar');
  },

  'the address of signed-url': async (ask) =>
    shows(String(Object(await open(`/files/${file}/signed-url`, ask({ ttl: 3600 }))).url)),

  'an address in a preview': async (ask) => shows(addressIn(await open(`/pages/${page}/preview`, ask({})))),

  'an address in what a preview link shows': async (ask) => {
    const target = targetOf(await open(`/pages/${page}/preview-links`, ask({})));
    return shows(addressIn((await visit(server, target, { host })).text));
  },
};

const grants = [{ actions: ['read', 'edit', 'publish', 'users'] }];

/** Somebody who opens something, and what ends it. */
interface Opener {
  readonly ask: Ask;
  end(): Promise<unknown>;
}

const asAdmin = (method: string, path: string, body?: unknown) =>
  call(server, method, path, withSession(admin, body));

async function asPerson(end: (person: Awaited<ReturnType<typeof addPerson>>) => Promise<unknown>) {
  const person = await addPerson(server, admin, [await addRole(server, admin, grants)]);
  return { ask: (body?: unknown) => withSession(person.session, body), end: () => end(person) };
}

async function asToken(
  owner: string,
  end: (token: { readonly id: number }) => Promise<unknown>,
  fields: object = { can_write: true },
): Promise<Opener> {
  const token = await addTokenOf(server, owner, fields);
  return { ask: (body) => ({ token: token.secret, body }), end: () => end(token) };
}

const openers: Readonly<Record<string, () => Promise<Opener>>> = {
  'its token': () => asToken(admin, ({ id }) => asAdmin('DELETE', `/tokens/${id}`)),
  'the owner of its token': async () => {
    const role = await addRole(server, admin, grants);
    const owner = await addPerson(server, admin, [role]);
    const end = () => asAdmin('DELETE', `/users/${owner.id}`);
    return asToken(owner.session, end, { role_ids: [role] });
  },
  'the right of the owner of its token': async () => {
    const role = await addRole(server, admin, grants);
    const owner = await addPerson(server, admin, [role]);
    const end = () => asAdmin('PUT', `/users/${owner.id}`, { role_ids: [] });
    return asToken(owner.session, end, { role_ids: [role] });
  },
  'its session by DELETE': () =>
    asPerson(async ({ id }) => {
      const { body } = await asAdmin('GET', `/auth/sessions?user_id=${id}`);
      const [session] = Array.isArray(body) ? body : [];
      return asAdmin('DELETE', `/auth/sessions/${session?.id}`);
    }),
  'its session by logout': () => asPerson(({ ask }) => ask('POST', '/auth/logout')),
  'its session by another password': () =>
    asPerson(({ id }) => asAdmin('PUT', `/users/${id}/password`, { password: 'another quartz lantern' })),
  'its user': () => asPerson(({ id }) => asAdmin('DELETE', `/users/${id}`)),
  'its right': () => asPerson(({ id }) => asAdmin('PUT', `/users/${id}`, { role_ids: [] })),
};

describe.each(Object.entries(openings))('%s', (_name, opening) => {
  it.each(Object.entries(openers))('ends with %s', async (_end, make) => {
    const { ask, end } = await make();
    const isOpen = await opening(ask);
    expect(await isOpen()).toBe(true);
    expect(await end()).toMatchObject({ status: expect.toBeOneOf([200, 204]) });
    expect(await isOpen()).toBe(false);
  });

  it('stays open with the master token, and when others end', async () => {
    const isOpen = await opening((body) => ({ body }));
    const other = await asPerson(({ id }) => asAdmin('DELETE', `/users/${id}`));
    await other.end();
    expect(await isOpen()).toBe(true);
  });
});

it('an address that a session has seen with ?preview=1 ends with it', async () => {
  const { session, ask } = await addPerson(server, admin, [await addRole(server, admin, grants)]);
  const headers = { Cookie: `ic_session=${session}` };
  const isOpen = shows(addressIn((await visit(server, `/${slug}?preview=1`, { host, headers })).text));
  expect(await isOpen()).toBe(true);
  await ask('POST', '/auth/logout');
  expect(await isOpen()).toBe(false);
});

it('an address in what a preview link shows ends when the link is revoked', async () => {
  const link = await callOk(server, 'POST', `/pages/${page}/preview-links`, {});
  const isOpen = shows(addressIn((await visit(server, targetOf(link), { host })).text));
  expect(await isOpen()).toBe(true);
  await call(server, 'DELETE', `/preview-links/${link['id']}`);
  expect(await isOpen()).toBe(false);
});

it('lists of preview links leave out those that have ended', async () => {
  const { ask, end } = await asPerson(({ id }) => asAdmin('DELETE', `/users/${id}`));
  const { id } = Object(await open(`/pages/${page}/preview-links`, ask({ note: 'mine' })));
  const listed = async () => {
    const { body } = await call(server, 'GET', `/pages/${page}/preview-links`);
    return Array.isArray(body) && body.some((link) => link.id === id);
  };
  expect(await listed()).toBe(true);
  await end();
  expect(await listed()).toBe(false);
});

it('no other opener fits into a signature', async () => {
  const [first, second] = [await asPerson(async () => {}), await asPerson(async () => {})];
  const signed = async ({ ask }: Pick<Opener, 'ask'>) =>
    Object(await open(`/files/${file}/signed-url`, ask({ ttl: 3600 })));
  const [mine, theirs] = [await signed(first), await signed(second)];
  const path = String(mine.url).split('?')[0];
  const swapped = `${String(mine.sig).slice(0, 40)}${String(theirs.sig).slice(40)}`;
  expect(mine.sig).toMatch(/^[0-9a-f]{64}$/);
  for (const [sig, status] of [
    [mine.sig, 200],
    [swapped, 404],
    [`${String(mine.sig).slice(0, 40)}${'0'.repeat(24)}`, 404],
  ])
    expect((await visit(server, `${path}?exp=${mine.exp}&sig=${sig}`, { host })).status).toBe(status);
});
