import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { requestHead, sendInTurn, sendRaw } from '../support/raw.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** Core, "General rules" and "Limits": bodies in JSON. */

const json = { 'Content-Type': 'application/json' };
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  // No test has added a property to the prototype of objects, and none has written anything.
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(await callList(server, '/assets')).toEqual([]);
  await server.stop();
});

async function post(raw: string | Uint8Array, headers: Record<string, string> = json) {
  const { status, body } = await call(server, 'POST', '/assets', { raw, headers });
  const { code, params } = asRecord(body);
  return { status, code, params };
}

describe('invalid JSON is 400 with the position of the first wrong character', () => {
  it.each([
    ['', 0],
    ['  ', 2],
    ['{', 1],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ["{'a':1}", 1],
    ['[1,2', 4],
    ['[1 2]', 3],
    ['{"a":tru}', 5],
    ['{"a":01}', 6],
    ['{"a":1} x', 8],
    ['{"a":"\\x"}', 6],
    ['{"a":"\n"}', 6],
    ['{"a":"unclosed', 14],
    ['\uFEFF{}', 0],
    ['NaN', 0],
    ['{"name":"ä", nonsense}', 13],
    ['{"name":"a","name":"b"}', 12],
    ['{"name":"a","kind":"css","x":[{"y":1,"\\u0079":2}]}', 37],
    ['{"__proto__":1,"__proto__":2}', 15],
  ])('%j at %i', async (text, position) => {
    expect(await post(text)).toMatchObject({ status: 400, code: 'common.invalidJson', params: { position } });
  });

  it('text that is not UTF-8, at the wrong byte', async () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xc3, 0xa4, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    expect(await post(bytes)).toMatchObject({
      status: 400,
      code: 'common.invalidJson',
      params: { position: 4 },
    });
  });

  it.each(['[', '{"a":'])('16 MB of %j, after 100 levels', async (opening) => {
    const text = opening.repeat((16 * 2 ** 20) / opening.length - 1);
    expect(await post(text)).toMatchObject({
      status: 400,
      code: 'common.invalidJson',
      params: { position: 100 * opening.length + opening.lastIndexOf(opening.at(0) ?? '') },
    });
  });

  it('millions of elements', async () => {
    expect(await post(`[${'[],'.repeat(1_000_000)}[]]`)).toMatchObject({
      status: 400,
      code: 'common.invalidJson',
    });
  });

  it.each([
    ['a number of 12 million digits', '1'.repeat(12_000_000)],
    ['one member twice in 1 MB', `{${'"a":1,'.repeat(90_000)}"b":1}`],
    ['white space only', ' '.repeat(15 * 2 ** 20)],
  ])('%s', async (_name, text) => {
    expect(await post(text)).toMatchObject({ status: 400, code: 'common.invalidJson' });
  });

  it('brackets in strings do not count', async () => {
    const name = '[{'.repeat(200);
    const answer = await post(JSON.stringify({ name, kind: 'css' }));
    expect(answer).toMatchObject({ status: 400, code: 'common.invalid', params: { field: 'name' } });
  });
});

describe('values that cannot be stored exactly are refused', () => {
  it.each([
    ['half a surrogate pair', '{"name":"\\ud800","kind":"css"}', 'name'],
    ['half a surrogate pair in a key', '{"name":"x","kind":"css","\\udc00":1}', '\ufffd'],
    ['a NUL character', '{"name":"a\\u0000b","kind":"css"}', 'name'],
    ['a number out of range', '{"name":"x","kind":"css","base_updated_at":1e400}', 'base_updated_at'],
    ['the same, deep inside', '{"name":"x","kind":"css","x":[{"y":-1e999}]}', 'x.0.y'],
    ['2^53 + 1', '{"name":"x","kind":"css","base_updated_at":9007199254740993}', 'base_updated_at'],
    ['-2^53 - 1', '{"name":"x","kind":"css","base_updated_at":-9007199254740993}', 'base_updated_at'],
    ['twenty nines', '{"name":"x","kind":"css","y":[99999999999999999999]}', 'y.0'],
    ['a whole number of many digits', `{"name":"x","kind":"css","y":${'9'.repeat(400)}}`, 'y'],
  ])('%s', async (_name, text, field) => {
    expect(await post(text)).toMatchObject({
      status: 400,
      code: 'common.invalid',
      params: { field },
    });
  });
});

describe('values that can be stored exactly are accepted', () => {
  it.each([
    ['2^53 - 1', '9007199254740991'],
    ['2^53', '9007199254740992'],
    ['10^20', '100000000000000000000'],
    ['10^20 with an exponent', '1e20'],
    ['a large number as it is usually written', '12345678901234567000'],
    ['a fraction of many digits', '0.12345678901234567'],
    ['a large exponent of a small number', '1e-300'],
    ['minus zero', '-0'],
    ['a text of many digits', '"12345678901234567890"'],
  ])('%s', async (_name, number) => {
    const raw = `{"name":"","kind":"css","x":${number},"description":"1e400"}`;
    // Only the empty name is refused: the number was accepted, and nothing is written.
    expect(await post(raw)).toMatchObject({ code: 'common.invalid', params: { field: 'name' } });
  });

  it('equal names in different objects', async () => {
    const raw = '{"name":"","kind":"css","x":[{"a":1,"b":{"a":2}},{"a":3}],"y":":::\\":"}';
    expect(await post(raw)).toMatchObject({ code: 'common.invalid', params: { field: 'name' } });
  });
});

describe('content types', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonx',
    'text/json',
    '',
  ])('%j is 415', async (type) => {
    expect(await post('{"name":"x","kind":"css"}', { 'Content-Type': type })).toMatchObject({
      status: 415,
      code: 'common.contentType',
    });
  });

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json ;x=y'])(
    '%j is JSON',
    async (type) => {
      expect(await post('{}', { 'Content-Type': type })).toMatchObject({
        status: 400,
        code: 'common.invalid',
      });
    },
  );

  it('a compressed body is 415', async () => {
    const headers = { ...json, 'Content-Encoding': 'gzip' };
    expect(await post(gzipSync('{"name":"x","kind":"css"}'), headers)).toMatchObject({ status: 415 });
  });
});

describe('a body above 64 KB is 413 for callers without a credential', () => {
  it.each(['/auth/login', '/auth/setup'])('of %s', async (path) => {
    const body = { username: 'a', password: 'x'.repeat(100_000) };
    const answer = await call(server, 'POST', path, { token: null, body });
    expect(answer).toMatchObject({
      status: 413,
      body: { code: 'common.tooLarge', params: { max: 65_536 } },
    });
  });
});

describe('a body above 16 MB is 413', () => {
  const max = 16 * 2 ** 20;
  const head = (...lines: string[]) =>
    requestHead(
      'POST /api/v1/assets HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${masterToken}`,
      'Content-Type: application/json',
      ...lines,
    );

  it('at once when its length is announced', async () => {
    const answer = await sendRaw(server.port, head(`Content-Length: ${max + 1}`));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"common.tooLarge"');
    expect(answer).toContain(`"max":${max}`);
  });

  it('as soon as it is reached when the length is unknown', async () => {
    const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`;
    const answer = await sendRaw(server.port, head('Transfer-Encoding: chunked') + chunk.repeat(17));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('also when the client waits for 100 Continue', async () => {
    const answer = await sendRaw(server.port, head('Expect: 100-continue', `Content-Length: ${max + 1}`));
    expect(answer).toContain('HTTP/1.1 413 ');
  });

  it('but not at exactly 16 MB', async () => {
    const text = `{"name":"x"${' '.repeat(max - 12)}}`;
    expect(text.length).toBe(max);
    expect(await post(text)).toMatchObject({
      status: 400,
      code: 'common.invalid',
      params: { field: 'kind' },
    });
  });

  it('and the server answers the next call', async () => {
    expect(await callOk(server, 'GET', '/cache')).toHaveProperty('enabled');
  });
});

describe('Expect: 100-continue', () => {
  it('is answered before the body, which is read afterwards', async () => {
    const body = '{"name":"","kind":"css"}';
    const head = requestHead(
      'POST /api/v1/assets HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${masterToken}`,
      'Content-Type: application/json',
      'Expect: 100-continue',
      `Content-Length: ${body.length}`,
    );
    const [first, second] = await sendInTurn(server.port, [head, body]);
    expect(first).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(second).toMatch(/^HTTP\/1\.1 400 /);
    expect(second).toContain('"field":"name"');
  });
});

describe('keys that name prototypes', () => {
  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    '%s is an unknown field',
    async (key) => {
      const text = `{"kind":"css","${key}":{"name":"x","prototype":{"x":1}}}`;
      expect(await post(text)).toMatchObject({
        status: 400,
        code: 'common.invalid',
        params: { field: 'name' },
      });
      expect(Reflect.get({}, 'x')).toBeUndefined();
    },
  );
});
