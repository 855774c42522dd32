import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, call, callOk } from '../support/api.ts';
import { createAsset, createPage, createSite, createSnippet } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Core, "General rules": optimistic concurrency. Every change raises `updated_at` by at least one second. */

let server: TestServer;
const paths = new Map<string, string>();

beforeAll(async () => {
  server = await startServer();
  const site = await createSite(server);
  paths.set('page', `/pages/${await createPage(server, site)}`);
  paths.set('snippet', `/snippets/${await createSnippet(server)}`);
  paths.set('asset', `/assets/${await createAsset(server)}`);
  paths.set('home page', `/pages/${site}`);
});
afterAll(() => server.stop());

/** For each kind a field that accepts any text. */
const kinds = [
  { kind: 'page', field: 'html' },
  { kind: 'home page', field: 'robots_txt' },
  { kind: 'snippet', field: 'content' },
  { kind: 'asset', field: 'content' },
];

function pathOf(kind: string): string {
  return paths.get(kind) ?? '';
}

async function read(kind: string): Promise<Record<string, unknown>> {
  return callOk(server, 'GET', pathOf(kind));
}

function write(kind: string, body: unknown): Promise<ApiAnswer> {
  return call(server, 'PUT', pathOf(kind), { body });
}

function conflictBody(updatedAt: unknown): Record<string, unknown> {
  return {
    error: expect.any(String),
    code: 'common.conflict',
    params: { updated_at: updatedAt },
    conflict: true,
    updated_at: updatedAt,
  };
}

describe.each(kinds)('of ten writers of a $kind with the same base_updated_at', ({ kind, field }) => {
  it('exactly one succeeds in each round, and the others get the current updated_at', async () => {
    for (let round = 1; round <= 10; round++) {
      const { updated_at: base } = await read(kind);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, writer) =>
          write(kind, { [field]: `round ${round} writer ${writer}`, base_updated_at: base }),
        ),
      );
      const won = answers.filter(({ status }) => status === 200).map(({ body }) => asRecord(body));
      const lost = answers.filter(({ status }) => status === 409).map(({ body }) => body);
      expect([won.length, lost.length]).toEqual([1, 9]);
      const updatedAt = won[0]?.['updated_at'];
      expect(Number(updatedAt)).toBeGreaterThan(Number(base));
      expect(lost).toEqual(lost.map(() => conflictBody(updatedAt)));
      expect(await read(kind)).toMatchObject({ [field]: won[0]?.[field], updated_at: updatedAt });
    }
  });
});

describe.each(kinds)('base_updated_at of a $kind', ({ kind, field }) => {
  it.each([
    ['older', -1],
    ['newer', 1],
    ['much older', -1_000_000],
  ])('that is %s is a conflict and changes nothing', async (_name, offset) => {
    const before = await read(kind);
    const updatedAt = Number(before['updated_at']);
    const answer = await write(kind, { [field]: 'lost', base_updated_at: updatedAt + offset });
    expect(answer).toMatchObject({ status: 409, body: conflictBody(updatedAt) });
    expect(await read(kind)).toEqual(before);
  });

  it('is compared before the other fields are checked', async () => {
    const { updated_at: updatedAt } = await read(kind);
    const answer = await write(kind, { name: '', title: '', base_updated_at: Number(updatedAt) - 1 });
    expect(answer.status).toBe(409);
  });

  it.each(['1', 1.5, true, null, [1], {}, -0.5])('that is %j is refused', async (base) => {
    const before = await read(kind);
    const answer = await write(kind, { [field]: 'lost', base_updated_at: base });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'common.invalid', params: { field: 'base_updated_at' } },
    });
    expect(await read(kind)).toEqual(before);
  });

  it('may be missing: the last writer wins', async () => {
    const before = await read(kind);
    for (const text of ['first', 'second']) expect((await write(kind, { [field]: text })).status).toBe(200);
    const after = await read(kind);
    expect(after[field]).toBe('second');
    // Times are whole seconds, and two states never have the same.
    expect(Number(after['updated_at'])).toBeGreaterThanOrEqual(Number(before['updated_at']) + 2);
    expect(Number.isInteger(after['updated_at'])).toBe(true);
  });

  it('of an answer can be used for the next write', async () => {
    let base = (await read(kind))['updated_at'];
    for (const text of ['one', 'two', 'three']) {
      const { status, body } = await write(kind, { [field]: text, base_updated_at: base });
      expect(status).toBe(200);
      base = asRecord(body)['updated_at'];
    }
    expect(await read(kind)).toMatchObject({ [field]: 'three', updated_at: base });
  });

  it('is neither stored nor answered', async () => {
    const { updated_at: base } = await read(kind);
    const { body } = await write(kind, { base_updated_at: base });
    expect(body).not.toHaveProperty('base_updated_at');
    expect(await read(kind)).not.toHaveProperty('base_updated_at');
  });
});

describe('id and created_at in a PUT', () => {
  it.each(kinds)('are ignored on a $kind', async ({ kind, field }) => {
    const before = await read(kind);
    const { status, body } = await write(kind, { id: 999, created_at: 1, updated_at: 1, [field]: 'x' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: before['id'], created_at: before['created_at'], [field]: 'x' });
    expect(Number(asRecord(body)['updated_at'])).toBeGreaterThan(Number(before['updated_at']));
  });
});
