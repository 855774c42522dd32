import { maxPathLength, normalizePath, withoutDots } from '../../../runtime/page/address.ts';
import { apiError, invalid } from '../../base/errors.ts';
import { isReservedPath } from '../../content/sites/reserved-paths.ts';

/**
 * The normalised path of a source; a full URL is reduced to its path (Core, "Redirect").
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

export interface RedirectTarget {
  /** As sent, with a slash in front of a path. */
  readonly target: string;
  /** Normalised path of a target on the same website, else empty. */
  readonly target_path: string;
}

/**
 * Checks a target: a path of the website, or an http(s) URL (Core, "Redirect"). A target is refused if a
 * browser could read it as another host, or a server as another header.
 *
 * @param domains domains of the website; a URL on one of them also has a path on the website
 * @throws ApiError `common.invalid` for `target`
 */
export function parseTarget(text: string, domains: readonly string[]): RedirectTarget {
  const target = text.trim();
  if (target === '') throw invalid('target', 'must not be empty');
  if (/\p{Cc}/u.test(target) || /%0[ad]/i.test(target)) throw invalid('target', 'holds a line break');
  if (/^[/\\]{2}|^\\/.test(target)) throw invalid('target', 'must not begin with // or a backslash');
  if (/^https?:/i.test(target)) return parseUrl(target, domains);
  if (/^[a-z][a-z\d+.-]*:/i.test(target)) throw invalid('target', 'must be a path or an http(s) URL');
  const path = target.startsWith('/') ? target : `/${target}`;
  const [asked = ''] = path.split(/[?#]/, 1);
  return { target: path, target_path: normalizePath(withoutDots(asked)) };
}

/** @throws ApiError `redirect.loop` if the redirect leads to its own source, directly or through others */
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
 * The sources that are part of a loop of redirects.
 *
 * @param targetPaths target path by source; a path that is no source ends the walk
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
    // Only a path of the current walk closes a loop; paths of older walks are already checked.
    if (path === undefined || walkOf.get(path) !== walk) continue;
    while (path !== undefined && !onLoops.has(path)) {
      onLoops.add(path);
      path = targetPaths.get(path);
    }
  }
  return onLoops;
}

function parseUrl(target: string, domains: readonly string[]): RedirectTarget {
  const url = /^https?:\/\/[^/\\]/i.test(target) && URL.canParse(target) ? new URL(target) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw invalid('target', 'is not a valid http(s) URL');
  }
  const host = url.hostname.replace(/\.$/, '');
  return { target, target_path: domains.includes(host) ? normalizePath(url.pathname) : '' };
}
