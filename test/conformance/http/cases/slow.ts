import { atHand, healthy } from '../answers.ts';
import type { HttpCase } from '../case.ts';
import { chunked, health, hello, post, withLine } from '../messages.ts';

/** Requests that never end, and connections without one (RFC 9112, 9.5; RFC 9110, 15.5.9). */
export interface SlowCase extends Omit<HttpCase, 'body' | 'connection'> {
  /** What follows again and again until the connection closes, as it must; empty for silence. */
  readonly more: string;
}

const rule = 'RFC 9112, 9.5';
const tooSlow: SlowCase['answers'] = [{ status: [408], has: /\r\nconnection: close/i }];

const line = 'GET / HTTP/1.1\r\n';

const headCases: readonly SlowCase[] = [
  ['a first line that stops', 'GET /healthz', ''],
  ['a first line byte by byte', 'GET /', 'a'],
  ['a head that stops in a name', `${line}Host: a\r\nX`, ''],
  ['a head that stops before its last line', `${line}Host: a\r\n`, ''],
  ['a name byte by byte', `${line}Host: a\r\nX`, 'a'],
  ['a value byte by byte', `${line}Host: a\r\nX: `, 'a'],
  ['header by header', `${line}Host: a\r\n`, 'X: a\r\n'],
].map(([name = '', send = '', more = '']) => ({ name, rule, send, more, answers: tooSlow }));

const silenceCases: readonly SlowCase[] = [
  { name: 'nothing', rule, send: '', more: '', answers: [] },
  { name: 'empty lines without end', rule, send: '', more: '\r\n', answers: [] },
  { name: 'nothing after a request', rule, send: health(), more: '', answers: [healthy] },
  {
    name: 'a second head byte by byte',
    rule,
    send: `${health()}GET /`,
    more: 'a',
    answers: [healthy, ...tooSlow],
  },
];

/** Their time is that of `-body-timeout`; nothing answers them. */
const bodyCases: readonly SlowCase[] = [
  ['a body that does not come', post('', 'Content-Length: 1000'), ''],
  ['a body byte by byte', post('', 'Content-Length: 1000'), 'a'],
  ['a body whose last byte is missing', post(hello, `Content-Length: ${hello.length + 1}`), ''],
  ['chunks that do not come', post('', chunked), ''],
  ['chunks of a byte', post('', chunked), '1\r\na\r\n'],
  ['a chunk that stops in its size', post('1', chunked), ''],
  ['a chunk byte by byte', post('ff\r\n', chunked), 'a'],
  ['no last chunk', post('1\r\na\r\n', chunked), ''],
].map(([name = '', send = '', more = '']) => ({ name, rule, send, more, answers: [] }));

const otherCases: readonly SlowCase[] = [
  { name: 'a trailer byte by byte', rule, send: post('0\r\nX: ', chunked), more: 'a', answers: [] },
  {
    name: 'a body after its answer, byte by byte',
    rule,
    send: withLine('GET / HTTP/1.1', 'Content-Length: 1000'),
    more: 'a',
    answers: [atHand],
  },
];

export const slowCases: readonly SlowCase[] = [...headCases, ...silenceCases, ...bodyCases, ...otherCases];
