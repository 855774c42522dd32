/** The headers of a request as they came, doubles included, names in lower case. */
interface HeaderSource {
  forEach(visit: (name: string, value: string) => void): void;
}

/** Longer than any path and query this server makes (RFC 9110 asks for at least 8,000). */
const maxTargetLength = 8192;

/**
 * The status that a request gets which is malformed, or which a proxy may have framed or routed differently
 * (RFC 9112, 3.2 and 6.3); nothing for a sound one. Runs for every request, so it allocates nothing of its own.
 */
export function refusalOf(
  headers: HeaderSource,
  path: string,
  query: string,
  host: string,
): string | undefined {
  if (path.length + query.length > maxTargetLength) return '414 URI Too Long';
  if (!path.startsWith('/') || !isValidHost(host)) return '400 Bad Request';
  framing.hosts = 0;
  framing.lengths = 0;
  framing.unknown = 0;
  headers.forEach(noteFramingHeader);
  return framing.hosts > 1 || framing.lengths > 1 || framing.unknown > 0 ? '400 Bad Request' : undefined;
}

// Counted in one place by one function, because this runs for every request.
const framing = { hosts: 0, lengths: 0, unknown: 0 };

function noteFramingHeader(name: string, value: string): void {
  if (name === 'host') {
    framing.hosts++;
  } else if (name === 'content-length') {
    framing.lengths++;
    // Other texts than digits do not come this far.
    if (value === '') framing.unknown++;
  } else if (name === 'transfer-encoding' && value.toLowerCase() !== 'chunked') {
    framing.unknown++;
  }
}

let lastValidHost = '';

/** A name or address with an optional port (RFC 9112, 3.2), nothing else; most requests repeat the last one. */
function isValidHost(host: string): boolean {
  if (host === lastValidHost && host !== '') return true;
  if (!/^(?:[\w.-]{1,255}|\[[\da-fA-F:.]{2,45}\])(?::\d{1,5})?$/.test(host)) return false;
  lastValidHost = host;
  return true;
}
