type Headers = readonly (readonly [string, string])[];

/**
 * Status and headers as one text for `writeStatus`, without the last line break.
 *
 * Remembered per headers array: a cached page brings the same array each time, and then this is one lookup.
 *
 * @throws Error when a name or value would end its line early and could smuggle in headers of its own
 */
export function responseHead(status: string, headers: Headers): string {
  const known = heads.get(headers);
  if (known !== undefined && known.status === status) return known.head;
  let head = status;
  for (const [name, value] of headers) {
    if (!namePattern.test(name) || !valuePattern.test(value))
      throw new Error(`header ${JSON.stringify(name)} holds a forbidden character`);
    head += `\r\n${name}: ${value}`;
  }
  heads.set(headers, { status, head });
  return head;
}

const heads = new WeakMap<Headers, { readonly status: string; readonly head: string }>();
const namePattern = /^[\w!#$%&'*+.^`|~-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what a header value may not hold
const valuePattern = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;
