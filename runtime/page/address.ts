/**
 * The normal form of a path, in which redirect sources and dead addresses are stored and matched (Core,
 * "Redirect"): decoded once, lower case, without query, fragment and trailing slash, `/` in front.
 *
 * Characters that would be ambiguous when decoded (`%`, `?`, `#`, control characters, white space at the
 * end), and bytes that are not UTF-8, stay percent-encoded. The function is therefore idempotent.
 */
export function normalizePath(path: string): string {
  const [beforeQuery = ''] = path.split(/[?#]/, 1);
  const decoded = beforeQuery
    .toWellFormed()
    .replaceAll(/%(?![\da-f]{2})/gi, '%25')
    .replaceAll(/(?:%[\da-f]{2})+/gi, decodeRun)
    .toLowerCase();
  const inner = `/${withoutOuterSlashes(decoded)}`.replaceAll(/\p{Cc}/gu, encode);
  const visible = inner.trimEnd();
  return visible + encode(inner.slice(visible.length));
}

/**
 * A raw path as browsers ask for it: without dot segments. A path without any stays as it is written.
 *
 * @param path without query and fragment, `/` in front
 */
export function withoutDots(path: string): string {
  return dotSegment.test(path) ? new URL(`http://host${path}`).pathname : path;
}

const dotSegment = /[\\/](?:\.|%2e){1,2}(?=[\\/]|$)/i;

/** Longest path that is stored as a redirect's source or in the 404 log, in characters. */
export const maxPathLength = 2000;

/** Decodes consecutive percent-escapes. Escapes of ambiguous characters stay. */
function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run).replaceAll(/[%?#]/g, encode);
  } catch {
    return run;
  }
}

/** Not by regular expression: long runs of slashes would take quadratic time. */
function withoutOuterSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return path.slice(start, end);
}

function encode(text: string): string {
  return encodeURIComponent(text).toLowerCase();
}
