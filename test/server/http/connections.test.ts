import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../../server/http/exchange/index.ts';
import { transportNames } from '../../../server/http/exchange/transport.ts';
import { UnsentBodies } from '../../../server/http/exchange/unread.ts';
import { startFront } from '../../support/front.ts';
import { requestHead } from '../../support/raw.ts';

describe.each(transportNames)('the number of connections with -front %s', (choice) => {
  let front: HttpServer;
  afterEach(() => front.close(0));

  it('is bounded: further ones are closed until one of them ends', async () => {
    const started = await startFront({
      choice,
      maxConnections: 2,
      delivery: () => ({ status: '200 OK', headers: [], body: 'answered' }),
    });
    front = started.front;
    const { port } = started;
    const [first, second] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    expect([await ask(first), await ask(second)]).toEqual(['answered', 'answered']);
    expect(await ask(connect(port, '127.0.0.1'))).toBe('closed');
    expect(await ask(second)).toBe('answered');
    first.destroy();
    // The server learns of the end a moment later.
    let answer = 'closed';
    while (answer === 'closed') answer = await ask(connect(port, '127.0.0.1'));
    second.destroy();
  });
});

async function ask(socket: Socket): Promise<string> {
  socket.on('error', () => undefined);
  socket.write(requestHead('GET / HTTP/1.1', 'Host: a'));
  const event = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  return Buffer.isBuffer(event[0]) ? (String(event[0]).split('\r\n\r\n')[1] ?? '') : 'closed';
}

describe('answers that wait for their readers', () => {
  const body = (size: number) => new Uint8Array(size);

  it('are bounded for one address, and again free when it is released', () => {
    const unread = new UnsentBodies({ perAddress: 100, inAll: 1000 });
    const first = body(60);
    expect(unread.hold('203.0.113.1', first)).toBe(true);
    expect(unread.hold('203.0.113.1', body(60))).toBe(false);
    expect(unread.hold('203.0.113.2', body(60))).toBe(true);
    unread.release('203.0.113.1', first);
    expect(unread.hold('203.0.113.1', body(60))).toBe(true);
  });

  it('may be larger than the bound of an address if there is only one', () => {
    const unread = new UnsentBodies({ perAddress: 100, inAll: 1000 });
    expect(unread.hold('203.0.113.1', body(300))).toBe(true);
    expect(unread.hold('203.0.113.1', body(1))).toBe(false);
    expect(unread.hold('203.0.113.2', body(800))).toBe(false);
  });

  it('count an IPv6 network as one address', () => {
    const unread = new UnsentBodies({ perAddress: 100, inAll: 1000 });
    expect(unread.hold('2001:db8::1', body(60))).toBe(true);
    expect(unread.hold('2001:db8::2', body(60))).toBe(false);
  });

  it('are bounded in all, also behind a local proxy', () => {
    const unread = new UnsentBodies({ perAddress: 100, inAll: 200 });
    expect(unread.hold('127.0.0.1', body(150))).toBe(true);
    expect(unread.hold('127.0.0.1', body(100))).toBe(false);
    expect(unread.hold('203.0.113.1', body(60))).toBe(false);
  });

  it('that share a body, such as a cached page, count it once in all', () => {
    const unread = new UnsentBodies({ perAddress: 100, inAll: 100 });
    const page = body(60);
    for (const peer of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      expect(unread.hold(peer, page)).toBe(true);
    for (const peer of ['203.0.113.1', '203.0.113.2']) unread.release(peer, page);
    expect(unread.hold('203.0.113.4', body(60))).toBe(false);
    unread.release('203.0.113.3', page);
    expect(unread.hold('203.0.113.4', body(60))).toBe(true);
  });
});
