import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCollection, createSite } from '../support/content.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** Renders that need more memory than a render may have. */

const mainFile = fileURLToPath(new URL('../support/hoarding-server.ts', import.meta.url));
const limit = 'needed more than 640 MB of memory and was ended';
let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer({ mainFile, args: ['-workers', '2'] });
  site = await createSite(server);
});
afterAll(() => server.stop());

let number = 0;

/** The status of a page that is not in the cache. */
async function freshPage(): Promise<number> {
  number++;
  const response = await fetch(`${server.url}/?${number}`);
  await response.text();
  return response.status;
}

/** One of each kind; test/server/pool.test.ts has more of them, with a lower limit. */
const names = ['strings', 'buffers', 'native split', 'native join'];

describe.each(names)('a render that allocates without end (%s)', (name) => {
  it('fails alone, and the log names the limit', async () => {
    const logged = server.log().length;
    const hoarding = fetch(`${server.url}/hoard/${encodeURIComponent(name)}`);
    expect(await freshPage()).toBe(200);
    const response = await hoarding;
    expect(response.status).toBe(500);
    expect(await response.text()).toContain('Something went wrong');
    expect(server.log().slice(logged)).toContain(limit);
    // Both processes are there again: one page is rendered in each.
    expect(await Promise.all([freshPage(), freshPage()])).toEqual([200, 200]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

it('a preview that allocates without end is answered with the limit', async () => {
  const response = await fetch(`${server.url}/api/v1/pages/${site}/preview`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ html: 'map' }),
  });
  expect(response.status).toBe(422);
  expect(await response.text()).toContain(limit);
});

describe('public data that allocates without end', () => {
  const ask = (slug: string) => fetch(`${server.url}/api/v1/data/${slug}?hoard=map`);

  it('is answered 500, which scripts of all origins may read', async () => {
    await createCollection(server, { slug: 'shown', public_api: true });
    const response = await ask('shown');
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([500, '*']);
    expect(await response.json()).toMatchObject({ code: 'common.internal' });
  });

  it('does not tell that a collection is there which is not public', async () => {
    await createCollection(server, { slug: 'hidden' });
    const [hidden, unknown] = [await ask('hidden'), await ask('unknown')];
    expect([hidden.status, unknown.status]).toEqual([404, 404]);
    expect(hidden.headers.get('access-control-allow-origin')).toBe(
      unknown.headers.get('access-control-allow-origin'),
    );
  });
});
