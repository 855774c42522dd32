import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiAnswer, asRecord, call } from '../support/api.ts';
import {
  createCollection,
  createItem,
  createPage,
  createRedirect,
  createSite,
  freshName,
} from '../support/content.ts';
import { addRole, addTokenOf } from '../support/people.ts';
import { createRandom } from '../support/random-website.ts';
import {
  isReadable,
  listShownPages,
  type ModelGrant,
  type ModelObject,
  type ModelPage,
} from '../support/readable-model.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';

/**
 * The contract, "Roles and grants": "lists hold only what may be read; what may not be read is 404". Random roles read
 * a random tree; a slow model says what they see. `ROUNDS=n` tries more roles, `SEED=n` others.
 */
const rounds = Number(process.env['ROUNDS'] ?? 12);
const seed = Number(process.env['SEED'] ?? 20_261_128);
const random = createRandom(seed);
const languages = ['en', 'de', 'fr'];
const word = 'needle';

interface ModelCollection extends ModelObject {
  readonly slug: string;
  readonly entries: readonly ModelObject[];
}

let server: TestServer;
let admin: string;
const pages: ModelPage[] = [];
const collections: ModelCollection[] = [];
const redirects: ModelObject[] = [];

const choose = <Entry>(entries: readonly Entry[]): Entry => {
  const entry = entries[Math.floor(random() * entries.length)];
  if (entry === undefined) throw new Error('nothing to choose from');
  return entry;
};
const chooseSome = <Entry>(entries: readonly Entry[], most: number): Entry[] =>
  Array.from({ length: 1 + Math.floor(random() * most) }, () => choose(entries));

async function plantTree(): Promise<void> {
  const home = await createSite(server, { lang: choose(languages) });
  const own = asRecord((await call(server, 'GET', `/pages/${home}`)).body)['effective_lang'];
  const tree: ModelPage[] = [
    { kind: 'page', id: home, sites: [home], pages: [home], languages: [String(own)] },
  ];
  for (let count = 0; count < 12; count++) {
    const parent = choose(tree);
    const lang = random() < 0.3 ? choose(languages) : '';
    const id = await createPage(server, parent.id, { lang, published: random() < 0.5 });
    const above = parent.languages ?? [];
    tree.push({
      kind: 'page',
      id,
      sites: [home],
      pages: [id, ...parent.pages],
      languages: lang === '' ? above : [lang],
    });
  }
  pages.push(...tree);
  redirects.push({ kind: 'redirect', id: await createRedirect(server, home), sites: [home] });
}

async function fillCollection(): Promise<void> {
  const [slug, lang] = [freshName('collection'), choose(languages)];
  const id = await createCollection(server, {
    slug,
    lang,
    fields: [{ name: 'title', label: 'Title', type: 'text' }],
  });
  const place = { collections: [id, slug], languages: [lang] };
  const entries: ModelObject[] = [];
  for (let count = 0; count < 3; count++)
    entries.push({
      kind: 'item',
      id: await createItem(server, slug, { title: `${word} ${count}` }),
      ...place,
    });
  collections.push({ kind: 'collection', id, slug, entries, ...place });
}

beforeAll(async () => {
  server = await startServer();
  admin = await setUp(server);
  for (let count = 0; count < 3; count++) {
    await plantTree();
    await fillCollection();
  }
});
afterAll(() => server.stop());

function inventGrant(): ModelGrant {
  const sites = pages.filter(({ pages: line }) => line.length === 1).map(({ id }) => id);
  const limits: readonly (readonly [string, () => (number | string)[]])[] = [
    ['kinds', () => chooseSome(['page', 'item', 'collection', 'redirect', 'asset'], 3)],
    ['sites', () => chooseSome(sites, 2)],
    ['pages', () => chooseSome(pages, 2).map(({ id }) => id)],
    ['collections', () => chooseSome(collections, 2).map((one) => (random() < 0.5 ? one.id : one.slug))],
    ['languages', () => chooseSome(languages, 2)],
    ['workflows', () => [1]],
  ];
  const on = limits.filter(() => random() < 0.28).map(([limit, invent]) => [limit, invent()]);
  return { actions: random() < 0.9 ? ['read'] : ['edit'], on: Object.fromEntries(on) };
}

function recordsIn({ status, body }: ApiAnswer): Record<string, unknown>[] {
  expect(status).toBe(200);
  return Array.isArray(body) ? body.map(asRecord) : [];
}
const idsIn = (records: readonly Record<string, unknown>[]) =>
  records.map(({ id }) => Number(id)).sort(ascending);
const ascending = (left: number, right: number) => left - right;
const sorted = (ids: readonly number[]) => [...ids].sort(ascending);

/** What a role lets be seen by the API, next to what the model says. */
async function readWith(token: string) {
  const get = (path: string) => call(server, 'GET', path, { token });
  const shown = recordsIn(await get('/pages'));
  const isWhole = (page: Record<string, unknown>) => 'published' in page;
  const single = async (objects: readonly ModelObject[], path: (object: ModelObject) => string) => {
    const answers = await Promise.all(
      objects.map(async (one) => ({ id: one.id, answer: await get(path(one)) })),
    );
    for (const { answer } of answers) expect([200, 404]).toContain(answer.status);
    return sorted(answers.flatMap(({ id, answer }) => (answer.status === 200 ? [id] : [])));
  };
  const entries = collections.flatMap((one) => one.entries);
  const ofEntry = (entry: ModelObject) => `/collections/${entry.collections?.[0]}/items/${entry.id}`;
  return {
    whole: idsIn(shown.filter(isWhole)),
    outlines: idsIn(shown.filter((page) => !isWhole(page))),
    pages: await single(pages, ({ id }) => `/pages/${id}`),
    collections: idsIn(recordsIn(await get('/collections'))),
    entries: await single(entries, ofEntry),
    lists: await Promise.all(
      collections.map(async ({ slug }) => {
        const [items, data] = [await get(`/collections/${slug}/items`), await get(`/data/${slug}`)];
        return [
          items.status === 200 ? idsIn(recordsIn(items)) : items.status,
          data.status === 200 ? Number(data.headers.get('x-total-count')) : data.status,
        ];
      }),
    ),
    found: idsIn(recordsIn(await get(`/search?q=${word}&limit=100`))),
    redirects: await Promise.all(
      redirects.map(async ({ sites: [site] = [] }) => {
        const answer = await get(`/redirects?root_id=${site}`);
        return answer.status === 200 ? idsIn(recordsIn(answer)) : answer.status;
      }),
    ),
  };
}

function expected(grants: readonly ModelGrant[]): Awaited<ReturnType<typeof readWith>> {
  const only = (objects: readonly ModelObject[]) =>
    sorted(objects.filter((one) => isReadable(grants, one)).map(({ id }) => id));
  const { whole, outlines } = listShownPages(grants, pages);
  const shownCollections = collections.filter((one) =>
    [one, ...one.entries].some((of) => isReadable(grants, of)),
  );
  return {
    whole: sorted(whole),
    outlines: sorted(outlines),
    pages: sorted(whole),
    collections: sorted(shownCollections.map(({ id }) => id)),
    entries: only(collections.flatMap((one) => one.entries)),
    lists: collections.map(({ entries }) => {
      const readable = only(entries);
      return readable.length === 0 ? [404, 404] : [readable, readable.length];
    }),
    found: only(collections.flatMap((one) => one.entries)),
    // A list is there for who may read the website or one of its redirects.
    redirects: redirects.map((redirect) => {
      const home = pages.find(({ id }) => id === redirect.sites?.[0]);
      const isThere = [redirect, home].some((one) => one !== undefined && isReadable(grants, one));
      return isThere ? only([redirect]) : 404;
    }),
  };
}

it(`show ${rounds} random roles what a slow model says (seed ${seed})`, async () => {
  for (let round = 0; round < rounds; round++) {
    const grants = Array.from({ length: 1 + Math.floor(random() * 3) }, inventGrant);
    const role = await addRole(server, admin, grants);
    const { secret } = await addTokenOf(server, admin, { role_ids: [role] });
    expect({ grants, ...(await readWith(secret)) }).toEqual({ grants, ...expected(grants) });
  }
});
