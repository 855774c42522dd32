import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../api/client.ts';
import type { GlobalBlock } from '../api/generated/schema.ts';
import { Resource } from '../api/resource.ts';

export type { GlobalBlock };

export const globalBlocks = new Resource('/global-blocks', {
  feeds: ['global_block'],
  versions: 'globalblock',
});

/** The places that use a global block. */
export function globalUsageQuery(id: number) {
  return queryOptions({
    queryKey: [globalBlocks.name, id, 'usage'],
    queryFn: () => requireData(api.GET('/global-blocks/{id}/usage', { params: { path: { id } } })),
  });
}
