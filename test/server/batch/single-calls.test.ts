import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChangeRecord } from '../../../server/changes/record.ts';
import { type ApiAnswer, asRecord, call, callList, callOk } from '../../support/api.ts';
import { createCollection, createItem, createSite, idOf } from '../../support/content.ts';
import { type InProcessServer, startInProcess } from '../../support/in-process.ts';
import { uploadOne } from '../../support/media.ts';
import { collections, type KindName, kinds, type Operation, operation } from './operations.ts';

/**
 * A batch does what the same single calls do on another server (Data, Automation and Operations, "Batch"), and nothing
 * if the last of them is refused.
 */

/** A server with what its commits have told. */
interface Side {
  readonly server: InProcessServer;
  readonly told: ChangeRecord[];
}

let sides: readonly [Side, Side];
beforeAll(async () => {
  sides = await Promise.all([startSide(), startSide()]);
});
afterAll(() => Promise.all(sides.map(({ server }) => server.stop())));

it('a batch and the same single calls have the same outcome and leave the same content, versions and events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 12 }), async (operations) => {
      const [batched, single] = sides;
      const offsets = [await newStart(batched), await newStart(single)] as const;
      let accepted: readonly Operation[] = [];
      const results: unknown[] = [];
      for (const one of operations) {
        const alone = await callAlone(single, one, offsets[1]);
        if ('result' in alone) {
          accepted = [...accepted, one];
          results.push(alone.result);
          continue;
        }
        // What a refused batch leaves would be seen in the content and events at the end.
        const refused = await callBatch(batched, [...accepted, one], offsets[0]);
        expect(refused).toEqual({ ...alone, index: accepted.length });
      }
      if (accepted.length > 0) expect(await callBatch(batched, accepted, offsets[0])).toEqual({ results });
      expect(await contentOf(batched, offsets[0])).toEqual(await contentOf(single, offsets[1]));
      expect(eventsOf(batched, offsets[0])).toEqual(eventsOf(single, offsets[1]));
    }),
    { numRuns: 12 },
  );
});

async function startSide(): Promise<Side> {
  const told: ChangeRecord[] = [];
  const server = await startInProcess({
    clock: () => Date.UTC(2026, 0, 1),
    moreFeatures: () => [
      {
        followers: [
          { of: 'content', react: (commits) => void told.push(...commits.flatMap(({ records }) => records)) },
        ],
      },
    ],
  });
  const topics = await createCollection(server, {
    slug: 'topics',
    fields: [{ name: 'title', type: 'text' }],
  });
  const fields = [
    { name: 'title', type: 'text', required: true },
    { name: 'price', type: 'number' },
    { name: 'topic', type: 'reference', collection: topics },
    { name: 'body', type: 'blocks' },
  ];
  await createCollection(server, { slug: 'news', lang: 'en', fields });
  await createCollection(server, { slug: 'neues', lang: 'de', fields });
  await createCollection(server, { slug: 'single', singleton: true, fields });
  return { server, told };
}

/** What is to be added to the numbers of the operations, by kind. */
type Offsets = Readonly<Record<KindName, number>>;

/** Gives a server new content. */
async function newStart({ server, told }: Side): Promise<Offsets> {
  await empty(server);
  const site = await createSite(server);
  const schema = { block: true, params: [{ name: 'text', type: 'text' }] };
  const snippet = idOf(await callOk(server, 'POST', '/snippets', { name: 'first', schema }));
  const file = idOf(await uploadOne(server, 'a.txt', 'a'));
  await uploadOne(server, 'b.txt', 'b');
  const global = idOf(await callOk(server, 'POST', '/global-blocks', { name: 'one' }));
  await callOk(server, 'POST', '/global-blocks', { name: 'two', blocks: [{ id: 'a', type: 'first' }] });
  const topic = await createItem(server, 'topics', { title: 'topic' });
  const body = [{ id: 'a', global }];
  const english = await createItem(server, 'news', { title: 'two', topic, body });
  const german = await createItem(server, 'neues', { title: 'zwei', body: [{ id: 'a', type: 'first' }] });
  const link = { collection: 'neues', item_id: german };
  await callOk(server, 'POST', `/collections/news/items/${english}/translations`, link);
  told.length = 0;
  return {
    ...{ page: site - 1, snippet: snippet - 1, file: file - 1 },
    ...{ global_block: global - 1, item: topic - 1 },
  };
}

async function empty(server: InProcessServer): Promise<void> {
  const clear = async (path: string, query = '') => {
    for (const { id } of await callList(server, `${path}${query}`))
      await call(server, 'DELETE', `${path}/${id}`);
  };
  await clear('/pages', '?roots=1');
  for (const { slug, id } of await listEntries(server))
    await call(server, 'DELETE', `/collections/${slug}/items/${id}`);
  // One that another inserts stays until that one is gone.
  while ((await callList(server, '/global-blocks')).length > 0) await clear('/global-blocks');
  await clear('/snippets');
  await clear('/files');
}

async function listEntries(server: InProcessServer): Promise<Record<string, unknown>[]> {
  const lists = collections.map(async (slug) => {
    const { body } = await call(server, 'GET', `/collections/${slug}/items`);
    return [body ?? []].flat().map((item) => ({ slug, ...asRecord(item) }));
  });
  return (await Promise.all(lists)).flat();
}

interface Refusal {
  readonly status: number;
  readonly code: unknown;
  readonly params: unknown;
}

/** Sends operations as a batch; resolves with what it did, or why it was refused and at which operation. */
async function callBatch(
  { server }: Side,
  operations: readonly Operation[],
  offsets: Offsets,
): Promise<{ readonly results: readonly unknown[] } | (Refusal & { readonly index: unknown })> {
  const ops = operations.map((one) => absolute(one, offsets));
  const answer = await call(server, 'POST', '/batch', { body: { ops } });
  const { index, results } = asRecord(answer.body);
  if (answer.status >= 400) return { ...refusalOf(answer), index };
  const list = [results].flat().map(asRecord);
  return { results: list.map((result, at) => resultOf(operations[at]?.kind, result, offsets)) };
}

const methods = { create: 'POST', update: 'PUT', delete: 'DELETE' } as const;

/** Sends an operation to its own endpoint. */
async function callAlone(
  { server }: Side,
  { op, kind, id, collection, data, published }: Operation,
  offsets: Offsets,
): Promise<{ readonly result: unknown } | Refusal> {
  const path = `${kinds[kind].path(collection)}${id === undefined ? '' : `/${absolute(id, offsets)}`}`;
  const fields = absolute(data, offsets);
  const body = kind === 'item' ? { data: fields, published } : fields;
  const answer = await call(server, methods[op], path, op === 'delete' ? {} : { body });
  if (answer.status >= 400) return refusalOf(answer);
  const saved = op === 'delete' ? { id: absolute(id, offsets) } : asRecord(answer.body);
  return { result: resultOf(kind, saved, offsets) };
}

/** Why something was refused, without IDs and what only a batch says. */
function refusalOf({ status, body }: ApiAnswer): Refusal {
  const { code, params } = asRecord(body);
  const { index: _index, id: _id, usage: _usage, ...rest } = asRecord(params);
  return { status, code, params: rest };
}

function resultOf(
  kind: KindName | undefined,
  { id, updated_at }: Record<string, unknown>,
  offsets: Offsets,
): unknown {
  return relative({ id, updated_at }, kind ?? 'page', offsets);
}

/** What the API shows, with the versions of each object. */
async function contentOf({ server }: Side, offsets: Offsets): Promise<unknown> {
  const pages = await callList(server, '/pages');
  const files = await callList(server, '/files');
  const lists: Record<KindName, readonly Record<string, unknown>[]> = {
    page: pages.map(({ id, path, title, sort, updated_at }) => ({ id, path, title, sort, updated_at })),
    snippet: await callList(server, '/snippets'),
    file: files.map(({ id, name }) => ({ id, name })),
    global_block: await callList(server, '/global-blocks'),
    item: await listEntries(server),
  };
  const versions = Object.values(
    mapKinds((kind) => lists[kind].map(({ id }) => versionsOf(server, kind, id, offsets))),
  );
  return {
    ...mapKinds((kind) => relative(lists[kind], kind, offsets)),
    versions: await Promise.all(versions.flat()),
  };
}

/** The stored states of an object, newest first. */
async function versionsOf(
  server: InProcessServer,
  kind: KindName,
  id: unknown,
  offsets: Offsets,
): Promise<unknown> {
  const name = kinds[kind].versions;
  if (name === undefined) return [];
  const list = await callList(server, `/revisions?kind=${name}&id=${id}`);
  const states = list.map((version) => callOk(server, 'GET', `/revisions/${version['id']}`));
  return (await Promise.all(states)).map(({ author, created_at, data }) => ({
    ...{ author, created_at },
    data: relative(data, kind, offsets),
  }));
}

/** What the commits have told, in order. */
function eventsOf({ told }: Side, offsets: Offsets): unknown[] {
  return told.map((record) => relative(record, isKindName(record.kind) ? record.kind : 'page', offsets));
}

/** An operation with the IDs that it has on a server. */
function absolute(value: unknown, offsets: Offsets): unknown {
  if (Array.isArray(value)) return value.map((item) => absolute(item, offsets));
  if (typeof value === 'string') {
    const [kind = '', number] = value.split(':');
    return isKindName(kind) && number !== undefined ? Number(number) + offsets[kind] : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, absolute(item, offsets)]));
}

/** Fields that hold IDs, besides `id`. */
const idFields = new Map<string, KindName>([
  ['parent_id', 'page'],
  ['root_id', 'page'],
  ['topic', 'item'],
  ['global', 'global_block'],
]);

/** What a server tells of an object of a kind, without what depends on the objects that existed before. */
function relative(value: unknown, kind: KindName, offsets: Offsets): unknown {
  if (Array.isArray(value)) return value.map((item) => relative(item, kind, offsets));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => {
    const idKind = name === 'id' ? kind : idFields.get(name);
    if (idKind !== undefined && typeof item === 'number')
      return [name, `${idKind}:${item - offsets[idKind]}`];
    // The name of a group of language versions is random.
    if (name === 'translation_group') return [name, item !== ''];
    return [name, relative(item, kind, offsets)];
  });
  return Object.fromEntries(entries);
}

function mapKinds<T>(map: (kind: KindName) => T): Record<string, T> {
  return Object.fromEntries(
    Object.keys(kinds)
      .filter(isKindName)
      .map((kind) => [kind, map(kind)]),
  );
}

function isKindName(name: string): name is KindName {
  return Object.hasOwn(kinds, name);
}
