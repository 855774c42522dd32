import { setTimeout as pause } from 'node:timers/promises';
import { ApiClient } from '../batch/client.ts';
import { createManyObjects } from '../batch/content.ts';
import { createToken, startIncipit } from '../serve/site.ts';
import { prepareSet } from './prepared-set.ts';

/**
 * Ends a server while it publishes 500 pages, again and again at other moments.
 *
 * @returns the number of kills
 * @throws Error if a publication was left in part
 */
export async function killWhilePublishing(dataDir: string, rounds: number): Promise<number> {
  if (rounds === 0) return 0;
  const pages = await withServer(dataDir, async (client) => {
    const { pages: found } = await listPages(client);
    return found.length > 0 ? found : (await createManyObjects(client)).pages;
  });
  for (let round = 0; round < rounds; round++) {
    const title = `kill ${round}`;
    const server = await startIncipit(dataDir);
    const client = new ApiClient(server.url, createToken(dataDir), 1);
    const set = await prepareSet(client, pages, title);
    const answer = client.send('POST', `/change-sets/${set}/publish`, '{}').catch(() => undefined);
    await pause((round % 25) * 20);
    if (server.pid === undefined) throw new Error('the server has no process');
    process.kill(server.pid, 'SIGKILL');
    await answer;
    await client.close();
    await withServer(dataDir, async (next) => {
      const { titles } = await listPages(next);
      const count = titles.filter((one) => one === title).length;
      if (count !== 0 && count !== pages.length)
        throw new Error(`${count} of ${pages.length} pages were published in round ${round}`);
    });
  }
  return rounds;
}

async function withServer<T>(dataDir: string, work: (client: ApiClient) => Promise<T>): Promise<T> {
  const server = await startIncipit(dataDir);
  const client = new ApiClient(server.url, createToken(dataDir), 1);
  try {
    return await work(client);
  } finally {
    await client.close();
    await server.stop();
  }
}

async function listPages(client: ApiClient): Promise<{ pages: number[]; titles: string[] }> {
  const answer = await client.send('GET', '/pages', '');
  const pages = (Array.isArray(answer) ? answer : []).filter(
    (page) => Reflect.get(page, 'parent_id') !== null,
  );
  return {
    pages: pages.map((page) => Number(Reflect.get(page, 'id'))),
    titles: pages.map((page) => String(Reflect.get(page, 'title'))),
  };
}
