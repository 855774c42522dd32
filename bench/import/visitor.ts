/**
 * A visitor of a cached page, in a process of its own: `visitor.ts <url> <host>`. Prints a line when it has begun. When
 * its standard input ends, it prints how long answers have taken in milliseconds, as JSON.
 */
import { Agent, request } from 'node:http';

const [url = '', host = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times: number[] = [];
let isDone = false;

process.stdin.resume().on('end', () => {
  isDone = true;
});
await ask();
process.stdout.write('ready\n');
while (!isDone) {
  const start = performance.now();
  await ask();
  times.push(performance.now() - start);
  // A pause, so that the visitor itself does not keep the server busy.
  await new Promise((resolve) => setTimeout(resolve, 3));
}
times.sort((left, right) => left - right);
const at = (part: number) => times[Math.floor((times.length - 1) * part)] ?? 0;
process.stdout.write(
  `${JSON.stringify({ visits: times.length, p50: at(0.5), p99: at(0.99), longest: at(1) })}\n`,
);
agent.destroy();

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { host } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`the page answered ${answer.statusCode}`));
      answer.resume();
      answer.on('end', resolve);
    });
    sent.on('error', reject);
    sent.end();
  });
}
