import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asRecord, call, callList } from '../support/api.ts';
import { createCollection, freshName, idOf } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/**
 * Any sequence of operations on entries leaves the manual order and the language versions as a simple model says:
 * lists of IDs, and sets of IDs of different collections.
 */

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const langs = ['en', 'de', 'fr'] as const;

/** Numbers choose a collection, and entries among those that there are. */
type Operation =
  | { readonly op: 'create' | 'batch'; readonly in: number; readonly count: number }
  | { readonly op: 'update' | 'delete' | 'unlink' | 'delete-in-batch'; readonly entry: number }
  | { readonly op: 'reorder'; readonly in: number; readonly order: readonly number[] }
  | { readonly op: 'link'; readonly entry: number; readonly other: number; readonly move: boolean };

const number = fc.nat(50);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ op: fc.constantFrom('create', 'batch'), in: number, count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ op: fc.constantFrom('update', 'delete', 'unlink', 'delete-in-batch'), entry: number }),
  fc.record({ op: fc.constant('reorder'), in: number, order: fc.array(number, { maxLength: 4 }) }),
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant('link'), entry: number, other: number, move: fc.boolean() }),
  },
);

/** The state that the answers lead to. */
class Model {
  readonly slugs: readonly string[];
  /** IDs in manual order, by collection. */
  readonly lists: number[][] = langs.map(() => []);
  groups: Set<number>[] = [];

  constructor(slugs: readonly string[]) {
    this.slugs = slugs;
  }

  entry(n: number): { readonly id: number; readonly at: number } | undefined {
    const all = this.lists.flatMap((list, at) => list.map((id) => ({ id, at })));
    return all[n % Math.max(all.length, 1)];
  }

  groupOf(id: number): Set<number> | undefined {
    return this.groups.find((group) => group.has(id));
  }

  remove(id: number, at: number): void {
    this.lists[at]?.splice(this.lists[at].indexOf(id), 1);
    this.unlink(id);
  }

  unlink(id: number): void {
    this.groupOf(id)?.delete(id);
    this.groups = this.groups.filter((group) => group.size > 1);
  }

  link(id: number, other: number): void {
    const group = this.groupOf(id) ?? new Set([id]);
    if (group.has(other)) return;
    this.unlink(other);
    group.add(other);
    if (!this.groups.includes(group)) this.groups.push(group);
  }

  /** The listed entries share the places that they have. */
  reorder(at: number, order: readonly number[]): void {
    const list = this.lists[at] ?? [];
    const places = list.flatMap((id, place) => (order.includes(id) ? [place] : []));
    for (const [index, place] of places.entries()) list[place] = order[index] ?? 0;
  }
}

async function run(model: Model, operation: Operation): Promise<void> {
  const items = (at: number) => `/collections/${model.slugs[at]}/items`;
  if ('in' in operation) {
    const at = operation.in % langs.length;
    const list = model.lists[at] ?? [];
    if (operation.op === 'reorder') {
      const order = [...new Set(operation.order.flatMap((n) => list[n % Math.max(list.length, 1)] ?? []))];
      expect((await call(server, 'POST', `${items(at)}/reorder`, { body: order })).status).toBe(204);
      model.reorder(at, order);
      return;
    }
    const bodies = Array.from({ length: operation.count }, (_, n) => ({ data: { title: `t${n}` } }));
    if (operation.op === 'create') {
      const { body } = await call(server, 'POST', items(at), { body: bodies });
      if (Array.isArray(body)) list.push(...body.map(asRecord).map(idOf));
      return;
    }
    const ops = bodies.map((body) => ({ op: 'create', kind: 'item', collection: model.slugs[at], ...body }));
    const { results } = asRecord((await call(server, 'POST', '/batch', { body: { ops } })).body);
    if (Array.isArray(results)) list.push(...results.map(asRecord).map(idOf));
    return;
  }
  const found = model.entry(operation.entry);
  if (found === undefined) return;
  const { id, at } = found;
  const path = `${items(at)}/${id}`;
  switch (operation.op) {
    case 'update':
      await call(server, 'PUT', path, { body: { data: { title: 'new' }, published: id % 2 === 0 } });
      break;
    case 'delete':
      await call(server, 'DELETE', path);
      model.remove(id, at);
      break;
    case 'delete-in-batch': {
      const ops = [{ op: 'delete', kind: 'item', collection: model.slugs[at], id }];
      expect((await call(server, 'POST', '/batch', { body: { ops } })).status).toBe(200);
      model.remove(id, at);
      break;
    }
    case 'unlink':
      await call(server, 'DELETE', `${path}/translations`);
      model.unlink(id);
      break;
    case 'link':
      await link(model, found, operation);
  }
}

async function link(
  model: Model,
  { id, at }: { readonly id: number; readonly at: number },
  operation: Operation & { readonly op: 'link' },
): Promise<void> {
  const other = model.entry(operation.other);
  if (other === undefined) return;
  const body = { collection: model.slugs[other.at], item_id: other.id, move: operation.move };
  const { status } = await call(server, 'POST', `/collections/${model.slugs[at]}/items/${id}/translations`, {
    body,
  });
  expect([200, 400, 409]).toContain(status);
  if (status === 200) model.link(id, other.id);
}

async function expectLike(model: Model): Promise<void> {
  const groups = new Map<string, number[]>();
  for (const [at, slug] of model.slugs.entries()) {
    const list = await callList(server, `/collections/${slug}/items`);
    expect(list.map(idOf)).toEqual(model.lists[at]);
    const sorts = list.map(({ sort }) => Number(sort));
    expect(sorts).toEqual([...new Set(sorts)].sort((left, right) => left - right));
    for (const { id, translation_group: group } of list) {
      if (group === '') continue;
      groups.set(String(group), [...(groups.get(String(group)) ?? []), Number(id)]);
    }
  }
  const sorted = (sets: Iterable<Iterable<number>>) =>
    [...sets].map((set) => [...set].sort((left, right) => left - right).join()).sort();
  expect(sorted(groups.values())).toEqual(sorted(model.groups));
  // No language twice.
  for (const group of model.groups)
    for (const list of model.lists) expect(list.filter((id) => group.has(id)).length).toBeLessThan(2);
}

it('any sequence of operations leaves order and language versions consistent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
      const slugs = langs.map((lang) => `${freshName('sequence')}-${lang}`);
      for (const [at, lang] of langs.entries())
        await createCollection(server, {
          ...{ slug: slugs[at], lang },
          fields: [{ name: 'title', type: 'text' }],
        });
      const model = new Model(slugs);
      for (const step of [...firstSteps, ...operations]) {
        await run(model, step);
        await expectLike(model);
      }
    }),
    { numRuns: 15 },
  );
});

const firstSteps: readonly Operation[] = langs.map((_, at) => ({ op: 'create', in: at, count: 2 }));
