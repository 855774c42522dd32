import { maxPathLength, normalizePath } from '../../runtime/page/address.ts';
import { apiError, invalid } from '../errors.ts';

/** Paths that other parts of the service answer, with all below them. */
const reservedPaths = [
  '/cms-admin',
  '/api',
  '/media',
  '/_assets',
  '/sitemap.xml',
  '/healthz',
  '/favicon.ico',
  '/robots.txt',
];

/** Whether a normalised path is answered by another part of the service, so that no redirect could ever work. */
export function isReservedPath(path: string): boolean {
  return reservedPaths.some((reserved) => path === reserved || path.startsWith(`${reserved}/`));
}

/**
 * The normalised path of a source; a full URL reduces to its path (Core, "Redirect").
 *
 * @throws ApiError `common.invalid` for `source`
 */
export function parseSource(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw invalid('source', 'must not be empty');
  const source = normalizePath(trimmed.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, ''));
  if (source.length > maxPathLength) throw invalid('source', `is longer than ${maxPathLength} characters`);
  if (source === '/') throw invalid('source', 'must not be the home page');
  if (isReservedPath(source)) throw invalid('source', `${source} is answered by the service itself`);
  return source;
}

export interface Target {
  /** As sent, with a slash in front of a path. */
  readonly target: string;
  /** Normalised path of a target on the same website, else empty. */
  readonly target_path: string;
}

/**
 * Checks a target: a path of the website, or an http(s) URL (Core, "Redirect"; open points 11 and 12, "Redirects").
 * What a browser could read as another host, or a server as another header, is refused.
 *
 * @param domains of the website; a URL on one of them is a path of the website as well
 * @throws ApiError `common.invalid` for `target`
 */
export function parseTarget(text: string, domains: readonly string[]): Target {
  const target = text.trim();
  if (target === '') throw invalid('target', 'must not be empty');
  if (/\p{Cc}/u.test(target) || /%0[ad]/i.test(target)) throw invalid('target', 'holds a line break');
  if (/^[/\\]{2}|^\\/.test(target)) throw invalid('target', 'must not begin with // or a backslash');
  if (/^https?:/i.test(target)) return parseUrl(target, domains);
  if (/^[a-z][a-z\d+.-]*:/i.test(target)) throw invalid('target', 'must be a path or an http(s) URL');
  const path = target.startsWith('/') ? target : `/${target}`;
  return { target: path, target_path: normalizePath(path) };
}

/** @throws ApiError `redirect.loop` for a redirect to its own source, or one that others lead back to it */
export async function checkLoop(
  source: string,
  targetPath: string,
  next: (path: string) => Promise<string | undefined>,
): Promise<void> {
  const seen = new Set<string>();
  let path: string | undefined = targetPath;
  while (path !== undefined && path !== '' && !seen.has(path)) {
    if (path === source) throw apiError('redirect.loop', { source });
    seen.add(path);
    path = await next(path);
  }
}

/**
 * The sources from which following the redirects comes back to where it began.
 *
 * @param targetPaths by source; paths that are no source end the way
 */
export function sourcesOnLoops(targetPaths: ReadonlyMap<string, string>): ReadonlySet<string> {
  const walkOf = new Map<string, number>();
  const onLoops = new Set<string>();
  let walk = 0;
  for (const start of targetPaths.keys()) {
    walk++;
    let path: string | undefined = start;
    while (path !== undefined && !walkOf.has(path)) {
      walkOf.set(path, walk);
      path = targetPaths.get(path);
    }
    // Only a path met in this very walk closes a loop; older ones were settled before.
    if (path === undefined || walkOf.get(path) !== walk) continue;
    while (path !== undefined && !onLoops.has(path)) {
      onLoops.add(path);
      path = targetPaths.get(path);
    }
  }
  return onLoops;
}

function parseUrl(target: string, domains: readonly string[]): Target {
  const url = /^https?:\/\/[^/\\]/i.test(target) && URL.canParse(target) ? new URL(target) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw invalid('target', 'is not a valid http(s) URL');
  }
  return { target, target_path: domains.includes(url.hostname) ? normalizePath(url.pathname) : '' };
}
