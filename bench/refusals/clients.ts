import { request } from 'node:http';
import { connect } from 'node:net';

/** Posts the body and resolves with the status; rejects if the connection ends before it can be read. */
type Client = (url: URL, headers: Readonly<Record<string, string>>, body: Buffer) => Promise<number>;

/** How long a client waits for the answer, milliseconds. */
const timeoutMs = 30_000;

export const clients: ReadonlyMap<string, Client> = new Map([
  ['fetch', withFetch],
  ['node:http', withHttp],
  ['raw socket', withSocket],
]);

async function withFetch(url: URL, headers: Readonly<Record<string, string>>, body: Buffer): Promise<number> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body), signal });
  await response.arrayBuffer();
  return response.status;
}

function withHttp(url: URL, headers: Readonly<Record<string, string>>, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': String(body.length) },
      timeout: timeoutMs,
    });
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    sent.end(body);
  });
}

/** Sends everything, and only then reads, as simple programs do. */
function withSocket(url: URL, headers: Readonly<Record<string, string>>, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head =
      `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n${lines.join('')}` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    socket.pause();
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer in time')));
    socket.on('error', reject);
    socket.write(head);
    socket.write(body, () => {
      let text = '';
      socket.setEncoding('latin1');
      socket.on('data', (chunk) => {
        text += String(chunk);
      });
      socket.on('end', () => {
        const status = /^HTTP\/1\.1 (\d{3}) .*?\r\n\r\n/s.exec(text)?.[1];
        if (status === undefined)
          reject(new Error(`an answer in part: ${JSON.stringify(text.slice(0, 40))}`));
        else resolve(Number(status));
        socket.destroy();
      });
      socket.resume();
    });
  });
}
