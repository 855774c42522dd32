import { healthy, malformed } from '../answers.ts';
import type { HttpCase } from '../case.ts';
import { health } from '../messages.ts';

/** Host and the form of headers (RFC 9112, 3.2 and 5; RFC 9110, 5). */

const refused = { answers: [malformed], connection: 'closes' } as const;
const answered = { answers: [healthy], connection: 'stays' } as const;
const line = 'GET /healthz HTTP/1.1\r\n';

export const hostCases: readonly HttpCase[] = [
  { name: 'no Host', rule: 'RFC 9112, 3.2', send: `${line}\r\n`, ...refused },
  ...[
    ['two hosts', 'Host: a\r\nHost: b'],
    ['twice the same host', 'Host: a\r\nHost: a'],
    ['an empty host', 'Host:'],
    ['white space', 'Host: \t '],
    ['a host with credentials', 'Host: u@a'],
    ['a host with a path', 'Host: a/b'],
    ['a host with a query', 'Host: a?b'],
    ['a host with a backslash', 'Host: a\\b'],
    ['a host with a space', 'Host: a b'],
    ['two hosts in one line', 'Host: a, b'],
    ['a host with a port that is no number', 'Host: a:b'],
    ['a host with two ports', 'Host: a:1:2'],
    ['a host with a scheme', 'Host: http://a'],
    ['a host with NUL', 'Host: a\0b'],
    ['half of an IPv6 address', 'Host: [::1'],
  ].map(
    ([name = '', text = '']): HttpCase => ({
      name,
      rule: 'RFC 9112, 3.2',
      send: `${line}${text}\r\n\r\n`,
      ...refused,
    }),
  ),
  ...[
    ['a port', 'Host: a:8080'],
    ['capital letters', 'Host: WWW.Example.COM'],
    ['an IPv4 address', 'Host: 127.0.0.1:80'],
    ['an IPv6 address', 'Host: [::1]:80'],
    ['white space around it', 'Host: \t a \t'],
    ['no white space before it', 'Host:a'],
    ['a name in capital letters', 'HOST: a'],
    ['other headers before it', 'X: y\r\nHost: a'],
  ].map(
    ([name = '', text = '']): HttpCase => ({
      name: `a host with ${name}`,
      rule: 'RFC 9110, 7.2',
      send: `${line}${text}\r\n\r\n`,
      ...answered,
    }),
  ),
];

export const headerCases: readonly HttpCase[] = [
  ...[
    ['a space before the colon', 'X : a'],
    ['a tab before the colon', 'X\t: a'],
    ['a folded line', 'X: a\r\n b: c'],
    ['a folded line with a tab', 'X: a\r\n\tb'],
    ['a folded line that is empty', 'X: a\r\n \r\nY: b'],
    ['no colon', 'X'],
    ['NUL in a value', 'X: a\0b'],
    ['CR in a value', 'X: a\rb'],
    ['CR at the end of a value', 'X: a\r\r\nY: b'],
    ['LF in a value', 'X: a\nY: b'],
    ['NUL in a name', 'X\0: a'],
    ['CR in a name', 'X\rY: a'],
  ].map(
    ([name = '', text = '']): HttpCase => ({ name, rule: 'RFC 9112, 5', send: health(text), ...refused }),
  ),
  {
    name: 'a folded line before the first header',
    rule: 'RFC 9112, 2.2',
    send: `${line} X: a\r\nHost: a\r\n\r\n`,
    ...refused,
  },
  { name: 'no name', rule: 'RFC 9112, 5', send: health(': a'), ...refused },
  ...[
    '(',
    ')',
    '<',
    '>',
    '@',
    ',',
    ';',
    '\\',
    '"',
    '/',
    '[',
    ']',
    '?',
    '=',
    '{',
    '}',
    '\u007f',
    '\u00fc',
    '\u0001',
  ].map(
    (character): HttpCase => ({
      name: `${JSON.stringify(character)} in a name`,
      rule: 'RFC 9110, 5.6.2',
      send: health(`X${character}Y: a`),
      ...refused,
    }),
  ),
  ...[
    ['every character of a token in a name', "!#$%&'*+-.^_`|~09azAZ: a"],
    ['an empty value', 'X:'],
    ['a value of white space', 'X: \t '],
    ['a tab in a value', 'X: a\tb'],
    ['bytes that are no ASCII in a value', 'X: \u00c3\u00bc\u00ff'],
    ['a name of 1,000 characters', `${'x'.repeat(1000)}: a`],
    ['a value of 12,000 characters', `X: ${'x'.repeat(12_000)}`],
    ['colons in a value', 'X: a: b:c'],
    ['names of prototypes', '__proto__: a\r\nconstructor: b'],
    ['many headers of one name', Array.from({ length: 50 }, () => 'X: a').join('\r\n')],
  ].map(
    ([name = '', text = '']): HttpCase => ({ name, rule: 'RFC 9110, 5.5', send: health(text), ...answered }),
  ),
  ...[
    ['another control character in a value', 'X: a\u0001b'],
    ['DEL in a value', 'X: a\u007fb'],
  ].map(
    ([name = '', text = '']): HttpCase => ({
      name,
      rule: 'RFC 9110, 5.5',
      send: health(text),
      answers: [{ status: [200, 400] }],
      connection: 'any',
    }),
  ),
  {
    name: '98 headers',
    rule: 'RFC 6585, 5',
    send: health(...Array.from({ length: 97 }, (_, index) => `X-${index}: a`)),
    ...answered,
  },
  {
    name: '100 headers',
    rule: 'RFC 6585, 5',
    send: health(...Array.from({ length: 99 }, (_, index) => `X-${index}: a`)),
    ...answered,
  },
  {
    name: '101 headers',
    rule: 'RFC 6585, 5',
    send: health(...Array.from({ length: 100 }, (_, index) => `X-${index}: a`)),
    answers: [{ status: [431] }],
    connection: 'closes',
  },
  {
    name: 'headers above 16 KB',
    rule: 'RFC 6585, 5',
    send: health(`X: ${'x'.repeat(17 * 1024)}`),
    answers: [{ status: [431] }],
    connection: 'closes',
  },
];
