import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, callOk, outcomeOf } from '../support/api.ts';
import { createPage, createSite, freshName, idOf } from '../support/content.ts';
import { addPerson, addRole, type Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';

/** The contract, "Roles and grants": of change sets callers learn only what concerns objects that they may read. */
let server: TestServer;
let admin: string;
let site: number;
let boss: Person;

beforeAll(async () => {
  server = await startServer();
  admin = await setUp(server);
  site = await createSite(server);
  boss = await addPerson(server, admin, [1]);
});
afterAll(() => server.stop());

const notFound = { status: 404, code: 'common.notFound' };
const writing = ['read', 'edit', 'publish', 'delete'];
const secret = 'Secret title';
const soon = () => Math.floor(Date.now() / 1000) + 3600;

/** Two pages, one of them for a person who may not read the other. */
async function createPair() {
  const [mine, other] = [
    await createPage(server, site, { title: 'Mine' }),
    await createPage(server, site, { title: secret }),
  ];
  const person = await addPerson(server, admin, [
    await addRole(server, admin, [{ actions: writing, on: { pages: [mine] } }]),
  ]);
  return { mine, other, person };
}

async function createSet(...pages: readonly number[]): Promise<number> {
  const set = idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('set') }));
  for (const id of pages)
    await callOk(server, 'PUT', `/change-sets/${set}/items/page/${id}`, { title: `${secret} changed` });
  return set;
}

function listOf({ body }: ApiAnswer): Record<string, unknown>[] {
  return Array.isArray(body) ? body.map(asRecord) : [];
}

describe('a change set of which a caller may read nothing', () => {
  it('is not there, whatever is asked of it', async () => {
    const { other, mine, person } = await createPair();
    const set = await createSet(other);
    const comment = { text: 'Why?', kind: 'page', id: other };
    const path = `/change-sets/${set}`;
    const commentId = idOf(asRecord((await boss.ask('POST', `${path}/comments`, comment)).body));
    const calls: readonly (readonly [string, string, unknown?])[] = [
      ['GET', path],
      ['GET', `${path}/items`],
      ['GET', `${path}/diff`],
      ['GET', `${path}/comments`],
      ['GET', `${path}/preview-links`],
      ['GET', `/pages/${mine}?change_set=${set}`],
      ['GET', `/pages?change_set=${set}`],
      ['PUT', path, { name: 'taken over' }],
      ['PUT', path, { publish_at: soon() }],
      ['DELETE', path],
      ['POST', `${path}/items`, { op: 'update', kind: 'page', id: mine, data: { title: 'x' } }],
      ['PUT', `${path}/items/page/${mine}`, { title: 'x' }],
      ['PUT', `${path}/items/page/${other}`, { title: 'x' }],
      ['DELETE', `${path}/items/page/${other}`],
      ['POST', `${path}/publish`, {}],
      ['POST', `${path}/publish`, { dry_run: true }],
      ['POST', `${path}/revert`, {}],
      ['POST', `${path}/review`, { state: 'approved' }],
      ['POST', `${path}/review`, { state: 'requested' }],
      ['POST', `${path}/preview-links`, {}],
      ['POST', `${path}/comments`, comment],
      ['PUT', `${path}/comments/${commentId}`, { resolved: true }],
      ['DELETE', `${path}/comments/${commentId}`],
      [
        'POST',
        `/batch?change_set=${set}`,
        { ops: [{ op: 'update', kind: 'page', id: mine, data: { title: 'x' } }] },
      ],
    ];
    for (const [method, at, body] of calls)
      expect([method, at, body, outcomeOf(await person.ask(method, at, body))]).toEqual([
        method,
        at,
        body,
        notFound,
      ]);
    expect(await callOk(server, 'GET', path)).toMatchObject({ state: 'open', items: 1 });
    expect(listOf(await boss.ask('GET', `${path}/comments`))).toMatchObject([
      { id: commentId, resolved: false },
    ]);
  });
});

describe('a change set of which a caller may read a part', () => {
  it('shows comments about that part only, and takes none about the rest', async () => {
    const { mine, other, person } = await createPair();
    const path = `/change-sets/${await createSet(mine, other)}/comments`;
    const add = async (id: number) =>
      idOf(asRecord((await boss.ask('POST', path, { text: 'Why?', kind: 'page', id })).body));
    const [shown, hidden] = [await add(mine), await add(other)];
    expect(listOf(await person.ask('GET', path)).map(({ id }) => id)).toEqual([shown]);
    for (const [method, at, body] of [
      ['PUT', `${path}/${hidden}`, { resolved: true }],
      ['DELETE', `${path}/${hidden}`, undefined],
      ['POST', path, { text: 'x', kind: 'page', id: other }],
    ] as const)
      expect([method, outcomeOf(await person.ask(method, at, body))]).toEqual([method, notFound]);
    expect((await person.ask('PUT', `${path}/${shown}`, { resolved: true })).status).toBe(200);
    expect((await person.ask('DELETE', `${path}/${shown}`)).status).toBe(204);
    expect(listOf(await boss.ask('GET', path))).toMatchObject([{ id: hidden, resolved: false }]);
  });

  it('shows its review as it is', async () => {
    const { mine, other, person } = await createPair();
    const path = `/change-sets/${await createSet(mine, other)}`;
    expect((await boss.ask('POST', `${path}/review`, { state: 'approved' })).status).toBe(200);
    const { review } = await callOk(server, 'GET', path);
    expect(asRecord((await person.ask('GET', path)).body)).toMatchObject({ items: 1, review });
  });

  it('is neither published, scheduled, approved, shown nor discarded by them, and names nothing else', async () => {
    const { mine, other, person } = await createPair();
    const set = await createSet(mine, other);
    const path = `/change-sets/${set}`;
    for (const [method, at, body, action] of [
      ['POST', `${path}/publish`, {}, 'publish'],
      ['POST', `${path}/publish`, { dry_run: true }, 'publish'],
      ['PUT', path, { publish_at: soon() }, 'publish'],
      ['POST', `${path}/review`, { state: 'approved' }, 'publish'],
      ['POST', `${path}/preview-links`, {}, 'edit'],
      ['DELETE', path, undefined, 'edit'],
    ] as const) {
      const answer = await person.ask(method, at, body);
      expect([method, at, answer]).toMatchObject([
        method,
        at,
        {
          status: 403,
          body: {
            code: 'auth.notAllowed',
            params: { action, kind: 'change_set', id: set, needs: expect.any(String) },
          },
        },
      ]);
    }
    expect(await callOk(server, 'GET', path)).toMatchObject({ state: 'open', items: 2, review: null });
    expect((await person.ask('POST', `${path}/review`, { state: 'requested' })).status).toBe(200);
    expect((await person.ask('PUT', path, { name: 'Renamed' })).body).toMatchObject({ items: 1 });
  });

  it('says that it has failed, and why only to who may read what it is about', async () => {
    const { mine, other, person } = await createPair();
    const [ofMine, ofBoth] = [await createSet(mine), await createSet(mine, other)];
    for (const id of [mine, other]) await callOk(server, 'PUT', `/pages/${id}`, { title: `${secret} live` });
    for (const set of [ofMine, ofBoth]) {
      const path = `/change-sets/${set}`;
      await callOk(server, 'PUT', path, { publish_at: Math.floor(Date.now() / 1000) + 2 });
      const state = async () => (await callOk(server, 'GET', path))['state'];
      await expect.poll(state, { timeout: 60_000 }).toBe('failed');
    }
    const read = async (who: Person, set: number) => {
      const answer = await who.ask('GET', `/change-sets/${set}`);
      return asRecord(asRecord(answer.body)['failure']);
    };
    const conflicts = (...ids: readonly number[]) => ({
      code: 'changeset.conflict',
      params: { conflicts: ids.map((id) => ({ kind: 'page', id, field: 'title' })) },
    });
    expect(await read(boss, ofBoth)).toMatchObject(conflicts(mine, other));
    expect(await read(person, ofMine)).toMatchObject(conflicts(mine));
    expect(await read(person, ofBoth)).toEqual({
      code: 'changeset.conflict',
      error: expect.not.stringContaining(secret),
      params: {},
    });
    const list = (await person.ask('GET', '/change-sets')).body;
    expect(JSON.stringify(list)).not.toContain(`"id":${other},`);
  });

  it('keeps the place of what was deleted, so that its history stays readable', async () => {
    const { mine, person } = await createPair();
    const below = await createPage(server, mine, { title: 'Below' });
    const set = idOf(asRecord((await person.ask('POST', '/change-sets', { name: freshName('set') })).body));
    const path = `/change-sets/${set}`;
    const removal = { op: 'delete', kind: 'page', id: below };
    expect((await person.ask('POST', `${path}/items`, removal)).status).toBe(200);
    expect((await person.ask('POST', `${path}/publish`, {})).status).toBe(200);
    expect((await person.ask('GET', path)).body).toMatchObject({ state: 'published', items: 1 });
    const stranger = (await createPair()).person;
    expect(outcomeOf(await stranger.ask('GET', path))).toEqual(notFound);
    expect((await person.ask('POST', `${path}/revert`, {})).status).toBe(200);
    expect((await person.ask('GET', `/pages/${below}`)).status).toBe(200);
  });
});

it('nobody creates in a change set what they may not read there', async () => {
  const blind = await addPerson(server, admin, [
    await addRole(server, admin, [
      { actions: ['read'], on: { kinds: ['page'] } },
      { actions: ['edit'], on: { kinds: ['page', 'global_block'] } },
    ]),
  ]);
  const page = await createPage(server, site);
  const path = `/change-sets/${idOf(asRecord((await blind.ask('POST', '/change-sets', { name: freshName('set') })).body))}`;
  const op = { op: 'create', kind: 'global_block', data: { name: freshName('global') } };
  expect(await blind.ask('POST', `${path}/items`, op)).toMatchObject({
    status: 403,
    body: { code: 'auth.notAllowed', params: { action: 'read', kind: 'global_block' } },
  });
  expect((await blind.ask('PUT', `${path}/items/page/${page}`, { title: 'x' })).status).toBe(200);
  expect((await blind.ask('GET', path)).status).toBe(200);
});
