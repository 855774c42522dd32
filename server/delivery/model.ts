import Type, { type Static } from 'typebox';

/** Core, "Page cache statistics". */
export const PageCacheStats = Type.Object({
  enabled: Type.Boolean(),
  entries: Type.Integer(),
  bytes: Type.Integer(),
  max_bytes: Type.Integer(),
  hits: Type.Integer(),
  misses: Type.Integer(),
});
export type PageCacheStats = Static<typeof PageCacheStats>;
