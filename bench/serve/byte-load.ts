/**
 * Load for large answers. A client that parses them and collects their bytes takes far longer than a server that
 * sends them, so it would measure itself. This one reads the first answer as a whole, and of all further ones, which
 * must have the same length, it only counts the bytes.
 *
 * As a program: `node byte-load.ts <url> <seconds> <connections>` prints `{ requests, duration }`.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Type from 'typebox';
import { Value } from 'typebox/value';

const Report = Type.Object({ requests: Type.Integer(), duration: Type.Number() });
const goodStart = Buffer.from('HTTP/1.1 200');
const programFile = fileURLToPath(import.meta.url);

/** Loads a URL from a process of its own; throws if an answer is not 200 or has another length than the first. */
export async function byteLoad(
  url: string,
  { seconds, connections }: { readonly seconds: number; readonly connections: number },
): Promise<{ readonly requests: number; readonly requestsPerSecond: number }> {
  const args = [programFile, url, String(seconds), String(connections)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { requests, duration } = Value.Parse(Report, JSON.parse(stdout));
  return { requests, requestsPerSecond: requests / duration };
}

if (process.argv[1] === programFile) {
  const [url = '', seconds = '', connections = ''] = process.argv.slice(2);
  console.log(JSON.stringify(await run(new URL(url), Number(seconds), Number(connections))));
}

async function run(url: URL, seconds: number, connections: number): Promise<Type.Static<typeof Report>> {
  const request = Buffer.from(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  const length = await lengthOfAnswer(url, request);
  let requests = 0;
  let isOver = false;
  const sockets: Socket[] = [];
  const start = performance.now();
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let received = 0;
      const socket = open(url, (bytes) => {
        if (received === 0 && !isGood(bytes)) reject(new Error(`${url} did not answer with 200`));
        received += bytes.length;
        if (received > length) reject(new Error(`an answer of ${url} is longer than the first`));
        if (received < length) return;
        received = 0;
        requests++;
        if (isOver) resolve();
        else socket.write(request);
      });
      sockets.push(socket);
      socket.on('error', reject);
      socket.on('close', () => reject(new Error(`${url} has closed a connection`)));
      socket.write(request);
    });
  setTimeout(() => {
    isOver = true;
  }, seconds * 1000);
  await Promise.all(Array.from({ length: connections }, work));
  const duration = (performance.now() - start) / 1000;
  for (const socket of sockets) socket.removeAllListeners().destroy();
  return { requests, duration };
}

/** Bytes of head and body together. */
async function lengthOfAnswer(url: URL, request: Buffer): Promise<number> {
  let answer = '';
  const socket = connect(Number(url.port), url.hostname).setEncoding('latin1');
  socket.write(request);
  while (!answer.includes('\r\n\r\n')) answer += String((await once(socket, 'data'))[0]);
  socket.destroy();
  const body = /\r\ncontent-length: (\d+)\r\n/i.exec(answer)?.[1];
  if (body === undefined) throw new Error(`the answer of ${url} has no length`);
  return answer.indexOf('\r\n\r\n') + 4 + Number(body);
}

/** A connection whose bytes are valid only during the call. */
function open(url: URL, onBytes: (bytes: Uint8Array) => void): Socket {
  const buffer = Buffer.allocUnsafeSlow(2 ** 20);
  const callback = (count: number): boolean => {
    onBytes(buffer.subarray(0, count));
    return true;
  };
  return connect({ port: Number(url.port), host: url.hostname, onread: { buffer, callback } });
}

function isGood(bytes: Uint8Array): boolean {
  return goodStart.equals(bytes.subarray(0, goodStart.length));
}
