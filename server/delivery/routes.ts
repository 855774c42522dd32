import { defineRoute, type Route } from '../api/route.ts';
import { PageCacheStats } from './model.ts';

/** The page cache as the API shows it. */
export function cacheRoutes(cache: { stats(): PageCacheStats; clear(): void }): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/cache',
      access: 'read',
      needs: 'read',
      summary: 'Statistics of the page cache',
      response: PageCacheStats,
      handle: () => cache.stats(),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/cache',
      access: 'write',
      needs: 'settings',
      summary: 'Clear the page cache',
      handle: () => cache.clear(),
    }),
  ];
}
