import { atHand, echoed, healthy, malformed } from '../answers.ts';
import type { HttpCase } from '../case.ts';
import {
  bearer,
  chunked,
  health,
  hello,
  helloChunk,
  helloLength,
  lastChunk,
  post,
  withLine,
} from '../messages.ts';

/** Where a body ends (RFC 9112, 6 and 7). */

const refused = { answers: [malformed], connection: 'closes' } as const;
/** After a body in chunks the connection may close: one parser reads chunks that another would read differently. */
const echoedOnce = { answers: [echoed], connection: 'any' } as const;

export const lengthCases: readonly HttpCase[] = [
  {
    name: 'a body with its length',
    rule: 'RFC 9112, 6.2',
    send: post(hello, helloLength),
    answers: [echoed],
    connection: 'stays',
  },
  ...[
    ['two different lengths', 'Content-Length: 5\r\nContent-Length: 16'],
    ['twice the same length', `${helloLength}\r\n${helloLength}`],
    ['a list of lengths', 'Content-Length: 16, 16'],
    ['a list of different lengths', 'Content-Length: 16, 5'],
    ['a signed length', 'Content-Length: +16'],
    ['a negative length', 'Content-Length: -1'],
    ['a hexadecimal length', 'Content-Length: 0x10'],
    ['a fraction', 'Content-Length: 16.0'],
    ['an exponent', 'Content-Length: 1e1'],
    ['an empty length', 'Content-Length:'],
    ['a length of white space', 'Content-Length: \t'],
    ['a space within a length', 'Content-Length: 1 6'],
    ['letters after a length', 'Content-Length: 16a'],
    ['a length beyond 2^64', 'Content-Length: 18446744073709551632'],
    ['a length of many digits', `Content-Length: ${'9'.repeat(40)}`],
    ['a length with a vertical tab', 'Content-Length: \u000b16'],
    ['a length with another digit', 'Content-Length: \u00b916'],
    ['a length with a space before the colon', 'Content-Length : 16'],
    ['a length in a folded line', 'Content-Length:\r\n 16'],
    ['a length and chunks', `${helloLength}\r\n${chunked}`],
    ['chunks and a length', `${chunked}\r\n${helloLength}`],
  ].map(
    ([name = '', lines = '']): HttpCase => ({
      name,
      rule: 'RFC 9112, 6.3',
      send: post(`${hello}`, lines),
      ...refused,
    }),
  ),
  {
    name: 'a length with spaces around it',
    rule: 'RFC 9110, 5.5',
    send: post(hello, `Content-Length:   ${hello.length}  `),
    answers: [echoed],
    connection: 'stays',
  },
  {
    name: 'a length with a zero in front',
    rule: 'RFC 9110, 8.6',
    send: post(hello, `Content-Length: 00${hello.length}`),
    answers: [{ status: [200, 400] }],
    connection: 'any',
  },
  {
    name: 'a body of GET, which means nothing',
    rule: 'RFC 9110, 9.3.1',
    send: `${health('Content-Length: 5')}GET /`,
    answers: [healthy],
    connection: 'stays',
  },
  {
    name: 'a body of HEAD, which means nothing',
    rule: 'RFC 9110, 9.3.2',
    send: `${withLine('HEAD /healthz HTTP/1.1', 'Content-Length: 5')}GET /`,
    answers: [{ status: [200], isHead: true }],
    connection: 'stays',
  },
  {
    name: 'two lengths of GET',
    rule: 'RFC 9112, 6.3',
    send: health('Content-Length: 0', 'Content-Length: 1'),
    ...refused,
  },
  {
    name: 'a body that is longer than its length',
    rule: 'RFC 9112, 6.3',
    send: `${withLine('GET / HTTP/1.1', 'Content-Length: 2')}{}\u0001\r\n\r\n`,
    answers: [atHand, malformed],
    connection: 'closes',
  },
  {
    name: 'a POST without a length has no body',
    rule: 'RFC 9112, 6.3',
    send: post(''),
    answers: [{ status: [400, 411], has: /common\.|Length/ }],
    connection: 'any',
  },
  {
    name: 'a length of 0',
    rule: 'RFC 9112, 6.2',
    send: post('', 'Content-Length: 0'),
    answers: [{ status: [400], has: /common\./ }],
    connection: 'stays',
  },
];

export const codingCases: readonly HttpCase[] = [
  { name: 'one chunk', rule: 'RFC 9112, 7.1', send: post(helloChunk + lastChunk, chunked), ...echoedOnce },
  {
    name: 'a chunk for every byte',
    rule: 'RFC 9112, 7.1',
    send: post([...hello].map((byte) => `1\r\n${byte}\r\n`).join('') + lastChunk, chunked),
    ...echoedOnce,
  },
  {
    name: 'a coding in capital letters',
    rule: 'RFC 9112, 7',
    send: post(helloChunk + lastChunk, 'Transfer-Encoding: Chunked'),
    ...echoedOnce,
  },
  {
    name: 'a size with zeros in front and in capital letters',
    rule: 'RFC 9112, 7.1',
    send: post(`000A\r\n${hello.slice(0, 10)}\r\n06\r\n${hello.slice(10)}\r\n000\r\n\r\n`, chunked),
    ...echoedOnce,
  },
  {
    name: 'no chunks but the last one',
    rule: 'RFC 9112, 7.1',
    send: post(lastChunk, chunked),
    answers: [{ status: [400], has: /common\./ }],
    connection: 'any',
  },
  {
    name: 'chunks of GET, which mean nothing',
    rule: 'RFC 9110, 9.3.1',
    send: health(chunked) + helloChunk + lastChunk,
    answers: [healthy],
    connection: 'any',
  },
  ...[
    ['an extension', `10;a=b\r\n${hello}\r\n${lastChunk}`],
    ['an extension without a value', `10;a\r\n${hello}\r\n${lastChunk}`],
    ['an extension in quotes', `10;a="b;\\"c"\r\n${hello}\r\n${lastChunk}`],
    ['an extension of the last chunk', `${helloChunk}0;a=b\r\n\r\n`],
    ['a trailer', `${helloChunk}0\r\nX: y\r\n\r\n`],
    ['a trailer that would be a host', `${helloChunk}0\r\nHost: b\r\n\r\n`],
  ].map(
    ([name = '', body = '']): HttpCase => ({
      name: `chunks with ${name}`,
      rule: 'RFC 9112, 7.1.1 and 7.1.2',
      send: post(body, chunked),
      ...echoedOnce,
    }),
  ),
  ...[
    ['xchunked'],
    ['chunked, identity'],
    ['identity'],
    ['gzip'],
    ['gzip, chunked'],
    ['chunked, chunked'],
    ['chunked;q=1'],
    ['"chunked"'],
    ['\u000bchunked'],
    ['chunked\u0000'],
    ['chunked\r\n identity'],
    ['chunked\r\nTransfer-Encoding: chunked'],
    ['chunked\r\nTransfer-Encoding: identity'],
    ['identity\r\nTransfer-Encoding: chunked'],
    [''],
    [','],
    ['chunked,'],
  ].map(
    ([coding = '']): HttpCase => ({
      name: `the coding ${JSON.stringify(coding)}`,
      rule: 'RFC 9112, 6.1',
      send: post(helloChunk + lastChunk, `Transfer-Encoding: ${coding}`),
      answers: [{ status: [400, 501] }],
      connection: 'closes',
    }),
  ),
  ...[
    ['a space before the colon', 'Transfer-Encoding : chunked'],
    ['a name that is cut by a control character', 'Transfer\u000b-Encoding: chunked'],
  ].map(
    ([name = '', line = '']): HttpCase => ({
      name: `a coding with ${name}`,
      rule: 'RFC 9112, 5.1',
      send: post(helloChunk + lastChunk, line),
      ...refused,
    }),
  ),
];

export const oddFramingCases: readonly HttpCase[] = [
  {
    name: 'a length with tabs around it',
    rule: 'RFC 9110, 5.5',
    send: post(hello, `Content-Length:\t${hello.length}\t`),
    answers: [{ status: [200, 400] }],
    connection: 'any',
  },
  {
    name: 'a trailer that would be a length',
    rule: 'RFC 9110, 6.5.1',
    send: post(`${helloChunk}0\r\nContent-Length: 5\r\n\r\n`, chunked),
    answers: [{ status: [200, 400] }],
    connection: 'any',
  },
  {
    name: 'a header that only looks like a coding',
    rule: 'RFC 9112, 6.3',
    send: post(helloChunk + lastChunk, 'Transfer_Encoding: chunked'),
    answers: [malformed],
    connection: 'closes',
  },
];

export const chunkCases: readonly HttpCase[] = [
  ...[
    ['a negative size', `-10\r\n${hello}\r\n`],
    ['a signed size', `+10\r\n${hello}\r\n`],
    ['a size with 0x', `0x10\r\n${hello}\r\n`],
    ['no size', `\r\n${hello}\r\n`],
    ['a space before the size', ` 10\r\n${hello}\r\n`],
    ['a size with an underscore', `1_0\r\n${hello}\r\n`],
    ['a size beyond 2^64', `10000000000000010\r\n${hello}\r\n`],
    ['a size that ends in LF', `10\n${hello}\r\n`],
    ['CR twice after a size', `10\r\r\n${hello}\r\n`],
    ['data that ends in LF', `10\r\n${hello}\n`],
    ['data that ends in nothing', `10\r\n${hello}`],
    ['data that is longer than its size', `f\r\n${hello}\r\n`],
    ['data that is shorter than its size', `11\r\n${hello}\r\n`],
    ['an extension with LF', `10;a\nb\r\n${hello}\r\n`],
    ['an extension with CR', `10;a\rb\r\n${hello}\r\n`],
    ['an extension with NUL', `10;a\0b\r\n${hello}\r\n`],
  ].map(
    ([name = '', chunk = '']): HttpCase => ({
      name: `a chunk with ${name}`,
      rule: 'RFC 9112, 7.1',
      send: post(chunk + lastChunk, chunked),
      ...refused,
    }),
  ),
  {
    name: 'a chunk with a size that ends in CR',
    rule: 'RFC 9112, 7.1',
    // One parser looks at it when more has come.
    send: post(`10\r${hello}\r\n${lastChunk}`, chunked) + health(),
    ...refused,
  },
  {
    name: 'a chunk with a space after the size',
    rule: 'RFC 9112, 7.1.1',
    send: post(`10 \r\n${hello}\r\n${lastChunk}`, chunked),
    answers: [{ status: [200, 400] }],
    connection: 'any',
  },
  ...[
    ['the last chunk ends in LF', `${helloChunk}0\n\n`],
    ['a trailer without a colon', `${helloChunk}0\r\nX\r\n\r\n`],
    ['a trailer with a space before the colon', `${helloChunk}0\r\nX : y\r\n\r\n`],
    ['a trailer with NUL', `${helloChunk}0\r\nX: \0\r\n\r\n`],
    ['a folded trailer', `${helloChunk}0\r\nX: y\r\n z\r\n\r\n`],
    ['trailers above 16 KB', `${helloChunk}0\r\nX: ${'y'.repeat(17_000)}\r\n\r\n`],
  ].map(
    ([name = '', body = '']): HttpCase => ({
      name,
      rule: 'RFC 9112, 7.1.2',
      send: post(body, chunked),
      answers: [{ status: [400, 431] }],
      connection: 'closes',
    }),
  ),
  {
    name: 'a body of the API that is too large',
    rule: 'RFC 9110, 15.5.14',
    send: withLine(
      'POST /api/v1/markdown HTTP/1.1',
      bearer,
      'Content-Type: application/json',
      'Content-Length: 99999999',
    ),
    answers: [{ status: [413] }],
    connection: 'closes',
  },
];
