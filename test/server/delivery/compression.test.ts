import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Received, SiteFixture } from './site-fixture.ts';

const site = new SiteFixture();

afterEach(() => site.reset());
afterAll(() => site.close());

const accepting = (codings: string) => ({ headers: { 'accept-encoding': codings } });
const codingOf = ({ headers }: Received) => headers.get('content-encoding');
const decoded = (received: Received): string => {
  const { [codingOf(received) ?? '']: decode = (bytes: Uint8Array) => Buffer.from(bytes) } = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
  };
  return decode(received.bytes).toString();
};

/** What browsers send over HTTPS, what they send over HTTP, and a client that takes nothing. */
const clients = [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['identity', undefined],
] as const;

describe.each([
  ['a page', '/'],
  ['a file', '/_assets/css/1.css'],
])('%s', (_name, path) => {
  const prepare = () => {
    site.addSite({ html: 'Hello '.repeat(200) });
    site.addAsset('css', Array.from({ length: 60 }, (_, n) => `.part-${n} { margin: ${n}px }`).join('\n'));
  };

  it.each([[[0, 1, 2]], [[2, 1, 0]], [[1, 0, 2]]])(
    'has the form that each client prefers, whoever comes first: %j',
    async (order) => {
      prepare();
      const texts = new Set<string>();
      const tags = new Set<string | undefined>();
      for (const index of order) {
        const [accepted, coding] = clients[index] ?? clients[0];
        const first = await site.get(path, accepting(accepted));
        expect([first.status, codingOf(first)]).toEqual([200, coding]);
        expect(first.headers.get('vary')).toBe('Accept-Encoding');
        texts.add(decoded(first));
        tags.add(first.headers.get('etag'));
        const again = await site.get(path, accepting(accepted));
        expect([again.sync, again.headers.get('etag')]).toEqual([true, first.headers.get('etag')]);
      }
      expect([texts.size, tags.size]).toEqual([1, 3]);
    },
  );

  it('is unchanged for a client that has it in any form', async () => {
    prepare();
    for (const [accepted] of clients) {
      const etag = (await site.get(path, accepting(accepted))).headers.get('etag') ?? '';
      for (const [other] of clients) {
        const headers = { 'accept-encoding': other, 'if-none-match': etag };
        expect((await site.get(path, { headers })).status).toBe(304);
      }
    }
  });

  it('is compressed as well as possible when it has been sent often', async () => {
    prepare();
    const first = await site.get(path, accepting('br'));
    let best = first;
    for (let count = 0; best.headers.get('etag') === first.headers.get('etag'); count++) {
      expect(count).toBeLessThan(100_000);
      best = await site.get(path, accepting('br'));
      if (count % 100 === 0) await nextTurn();
    }
    expect(best.bytes.length).toBeLessThanOrEqual(first.bytes.length);
    expect(decoded(best)).toBe(decoded(first));
    const known = { 'accept-encoding': 'br', 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await site.get(path, { headers: known })).status).toBe(304);
  });
});

it('a body that compression does not make smaller is sent as it is', async () => {
  site.addSite({ html: 'a' });
  site.addAsset('css', 'a{}');
  const small = await site.get('/_assets/css/1.css', accepting('br, gzip'));
  expect([codingOf(small), small.status]).toEqual([undefined, 200]);
});

it('the cache counts every form that it keeps', async () => {
  site.addSite({ html: 'Hello '.repeat(200) });
  const sizes: number[] = [];
  for (const accepted of ['identity', 'gzip', 'br', 'br']) {
    await site.get('/', accepting(accepted));
    sizes.push(site.cache.stats().bytes);
  }
  const [identity = 0, gzip = 0, br = 0, again = 0] = sizes;
  expect(gzip).toBeGreaterThan(identity);
  expect(br).toBeGreaterThan(gzip);
  expect(again).toBe(br);
});

it('while renders wait, clients get the form that exists', async () => {
  const root = site.addSite({ html: 'Hello '.repeat(200) });
  site.addPage(root, 'slow', { html: '{% now "u" %}', no_cache: 1 });
  await site.get('/', accepting('gzip'));
  const renders = [site.get('/slow'), site.get('/slow?1'), site.get('/slow?2')];
  while (!site.pool.hasQueue) await nextTurn();
  const page = await site.get('/', accepting('br, gzip'));
  expect([page.sync, codingOf(page)]).toEqual([true, 'gzip']);
  await Promise.all(renders);
});
