/**
 * Runs hostile flows on a server, several at a time, and asks for `/healthz` meanwhile; a process of its own.
 * Arguments: address, token, and `idle` to ask only. Prints what came of it as JSON.
 */
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { hostileFlows } from './hostile-flows.ts';

const [url = '', token = '', mode = ''] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
/** Flows at the same time, and the pause between two questions for `/healthz` in milliseconds. */
const [parallel, pauseMs] = [8, 5];
const idleMs = 10_000;

const waits: number[] = [];
let isOver = false;
const asking = ask();
const outcomes = mode === 'idle' ? await pause(idleMs).then(() => []) : await runAll();
isOver = true;
await asking;
console.log(JSON.stringify({ waits, outcomes }));

async function ask(): Promise<void> {
  while (!isOver) {
    const start = performance.now();
    await new Promise<void>((resolve, reject) => {
      get(`${url}/healthz`, (response) => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
        );
      }).on('error', reject);
    });
    waits.push(performance.now() - start);
    await pause(pauseMs);
  }
}

async function runAll(): Promise<{ what: string; status: number; error: string }[]> {
  const id = await createWorkflow();
  const waiting = [...hostileFlows()];
  const done: { what: string; status: number; error: string }[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { what, flow } = next;
      const answer = await fetch(`${url}/api/v1/workflows/${id}/run`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ flow, payload: 1 }),
      });
      // A long answer is not read, so that this process has time for its clock.
      const text = await answer.text();
      const error = /"error":"((?:[^"\\]|\\.)*)"/.exec(text.slice(0, 20_000))?.[1] ?? '';
      done.push({ what, status: answer.status, error });
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return done;
}

async function createWorkflow(): Promise<number> {
  const answer = await fetch(`${url}/api/v1/workflows`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'hostile' }),
  });
  const { id } = (await answer.json()) as { id: number };
  return id;
}
