import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../api/client.ts';
import { followChanges } from '../api/feeds.ts';
import type { UsageEntry } from '../api/generated/schema.ts';

followChanges(['page', 'snippet', 'item', 'global_block', 'workflow'], 'usage');

/** Kinds of objects that others can refer to. */
export type UsedKind = 'page' | 'asset' | 'snippet' | 'global_block' | 'collection' | 'file' | 'flow_node';

/** What refers to an object, and what is inside of it. */
export function usageQuery(kind: UsedKind, id: number) {
  return queryOptions({
    queryKey: ['usage', kind, id],
    queryFn: () => requireData(api.GET('/usage', { params: { query: { kind, id } } })),
  });
}

const kinds = [
  'page',
  'snippet',
  'asset',
  'item',
  'global',
  'collection',
  'workflow',
  'file',
  'redirect',
  'source',
  'pen',
  'flow_node',
] as const;

/** The kind of a user as part of a text key; a kind that the admin does not know is an object. */
export function toKindKey({ kind }: Pick<UsageEntry, 'kind'>): (typeof kinds)[number] | 'other' {
  return kinds.find((known) => known === kind) ?? 'other';
}
