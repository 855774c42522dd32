import Type, { type Static } from 'typebox';

/** Core, "Page cache statistics". */
export const PageCacheStats = Type.Object(
  {
    enabled: Type.Boolean({ description: 'False if the cache is off (`-cache-mb 0`).' }),
    entries: Type.Integer({ description: 'Number of cached pages.' }),
    bytes: Type.Integer({ description: 'Size of the cached pages.' }),
    max_bytes: Type.Integer({ description: 'Size limit of the cache.' }),
    hits: Type.Integer({ description: 'Answers from the cache since the start.' }),
    misses: Type.Integer({ description: 'Pages that were rendered and stored since the start.' }),
  },
  { title: 'PageCacheStats', description: 'Statistics of the page cache.' },
);
export type PageCacheStats = Static<typeof PageCacheStats>;
