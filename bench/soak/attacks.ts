import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { hidingMessages } from '../../test/conformance/http/hiding-messages.ts';

/** One attempt; resolves with what came of it, in a few words. */
type Attempt = (port: number) => Promise<string>;

export interface Attack {
  readonly name: string;
  /** How many attempts run at the same time. */
  readonly parallel: number;
  /** Between two attempts, in milliseconds. */
  readonly pauseMs: number;
  readonly attempt: Attempt;
}

const megabyte = 2 ** 20;
const api = 'POST /api/v1/auth/login HTTP/1.1';
const json = 'Content-Type: application/json';
let number = 0;

/** An address that no attempt has had before, as a proxy would name it. */
function freshAddress(): string {
  number += 1;
  return `X-Forwarded-For: 10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

export const attacks: readonly Attack[] = [
  {
    name: 'refused bodies of 17 MB',
    parallel: 2,
    pauseMs: 200,
    attempt: (port) => {
      const head = headOf('POST /api/v1/assets HTTP/1.1', json, `Content-Length: ${17 * megabyte}`);
      return send(port, [head, Buffer.alloc(17 * megabyte, 0x20)]);
    },
  },
  {
    name: 'unfinished bodies',
    parallel: 20,
    pauseMs: 100,
    attempt: (port) => {
      const head = headOf(api, json, `Content-Length: ${15 * megabyte}`);
      return send(port, [head, Buffer.alloc(megabyte, 0x20)], 2000);
    },
  },
  {
    name: 'pipelining without reading',
    parallel: 4,
    pauseMs: 500,
    attempt: (port) => holdUnread(port, headOf('GET /page-1 HTTP/1.1').repeat(16_000), 3000),
  },
  {
    name: 'slow readers of a large page',
    parallel: 20,
    pauseMs: 100,
    attempt: (port) => readSlowly(port, headOf('GET /large HTTP/1.1'), 4000),
  },
  {
    name: 'broken chunks',
    parallel: 2,
    pauseMs: 20,
    attempt: (port) => {
      const bodies = [
        '2\r\n{}XX0\r\n\r\n',
        '2 \r\n{}\r\n0\r\n\r\n',
        '0\r\r\n',
        '\r\n{}\r\n',
        '-1\r\n',
        'fffffffff\r\n',
      ];
      const body = bodies[next(bodies.length)] ?? '';
      return send(port, [
        `${headOf(api, json, 'Transfer-Encoding: chunked')}${body}${headOf('GET / HTTP/1.1')}`,
      ]);
    },
  },
  {
    name: 'broken heads',
    parallel: 2,
    pauseMs: 20,
    attempt: (port) => {
      const heads = [
        'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
        'GET / HTTP/1.1\r\n\r\n',
        'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n',
        `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
        `GET /${'x'.repeat(9000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
        '\u0000\u0001\u0002\u0003\r\n\r\n',
      ];
      return send(port, [heads[next(heads.length)] ?? '']);
    },
  },
  {
    name: 'heads that never end',
    parallel: 50,
    pauseMs: 100,
    attempt: (port) => send(port, ['GET / HTTP/1.1\r\nHost: a\r\nX-'], 3000),
  },
  {
    name: 'heads that come byte by byte',
    parallel: 100,
    pauseMs: 100,
    attempt: (port) => trickle(port, 'GET / HTTP/1.1\r\nHost: a\r\nX: '),
  },
  {
    name: 'bodies that come byte by byte',
    parallel: 100,
    pauseMs: 100,
    attempt: (port) => trickle(port, headOf(api, json, freshAddress(), 'Content-Length: 60000')),
  },
  {
    name: 'silent connections',
    parallel: 500,
    pauseMs: 10,
    attempt: (port) => send(port, [], 5000),
  },
  {
    name: 'sides that end early',
    parallel: 4,
    pauseMs: 20,
    attempt: (port) => {
      const whole = headOf('GET /page-3 HTTP/1.1');
      return endEarly(
        port,
        [whole, whole.slice(0, next(whole.length)), headOf(api, 'Content-Length: 9')][next(3)],
      );
    },
  },
  {
    name: 'requests hidden in bodies',
    parallel: 4,
    pauseMs: 20,
    attempt: (port) => {
      const { head, body } = hidingMessages[next(hidingMessages.length)] ?? { head: '', body: '' };
      return findHidden(port, head + body);
    },
  },
  {
    name: 'bytes of TLS',
    parallel: 2,
    pauseMs: 100,
    attempt: (port) => send(port, [Buffer.from('1603010200010001fc0303', 'hex'), Buffer.alloc(500, 7)], 2000),
  },
  {
    name: 'invented hosts',
    parallel: 2,
    pauseMs: 10,
    attempt: (port) => {
      const path = ['/', '/page-1', '/sitemap.xml', '/sitemap-9.xml', '/robots.txt'][next(5)];
      return send(port, [`GET ${path} HTTP/1.1\r\nHost: invented-${next(1e9)}.test\r\n\r\n`]);
    },
  },
  {
    name: 'dead addresses of 4 KB',
    parallel: 2,
    pauseMs: 20,
    attempt: (port) => send(port, [headOf(`GET /${'dead/'.repeat(800)}${next(1e9)} HTTP/1.1`)]),
  },
  {
    name: 'page variants by query',
    parallel: 2,
    pauseMs: 20,
    attempt: (port) => send(port, [headOf(`GET /page-2?x=${next(1e9)} HTTP/1.1`)]),
  },
  {
    name: 'JSON that is deep, long or doubled',
    parallel: 2,
    pauseMs: 50,
    attempt: (port) => {
      const bodies = [
        '['.repeat(60_000),
        `{"username":${'1'.repeat(60_000)}}`,
        `{${'"username":"a",'.repeat(4000)}"password":"b"}`,
        `[${'1,'.repeat(30_000)}1]`,
        `{"username":"${'\\u0000'.repeat(10_000)}"}`,
      ];
      const body = bodies[next(bodies.length)] ?? '';
      return send(port, [`${headOf(api, json, freshAddress(), `Content-Length: ${body.length}`)}${body}`]);
    },
  },
  {
    name: 'wrong passwords',
    parallel: 2,
    pauseMs: 300,
    attempt: (port) => {
      const body = '{"username":"nobody","password":"wrong password"}';
      return send(port, [`${headOf(api, json, freshAddress(), `Content-Length: ${body.length}`)}${body}`]);
    },
  },
  {
    name: 'resets in the middle of an answer',
    parallel: 4,
    pauseMs: 20,
    attempt: (port) => reset(port, headOf('GET /large HTTP/1.1')),
  },
];

let drawn = 0;

/** A whole number below `count`, different from attempt to attempt. */
function next(count: number): number {
  drawn += 1;
  return drawn % count;
}

function headOf(...lines: readonly string[]): string {
  return `${[lines[0], 'Host: soak.test', ...lines.slice(1)].join('\r\n')}\r\n\r\n`;
}

/** Sends, and waits for the first answer. @param waitMs after this time the connection is given up */
function send(port: number, parts: readonly (string | Buffer)[], waitMs = 10_000): Promise<string> {
  return withSocket(port, waitMs, (socket, done) => {
    socket.on('data', (chunk: Buffer) => {
      done(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1] ?? 'no HTTP');
    });
    for (const part of parts) socket.write(part);
  });
}

/** Sends the start at once, and then a byte after the other until the server has enough of it. */
function trickle(port: number, start: string): Promise<string> {
  return withSocket(port, 60_000, async (socket, done) => {
    socket.on('data', (chunk: Buffer) => done(chunk.toString('latin1', 9, 12)));
    socket.write(start);
    while (!socket.destroyed) {
      await pause(500);
      socket.write('a');
    }
  });
}

/** Sends and ends the sending side. */
function endEarly(port: number, text = ''): Promise<string> {
  return withSocket(port, 10_000, (socket, done) => {
    socket.on('data', (chunk: Buffer) => done(chunk.toString('latin1', 9, 12)));
    socket.end(text);
  });
}

/** Tells whether the request within a body was answered; a short time is enough, since health needs none. */
function findHidden(port: number, text: string): Promise<string> {
  return withSocket(port, 500, (socket, done) => {
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (received.includes('"status":"ok"')) done('the hidden request was answered');
    });
    socket.write(Buffer.from(text, 'latin1'));
  });
}

/** Sends and reads nothing. */
function holdUnread(port: number, text: string, holdMs: number): Promise<string> {
  return withSocket(port, holdMs, (socket) => {
    socket.pause();
    socket.write(text);
  });
}

async function readSlowly(port: number, text: string, holdMs: number): Promise<string> {
  return withSocket(port, holdMs, async (socket) => {
    socket.pause();
    socket.write(text);
    while (!socket.destroyed) {
      await pause(200);
      socket.read(1000);
    }
  });
}

function reset(port: number, text: string): Promise<string> {
  return withSocket(port, 10_000, (socket, done) => {
    socket.once('data', () => {
      socket.resetAndDestroy();
      done('reset by us');
    });
    socket.write(text);
  });
}

function withSocket(
  port: number,
  waitMs: number,
  use: (socket: Socket, done: (outcome: string) => void) => void | Promise<void>,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const timer = setTimeout(() => done('given up by us'), waitMs);
    const done = (outcome: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    socket.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'error'));
    socket.on('close', () => done('closed by the server'));
    Promise.resolve(use(socket, done)).catch(() => done('failed'));
  });
}
