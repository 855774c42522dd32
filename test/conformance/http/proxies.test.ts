import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../../support/api.ts';
import { createPage, createSite } from '../../support/content.ts';
import { EventReader } from '../../support/event-reader.ts';
import { RawConnection } from '../../support/http-answers.ts';
import { possibleFronts } from '../../support/possible-fronts.ts';
import { findProxyProgram, proxyNames, startProxy, type TestProxy } from '../../support/reverse-proxies.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { Barrier } from './barrier.ts';
import { hidingMessages } from './hiding-messages.ts';
import { chunked, health, hello, helloChunk, helloLength, lastChunk, post, withLine } from './messages.ts';

/** Requests through the proxies of Debian, which share their connections to the server among clients. */

const pairs = possibleFronts.flatMap((front) => proxyNames.map((proxy) => [front, proxy] as const));
/** Pages that ordinary clients ask for while others send messages that are to be misread. */
const pageCount = 8;

describe.each(pairs)('-front %s behind %s', (front, name) => {
  const isMissing = findProxyProgram(name) === undefined;
  let server: TestServer;
  let proxy: TestProxy;

  beforeAll(async () => {
    if (isMissing) return;
    server = await startServer({ args: ['-front', front, '-body-timeout', '60'] });
    const site = await createSite(server);
    for (let page = 0; page < pageCount; page++)
      await createPage(server, site, { slug: `p${page}`, published: true, html: `<p>This is page ${page}.` });
    await callOk(server, 'PUT', `/pages/${site}`, { html: '<p>At hand' });
    proxy = await startProxy(name, server.port);
  });
  afterAll(async () => {
    if (isMissing) return;
    await proxy.stop();
    await server.stop();
  });

  it.skipIf(isMissing)('pages come as they are, with their tags, lengths and forms', async () => {
    const page = await fetch(`${proxy.url}/`, { headers: { 'Accept-Encoding': 'identity' } });
    const text = await page.text();
    expect([page.status, text]).toEqual([200, expect.stringContaining('<p>At hand')]);
    const etag = page.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"/);
    const known = await fetch(`${proxy.url}/`, {
      headers: { 'Accept-Encoding': 'identity', 'If-None-Match': etag },
    });
    expect([known.status, await known.text()]).toEqual([304, '']);
    const head = await fetch(`${proxy.url}/`, { method: 'HEAD', headers: { 'Accept-Encoding': 'identity' } });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(text))]);
    const packed = await readRaw(withLine('GET / HTTP/1.1', 'Accept-Encoding: gzip', 'Connection: close'));
    expect(packed.head).toMatch(/^content-encoding: gzip$/im);
    expect(gunzipSync(Buffer.from(packed.body, 'latin1')).toString()).toContain('<p>At hand');
    expect((await fetch(`${proxy.url}/nothing`)).status).toBe(404);
  });

  it.skipIf(isMissing)('bodies arrive whole, in every form', async () => {
    const close = 'Connection: close';
    for (const message of [
      post(hello, helloLength, close),
      post(helloChunk + lastChunk, chunked, close),
      // Varnish itself refuses extensions of chunks.
      ...(name === 'varnish'
        ? []
        : [post(`1;a=b\r\n{\r\nf\r\n"text":"hello"}\r\n${lastChunk}`, chunked, close)]),
      post(hello, helloLength, 'Expect: 100-continue', close),
    ])
      expect(await readRaw(message), message).toMatchObject({
        status: 200,
        body: expect.stringContaining('<p>hello</p>'),
      });
    const long = JSON.stringify({ text: 'word '.repeat(20_000) });
    const answer = await readRaw(post(long, `Content-Length: ${long.length}`, close));
    expect([answer.status, answer.body.length > 100_000]).toEqual([200, true]);
  });

  it.skipIf(isMissing || front === 'uws')(
    'targets of every length near that of a packet are read',
    async () => {
      const lengths = Array.from({ length: 120 }, (_, index) => 1380 + index);
      const answers = await Promise.all(
        lengths.map((length) => fetch(`${proxy.url}/p1?${'x'.repeat(length)}`).then(({ status }) => status)),
      );
      expect(answers.filter((status) => status !== 200)).toEqual([]);
    },
  );

  it.skipIf(isMissing)('events come at once', async () => {
    const events = await EventReader.open(proxy.url, '/changes?since=now');
    await callOk(server, 'PUT', '/pages/1', { title: 'Told' });
    for (let block: string | undefined = ''; !block.includes('"kind":"page"'); ) {
      block = await events.block();
      if (block === undefined) throw new Error('the stream has ended');
    }
    events.close();
  });

  it.skipIf(isMissing)('no message makes another client get a foreign answer', async () => {
    const barrier = new Barrier(proxy.port, 1);
    const wrong: string[] = [];
    let isOver = false;
    const client = async (page: number): Promise<void> => {
      while (!isOver) {
        // A proxy closes the connection of a client if the server closes the shared one first; browsers ask again.
        const response = await fetch(`${proxy.url}/p${page}`).catch(() => undefined);
        if (response === undefined) continue;
        const text = await response.text();
        if (response.status !== 200 || !text.includes(`This is page ${page}.`))
          wrong.push(`page ${page}: ${response.status} ${text.slice(0, 80)}`);
      }
    };
    const clients = Array.from({ length: pageCount }, (_, page) => client(page));
    for (const isCut of [false, true]) {
      for (let first = 0; first < hidingMessages.length; first += 20) {
        const sent = await Promise.all(
          hidingMessages.slice(first, first + 20).map(async (message) => ({
            ...message,
            connection: await RawConnection.open(proxy.port),
          })),
        );
        for (const { connection, head, body } of sent) connection.write(isCut ? head : head + body);
        await barrier.wait();
        if (isCut) for (const { connection, body } of sent) connection.write(body);
        await barrier.wait();
        for (const { connection } of sent) connection.close();
      }
    }
    isOver = true;
    await Promise.all(clients);
    barrier.close();
    expect(wrong).toEqual([]);
    expect(await readRaw(health('Connection: close'))).toMatchObject({ status: 200 });
  });

  async function readRaw(message: string) {
    const connection = await RawConnection.open(proxy.port);
    connection.write(message);
    const { answers } = await connection.answers(1, 10_000);
    connection.close();
    const [answer] = answers;
    if (answer === undefined) throw new Error(`no answer: ${connection.text.slice(0, 200)}`);
    return answer;
  }
});
