/**
 * Asks the server for something small again and again, in a process of its own: `probe.ts <url>`. Prints a line
 * when it has begun. When its standard input ends, it prints the longest wait for an answer in milliseconds.
 */
import { Agent, request } from 'node:http';

const [base = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let longestMs = 0;
let isDone = false;

process.stdin.resume().on('end', () => {
  isDone = true;
});
await ask();
process.stdout.write('ready\n');
while (!isDone) {
  const start = performance.now();
  await ask();
  longestMs = Math.max(longestMs, performance.now() - start);
  // A pause, so that the probe itself does not keep the server busy.
  await new Promise((resolve) => setTimeout(resolve, 1));
}
process.stdout.write(`${longestMs}\n`);
agent.destroy();

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL('/healthz', base), { agent }, (answer) => {
      answer.resume();
      answer.on('end', resolve);
    });
    sent.on('error', reject);
    sent.end();
  });
}
