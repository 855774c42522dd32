import { randomUUID } from 'node:crypto';
import type { HostCall } from './inside/host.ts';

/** What the process does for its isolate: what the language alone has not. Text in, text out. */
export const hostCalls: Readonly<
  Record<Exclude<HostCall, 'send'>, (...args: string[]) => string | undefined>
> = {
  randomUUID: () => randomUUID(),
  'base64.encode': (text = '') => Buffer.from(text, 'utf8').toString('base64'),
  'base64.decode': (text = '') =>
    base64Text.test(text) ? Buffer.from(text, 'base64').toString('utf8') : undefined,
  'url.parse': (address = '', base = '') => {
    const url = URL.parse(address, base === '' ? undefined : base);
    return url === null ? undefined : partsOf(url);
  },
  'url.change': (address = '', part = '', value = '') => {
    const url = URL.parse(address);
    if (url === null || (part === 'href' && !URL.canParse(value))) return undefined;
    Reflect.set(url, part, value);
    return partsOf(url);
  },
  'query.parse': (query = '') => JSON.stringify([...new URLSearchParams(query)]),
  'query.text': (pairs = '[]') => new URLSearchParams(JSON.parse(pairs)).toString(),
};

/** Both alphabets, with or without padding and white space. */
const base64Text = /^[\w+/\s-]*={0,2}\s*$/;

const urlParts = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

function partsOf(url: URL): string {
  return JSON.stringify(Object.fromEntries(urlParts.map((part) => [part, url[part]])));
}
