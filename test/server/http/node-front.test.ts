import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStream, eventText } from '../../../server/http/body/events.ts';
import { notedHeaders } from '../../../server/http/exchange/framing.ts';
import type { HttpServer } from '../../../server/http/exchange/index.ts';
import { loadLlhttp } from '../../../server/http/exchange/node/llhttp.ts';
import {
  type ParsedHead,
  RequestParser,
  type RequestSink,
} from '../../../server/http/exchange/node/request-parser.ts';
import { asyncApi } from '../../support/api-handler.ts';
import { startFront } from '../../support/front.ts';
import { requestHead, sendAndEnd, sendRaw } from '../../support/raw.ts';

const llhttp = await loadLlhttp();

/** Writes down what it gets. */
class Notes implements RequestSink {
  readonly all: unknown[] = [];
  /** Whether the parser pauses after the next head. */
  pauses = false;

  onStart(): void {
    this.all.push('start');
  }

  onHead(head: ParsedHead, method: string, version: number, keepAlive: boolean): boolean {
    const headers: string[][] = [];
    head.forEach((...header) => void headers.push(header));
    const { headerCount } = head;
    this.all.push({
      method,
      version,
      keepAlive,
      url: head.getUrl(),
      query: head.getQuery(),
      headers,
      headerCount,
    });
    return !this.pauses;
  }

  onBody(part: Buffer): void {
    const last = this.all.at(-1);
    if (typeof last === 'string' && last.startsWith('body ')) this.all.push(this.all.pop() + part.toString());
    else this.all.push(`body ${part}`);
  }

  onEnd(): void {
    this.all.push('end');
  }
}

function parse(...pieces: readonly string[]): unknown[] {
  const notes = new Notes();
  const parser = new RequestParser(llhttp, notes);
  for (const piece of pieces) {
    const parsed = parser.parse(Buffer.from(piece, 'latin1'));
    if (parsed === 'read') continue;
    notes.all.push(parsed);
    break;
  }
  parser.free();
  return notes.all;
}

const messages: readonly string[] = [
  requestHead('GET / HTTP/1.1', 'Host: a'),
  requestHead('GET /a/b?c=d?e HTTP/1.1', 'Host: a', 'X-Empty:', 'X-Wide: \t b c \t ', 'Cookie: \u00c3\u00bc'),
  `${requestHead('POST /x HTTP/1.1', 'Host: a', 'Content-Length: 5')}hello`,
  `${requestHead('PUT /x HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked')}3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nT: v\r\n\r\n`,
  requestHead('GET / HTTP/1.1', 'Host: a', 'Upgrade: h2c', 'Connection: upgrade'),
  `${requestHead('POST / HTTP/1.1', 'Host: a', 'Upgrade: x', 'Connection: upgrade', 'Content-Length: 2')}ab`,
  `\r\n${requestHead('DELETE /x HTTP/1.1', 'Host: a', 'Connection: keep-alive')}`,
  requestHead('GET /old HTTP/1.0', 'Host: a', 'Connection: keep-alive'),
];
const broken: readonly string[] = [
  requestHead('GET / HTTP/1.1', 'Host: a', 'X'),
  requestHead('GET / HTTP/1.1', ': a'),
  requestHead('GET / HTTP/1.1', 'X: a', ' folded'),
  requestHead('POST / HTTP/1.1', 'Content-Length: 1', 'Transfer-Encoding: chunked'),
  requestHead('POST / HTTP/1.1', 'Content-Length: 1', 'Content-Length: 1'),
  `${requestHead('POST / HTTP/1.1', 'Transfer-Encoding: chunked')} 3\r\nabc\r\n0\r\n\r\n`,
  `${requestHead('POST / HTTP/1.1', 'Transfer-Encoding: chunked')}\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET / HTTP/1.1\nHost: a\n\n',
];

describe('the parser', () => {
  it.each([...messages, ...broken])('reads the same wherever the bytes are cut: %j', (message) => {
    // What follows is another request, or nothing if the message is broken.
    const bytes = message + messages[1];
    const whole = parse(bytes);
    expect(whole.length).toBeGreaterThan(0);
    for (let cut = 1; cut < bytes.length; cut++)
      expect(parse(bytes.slice(0, cut), bytes.slice(cut)), `cut at ${cut}`).toEqual(whole);
    expect(parse(...bytes)).toEqual(whole);
  });

  it('reads all of them one after the other', () => {
    expect(parse(messages.join('')).filter((note) => note === 'end')).toHaveLength(messages.length);
    expect(parse(messages[1] ?? '')).toEqual([
      'start',
      {
        ...{ method: 'GET', version: 11, keepAlive: true, url: '/a/b', query: 'c=d?e', headerCount: 4 },
        headers: [
          ['host', 'a'],
          ['x-empty', ''],
          ['x-wide', 'b c'],
          ['cookie', 'ü'],
        ],
      },
      'end',
    ]);
  });

  it.each(broken)('finds no request after a broken one: %j', (message) => {
    expect(parse(message + messages[0]).at(-1)).toBe('malformed');
  });

  it('pauses after a head, also with no bytes behind it', () => {
    for (const rest of ['', messages[2] ?? '']) {
      const notes = new Notes();
      const parser = new RequestParser(llhttp, notes);
      notes.pauses = true;
      expect(parser.parse(Buffer.from(requestHead('GET / HTTP/1.1', 'Host: a') + rest))).toBe('paused');
      expect(notes.all).toHaveLength(2);
      notes.pauses = false;
      expect(parser.resume()).toBe('read');
      expect(notes.all.filter((note) => note === 'end')).toHaveLength(rest === '' ? 1 : 2);
      parser.free();
    }
  });

  it('bounds heads and trailers', () => {
    const large = 'a'.repeat(17 * 1024);
    expect(parse(requestHead('GET / HTTP/1.1', `X: ${large}`)).at(-1)).toBe('tooLarge');
    expect(parse(requestHead(`GET /${large} HTTP/1.1`)).at(-1)).toBe('tooLarge');
    expect(parse(requestHead('GET / HTTP/1.1', ...Array.from({ length: 200 }, () => 'X: a'))).at(-1)).toBe(
      'tooLarge',
    );
    const chunked = requestHead('POST / HTTP/1.1', 'Transfer-Encoding: chunked');
    expect(parse(`${chunked}0\r\n`, `X: ${large}\r\n\r\n`).at(-1)).toBe('tooLarge');
  });

  it('makes a text of the headers that are noted, the same as of all', () => {
    const names = fc.constantFrom(...notedHeaders, 'accept', 'x-other', 'origin', 'hosts', 'x-forwarded-fox');
    const name = names.chain((text) =>
      fc.constantFrom(
        text,
        text.toUpperCase(),
        text.replace(/^./, (letter) => letter.toUpperCase()),
      ),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, fc.stringMatching(/^[!-~]{0,9}$/)), { maxLength: 30 }),
        (headers) => {
          const noted: string[][] = [];
          const all: string[][] = [];
          const kept: string[][] = [];
          const parser = new RequestParser(llhttp, {
            onStart: () => {},
            onHead: (head) => {
              head.forEachNoted?.((...header) => void noted.push(header));
              head.forEach((...header) => void all.push(header));
              head.copy().forEach((...header) => void kept.push(header));
              for (const [key = ''] of all)
                expect(head.getHeader(key)).toBe(all.find((header) => header[0] === key)?.[1]);
              return true;
            },
            onBody: () => {},
            onEnd: () => {},
          });
          // A length or coding at random would be refused.
          const sent = headers.filter(([key]) => !/^(?:content-length|transfer-encoding)$/i.test(key));
          parser.parse(
            Buffer.from(requestHead('GET / HTTP/1.1', ...sent.map((header) => header.join(': ')))),
          );
          parser.free();
          expect(all).toEqual(sent.map(([key, value]) => [key.toLowerCase(), value]));
          expect(kept).toEqual(all);
          expect(noted).toEqual(all.filter(([key = '']) => notedHeaders.some((noted) => noted === key)));
        },
      ),
    );
  });
});

describe('connections', () => {
  let front: HttpServer;
  let port: number;
  const released: (() => void)[] = [];
  let hasStreamEnded = false;

  /** Pages are answered at once, the API when it is released; `events` never ends by itself. */
  beforeAll(async () => {
    ({ front, port } = await startFront({
      choice: 'node',
      api: asyncApi(async (request) => {
        const { path } = request;
        if (path.endsWith('/echo'))
          return { status: 200, headers: [], body: await request.body(1_000_000).catch(() => 'cut') };
        if (path.endsWith('/events'))
          return {
            ...{ status: 200, headers: [], body: undefined },
            events: new EventStream(async function* (signal) {
              yield eventText({ data: 'one' });
              await new Promise((resolve) => signal.addEventListener('abort', resolve));
              hasStreamEnded = true;
            }),
          };
        if (path.endsWith('/late')) await new Promise<void>((resolve) => released.push(resolve));
        return { status: 200, headers: [], body: `api ${path}` };
      }),
      delivery: ({ path }) => ({
        status: '200 OK',
        headers: [],
        body: path === '/large' ? large : `page ${path}`,
      }),
    }));
  });
  afterAll(() => front.close(0));

  const large = Buffer.alloc(8_000_000, 'large ');
  const get = (path: string, ...lines: string[]) => requestHead(`GET ${path} HTTP/1.1`, 'Host: a', ...lines);
  const last = get('/last', 'Connection: close');
  const bodiesOf = (answers: string) =>
    answers
      .split('HTTP/1.1 200 OK\r\n')
      .slice(1)
      .map((answer) => answer.split('\r\n\r\n')[1]);

  async function release(): Promise<void> {
    while (released.length === 0) await nextTurn();
    released.shift()?.();
  }

  it('answer requests that come together in their order', async () => {
    const paths = Array.from({ length: 500 }, (_, index) =>
      index % 3 === 0 ? `/api/v1/${index}` : `/${index}`,
    );
    const answers = await sendRaw(port, paths.map((path) => get(path)).join('') + last);
    expect(bodiesOf(answers)).toEqual([
      ...paths.map((path) => (path.startsWith('/api') ? `api ${path}` : `page ${path}`)),
      'page /last',
    ]);
  });

  it('answer requests that come byte by byte', async () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const body = `${requestHead('POST /api/v1/echo HTTP/1.1', 'Host: a', 'Content-Length: 5')}hello`;
    for (const byte of get('/a') + body + last) {
      await new Promise((resolve) => socket.write(byte, resolve));
      await nextTurn();
    }
    expect(bodiesOf(await textOf(socket))).toEqual(['page /a', 'hello', 'page /last']);
  });

  it('read a request to upgrade like every other one', async () => {
    const upgrade = get(
      '/a',
      'Upgrade: h2c',
      'Connection: Upgrade, HTTP2-Settings',
      'HTTP2-Settings: AAMAAABk',
    );
    expect(bodiesOf(await sendRaw(port, upgrade + last))).toEqual(['page /a', 'page /last']);
  });

  it('tell how long they stay open, and the date', async () => {
    const [first = '', second = ''] = (await sendRaw(port, get('/a') + last)).split('page /a');
    expect(first).toMatch(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/);
    expect(first).toContain('\r\nConnection: keep-alive\r\nKeep-Alive: timeout=10\r\n');
    expect(second).toContain('\r\nConnection: close\r\n');
  });

  it('answer a client that has ended its side', async () => {
    expect(bodiesOf(await sendAndEnd(port, get('/a') + get('/b')))).toEqual(['page /a', 'page /b']);
    const answer = sendAndEnd(port, get('/api/v1/late'));
    await release();
    expect(bodiesOf(await answer)).toEqual(['api /api/v1/late']);
    expect(bodiesOf(await sendAndEnd(port, get('/large')))[0]).toHaveLength(large.length);
  });

  it('end events when the client ends its side', async () => {
    hasStreamEnded = false;
    expect(await sendAndEnd(port, get('/api/v1/events'))).not.toContain('\r\n0\r\n');
    await expect.poll(() => hasStreamEnded).toBe(true);
  });

  it.each([
    ['in a head', 'GET / HTTP/1.1\r\nHost: a\r\n'],
    ['in a body', `${requestHead('POST /api/v1/echo HTTP/1.1', 'Host: a', 'Content-Length: 5')}he`],
    [
      'in a chunk',
      `${requestHead('POST /api/v1/echo HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked')}5\r\nhe`,
    ],
  ])('answer 400 to an end %s, also after an answer', async (_name, message) => {
    expect(await sendAndEnd(port, message)).toMatch(/^HTTP\/1\.1 400 /);
    const both = await sendAndEnd(port, get('/a') + message);
    expect(both).toMatch(/^HTTP\/1\.1 200 [\s\S]*page \/aHTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n/);
  });

  it('close when the body of an answered request breaks', async () => {
    const page = `${get('/a', 'Transfer-Encoding: chunked')}x\r\n`;
    expect(await sendRaw(port, page + last)).toMatch(/^HTTP\/1\.1 200 (?:(?!HTTP\/)[\s\S])*page \/a$/);
  });

  it('close when a request comes while another one waits', async () => {
    const answer = sendRaw(port, get('/api/v1/late') + last);
    expect(await answer).toBe('');
    await release();
  });

  it('answer a waiting request before what follows and is none, and close', async () => {
    const answers = sendRaw(port, `${get('/api/v1/late')}\0${last}`);
    await release();
    expect(bodiesOf(await answers)).toEqual(['api /api/v1/late']);
  });

  it('go on after large answers that are read late', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    socket.write(get('/large') + get('/a'));
    await nextTurn();
    // A request that comes before the client has taken the answer to the one before ends the connection.
    const answers = await textOf(socket.resume());
    expect(answers.length).toBeLessThan(large.length + 1000);
    const turns = connect(port, '127.0.0.1').setEncoding('latin1');
    for (const path of ['/large', '/a', '/large', '/b']) {
      turns.write(get(path));
      const end = path === '/large' ? large.toString() : `page ${path}`;
      let answer = '';
      while (!answer.endsWith(end)) answer += String((await once(turns, 'data'))[0]);
      expect(answer.startsWith('HTTP/1.1 200 OK\r\n')).toBe(true);
    }
    turns.destroy();
  });

  it('read on after a body that was held back', async () => {
    const body = 'x'.repeat(900_000);
    const post = `${requestHead('POST /api/v1/echo HTTP/1.1', 'Host: a', `Content-Length: ${body.length}`)}${body}`;
    expect(bodiesOf(await sendRaw(port, post + last))).toEqual([body, 'page /last']);
  });
});

describe('a stop', () => {
  it('closes silent connections at once and others after their answer', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { front, port } = await startFront({
      choice: 'node',
      api: asyncApi(async () => {
        await promise;
        return { status: 200, headers: [], body: 'late' };
      }),
      delivery: () => ({ status: '200 OK', headers: [], body: 'page' }),
    });
    const [silent, running] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    silent.write(requestHead('GET / HTTP/1.1', 'Host: a'));
    await once(silent, 'data');
    running.write(requestHead('GET /api/v1/x HTTP/1.1', 'Host: a'));
    await nextTurn();
    await nextTurn();
    const answer = textOf(running);
    const closed = front.close(5000);
    await once(silent, 'close');
    resolve();
    expect(await answer).toMatch(/late$/);
    await closed;
  });
});

async function textOf(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1');
  for await (const piece of socket) text += piece;
  return text;
}
