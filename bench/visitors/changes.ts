import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { memoryOfTree } from '../process-memory.ts';
import type { ServerProcess } from '../serve/child.ts';
import { callApi } from '../serve/site.ts';

export interface ChangesResult {
  readonly answers: number;
  readonly changes: number;
  /** Answers older than a change that was answered before they were asked for. */
  readonly stale: number;
  /** Answers with another status than 200. */
  readonly failed: number;
  /** MB of the server and its processes after a third of the time and at the end; undefined where not told. */
  readonly memoryBefore: number | undefined;
  readonly memoryAfter: number | undefined;
}

/** Milliseconds between two changes. */
const changeMs = 200;

/**
 * Readers ask for one page as often as they can, while a writer gives it a new number every 200 ms. Each answer must
 * show at least the number that was the newest answered one when it was asked for.
 */
export async function readWhileChanging(
  { url, pid }: ServerProcess,
  token: string,
  { seconds, connections }: { readonly seconds: number; readonly connections: number },
): Promise<ChangesResult> {
  const site = await callApi(url, token, 'POST', '/sites', { title: 'Changing', domains: 'changing.test' });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + seconds * 1000;
  const seen = { answers: 0, stale: 0, failed: 0 };
  let newest = 0;
  const change = async (): Promise<void> => {
    const number = newest + 1;
    await callApi(url, token, 'PUT', `/pages/${site.id}`, {
      published: true,
      html: `<b>number ${number}.</b>`,
    });
    newest = number;
  };
  const write = async (): Promise<void> => {
    for (let next = performance.now(); next < end; next += changeMs) {
      await wait(Math.max(next - performance.now(), 0));
      await change();
    }
  };
  const read = async (): Promise<void> => {
    while (performance.now() < end) {
      const least = newest;
      const { status, body } = await get(url, agent);
      seen.answers += 1;
      if (status !== 200) seen.failed += 1;
      else if (Number(/number (\d+)\./.exec(body)?.[1] ?? -1) < least) seen.stale += 1;
    }
  };
  const measure = async (): Promise<number | undefined> => {
    await wait((seconds * 1000) / 3);
    return memoryOf(pid);
  };
  await change();
  const [memoryBefore] = await Promise.all([
    measure(),
    write(),
    ...Array.from({ length: connections }, read),
  ]);
  const memoryAfter = memoryOf(pid);
  agent.destroy();
  return { ...seen, changes: newest, memoryBefore, memoryAfter };
}

function memoryOf(pid: number | undefined): number | undefined {
  return pid === undefined ? undefined : memoryOfTree(pid);
}

function get(url: string, agent: Agent): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { host: 'changing.test' } }, (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        body += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}
