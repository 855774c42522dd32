import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readForm } from '../../../server/batch/form.ts';
import { hashOfJson } from '../../../server/batch/hash.ts';
import type { Kind } from '../../../server/kinds/kind.ts';
import { snippetKind } from '../../../server/snippets/service.ts';
import { asRecord, call, callList, callOk, outcomeOf } from '../../support/api.ts';
import { createSite } from '../../support/content.ts';
import { type InProcessServer, startInProcess } from '../../support/in-process.ts';
import { uploadOne } from '../../support/media.ts';

const day = 24 * 3600 * 1000;

describe('an idempotency key', () => {
  it('lives 30 days', async () => {
    let now = Date.UTC(2026, 0, 1);
    const server = await startInProcess({ clock: () => now });
    const site = await createSite(server);
    const request = {
      idempotency_key: 'k',
      ops: [{ op: 'update', kind: 'page', id: site, data: { title: 'x' } }],
    };
    const replayed = async () =>
      (await call(server, 'POST', '/batch', { body: request })).headers.get('idempotent-replay');
    expect(await replayed()).toBeNull();
    now += 30 * day;
    expect(await replayed()).toBe('true');
    expect((await call(server, 'GET', '/batch/k')).status).toBe(200);
    now += 1000;
    expect((await call(server, 'GET', '/batch/k')).status).toBe(404);
    expect(await replayed()).toBeNull();
    expect((await call(server, 'GET', '/batch/k')).status).toBe(200);
    await server.stop();
  });
});

describe('a kind of which a batch can only change the fields', () => {
  it('is refused for other operations', () => {
    const { batch: _, ...rest } = snippetKind;
    const kinds = new Map<string, Kind>([['snippet', { ...rest, batch: { ops: ['update'], idFields: [] } }]]);
    const ops = [{ op: 'create', kind: 'snippet', data: {} }];
    expect(() => readForm({ ops }, kinds)).toThrow(
      expect.objectContaining({
        code: 'batch.opNotSupported',
        params: { op: 'create', kind: 'snippet', index: 0 },
      }),
    );
  });
});

describe('the hash of a request', () => {
  it('does not depend on the order of fields, and on everything else', async () => {
    const base = await hashOfJson({ a: [1, '2', null, true], b: { c: 'x' } });
    expect(await hashOfJson({ b: { c: 'x' }, a: [1, '2', null, true] })).toBe(base);
    for (const other of [
      { a: ['2', 1, null, true], b: { c: 'x' } },
      { a: [1, 2, null, true], b: { c: 'x' } },
      { a: [1, '2', null, 'true'], b: { c: 'x' } },
      { a: [1, '2', null, true], b: { c: 'x' }, d: [] },
      { a: [1, '2', null, true], b: ['c', 'x'] },
      { a: [1, '2', null, true], b: { c: 'x\u0000' } },
    ]) {
      expect(await hashOfJson(other)).not.toBe(base);
    }
  });

  it('is that of the whole text, however long', async () => {
    const long = 'ä'.repeat(3 * 2 ** 20);
    expect(await hashOfJson(`${long}a`)).not.toBe(await hashOfJson(`${long}b`));
    expect(await hashOfJson(`${long}a`)).toBe(await hashOfJson(`${long}a`));
  });
});

/** Operations on two small sets of objects, valid or not. */
const operation = fc.oneof(
  fc.record({
    op: fc.constant('create'),
    kind: fc.constant<'page'>('page'),
    slug: fc.constantFrom('a', 'b', 'c', 'A', 'api'),
  }),
  fc.record({
    op: fc.constant('update'),
    kind: fc.constant<'page'>('page'),
    id: fc.integer({ min: 1, max: 5 }),
    slug: fc.constantFrom('a', 'b', 'c', ''),
  }),
  fc.record({
    op: fc.constant('delete'),
    kind: fc.constant<'page'>('page'),
    id: fc.integer({ min: 2, max: 5 }),
  }),
  fc.record({
    op: fc.constant('create'),
    kind: fc.constant<'snippet'>('snippet'),
    name: fc.constantFrom('s', 't', '-'),
  }),
  fc.record({
    op: fc.constant('update'),
    kind: fc.constant<'snippet'>('snippet'),
    id: fc.integer({ min: 1, max: 3 }),
    name: fc.constantFrom('s', 't', 'u'),
  }),
  fc.record({
    op: fc.constant('delete'),
    kind: fc.constant<'snippet'>('snippet'),
    id: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    op: fc.constant('update'),
    kind: fc.constant<'file'>('file'),
    id: fc.integer({ min: 1, max: 3 }),
    name: fc.constantFrom('f', 'g', ''),
  }),
  fc.record({
    op: fc.constant('delete'),
    kind: fc.constant<'file'>('file'),
    id: fc.integer({ min: 1, max: 3 }),
  }),
);
type RandomOperation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

describe('a batch and the same single calls', () => {
  let servers: readonly [InProcessServer, InProcessServer];
  beforeAll(async () => {
    const clock = () => Date.UTC(2026, 0, 1);
    servers = [await startInProcess({ clock }), await startInProcess({ clock })];
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it('have the same outcome and leave the same content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 8 }), async (operations) => {
        const [batched, single] = servers;
        const offsets = [await newStart(batched), await newStart(single)] as const;
        const before = await contentOf(batched);
        const since = [await newest(batched), await newest(single)] as const;
        const body = { ops: operations.map((one) => opOf(one, offsets[0])) };
        const outcome = outcomeOf(await call(batched, 'POST', '/batch', { body }));
        const alone = await singly(
          single,
          operations.map((one) => opOf(one, offsets[1])),
        );
        expect(outcome).toEqual(alone);
        expect(await contentOf(batched)).toEqual(alone.status === 200 ? await contentOf(single) : before);
        const told = await eventsSince(batched, since[0]);
        expect(told).toEqual(alone.status === 200 ? await eventsSince(single, since[1]) : []);
      }),
      { numRuns: 25 },
    );
  });
});

async function newest(server: InProcessServer): Promise<unknown> {
  return (await callOk(server, 'GET', '/changes?since=now'))['version'];
}

/** What is told of the changes since a version, without what differs between the servers. */
async function eventsSince(server: InProcessServer, since: unknown): Promise<unknown[]> {
  const { changes } = await callOk(server, 'GET', `/changes?since=${since}`);
  return [changes].flat().map((change) => {
    const { version: _version, id: _id, ...rest } = asRecord(change);
    return rest;
  });
}

interface Offset {
  readonly file: number;
  readonly page: number;
  readonly snippet: number;
}

/** Gives a server new content; resolves with what is to be added to the IDs of the operations. */
async function newStart(server: InProcessServer): Promise<Offset> {
  for (const { id } of await callList(server, '/pages?roots=1')) await call(server, 'DELETE', `/pages/${id}`);
  for (const { id } of await callList(server, '/snippets')) await call(server, 'DELETE', `/snippets/${id}`);
  const page = await createSite(server);
  const snippet = await callOk(server, 'POST', '/snippets', { name: 'first' });
  for (const { id } of await callList(server, '/files')) await call(server, 'DELETE', `/files/${id}`);
  const file = await uploadOne(server, 'a.txt', 'a');
  await uploadOne(server, 'b.txt', 'b');
  return { page: page - 1, snippet: Number(snippet['id']) - 1, file: Number(file['id']) - 1 };
}

function opOf(operation: RandomOperation, offset: Offset): Record<string, unknown> {
  const { op, kind } = operation;
  const id = 'id' in operation ? { id: operation.id + offset[kind] } : {};
  const data =
    'slug' in operation
      ? {
          title: operation.slug,
          slug: operation.slug,
          ...(op === 'create' ? { parent_id: 1 + offset.page } : {}),
        }
      : 'name' in operation
        ? { name: operation.name }
        : undefined;
  return { op, kind, ...id, ...(data === undefined ? {} : { data }) };
}

/** Sends each operation to its own endpoint until one is refused. */
async function singly(server: InProcessServer, ops: readonly Record<string, unknown>[]) {
  const methods = new Map<unknown, string>([
    ['create', 'POST'],
    ['update', 'PUT'],
    ['delete', 'DELETE'],
  ]);
  for (const { op, kind, id, data } of ops) {
    const path = `/${kind}s${op === 'create' ? '' : `/${id}`}`;
    const answer = await call(server, methods.get(op) ?? '', path, data === undefined ? {} : { body: data });
    if (answer.status >= 400) return outcomeOf(answer);
  }
  return { status: 200, code: undefined };
}

/** What the API shows, without what depends on the number of objects that existed before. */
async function contentOf(server: InProcessServer): Promise<unknown> {
  const pages = await callList(server, '/pages');
  const snippets = await callList(server, '/snippets');
  const versions = await Promise.all(
    pages.map(({ id }) => callList(server, `/revisions?kind=page&id=${id}`).then(({ length }) => length)),
  );
  const files = await callList(server, '/files');
  return {
    files: files.map(({ name }) => name),
    pages: pages.map(({ path, title, sort, updated_at }) => ({ path, title, sort, updated_at })),
    snippets: snippets.map((snippet) => asRecord(snippet)['name']),
    versions,
  };
}
