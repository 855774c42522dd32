import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { defineRoute } from '../../../server/api/route.ts';
import { allowedMethods, Router } from '../../../server/api/router.ts';
import { bodyValidator, queryValidator } from '../../../server/api/validate.ts';
import { BodyCollector, BodyMemory } from '../../../server/http/body/body.ts';
import { resolveClient } from '../../../server/http/client-address.ts';
import { responseHead } from '../../../server/http/exchange/answers.ts';

describe('responseHead', () => {
  it('joins status and headers', () => {
    expect(
      responseHead(
        '200 OK',
        [
          ['A', '1'],
          ['B', 'x y'],
        ],
        [['C', '2']],
      ),
    ).toBe('200 OK\r\nA: 1\r\nB: x y\r\nC: 2');
  });

  it('leaves out an added header that is there already, in any case', () => {
    expect(
      responseHead('200 OK', [['referrer-policy', 'no-referrer']], [['Referrer-Policy', 'origin']]),
    ).toBe('200 OK\r\nreferrer-policy: no-referrer');
  });

  it('is different for the same headers when others are added', () => {
    const headers = [['A', '1']] as const;
    expect(responseHead('200 OK', headers, [['B', '1']])).toBe('200 OK\r\nA: 1\r\nB: 1');
    expect(responseHead('200 OK', headers, [['B', '2']])).toBe('200 OK\r\nA: 1\r\nB: 2');
  });

  it('is different for the same headers with another status', () => {
    const headers = [['A', '1']] as const;
    expect(responseHead('200 OK', headers, [])).toBe('200 OK\r\nA: 1');
    expect(responseHead('304 Not Modified', headers, [])).toBe('304 Not Modified\r\nA: 1');
  });

  it.each([
    ['Location', 'https://a/\r\nSet-Cookie: x'],
    ['A', 'b\nc'],
    ['A', 'b\rc'],
    ['A', '\0'],
    ['A: b\r\nC', 'd'],
    ['', 'x'],
    ['A B', 'x'],
  ])('refuses %j: %j', (name, value) => {
    expect(() => responseHead('200 OK', [[name, value]], [])).toThrow(/forbidden character/);
  });
});

describe('Router', () => {
  const entry = (method: 'GET' | 'PUT', path: string) => ({
    route: defineRoute({
      method,
      path,
      access: 'read',
      needs: 'nothing',
      summary: '',
      handle: () => undefined,
    }),
  });

  it('prefers literal segments and decodes placeholders once', () => {
    const router = new Router([
      entry('GET', '/things/{id}'),
      entry('PUT', '/things/{id}'),
      entry('GET', '/things/new'),
    ]);
    expect(router.match('/things/new')?.params).toEqual(new Map());
    expect(router.match('/things/a%2Fb%2520')?.params).toEqual(new Map([['id', 'a/b%20']]));
    expect(allowedMethods(router.match('/things/1')?.methods ?? new Map())).toBe('GET, HEAD, PUT');
  });

  it.each([
    '',
    '/',
    '/things',
    '/things/',
    '/things/1/',
    '/things//',
    '/Things/1',
    '/things/%zz',
    '//things/1',
  ])('does not match %j', (path) => {
    expect(new Router([entry('GET', '/things/{id}')]).match(path)).toBeUndefined();
  });

  it('refuses a table that is ambiguous', () => {
    expect(() => new Router([entry('GET', '/a'), entry('GET', '/a')])).toThrow(/two routes for GET \/a/);
    expect(() => new Router([entry('GET', '/{a}'), entry('PUT', '/{b}')])).toThrow(/\{a\}/);
  });
});

describe('validation', () => {
  const schema = Type.Object({
    n: Type.Optional(Type.Integer({ minimum: 1 })),
    s: Type.Optional(Type.String()),
  });

  it('drops fields that a body schema does not have', () => {
    const value = bodyValidator(schema)(JSON.parse('{"n":1,"x":2,"__proto__":{"s":"no"}}'));
    expect(value).toEqual({ n: 1 });
  });

  it.each([
    ['n=7&s=x&other=1', { n: 7, s: 'x' }],
    ['', {}],
    ['s=a&s=b', { s: 'a' }],
    ['n=0012', undefined],
    ['n=1.0', undefined],
    ['n=', undefined],
    ['n=9007199254740993', undefined],
    ['n=-1', undefined],
  ])('reads the query %j', (query, expected) => {
    const read = () => queryValidator(schema)(new URLSearchParams(query));
    if (expected === undefined) expect(read).toThrow(expect.objectContaining({ code: 'common.invalid' }));
    else expect(read()).toEqual(expected);
  });
});

const noFlow = { pause() {}, resume() {}, spillPath: () => '' };

describe('BodyCollector', () => {
  const chunk = (text: string) => new TextEncoder().encode(text).buffer;
  const collector = (...headers: [string, string][]) =>
    new BodyCollector(new Map(headers), new BodyMemory().share(resolveClient('127.0.0.1', '')), noFlow);
  const announced = (length: number) => collector(['content-length', String(length)]);

  it('joins chunks from before and after the call of read()', async () => {
    const body = announced(6);
    body.add(chunk('ab'), false);
    const reading = body.read(100);
    body.add(chunk('cd'), false);
    body.add(chunk('ef'), true);
    expect(Buffer.from(await reading).toString()).toBe('abcdef');
  });

  it.each([
    ['reads', (body: BodyCollector) => body.read(10 ** 6)],
    ['streams', (body: BodyCollector) => body.stream().toArray().then(Buffer.concat)],
  ])('%s chunks of any size in their order', async (_name, read) => {
    const sizes = [1, 1, 3, 1023, 1, 1024, 5, 4096, 2, 4095, 1, 1, 20_000, 0, 7];
    const whole = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
    const body = collector(['transfer-encoding', 'chunked']);
    let position = 0;
    const add = (size: number, isLast: boolean): void => {
      body.add(Uint8Array.from(whole.subarray(position, position + size)).buffer, isLast);
      position += size;
    };
    for (const size of sizes) add(size, false);
    const reading = read(body);
    for (const size of sizes.toReversed().slice(3)) add(size, false);
    add(9, true);
    expect(whole.subarray(0, position).equals(await reading)).toBe(true);
  });

  it('needs little more memory for short chunks than their bytes', () => {
    const body = collector(['transfer-encoding', 'chunked']);
    const chunks = Array.from({ length: 1000 }, () => new ArrayBuffer(1));
    const usedBytes = () => {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = usedBytes();
    for (let count = 0; count < 500; count++) for (const chunk of chunks) body.add(chunk, false);
    expect(usedBytes() - before).toBeLessThan(20 * 2 ** 20);
  });

  it('is complete at once when no body is announced', async () => {
    const body = collector();
    expect(body.complete).toBe(true);
    expect(await body.read(10)).toHaveLength(0);
  });

  it('refuses a body by its announced length, by its received and by its later chunks', async () => {
    const tooLarge = { code: 'common.tooLarge', params: { max: 3 } };
    await expect(announced(4).read(3)).rejects.toMatchObject(tooLarge);
    const chunked = () => collector(['transfer-encoding', 'chunked']);
    const before = chunked();
    before.add(chunk('abcd'), false);
    await expect(before.read(3)).rejects.toMatchObject(tooLarge);
    const after = chunked();
    const reading = after.read(3);
    after.add(chunk('ab'), false);
    after.add(chunk('cd'), false);
    await expect(reading).rejects.toMatchObject(tooLarge);
  });

  describe('with bounded memory', () => {
    const bounds = { perAddress: 100_000, inAll: 150_000 };
    const memory = () => new BodyMemory({ small: bounds, large: bounds });
    const of = (bodies: BodyMemory, address: string) =>
      new BodyCollector(
        new Map([['content-length', '1000000']]),
        bodies.share(resolveClient(address, '')),
        noFlow,
      );
    const bytes = (size: number) => new ArrayBuffer(size);

    it('refuses what one address sends beyond its bound, and gives the memory back', async () => {
      const bodies = memory();
      const [first, second] = [of(bodies, '203.0.113.1'), of(bodies, '203.0.113.1')];
      first.add(bytes(60_000), false);
      second.add(bytes(60_000), false);
      await expect(second.read(10 ** 6)).rejects.toMatchObject({ code: 'common.rateLimited', status: 429 });
      first.abort();
      const third = of(bodies, '203.0.113.1');
      third.add(bytes(60_000), true);
      expect(await third.read(10 ** 6)).toHaveLength(60_000);
    });

    it('refuses what all send together beyond the bound, behind a local proxy too', async () => {
      const bodies = memory();
      const senders = [1, 2, 3].map(() => of(bodies, '127.0.0.1'));
      const reading = senders.map((body) => body.read(10 ** 6));
      for (const body of senders) body.add(bytes(60_000), true);
      const outcomes = await Promise.allSettled(reading);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
      expect(outcomes[2]).toMatchObject({ reason: { code: 'common.busy', status: 503 } });
    });

    it('counts large bodies apart, so that small ones are still read', async () => {
      const bodies = memory();
      for (const address of ['203.0.113.1', '203.0.113.2']) of(bodies, address).add(bytes(120_000), false);
      of(bodies, '203.0.113.3').add(bytes(120_000), false);
      const small = of(bodies, '203.0.113.4');
      small.add(bytes(10_000), true);
      expect(await small.read(10 ** 6)).toHaveLength(10_000);
    });
  });

  it('rejects when the client closes the connection', async () => {
    const body = announced(3);
    const reading = body.read(10);
    body.abort();
    await expect(reading).rejects.toMatchObject({ code: 'common.aborted' });
  });
});
