import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { Threads } from '../../server/processes/threads.ts';

const filename = fileURLToPath(new URL('./fixtures/count-thread.ts', import.meta.url));

let threads = new Threads();

afterEach(async () => {
  await threads.close();
  threads = new Threads();
});

function count(to: number): AsyncGenerator<number> {
  return threads.stream({ filename, input: { to }, transfer: [] });
}

async function listOf(parts: AsyncIterable<number>): Promise<number[]> {
  const list: number[] = [];
  for await (const part of parts) list.push(part);
  return list;
}

it('gives the parts of a result in their order', async () => {
  const results = await Promise.all([3, 0, 2, 1].map((to) => listOf(count(to))));
  expect(results).toEqual([[1, 2, 3], [], [1, 2], [1]]);
});

it('rejects with the error of the work and takes the next', async () => {
  await expect(listOf(count(-1))).rejects.toThrow('cannot count');
  expect(await listOf(count(1))).toEqual([1]);
});

it('ends the work of those who take no more, so that others get the thread', async () => {
  for (let round = 0; round < 4; round++)
    for await (const part of count(1_000_000_000)) if (part === 2) break;
  expect(await listOf(count(2))).toEqual([1, 2]);
});

it('fails what runs when it is closed', async () => {
  const parts = count(1_000_000_000);
  await parts.next();
  await threads.close();
  await expect(listOf(parts)).rejects.toThrow();
});
