import fc from 'fast-check';

/**
 * Random operations of batches. An ID is written as its kind and a number: `page:1` is the first page of a run.
 */

export const collections = ['topics', 'news', 'neues', 'single'] as const;

/** What differs between the kinds: the path of their single calls, and the name of their versions. */
export const kinds = {
  page: { path: () => '/pages', versions: 'page' },
  snippet: { path: () => '/snippets', versions: 'snippet' },
  file: { path: () => '/files', versions: undefined },
  global_block: { path: () => '/global-blocks', versions: 'globalblock' },
  item: { path: (collection?: string) => `/collections/${collection}/items`, versions: 'item' },
} as const;
export type KindName = keyof typeof kinds;

export interface Operation {
  readonly op: 'create' | 'update' | 'delete';
  readonly kind: KindName;
  readonly id?: string;
  readonly collection?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly published?: boolean | undefined;
}

const idIn = (kind: KindName, min: number, max: number) =>
  fc.integer({ min, max }).map((number) => `${kind}:${number}`);
const create = <const K extends KindName>(kind: K) => ({
  op: fc.constant<'create'>('create'),
  kind: fc.constant(kind),
});
const update = <const K extends KindName>(kind: K) => ({
  op: fc.constant<'update'>('update'),
  kind: fc.constant(kind),
});
const remove = <const K extends KindName>(kind: K) => ({
  op: fc.constant<'delete'>('delete'),
  kind: fc.constant(kind),
});

const slugs = fc.constantFrom('a', 'b', 'c', 'A', 'api', '');
const page = (slug: string) => ({ title: slug, slug });
const named = (...names: string[]) => fc.record({ name: fc.constantFrom(...names) });

const blocks = fc.constantFrom(
  [],
  [{ id: 'x', type: 'first', params: { text: 'a' } }],
  [{ id: 'x', type: 's' }],
  ...[1, 2, 3].map((number) => [{ id: 'x', global: `global_block:${number}` }]),
);
const globalBlock = {
  name: fc.constantFrom('g', 'h', ''),
  folder: fc.constantFrom('', 'f'),
  blocks,
};
const values = {
  title: fc.constantFrom('a', 'b', ''),
  price: fc.constantFrom(1, '2', 'x', null),
  topic: fc.constantFrom('item:1', 'item:2', null),
  body: blocks,
};
const inCollection = { collection: fc.constantFrom('news', 'news', 'news', ...collections, 'none') };
/** A collection and an entry that is likely in it. */
const entry = fc.oneof(
  fc.constantFrom(
    { collection: 'topics', id: 'item:1' },
    { collection: 'news', id: 'item:2' },
    { collection: 'neues', id: 'item:3' },
  ),
  fc.record({ ...inCollection, id: idIn('item', 1, 6) }),
);
const published = fc.option(fc.boolean(), { nil: undefined });

/** Operations on small sets of objects, valid or not. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ ...create('page'), data: slugs.map((slug) => ({ ...page(slug), parent_id: 'page:1' })) }),
  fc.record({ ...update('page'), id: idIn('page', 1, 5), data: slugs.map(page) }),
  fc.record({ ...remove('page'), id: idIn('page', 2, 5) }),
  fc.record({ ...create('snippet'), data: named('s', 't', '-') }),
  fc.record({ ...update('snippet'), id: idIn('snippet', 1, 3), data: named('s', 't', 'u') }),
  fc.record({ ...remove('snippet'), id: idIn('snippet', 1, 3) }),
  fc.record({ ...update('file'), id: idIn('file', 1, 3), data: named('f', 'g', '') }),
  fc.record({ ...remove('file'), id: idIn('file', 1, 3) }),
  fc.record({ ...create('global_block'), data: fc.record(globalBlock, { requiredKeys: ['name'] }) }),
  fc.record({
    ...update('global_block'),
    id: idIn('global_block', 1, 3),
    data: fc.record(globalBlock, { requiredKeys: [] }),
  }),
  fc.record({ ...remove('global_block'), id: idIn('global_block', 1, 3) }),
  fc.record({
    ...create('item'),
    ...inCollection,
    data: fc.record(values, { requiredKeys: ['title'] }),
    published,
  }),
  fc
    .record({ ...update('item'), entry, data: fc.record(values, { requiredKeys: [] }), published })
    .map(({ entry: chosen, ...rest }) => ({ ...rest, ...chosen })),
  fc.record({ ...remove('item'), entry }).map(({ entry: chosen, ...rest }) => ({ ...rest, ...chosen })),
);
