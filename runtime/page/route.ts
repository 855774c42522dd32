import type { ContentReader, PageRecord } from '../content.ts';

/** What a request path leads to on one website (Core, "Page" and "Public non-API routes"; open points 12, "Routing"). */
export type Target =
  | {
      readonly kind: 'page';
      readonly page: PageRecord;
      readonly path: string;
      readonly rest: readonly string[];
    }
  /** An existing page under another spelling; `path` is its own. */
  | { readonly kind: 'redirect'; readonly path: string }
  | { readonly kind: 'missing'; readonly path: string };

/** Who sees which drafts: an administrator all of them, the holder of a preview link one page. */
export type PreviewScope = { readonly kind: 'all' } | { readonly kind: 'page'; readonly pageId: number };

function isVisible(page: Pick<PageRecord, 'id' | 'published'>, scope: PreviewScope | undefined): boolean {
  return page.published || (scope !== undefined && isInScope(page, scope));
}

export function isInScope(page: Pick<PageRecord, 'id'>, scope: PreviewScope): boolean {
  return scope.kind === 'all' || scope.pageId === page.id;
}

/**
 * Finds the page for a raw (still percent-encoded) path: the page of exactly that path, else the nearest
 * published catch-all page above. Drafts outside of `scope` are missing, and a draft is never answered by a
 * catch-all page above it, because its path does exist.
 */
export function resolvePath(
  reader: ContentReader,
  rootId: number,
  rawPath: string,
  scope?: PreviewScope,
): Target {
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
  reader: ContentReader,
  rootId: number,
  path: string,
  scope: PreviewScope | undefined,
): Target | undefined {
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being refused
const FORBIDDEN = /[/\\\u0000-\u001f\u007f]/;

function isSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !FORBIDDEN.test(segment);
}
