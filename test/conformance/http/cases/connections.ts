import { atHand, echoed, healthy } from '../answers.ts';
import type { HttpCase } from '../case.ts';
import { health, hello, helloLength, post, postTo, withLine } from '../messages.ts';

/** How long a connection is used, and what may come before an answer (RFC 9112, 9; RFC 9110, 7 and 10.1.1). */

const page = withLine('GET / HTTP/1.1');
const closing: HttpCase['answers'] = [{ status: [200], has: /\r\nconnection: close/i }];

export const connectionCases: readonly HttpCase[] = [
  ...[
    'close',
    'Close',
    'keep-alive, close',
    'close, X-A',
    ' close ',
    '"a", close',
    'x\r\nConnection: close',
  ].map(
    (value): HttpCase => ({
      name: `Connection: ${JSON.stringify(value)}`,
      rule: 'RFC 9112, 9.6',
      send: health(`Connection: ${value}`),
      answers: closing,
      connection: 'closes',
    }),
  ),
  ...['keep-alive', 'Keep-Alive', '', 'X-A', 'closed', 'x-close', 'te', 'host'].map(
    (value): HttpCase => ({
      name: `Connection: ${JSON.stringify(value)}`,
      rule: 'RFC 9112, 9.3',
      send: health(`Connection: ${value}`),
      answers: [healthy],
      connection: 'stays',
    }),
  ),
  {
    name: 'nothing is read after the last request',
    rule: 'RFC 9112, 9.6',
    send: withLine('GET / HTTP/1.1', 'Connection: close') + page,
    answers: [atHand],
    connection: 'closes',
  },
  {
    name: 'a body with Connection: close',
    rule: 'RFC 9112, 9.6',
    send: post(hello, helloLength, 'Connection: close'),
    answers: [{ status: [200], has: /\r\nconnection: close[\s\S]*<p>hello/i }],
    connection: 'closes',
  },
];

export const pipelineCases: readonly HttpCase[] = [
  {
    name: 'three requests at once',
    rule: 'RFC 9112, 9.3.2',
    send: page.repeat(3),
    answers: [atHand, atHand, atHand],
    connection: 'stays',
  },
  {
    name: 'a request after one with a body',
    rule: 'RFC 9112, 9.3.2',
    send: `${withLine('GET / HTTP/1.1', 'Content-Length: 2')}{}${page}`,
    answers: [atHand, atHand],
    connection: 'stays',
  },
  {
    name: 'empty lines between requests',
    rule: 'RFC 9112, 2.2',
    send: `${page}\r\n${page}`,
    answers: [atHand, atHand],
    connection: 'stays',
  },
  {
    name: 'what is no request after one',
    rule: 'RFC 9112, 2.2',
    send: `${page}\u0001\r\n\r\n`,
    answers: [atHand, { status: [400] }],
    connection: 'closes',
  },
];

export const expectationCases: readonly HttpCase[] = [
  ...['100-continue', '100-Continue'].map(
    (value): HttpCase => ({
      name: `Expect: ${value} with its body`,
      rule: 'RFC 9110, 10.1.1',
      send: post(hello, helloLength, `Expect: ${value}`),
      answers: [echoed],
      connection: 'any',
    }),
  ),
  {
    name: 'Expect: 100-continue before its body',
    rule: 'RFC 9110, 10.1.1',
    send: post('', helloLength, 'Expect: 100-continue'),
    body: hello,
    answers: [echoed],
    connection: 'any',
  },
  {
    name: 'Expect without a body',
    rule: 'RFC 9110, 10.1.1',
    send: health('Expect: 100-continue'),
    answers: [healthy],
    connection: 'any',
  },
  {
    name: 'another expectation',
    rule: 'RFC 9110, 15.5.18',
    send: health('Expect: wonders'),
    answers: [{ status: [200, 417] }],
    connection: 'any',
  },
  {
    name: 'Expect of a caller without a credential',
    rule: 'RFC 9110, 10.1.1',
    send: postTo(
      '/api/v1/snippets',
      '',
      'Content-Type: application/json',
      'Content-Length: 1000',
      'Expect: 100-continue',
    ),
    answers: [{ status: [401] }],
    connection: 'closes',
  },
];

export const upgradeCases: readonly HttpCase[] = [
  ...['websocket', 'h2c', 'TLS/1.0', 'HTTP/3.0', 'a, b'].map(
    (protocol): HttpCase => ({
      name: `an upgrade to ${protocol} is not made`,
      rule: 'RFC 9110, 7.8',
      send: health('Connection: Upgrade', `Upgrade: ${protocol}`, 'HTTP2-Settings: AAMAAABkAAQAAP__'),
      answers: [{ ...healthy, hasNot: /\r\nupgrade:/i }],
      connection: 'stays',
    }),
  ),
  {
    name: 'a websocket handshake gets an ordinary answer',
    rule: 'RFC 6455, 4.2.2',
    send: health(
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
    ),
    answers: [healthy],
    connection: 'stays',
  },
  {
    name: 'an upgrade with a body',
    rule: 'RFC 9110, 7.8',
    send: post(hello, helloLength, 'Connection: Upgrade', 'Upgrade: h2c'),
    answers: [echoed],
    connection: 'stays',
  },
];

export const answerCases: readonly HttpCase[] = [
  {
    name: '204 has no length',
    rule: 'RFC 9110, 8.6',
    send: postTo('/api/v1/auth/logout', '', 'Content-Length: 0'),
    answers: [{ status: [204], hasNot: /\r\n(?:content-length|transfer-encoding):/i }],
    connection: 'stays',
  },
  {
    name: '204 has no length when the connection closes',
    rule: 'RFC 9110, 8.6',
    send: postTo('/api/v1/auth/logout', '', 'Content-Length: 0', 'Connection: close'),
    answers: [
      { status: [204], has: /\r\nconnection: close/i, hasNot: /\r\n(?:content-length|transfer-encoding):/i },
    ],
    connection: 'closes',
  },
  {
    name: '204 to a request in chunks has no length',
    rule: 'RFC 9110, 8.6',
    send: postTo('/api/v1/auth/logout', '0\r\n\r\n', 'Transfer-Encoding: chunked'),
    answers: [{ status: [204], hasNot: /\r\n(?:content-length|transfer-encoding):/i }],
    connection: 'any',
  },
  {
    name: 'an answer has a date',
    rule: 'RFC 9110, 6.6.1',
    send: health(),
    answers: [{ status: [200], has: /\r\ndate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/i }],
    connection: 'stays',
  },
  {
    name: 'a 404 has a date',
    rule: 'RFC 9110, 6.6.1',
    send: withLine('GET /nothing HTTP/1.1'),
    answers: [{ status: [404], has: /\r\ndate: /i }],
    connection: 'stays',
  },
  {
    name: '304 has no body',
    rule: 'RFC 9110, 15.4.5',
    send: withLine('GET /robots.txt HTTP/1.1', 'If-None-Match: *'),
    answers: [{ status: [304, 200] }],
    connection: 'stays',
  },
];
