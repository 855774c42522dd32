/** Whether a client takes gzip (RFC 9110, 12.5.3): named with a quality above 0, or covered by `*`. */
export function acceptsGzip(acceptEncoding: string): boolean {
  if (acceptEncoding === '') return false;
  // Fast path: browsers name gzip without a quality value.
  if (
    !acceptEncoding.includes(';') &&
    !acceptEncoding.includes('*') &&
    /(?:^|[\s,])gzip(?:$|[\s,])/.test(acceptEncoding)
  ) {
    return true;
  }
  return acceptedEncodings(acceptEncoding)('gzip');
}

/** Tells which content encodings a client takes (RFC 9110, 12.5.3). `x-gzip` is another name of gzip. */
export function acceptedEncodings(acceptEncoding: string): (name: 'gzip' | 'br') => boolean {
  const named = new Map<string, boolean>();
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const isTaken = !parameters.some((parameter) => /^q\s*=\s*0(?:\.0{0,3})?$/.test(parameter));
    named.set(name === 'x-gzip' ? 'gzip' : name, isTaken);
  }
  return (name) => named.get(name) ?? named.get('*') ?? false;
}

/**
 * Whether If-None-Match names one of the given entity tags, quotes included (RFC 9110, 13.1.2: weak
 * comparison, `*` for any).
 */
export function matchesTag(ifNoneMatch: string, identityTag: string, gzipTag: string): boolean {
  if (ifNoneMatch === '') return false;
  if (ifNoneMatch === identityTag || ifNoneMatch === gzipTag || ifNoneMatch.trim() === '*') return true;
  for (const [tag] of ifNoneMatch.matchAll(/"[^"]*"/g)) {
    if (tag === identityTag || tag === gzipTag) return true;
  }
  return false;
}
