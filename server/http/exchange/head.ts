import type { Headers } from '../security-headers.ts';

/**
 * Status and headers as one text for `writeStatus`, without the last line break.
 *
 * The text is cached per headers array: a cached page always has the same array, so this is one lookup.
 *
 * @param added headers of every answer; left out where `headers` has one of that name
 * @throws Error when a name or value holds a character that could end the line and add forged headers
 */
export function responseHead(status: string, headers: Headers, added: Headers): string {
  const known = heads.get(headers);
  if (known !== undefined && known.status === status && known.added === added) return known.head;
  const head = status + linesOf(headers) + linesOf(missingIn(headers, added));
  heads.set(headers, { status, added, head });
  return head;
}

function linesOf(headers: Headers): string {
  let lines = '';
  for (const [name, value] of headers) {
    if (!namePattern.test(name) || !valuePattern.test(value))
      throw new Error(`header ${JSON.stringify(name)} holds a forbidden character`);
    lines += `\r\n${name}: ${value}`;
  }
  return lines;
}

function missingIn(headers: Headers, added: Headers): Headers {
  const present = new Set(headers.map(([name]) => name.toLowerCase()));
  return added.filter(([name]) => !present.has(name.toLowerCase()));
}

interface KnownHead {
  readonly status: string;
  readonly added: Headers;
  readonly head: string;
}

const heads = new WeakMap<Headers, KnownHead>();
const namePattern = /^[\w!#$%&'*+.^`|~-]+$/;
/** Every character but control characters; a tab is allowed. */
const valuePattern = /^[\t -~\u0080-\uffff]*$/;
