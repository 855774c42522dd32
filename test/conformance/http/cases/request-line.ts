import { healthy, malformed, notAllowed } from '../answers.ts';
import type { HttpCase } from '../case.ts';
import { health, withLine } from '../messages.ts';

/** Methods, targets and versions (RFC 9112, 3; RFC 9110, 9). */

const refused = { answers: [malformed], connection: 'closes' } as const;
const oldVersion = { status: [400, 505] } as const;

export const methodCases: readonly HttpCase[] = [
  { name: 'GET', rule: 'RFC 9110, 9.3.1', send: health(), answers: [healthy], connection: 'stays' },
  {
    name: 'HEAD has the length of GET and no body',
    rule: 'RFC 9110, 9.3.2',
    send: withLine('HEAD /healthz HTTP/1.1'),
    answers: [{ status: [200], isHead: true, has: /\r\ncontent-length: [1-9]\d*/i }],
    connection: 'stays',
  },
  {
    name: 'HEAD of what does not exist has no body',
    rule: 'RFC 9110, 9.3.2',
    send: withLine('HEAD /nothing HTTP/1.1'),
    answers: [{ status: [404], isHead: true }],
    connection: 'stays',
  },
  {
    name: 'HEAD of the API has no body',
    rule: 'RFC 9110, 9.3.2',
    send: withLine('HEAD /api/v1/nothing HTTP/1.1'),
    answers: [{ status: [404], isHead: true }],
    connection: 'stays',
  },
  ...['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'].map(
    (method): HttpCase => ({
      name: `${method} where only GET is allowed`,
      rule: 'RFC 9110, 15.5.6',
      send: withLine(`${method} / HTTP/1.1`),
      answers: [notAllowed],
      connection: 'closes',
    }),
  ),
  {
    name: 'CONNECT is no tunnel',
    rule: 'RFC 9110, 9.3.6',
    send: withLine('CONNECT a:443 HTTP/1.1'),
    answers: [{ status: [400, 405, 501] }],
    connection: 'closes',
  },
  {
    name: 'OPTIONS for the whole server',
    rule: 'RFC 9112, 3.2.4',
    send: withLine('OPTIONS * HTTP/1.1'),
    answers: [{ status: [200, 204, 400, 405] }],
    connection: 'closes',
  },
  ...['FOO', 'A'.repeat(300), 'get', 'Get', 'X-~!#$%&|'].map(
    (method): HttpCase => ({
      name: `the unknown method ${method.slice(0, 10)}`,
      rule: 'RFC 9110, 9.1',
      send: withLine(`${method} /healthz HTTP/1.1`),
      answers: [{ status: [400, 405, 501] }],
      connection: 'closes',
    }),
  ),
  ...[
    ['no method', ' /healthz HTTP/1.1'],
    ['a method that is no token', 'G(T /healthz HTTP/1.1'],
    ['a method with a control character', 'GE\u0001T /healthz HTTP/1.1'],
  ].map(
    ([name = '', line = '']): HttpCase => ({ name, rule: 'RFC 9112, 3.1', send: withLine(line), ...refused }),
  ),
];

export const targetCases: readonly HttpCase[] = [
  ...[
    ['no path', 'GET x HTTP/1.1'],
    ['an absolute address, whose host may differ', 'GET http://b/healthz HTTP/1.1'],
    ['an absolute address with the same host', 'GET http://a/healthz HTTP/1.1'],
    ['an absolute address with https', 'GET https://a/healthz HTTP/1.1'],
    ['only a query', 'GET ?a HTTP/1.1'],
    ['only a fragment', 'GET #a HTTP/1.1'],
    ['nothing', 'GET  HTTP/1.1'],
    ['a host without a scheme', 'GET a:80 HTTP/1.1'],
    ['spaces in it', 'GET /a b HTTP/1.1'],
  ].map(
    ([name = '', line = '']): HttpCase => ({
      name: `the target is ${name}`,
      rule: 'RFC 9112, 3.2',
      send: withLine(line),
      ...refused,
    }),
  ),
  ...[
    ['a control character', '/\u0001'],
    ['NUL', '/\0'],
    ['a tab', '/a\tb'],
    ['DEL', '/\u007f'],
    ['CR', '/a\rb'],
  ].map(
    ([name = '', target = '']): HttpCase => ({
      name: `${name} in the target`,
      rule: 'RFC 3986, 2',
      send: withLine(`GET ${target} HTTP/1.1`),
      ...refused,
    }),
  ),
  {
    name: 'bytes that are no ASCII in the target',
    rule: 'RFC 3986, 2',
    send: withLine('GET /\u00c3\u00bc HTTP/1.1'),
    ...refused,
  },
  ...['//healthz', '/./healthz', '/%68ealthz/..', '/;a', '/%', '/%zz', '/\\', '/"<>{}|^`', '/?a#b'].map(
    (target): HttpCase => ({
      name: `the odd target ${target}`,
      rule: 'RFC 9110, 4.2',
      send: withLine(`GET ${target} HTTP/1.1`),
      answers: [{ status: [200, 301, 308, 400, 404], hasNot: /"status":"ok"/ }],
      connection: 'any',
    }),
  ),
  {
    name: 'a target of 8,192 characters',
    rule: 'RFC 9112, 3',
    send: withLine(`GET /${'a'.repeat(8191)} HTTP/1.1`),
    answers: [{ status: [404] }],
    connection: 'stays',
  },
  {
    name: 'a target that is longer',
    rule: 'RFC 9110, 15.5.15',
    send: withLine(`GET /${'a'.repeat(8192)} HTTP/1.1`),
    answers: [{ status: [414] }],
    connection: 'closes',
  },
];

export const versionCases: readonly HttpCase[] = [
  ...['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/3.0', 'HTTP/1.2', 'HTTP/9.9', 'HTTP/1.10', 'HTTP/11'].map(
    (version): HttpCase => ({
      name: `the version ${version}`,
      rule: 'RFC 9110, 15.6.6',
      send: withLine(`GET /healthz ${version}`),
      answers: [oldVersion],
      connection: 'closes',
    }),
  ),
  ...[
    ['keep-alive', 'Connection: keep-alive'],
    ['chunks', 'Transfer-Encoding: chunked'],
    ['a length', 'Content-Length: 0'],
  ].map(
    ([name = '', line = '']): HttpCase => ({
      name: `HTTP/1.0 with ${name}`,
      rule: 'RFC 9112, 9.3',
      send: withLine('GET /healthz HTTP/1.0', line),
      answers: [oldVersion],
      connection: 'closes',
    }),
  ),
  {
    name: 'HTTP/1.0 without Host',
    rule: 'RFC 9110, 15.6.6',
    send: 'GET /healthz HTTP/1.0\r\n\r\n',
    answers: [oldVersion],
    connection: 'closes',
  },
  ...['http/1.1', 'HTTP/1.1 ', 'HTTP/1,1', 'HTTP 1.1', 'HTTPS/1.1', 'ICE/1.0', 'RTSP/1.0'].map(
    (version): HttpCase => ({
      name: `the version is written ${JSON.stringify(version)}`,
      rule: 'RFC 9112, 2.3',
      send: withLine(`GET /healthz ${version}`),
      answers: [oldVersion],
      connection: 'closes',
    }),
  ),
  {
    name: 'no version',
    rule: 'RFC 9112, 3',
    send: 'GET /healthz\r\n\r\n',
    answers: [oldVersion],
    connection: 'closes',
  },
  {
    name: 'the preface of HTTP/2',
    rule: 'RFC 9113, 3.4',
    send: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    answers: [oldVersion],
    connection: 'closes',
  },
];

export const lineCases: readonly HttpCase[] = [
  {
    name: 'an empty line before the request',
    rule: 'RFC 9112, 2.2',
    send: `\r\n${health()}`,
    answers: [healthy],
    connection: 'stays',
  },
  {
    name: 'white space before the request line',
    rule: 'RFC 9112, 2.2',
    send: ` ${health()}`,
    ...refused,
  },
  {
    name: 'lines that end in LF',
    rule: 'RFC 9112, 2.2',
    send: health().replaceAll('\r\n', '\n'),
    ...refused,
  },
  {
    name: 'lines that end in CR',
    rule: 'RFC 9112, 2.2',
    send: health().replaceAll('\r\n', '\r'),
    ...refused,
  },
  {
    name: 'the request line ends in LF',
    rule: 'RFC 9112, 2.2',
    send: health().replace('\r\n', '\n'),
    ...refused,
  },
  {
    name: 'the last line ends in LF',
    rule: 'RFC 9112, 2.2',
    send: health().replace(/\r\n$/, '\n'),
    ...refused,
  },
  {
    name: 'two spaces in the request line',
    rule: 'RFC 9112, 3',
    send: withLine('GET  /healthz  HTTP/1.1'),
    answers: [{ status: [200, 400, 505] }],
    connection: 'any',
  },
  {
    name: 'a tab in place of a space',
    rule: 'RFC 9112, 3',
    send: withLine('GET\t/healthz\tHTTP/1.1'),
    ...refused,
  },
  {
    name: 'bytes of TLS',
    rule: 'RFC 9112, 2.2',
    send: '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003\r\n\r\n',
    ...refused,
  },
  { name: 'NUL', rule: 'RFC 9112, 2.2', send: '\0\0\0\0\r\n\r\n', ...refused },
];
