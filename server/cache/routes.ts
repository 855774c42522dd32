import Type, { type Static } from 'typebox';
import { defineRoute, type Route } from '../http/route.ts';

/** Core, "Page cache statistics". Bytes are bytes. */
export const PageCacheStats = Type.Object({
  enabled: Type.Boolean(),
  entries: Type.Integer(),
  bytes: Type.Integer(),
  max_bytes: Type.Integer(),
  hits: Type.Integer(),
  misses: Type.Integer(),
});
export type PageCacheStats = Static<typeof PageCacheStats>;

/** The part of the page cache that the API shows. */
export interface PageCacheControl {
  stats(): PageCacheStats;
  clear(): void;
}

export function cacheRoutes(cache: PageCacheControl): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/cache',
      access: 'read',
      summary: 'Statistics of the page cache',
      response: PageCacheStats,
      handle: () => cache.stats(),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/cache',
      access: 'write',
      summary: 'Clear the page cache',
      handle: () => cache.clear(),
    }),
  ];
}
