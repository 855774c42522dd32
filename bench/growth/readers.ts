/**
 * Readers of cached pages, in a process of its own: `readers.ts <url> <seconds> <connections>`, with the paths as
 * JSON on standard input. Which page a reader asks for follows Zipf's law: the n-th page is asked for 1/n times as often as the first.
 * Prints the number of answers and their 99th percentile in milliseconds as JSON.
 */
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

const [base = '', seconds = '5', connections = '64'] = process.argv.slice(2);
const targets: string[] = JSON.parse(await text(process.stdin));
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const bounds = zipfBounds(targets.length);
const latencies: number[] = [];
let failures = 0;
let state = 12345;

const end = performance.now() + Number(seconds) * 1000;
await Promise.all(Array.from({ length: Number(connections) }, read));
latencies.sort((left, right) => left - right);
const p99Ms = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
process.stdout.write(JSON.stringify({ answers: latencies.length, failures, p99Ms }));
agent.destroy();

async function read(): Promise<void> {
  while (performance.now() < end) {
    const start = performance.now();
    const status = await get(targets[chosen()] ?? '/');
    if (status === 200) latencies.push(performance.now() - start);
    else failures += 1;
  }
}

function get(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, base), { agent, headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Cumulative shares of the pages. */
function zipfBounds(count: number): Float64Array {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let index = 0; index < count; index++) {
    sum += 1 / (index + 1);
    sums[index] = sum;
  }
  return sums.map((value) => value / sum);
}

function chosen(): number {
  state = (state * 48271) % 2147483647;
  const wanted = state / 2147483647;
  let low = 0;
  let high = bounds.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bounds[middle] ?? 1) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
