import type { ContentReader, PageRecord } from '../content/reader.ts';

/** The target of a request path on one website (Core, "Page" and "Public non-API routes"). */
export type RouteTarget =
  | {
      readonly kind: 'page';
      readonly page: PageRecord;
      readonly path: string;
      readonly rest: readonly string[];
    }
  /** The path is another spelling of an existing page; `path` is the path of that page. */
  | { readonly kind: 'redirect'; readonly path: string }
  | { readonly kind: 'missing'; readonly path: string };

/** The drafts that a visitor sees: all for an administrator, one page with a preview link. */
export type PreviewScope = { readonly kind: 'all' } | { readonly kind: 'page'; readonly pageId: number };

type RouteReader = Pick<ContentReader, 'page' | 'pageByPath' | 'catchAllPages'>;

function isVisible(page: Pick<PageRecord, 'id' | 'published'>, scope: PreviewScope | undefined): boolean {
  return page.published || (scope !== undefined && isInScope(page, scope));
}

export function isInScope(page: Pick<PageRecord, 'id'>, scope: PreviewScope): boolean {
  return scope.kind === 'all' || scope.pageId === page.id;
}

/**
 * Finds the page for a raw (still percent-encoded) path: the page of exactly that path, else the nearest
 * published catch-all page above. Drafts outside of `scope` are missing. A catch-all page never answers for a
 * draft below it, because the path of the draft exists.
 */
export function resolvePath(
  reader: RouteReader,
  rootId: number,
  rawPath: string,
  scope?: PreviewScope,
): RouteTarget {
  const parsed = parsePath(rawPath);
  if (parsed === undefined) return { kind: 'missing', path: '/' };
  const path = `/${parsed.segments.join('/')}`;
  const exact = reader.pageByPath(rootId, path);
  if (exact !== undefined) {
    if (!isVisible(exact, scope)) return { kind: 'missing', path };
    return parsed.trailingSlash ? { kind: 'redirect', path } : { kind: 'page', page: exact, path, rest: [] };
  }
  const lower = path.toLowerCase();
  if (lower !== path) {
    const page = reader.pageByPath(rootId, lower);
    if (page !== undefined)
      return isVisible(page, scope) ? { kind: 'redirect', path: lower } : { kind: 'missing', path };
  }
  return caughtBy(reader, rootId, path, scope) ?? { kind: 'missing', path };
}

export interface ParsedPath {
  readonly segments: readonly string[];
  readonly trailingSlash: boolean;
}

/**
 * Segments of a raw path, each percent-decoded once. Undefined for paths that no page can have and that two
 * servers could read differently: invalid escapes, empty or dot segments, and segments that hold a slash, a
 * backslash or a control character after decoding.
 */
export function parsePath(rawPath: string): ParsedPath | undefined {
  if (!rawPath.startsWith('/')) return undefined;
  const raw = rawPath.slice(1).split('/');
  const trailingSlash = raw.length > 1 && raw.at(-1) === '';
  if (trailingSlash || rawPath === '/') raw.pop();
  const segments: string[] = [];
  for (const part of raw) {
    const segment = decodeOnce(part);
    if (segment === undefined || !isSegment(segment)) return undefined;
    segments.push(segment);
  }
  return { segments, trailingSlash };
}

function caughtBy(
  reader: RouteReader,
  rootId: number,
  path: string,
  scope: PreviewScope | undefined,
): RouteTarget | undefined {
  let nearest: { readonly id: number; readonly path: string } | undefined;
  for (const candidate of reader.catchAllPages(rootId)) {
    if (!isVisible(candidate, scope)) continue;
    const isAbove = candidate.path === '/' || path.startsWith(`${candidate.path}/`);
    if (isAbove && (nearest === undefined || candidate.path.length > nearest.path.length))
      nearest = candidate;
  }
  const page = nearest && reader.page(nearest.id);
  if (page === undefined) return undefined;
  const rest = path.slice(page.path === '/' ? 1 : page.path.length + 1).split('/');
  return { kind: 'page', page, path, rest };
}

function decodeOnce(part: string): string | undefined {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** Every character but `/`, `\` and control characters. */
const segmentPattern = /^[ -.0-[\]-~\u0080-\uffff]+$/;

function isSegment(segment: string): boolean {
  return segment !== '.' && segment !== '..' && segmentPattern.test(segment);
}
