import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { createPage, createSite, createSnippet, freshName } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** `GET /audit`: who changed what, newest first. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
});
afterAll(() => server.stop());

interface Audit {
  readonly changes: readonly Readonly<Record<string, unknown>>[];
  readonly next: number | null;
}

async function audit(query: string): Promise<Audit> {
  const { changes, next } = await callOk(server, 'GET', `/audit?${query}`);
  return {
    changes: Array.isArray(changes) ? changes.map(asRecord) : [],
    next: next === null ? null : Number(next),
  };
}

/** The version of the newest change. */
async function newest(): Promise<number> {
  return Number((await audit('limit=1')).changes[0]?.['version']);
}

it('tells what was done, newest first, with the names of the objects', async () => {
  const name = freshName('card');
  const snippet = await createSnippet(server, { name });
  await callOk(server, 'PUT', `/snippets/${snippet}`, { content: 'changed' });
  await call(server, 'DELETE', `/snippets/${snippet}`);
  const common = { version: expect.any(Number), at: expect.any(Number), actor: 'Master-Token', name };
  expect(await audit(`kind=snippet&id=${snippet}`)).toEqual({
    changes: ['deleted', 'updated', 'created'].map((action) => ({
      ...common,
      kind: 'snippet',
      action,
      id: snippet,
    })),
    next: null,
  });
});

it('names a redirect by its address, and a page by its path too', async () => {
  const page = await createPage(server, site, { slug: freshName('moved') });
  const { path: before } = await callOk(server, 'GET', `/pages/${page}`);
  const slug = freshName('moved');
  await callOk(server, 'PUT', `/pages/${page}`, { published: true });
  await callOk(server, 'PUT', `/pages/${page}`, { slug });
  const [redirect] = (await audit('kind=redirect&limit=1')).changes;
  expect(redirect).toMatchObject({ action: 'created', path: before });
  expect((await audit(`kind=page&id=${page}&limit=1`)).changes[0]).toMatchObject({ slug, path: `/${slug}` });
});

it('finds by a part of the name of who did it, whatever the case', async () => {
  const token = await addToken(server, 'Audited Robot', true);
  const body = { name: freshName('card'), content: '' };
  await call(server, 'POST', '/snippets', { token, body });
  const { changes } = await audit('actor=audited%20r');
  expect(changes.map(({ actor, name }) => [actor, name])).toEqual([['Audited Robot', body.name]]);
  expect((await audit('actor=nobody')).changes).toEqual([]);
});

it('finds by time', async () => {
  await createPage(server, site);
  const [last] = (await audit('limit=1')).changes;
  const at = Number(last?.['at']);
  expect((await audit(`from=${at}&to=${at}`)).changes).toContainEqual(last);
  expect((await audit(`from=${at + 1000}`)).changes).toEqual([]);
  expect((await audit(`to=${at - 1000}`)).changes).toEqual([]);
});

it('goes through the log in parts, and never cuts a commit', async () => {
  const since = await newest();
  await createPage(server, site);
  const create = () => ({ op: 'create', kind: 'snippet', data: { name: freshName('s'), content: '' } });
  await callOk(server, 'POST', '/batch', { ops: [create(), create(), create()] });
  await createPage(server, site);
  const sizes: number[] = [];
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null && before > since + 1; ) {
    const part: Audit = await audit(`before=${before}&limit=2`);
    const fresh = part.changes.filter(({ version }) => Number(version) > since);
    if (fresh.length > 0) sizes.push(fresh.length);
    before = part.next;
  }
  expect(sizes).toEqual([1, 3, 1]);
});

describe('refuses', () => {
  it.each([
    ['before 0', 'before=0', 'before'],
    ['a text as time', 'from=x', 'from'],
    ['limit 201', 'limit=201', 'limit'],
    ['a text as ID', 'id=x', 'id'],
  ])('%s', async (_name, query, field) => {
    const answer = await call(server, 'GET', `/audit?${query}`);
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
    expect(asRecord(answer.body)['params']).toMatchObject({ field });
  });
});
