import { bearer, chunked, health, hello, withLine } from './messages.ts';

/** Messages in which one parser may see a request where another one sees a body (RFC 9112, 11.2). */

export interface HidingMessage {
  /** Different from those of all others. */
  readonly name: string;
  readonly head: string;
  readonly body: string;
}

/** The request whose answer must never come; no message asks for the same. */
const hidden = health('X: hidden');
const length = `Content-Length: ${hidden.length}`;
const asChunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;

const json = 'Content-Type: application/json';
const targets = { GET: '/', POST: '/api/v1/markdown' } as const;

function toHead(method: keyof typeof targets, ...lines: readonly string[]): string {
  return withLine(`${method} ${targets[method]} HTTP/1.1`, bearer, json, ...lines);
}

/** A message of each kind of method. */
function ofBoth(name: string, body: string, ...lines: readonly string[]): readonly HidingMessage[] {
  return (['GET', 'POST'] as const).map((method) => ({
    name: `${method} with ${name}`,
    head: toHead(method, ...lines),
    body,
  }));
}

/** Bodies that every parser sees, of requests that do not want one. */
const inBodies = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'].flatMap((method) =>
  ['/', '/nothing', '/api/v1/markdown', '/api/v1/nothing'].flatMap((path): readonly HidingMessage[] => {
    const line = `${method} ${path} HTTP/1.1`;
    return [
      { name: `${line} with a length`, head: withLine(line, bearer, json, length), body: hidden },
      { name: `${line} with chunks`, head: withLine(line, bearer, json, chunked), body: asChunk },
      { name: `${line} without a credential`, head: withLine(line, json, length), body: hidden },
    ];
  }),
);

/** Lengths that only some parsers see. */
const inLengths = [
  ['a space before the colon', `Content-Length : ${hidden.length}`],
  ['a tab before the colon', `Content-Length\t: ${hidden.length}`],
  ['a length in a folded line', `Content-Length:\r\n ${hidden.length}`],
  ['a folded line that is a length', `X: a\r\n ${length}`],
  ['a length after CR', `X: a\r${length}`],
  ['a length after LF', `X: a\n${length}`],
  ['a length after NUL', `X: a\0\r\n${length}`],
  ['a length after a header without a name', `: a\r\n${length}`],
  ['a length after a header without a colon', `X\r\n${length}`],
  ['a length with a vertical tab', `Content-Length: \u000b${hidden.length}`],
  ['NUL after a length', `${length}\0`],
  ['a signed length', `Content-Length: +${hidden.length}`],
  ['letters after a length', `${length}a`],
  ['a length of no bytes and another', `Content-Length: 0\r\n${length}`],
  ['a length and another of no bytes', `${length}\r\nContent-Length: 0`],
  ['a list of lengths', `Content-Length: 0, ${hidden.length}`],
  ['a hexadecimal length', `Content-Length: 0x${hidden.length.toString(16)}`],
  ['a fraction', `Content-Length: ${hidden.length}.0`],
  ['a length of minus zero', 'Content-Length: -0'],
  ['a length of 2^64', `Content-Length: ${2n ** 64n}`],
  ['a length of 2^32', `Content-Length: ${2 ** 32}`],
  ['a length and an expectation', `${length}\r\nExpect: 100-continue`],
  ['a length and an odd expectation', `${length}\r\nExpect: x 100-continue`],
  ['a length and an upgrade', `${length}\r\nConnection: Upgrade\r\nUpgrade: h2c`],
  ['a length and a websocket', `${length}\r\nConnection: Upgrade\r\nUpgrade: websocket`],
  ['a length that is named as a hop', `${length}\r\nConnection: Content-Length`],
].flatMap(([name = '', lines = '']) => ofBoth(name, hidden, lines));

/** Codings that only some parsers see, or beside a length. */
const oddCodings: readonly string[] = [
  ...['xchunked', 'x', 'identity', 'chunked, identity', 'chunked, chunked', 'identity, chunked'],
  ...['chunked;a', '"chunked"', "'chunked'", '\u000bchunked', 'chunked\u000b', 'chunked\u0000'],
  ...['\u00a0chunked', 'chunked,', ',chunked', '\r\n chunked', 'chunked\r\n x'],
  'chunked\r\nTransfer-Encoding: x',
  'x\r\nTransfer-Encoding: chunked',
  'chunked\r\nTransfer-Encoding: chunked',
];
const oddCodingLines: readonly (readonly [name: string, lines: string])[] = [
  ['a coding with a space before the colon', 'Transfer-Encoding : chunked'],
  ['a coding after CR', `X: a\r${chunked}`],
  ['a coding after LF', `X: a\n${chunked}`],
  ['a coding after a header without a name', `: a\r\n${chunked}`],
  ['a coding in a folded line', `X: a\r\n ${chunked}`],
  ['NUL in the name of a coding', 'Transfer-Encoding\0: chunked'],
  ...oddCodings.map(
    (coding) => [`the coding ${JSON.stringify(coding)}`, `Transfer-Encoding: ${coding}`] as const,
  ),
];
const inCodings = oddCodingLines.flatMap(([name, lines]) => {
  const body = `0\r\n\r\n${hidden}`;
  const whole = `Content-Length: ${body.length}`;
  return [...ofBoth(`only ${name}`, body, lines), ...ofBoth(`a length and ${name}`, body, whole, lines)];
});

const beside = [
  ...ofBoth('a length and chunks', `0\r\n\r\n${hidden}`, `Content-Length: ${hidden.length + 5}`, chunked),
  ...ofBoth('chunks and a length', asChunk, chunked, 'Content-Length: 4'),
  ...ofBoth('a length of no bytes and chunks', asChunk, 'Content-Length: 0', chunked),
];

/** Chunks whose end parsers see in different places. */
const inChunks = [
  ['no size', '\r\n'],
  ['a space before a size', ' 0\r\n\r\n'],
  ['a size of minus zero', '-0\r\n\r\n'],
  ['a signed size', '+0\r\n\r\n'],
  ['a size with 0x', '0x0\r\n\r\n'],
  ['a size of 2^64', '10000000000000000\r\n\r\n'],
  ['letters after a size', '0g\r\n\r\n'],
  ['NUL after a size', '0\0\r\n\r\n'],
  ['a size that ends in LF', '0\n\r\n'],
  ['a size that ends in CR', '0\r\r\n\r\n'],
  ['LF in an extension', '0;a\nb\r\n\r\n'],
  ['CR in an extension', '0;a\rb\r\n\r\n'],
  ['no line break after data', 'a\r\n0123456789' + '0\r\n\r\n'],
  ['LF after data', 'a\r\n0123456789\n0\r\n\r\n'],
  ['other bytes after data', 'a\r\n0123456789ab0\r\n\r\n'],
  ['more data than its size', '2\r\n0123456789\r\n0\r\n\r\n'],
  ['an extension that is a chunk for others', `2;\n${'x'.repeat(2)}\r\n0\r\n\r\n`],
  ['a trailer without a colon', '0\r\nX\r\n\r\n'],
  ['a trailer that ends in LF', '0\r\nX: a\n\r\n'],
  ['a folded trailer', '0\r\nX: a\r\n b\r\n\r\n'],
  ['NUL in a trailer', '0\r\nX: \0\r\n\r\n'],
].flatMap(([name = '', chunks = '']) => ofBoth(`chunks with ${name}`, chunks + hidden, chunked));

const others: readonly HidingMessage[] = [
  {
    name: 'HTTP/1.0 with chunks',
    head: withLine('GET / HTTP/1.0', 'Connection: keep-alive', chunked),
    body: asChunk,
  },
  {
    name: 'HTTP/1.0 with a length',
    head: withLine('GET / HTTP/1.0', 'Connection: keep-alive', length),
    body: hidden,
  },
  { name: 'HTTP/0.9', head: 'GET /\r\n', body: hidden },
  { name: 'a target with CR and LF', head: 'GET /\r\n\r\n', body: hidden },
  { name: 'CONNECT', head: withLine('CONNECT a:80 HTTP/1.1'), body: hidden },
  {
    name: 'a body that is too large',
    head: toHead('POST', 'Content-Length: 99999999'),
    body: hidden,
  },
  {
    name: 'a body that is shorter than its length',
    head: toHead('POST', `Content-Length: ${hello.length + hidden.length}`),
    body: hello + hidden,
  },
];

export const hidingMessages: readonly HidingMessage[] = [
  ...inBodies,
  ...inLengths,
  ...inCodings,
  ...beside,
  ...inChunks,
  ...others,
];
