import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createSite } from '../support/content.ts';
import { childrenOf } from '../support/processes.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { exportSite } from '../support/static-export.ts';

/** Processes that die while they export. */

const pages = 120;
let server: TestServer;
let site: number;
beforeAll(async () => {
  server = await startServer();
  site = await createSite(server, { title: 'Light', domains: 'light.example' });
  const html = '{% for one in "0123456789" %}{% for two in "0123456789" %}{{ two }}{% endfor %}{% endfor %}';
  const ops = Array.from({ length: pages }, (_, index) => ({
    op: 'create',
    kind: 'page',
    data: { parent_id: site, title: `p${index}`, slug: `p${index}`, html, published: true },
  }));
  await callOk(server, 'POST', '/batch', { ops });
});
afterAll(() => server.stop());

const spools = () => readdirSync(join(server.dataDir, 'media', '.staging')).length;

/** Kills the first process that is not among `known`, when `isMoment` is true. Resolves with its ID. */
async function killNew(known: ReadonlySet<number>, isMoment: () => boolean): Promise<number> {
  for (;;) {
    const found = childrenOf(server.pid)?.find((pid) => !known.has(pid));
    if (found !== undefined && isMoment()) {
      process.kill(found, 'SIGKILL');
      return found;
    }
    await nextTurn();
  }
}

describe.skipIf(!existsSync('/proc/self/task'))('an export whose processes are killed', () => {
  it('at its start and midway is whole nevertheless, and the server serves on', async () => {
    const known = new Set(childrenOf(server.pid));
    const answer = exportSite(server, site);
    known.add(await killNew(known, () => true));
    known.add(await killNew(known, () => spools() > 1));
    expect((await fetch(`${server.url}/p1`)).status).toBe(200);
    const { files } = await answer;
    const names = [...files.keys()];
    expect(names.filter((name) => /^p\d+\/index\.html$/.test(name))).toHaveLength(pages);
    expect(names).toEqual(expect.arrayContaining(['index.html', 'robots.txt', 'sitemap.xml', '404.html']));
    for (let number = 0; number < pages; number++)
      expect(files.get(`p${number}/index.html`)?.bytes.toString()).toContain('0123456789'.repeat(10));
    await expect.poll(spools).toBe(0);
  });
});
