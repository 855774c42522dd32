import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { NodeTransport } from '../../../server/http/exchange/node/index.ts';
import { SocketWriter } from '../../../server/http/exchange/node/socket-writer.ts';
import type { RequestHandler, Responder, TransportOptions } from '../../../server/http/exchange/transport.ts';
import { requestHead, sendAndEnd, sendRaw } from '../../support/raw.ts';

/** Clients that do harm to the front of Node.js, or could. */

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../conformance/fixtures/tls/${name}.pem`, import.meta.url));
const tls = { certFile: fixture('cert'), keyFile: fixture('key') };
const large = Buffer.alloc(16 * 2 ** 20, 'large ');
const get = (path: string, ...lines: string[]) => requestHead(`GET ${path} HTTP/1.1`, 'Host: a', ...lines);
const last = get('/last', 'Connection: close');

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Starts a front that answers each request with its path. @param handler for paths that it answers otherwise */
async function start(options: TransportOptions = {}, handler?: (res: Responder, path: string) => boolean) {
  const transport = await NodeTransport.create(options);
  stops.push(() => transport.close());
  const answer: RequestHandler = (res, req) => {
    const path = req.getUrl();
    if (handler?.(res, path) !== true) res.writeStatus('200 OK').end(`page ${path}`);
  };
  transport.handleWith(answer);
  return transport.listen('127.0.0.1', 0);
}

/** Answers with a body that the client takes in its time. */
function answerLarge(res: Responder): true {
  res.onWritable((offset) => res.tryEnd(large.subarray(offset), large.length)[1]);
  res.writeStatus('200 OK').tryEnd(large, large.length);
  return true;
}

function clientOf(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  stops.push(() => socket.destroy());
  return socket;
}

const bodiesOf = (answers: string) => [...answers.matchAll(/page (\/[a-z]+)/g)].map(([, path]) => path);

describe('heads', () => {
  it.each([
    ['NUL in a value', get('/a', 'X: a\0b')],
    ['a control character in a value', get('/a', 'X: a\x01b')],
    ['DEL in a value', get('/a', 'X: a\x7fb')],
    ['NUL in a name', get('/a', 'X\0: a')],
    ['NUL in the target', get('/a\0b')],
    ['NUL in the method', requestHead('G\0T /a HTTP/1.1', 'Host: a')],
    ['CR in a value', get('/a', 'X: a\rY: b')],
    ['LF in a value', get('/a', 'X: a\nY: b')],
    ['a byte beyond ASCII in a name', get('/a', 'X\xe4: a')],
    ['a byte beyond ASCII in the target', get('/\xe4')],
    ['a space before the colon', get('/a', 'X : a')],
    ['a space before the first name', get('/a').replace('Host', ' Host')],
    ['a continued line', get('/a', 'X: a', ' b')],
    ['a line continued with a tab', get('/a', 'Content-Length: 1', '\t0')],
    ['no name', get('/a', ': 5')],
    ['no colon', get('/a', 'Content-Length')],
    ['no version', requestHead('GET /a', 'Host: a'), '505'],
    ['another version', requestHead('GET /a HTTP/1.0', 'Host: a'), '505'],
    ['another protocol', requestHead('GET /a HTTQ/1.1', 'Host: a')],
    ['length and chunks', get('/a', 'Content-Length: 0', 'Transfer-Encoding: chunked')],
    ['chunks and length', get('/a', 'Transfer-Encoding: chunked', 'Content-Length: 0')],
    ['chunks that are not last', get('/a', 'Transfer-Encoding: chunked, identity')],
    ['a length with a space inside', get('/a', 'Content-Length: 1 0')],
    ['a length beyond 2^64', get('/a', `Content-Length: ${2n ** 64n + 1n}`)],
  ])('are refused with all that follows: %s', async (_name, head, status = '400') => {
    const port = await start();
    const message = Buffer.from(`${get('/first')}${head}${last}`, 'latin1');
    const answers = await sendRaw(port, message);
    expect(bodiesOf(answers)).toEqual(['/first']);
    const refusal = new RegExp(`HTTP/1\\.1 ${status} (?:(?!HTTP/1\\.1)[\\s\\S])*\r\nConnection: close\r\n`);
    expect(answers).toMatch(refusal);
    for (let cut = 1; cut < head.length; cut += 3) {
      const whole = Buffer.from(head + last, 'latin1');
      const socket = clientOf(port).setEncoding('latin1').setNoDelay(true);
      socket.write(whole.subarray(0, cut));
      await nextTurn();
      socket.write(whole.subarray(cut));
      const answer = await textOf(socket);
      expect(answer).toMatch(refusal);
      expect(bodiesOf(answer)).toEqual([]);
    }
  });

  it('have at most 100 headers, in one piece or byte by byte', async () => {
    const port = await start();
    const withHeaders = (count: number) => get('/a', ...Array.from({ length: count - 1 }, () => 'a:'));
    expect(bodiesOf(await sendRaw(port, withHeaders(100) + last))).toEqual(['/a', '/last']);
    for (const count of [101, 102, 5000]) {
      const head = withHeaders(count);
      expect(await sendRaw(port, head + last)).toMatch(/^HTTP\/1\.1 431 (?:(?!HTTP\/)[\s\S])*$/);
      const socket = clientOf(port).setEncoding('latin1').setNoDelay(true);
      const answer = textOf(socket);
      for (const piece of head.match(/[\s\S]{1,7}/g) ?? []) {
        if (socket.destroyed) break;
        socket.write(piece);
        await nextTurn();
      }
      expect(await answer).toMatch(/^HTTP\/1\.1 431 /);
    }
  });

  it('must come in time, whatever comes before them', async () => {
    const port = await start({ headerSeconds: 0.4, keepAliveSeconds: 0.4 });
    const slow = clientOf(port).setEncoding('latin1');
    const early = clientOf(port);
    const timer = setInterval(() => {
      slow.write('a');
      early.write('\r\n');
    }, 20);
    slow.write('GET /');
    const closed = Promise.all([textOf(slow), closeOf(early)]);
    expect((await closed)[0]).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(timer);
  });
});

describe('bodies', () => {
  it('of answered requests must come in time', async () => {
    const port = await start({ keepAliveSeconds: 0.4 });
    const socket = clientOf(port);
    socket.write(get('/a', 'Content-Length: 1000'));
    const timer = setInterval(() => socket.write('a'), 20);
    expect(bodiesOf(await textOf(socket.setEncoding('latin1')))).toEqual(['/a']);
    clearInterval(timer);
  });

  it.each([
    ['with the head', 0],
    ['with the body', 1],
    ['with its end', 2],
  ])('of requests whose connection is closed %s have nothing behind them', async (_name, at) => {
    const seen: string[] = [];
    let aborts = 0;
    const port = await start({}, (res, path) => {
      seen.push(path);
      res.onAborted(() => {
        aborts++;
      });
      const close = [() => true, (bytes: number) => bytes > 0, (_: number, isLast: boolean) => isLast][at];
      if (at === 0) res.close();
      else res.onData((chunk, isLast) => close?.(chunk.byteLength, isLast) === true && res.close());
      return true;
    });
    const post = requestHead('POST /a HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked');
    expect(await sendRaw(port, `${post}1\r\na\r\n1\r\nb\r\n0\r\n\r\n${last}${last}`)).toBe('');
    expect(seen).toEqual(['/a']);
    expect(aborts).toBe(1);
  });
});

describe('requests that come together', () => {
  it('are answered after one to upgrade that had to wait', async () => {
    const waiting: (() => void)[] = [];
    const port = await start({}, (res, path) => {
      if (path !== '/late') return false;
      waiting.push(() => res.writeStatus('200 OK').end('page /late'));
      setImmediate(() => waiting.shift()?.());
      return true;
    });
    const upgrade = get('/b', 'Connection: upgrade', 'Upgrade: h2c');
    const answers = await sendRaw(port, get('/late') + upgrade + get('/late') + get('/c') + last);
    expect(bodiesOf(answers)).toEqual(['/late', '/b', '/late', '/c', '/last']);
  });

  it('wait for a client that does not read, and are all answered when it does', async () => {
    let handled = 0;
    const body = Buffer.alloc(1000, 'x');
    const port = await start({}, (res) => {
      handled++;
      res.writeStatus('200 OK').tryEnd(body, body.length);
      return true;
    });
    const socket = clientOf(port).pause();
    const count = 20_000;
    socket.write(get('/a').repeat(count) + last);
    let before = -1;
    while (handled !== before) {
      before = handled;
      await wait(200);
    }
    expect(handled).toBeLessThan(count);
    socket.resume();
    const answers = await textOf(socket.setEncoding('latin1'));
    expect(answers.split('HTTP/1.1 200 OK').length - 1).toBe(count + 1);
  });
});

describe.each([
  ['plain', {}],
  ['encrypted', { tls }],
])('a client that does not read, %s', (_name, options) => {
  const open = async (port: number): Promise<Socket> => {
    const plain = clientOf(port);
    if (!('tls' in options)) return plain;
    const socket = connectTls({ socket: plain, rejectUnauthorized: false }).on('error', () => {});
    await once(socket, 'secureConnect');
    return socket;
  };

  it('is not waited for longer than for nginx', async () => {
    let aborts = 0;
    const port = await start({ ...options, unreadSeconds: 0.5, keepAliveSeconds: 0.4 }, (res, path) => {
      if (path !== '/large') return false;
      res.onAborted(() => {
        aborts++;
      });
      return answerLarge(res);
    });
    const socket = (await open(port)).pause();
    socket.write(get('/large'));
    await expect.poll(() => aborts).toBe(1);
  });

  it('is not waited for when the connection closes', async () => {
    const port = await start({ ...options, unreadSeconds: 0.5, keepAliveSeconds: 0.4 }, (res, path) => {
      if (path === '/last') res.writeStatus('200 OK').end(large, true);
      return path === '/last';
    });
    const socket = (await open(port)).pause();
    let isClosed = false;
    socket.on('close', () => {
      isClosed = true;
    });
    socket.write(last);
    await wait(200);
    expect(isClosed).toBe(false);
    // What comes sooner would show that the client is there. The system refuses what comes to a closed connection.
    await wait(2000);
    const timer = setInterval(() => socket.write('x'), 100);
    await expect.poll(() => isClosed).toBe(true);
    clearInterval(timer);
  });

  it('is waited for if it is only slow', async () => {
    const port = await start({ ...options, unreadSeconds: 1, keepAliveSeconds: 0.4 }, (res) =>
      answerLarge(res),
    );
    const socket = await open(port);
    socket.write(get('/large', 'Connection: close'));
    let bytes = 0;
    const started = performance.now();
    for await (const piece of socket) {
      bytes += (piece as Buffer).length;
      const due = (bytes / large.length) * 3000;
      await wait(Math.max(0, due - (performance.now() - started)));
      if (bytes > large.length) break;
    }
    expect(bytes).toBeGreaterThan(large.length);
  });

  it('gets no more than fits', async () => {
    let offset = 0;
    const port = await start(options, (res) => {
      answerLarge(res);
      offset = res.getWriteOffset();
      return true;
    });
    const socket = (await open(port)).pause();
    socket.write(get('/large'));
    await expect.poll(() => offset).toBeGreaterThan(0);
    // Bytes of a plain answer lie where they lay before.
    if ('tls' in options) expect(offset).toBeLessThan(2 ** 20);
  });
});

describe('the writer', () => {
  it('needs little memory for few bytes that wait behind others', async () => {
    const [server, peers] = await listenFor(1);
    const client = clientOf(server).pause();
    await once(client, 'connect');
    const [writer] = (await Promise.all(peers)).map((peer) => new SocketWriter(peer, false, () => {}));
    if (writer === undefined) throw new Error('one was asked for');
    while (!writer.isBlocked) {
      writer.send(Buffer.alloc(2 ** 20));
      await nextTurn();
    }
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 500; count++) {
      writer.text(`part ${count};`);
      writer.flush();
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
    writer.text('end');
    writer.flush();
    let text = '';
    for await (const piece of client.setEncoding('latin1')) {
      text = (text + String(piece).replaceAll('\0', '')).slice(-20_000);
      if (text.endsWith('end')) break;
    }
    expect(text).toBe(`${Array.from({ length: 500 }, (_, index) => `part ${index};`).join('')}end`);
  });

  it('keeps what waits apart from what others write', async () => {
    const [port, peers] = await listenFor(2);
    const clients = [clientOf(port).pause(), clientOf(port).pause()];
    const writers = (await Promise.all(peers)).map((peer) => new SocketWriter(peer, false, () => {}));
    for (const writer of writers) {
      while (!writer.isBlocked) {
        writer.copy(Buffer.alloc(10_000, '.'));
        writer.flush();
      }
    }
    for (let count = 0; count < 100; count++)
      for (const [index, writer] of writers.entries()) writer.text(`${index}`);
    for (const writer of writers) {
      writer.text('!');
      writer.flush();
    }
    const texts = await Promise.all(
      clients.map(async (client) => {
        let text = '';
        for await (const piece of client.setEncoding('latin1')) {
          text += String(piece).replaceAll('.', '');
          if (text.endsWith('!')) break;
        }
        return text;
      }),
    );
    expect(texts.sort()).toEqual([`${'0'.repeat(100)}!`, `${'1'.repeat(100)}!`]);
  });
});

describe('an encrypted connection', () => {
  it('that its client has half closed gets its answers', async () => {
    const port = await start({ tls }, (res, path) => {
      if (path !== '/late') return false;
      setTimeout(() => res.writeStatus('200 OK').end('page /late'), 100);
      return true;
    });
    const plain = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const socket = connectTls({ socket: plain, rejectUnauthorized: false });
    socket.allowHalfOpen = true;
    socket.end(get('/a') + get('/late'));
    expect(bodiesOf(await textOf(socket.setEncoding('latin1')))).toEqual(['/a', '/late']);
  });

  it('must be one in time', async () => {
    const port = await start({ tls, headerSeconds: 0.4 });
    const [silent, plain] = [clientOf(port), clientOf(port)];
    plain.write(get('/a'));
    await Promise.all([closeOf(silent.resume()), closeOf(plain.resume())]);
  });
});

it('a thousand silent connections cost little, and are closed in time', async () => {
  const port = await start({ keepAliveSeconds: 1, headerSeconds: 1 });
  const sockets = Array.from({ length: 1000 }, () => clientOf(port));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  expect(bodiesOf(await sendRaw(port, last))).toEqual(['/last']);
  await Promise.all(sockets.map((socket) => closeOf(socket.resume())));
  expect(bodiesOf(await sendAndEnd(port, get('/a')))).toEqual(['/a']);
});

/** @returns a port, and the first connections to it */
async function listenFor(count: number): Promise<[number, Promise<Socket>[]]> {
  const waiting = Array.from({ length: count }, () => Promise.withResolvers<Socket>());
  let next = 0;
  const server = createServer((socket) => {
    stops.push(() => socket.destroy());
    socket.on('error', () => {});
    waiting[next++]?.resolve(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stops.push(() => server.close());
  return [portOf(server), waiting.map(({ promise }) => promise)];
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

async function textOf(socket: Socket): Promise<string> {
  let text = '';
  try {
    for await (const piece of socket) text += piece;
  } catch {
    // A connection that is reset has no more to say.
  }
  return text;
}
