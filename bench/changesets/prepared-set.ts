import type { ApiClient } from '../batch/client.ts';

/** Makes a change set that gives pages another title. Resolves with its ID. */
export async function prepareSet(
  client: ApiClient,
  pages: readonly number[],
  title: string,
): Promise<number> {
  const set = await client.create('/change-sets', { name: title });
  const ops = pages.map((id) => ({ op: 'update', kind: 'page', id, data: { title } }));
  await client.send('POST', `/batch?change_set=${set}`, JSON.stringify({ ops }));
  return set;
}
