import { type ApiClient, idOf } from './client.ts';

/** Objects of one kind that are changed: 500 of them, as a batch has at most. */
export const objectCount = 500;

export interface ManyObjects {
  readonly pages: readonly number[];
  readonly items: readonly number[];
}

/** A change of one object, as an operation of a batch and as a request of its own. */
export interface Write {
  readonly operation: object;
  readonly path: string;
  readonly body: object;
}

/** Makes the writes of a turn; every turn writes other values. */
export type WritesOf = (objects: ManyObjects, turn: number) => Write[];

export const writers: ReadonlyMap<string, WritesOf> = new Map<string, WritesOf>([
  [
    'pages',
    ({ pages }, turn) =>
      pages.map((id) => {
        const data = { title: `Title ${turn} of ${id}` };
        return { operation: { op: 'update', kind: 'page', id, data }, path: `/pages/${id}`, body: data };
      }),
  ],
  [
    'entries',
    ({ items }, turn) =>
      items.map((id) => {
        const data = { title: `Lamp ${turn} of ${id}`, year: 1900 + turn };
        return {
          operation: { op: 'update', kind: 'item', collection: 'objects', id, data },
          path: `/collections/objects/items/${id}`,
          body: { data },
        };
      }),
  ],
]);

/** Creates a website with 500 pages and a collection with 500 entries. */
export async function createManyObjects(client: ApiClient): Promise<ManyObjects> {
  const site = await client.create('/sites', { title: 'Bench', domains: '' });
  const fields = [
    { name: 'title', type: 'text', required: true },
    { name: 'year', type: 'number' },
  ];
  await client.create('/collections', { slug: 'objects', fields });
  return {
    pages: await createAll(client, (number) => ({
      op: 'create',
      kind: 'page',
      data: { parent_id: site, slug: `p${number}`, title: 'x', html: '<p>{{ page.title }}</p>' },
    })),
    items: await createAll(client, (number) => ({
      op: 'create',
      kind: 'item',
      collection: 'objects',
      data: { title: `Lamp ${number}`, year: 1900 },
    })),
  };
}

async function createAll(client: ApiClient, operationOf: (number: number) => object): Promise<number[]> {
  const ops = Array.from({ length: objectCount }, (_, number) => operationOf(number));
  const answer = await client.send('POST', '/batch', JSON.stringify({ ops }));
  const results: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'results') : [];
  return Array.isArray(results) ? results.map(idOf) : [];
}
