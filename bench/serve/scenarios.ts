import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { callApi, createToken } from './site.ts';

/** A kind of request. */
export interface Scenario {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  /** Whether the answer is made anew each time, so that render processes count. */
  readonly isRendered?: boolean;
}

const gzip = { 'accept-encoding': 'gzip' };

/** In this order; `304` gets the entity tag of the page of 8 KB. */
export const scenarios: readonly Scenario[] = [
  { name: 'cached page, 8 KB', path: '/bench-8', headers: {}, status: 200 },
  { name: 'cached page, 8 KB, gzip', path: '/bench-8', headers: gzip, status: 200 },
  { name: 'cached page, 30 KB, gzip', path: '/bench-30', headers: gzip, status: 200 },
  { name: '304', path: '/bench-8', headers: { 'if-none-match': '' }, status: 304 },
  { name: 'asset', path: '/_assets/css/1.css', headers: gzip, status: 200 },
  { name: 'redirect', path: '/bench-old', headers: {}, status: 301, isRendered: true },
  { name: '404', path: '/bench-nothing', headers: gzip, status: 404, isRendered: true },
  { name: 'uncached demo page', path: '/bench-live', headers: gzip, status: 200, isRendered: true },
];

/** Adds to the demonstration website what the scenarios ask for. */
export async function addBenchPages(dataDir: string, url: string): Promise<void> {
  const token = createToken(dataDir);
  const add = (path: string, body: object) => callApi(url, token, 'POST', path, body);
  const [home] = await listHomes(url, token);
  if (home === undefined) throw new Error('the demonstration website is not installed');
  const page = { parent_id: home.id, published: true };
  for (const kilobytes of [8, 30])
    await add('/pages', {
      ...page,
      slug: `bench-${kilobytes}`,
      title: 'Bench',
      html: pageOf(kilobytes * 1024),
    });
  await add('/pages', { ...page, slug: 'bench-live', title: 'Bench', html: home.html, no_cache: true });
  await add('/redirects', { root_id: home.id, source: '/bench-old', target: '/bench-8' });
}

const Homes = Type.Array(Type.Object({ id: Type.Integer() }));
const Home = Type.Object({ id: Type.Integer(), html: Type.String() });

async function listHomes(url: string, token: string): Promise<Static<typeof Home>[]> {
  const headers = { authorization: `Bearer ${token}` };
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${url}/api/v1${path}`, { headers })).json();
  const homes = Value.Parse(Homes, await get('/pages?roots=1'));
  return Promise.all(homes.map(async ({ id }) => Value.Parse(Home, await get(`/pages/${id}`))));
}

/** HTML that makes a page of about so many bytes. */
function pageOf(bytes: number): string {
  let rows = '';
  for (let number = 1; rows.length < bytes - 1400; number += 1) {
    const hex = (number * 2_654_435_761).toString(16);
    rows += `<li><a href="/objects/${number}">Object ${hex}: a lamp of brass and glass</a></li>\n`;
  }
  return `<h1>{{ page.title }}</h1>\n<ul>\n${rows}</ul>\n`;
}
