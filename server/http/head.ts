type Headers = readonly (readonly [string, string])[];

/**
 * Status and headers as one text for `writeStatus`, without the last line break.
 *
 * The text is cached per headers array: a cached page always has the same array, so this is one lookup.
 *
 * @throws Error when a name or value holds a character that could end the line and add forged headers
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
/** Every character but control characters; a tab is allowed. */
const valuePattern = /^[\t -~\u0080-\uffff]*$/;
