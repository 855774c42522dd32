import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSite } from '../support/content.ts';
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
