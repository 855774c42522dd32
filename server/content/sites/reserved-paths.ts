import { normalizePath } from '../../../runtime/page/address.ts';

/**
 * First path segments that the service answers itself on every website, with all paths below them. No page
 * directly below a home page and no redirect may use one, and delivery never looks for a page there.
 */
export const reservedNames = [
  'cms-admin',
  'api',
  'media',
  '_assets',
  'sitemap.xml',
  'robots.txt',
  'favicon.ico',
  'healthz',
  'metrics',
] as const;

export type ReservedName = (typeof reservedNames)[number];

const names: ReadonlyMap<string, ReservedName> = new Map(reservedNames.map((name) => [name, name]));

/** The reserved name of a first path segment. Large sitemaps have parts: `sitemap-1.xml`. */
export function findReservedName(segment: string): ReservedName | undefined {
  return names.get(segment) ?? (/^sitemap-\d+\.xml$/.test(segment) ? 'sitemap.xml' : undefined);
}

/** The reserved name at the start of a path. The path begins with `/`. */
export function reservedNameIn(path: string): ReservedName | undefined {
  const end = path.indexOf('/', 1);
  return findReservedName(end < 0 ? path.slice(1) : path.slice(1, end));
}

/** Whether the service itself answers a path that begins with `/`. */
export function isReservedPath(path: string): boolean {
  return reservedNameIn(path) !== undefined;
}

/**
 * Whether a raw path begins with a reserved name in upper case or with percent-encoded characters. No page
 * may answer there either, so that nobody takes it for the service.
 */
export function isReservedSpelling(path: string): boolean {
  const [, segment = ''] = path.split('/', 2);
  return /[A-Z%]/.test(segment) && reservedNameIn(normalizePath(segment)) !== undefined;
}
