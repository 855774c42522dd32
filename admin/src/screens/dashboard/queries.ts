import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import { followChanges } from '../../api/feeds.ts';
import type { Collection } from '../../content/collections.ts';
import { loadEntries } from '../../content/entries.ts';
import type { Period } from '../../content/period.ts';
import { changeSets } from '../../content/releases/releases.ts';

followChanges(['redirect'], 'notfound');
followChanges(['workflow'], 'workflows');

/** Rows of the log that are asked for, and of them at most so many objects. */
const askedChanges = 60;
const maxChanges = 10;

/** What was changed last, the newest first; each object once. */
export const recentChanges = queryOptions({
  // Changes tell of themselves by the first part of the key.
  queryKey: ['changes', 'recent'],
  queryFn: async () => {
    const { changes } = await requireData(api.GET('/audit', { params: { query: { limit: askedChanges } } }));
    const named = changes.filter((entry) => 'action' in entry).filter(({ name = '' }) => name !== '');
    const newestFirst = new Map<string, (typeof named)[number]>();
    for (const change of named) {
      const object = `${change.kind} ${change.id}`;
      if (!newestFirst.has(object)) newestFirst.set(object, change);
    }
    return [...newestFirst.values()].slice(0, maxChanges);
  },
  staleTime: 0,
});

/** Dead addresses of a website that wait for a redirect, the most frequent first. */
export function missingAddresses(site: number) {
  return queryOptions({
    queryKey: ['notfound', site],
    queryFn: () => requireData(api.GET('/notfound', { params: { query: { root_id: site } } })),
    select: (entries) =>
      entries.filter(({ ignored }) => !ignored).sort((left, right) => right.hits - left.hits),
    // No change of content tells of them.
    staleTime: 0,
  });
}

/** Most new entries of a collection that are counted. */
const maxNewEntries = 100;

/** What visitors have sent to a collection and nobody has published yet: its newest entries. */
export function newEntries({ id }: Pick<Collection, 'id'>) {
  return queryOptions({
    queryKey: ['entries', id, 'new'],
    queryFn: () => loadEntries(id, '_sort=-_created', { limit: maxNewEntries, offset: 0 }),
    select: ({ rows }) => rows.filter(({ published }) => !published),
  });
}

/** Workflows that are on and whose last run failed. */
export const failedRuns = queryOptions({
  queryKey: ['workflows'],
  queryFn: () => requireData(api.GET('/workflows')),
  select: (workflows) => workflows.filter(({ enabled, last_status }) => enabled && last_status === 'error'),
  staleTime: 0,
});

/** Webhooks that are on and whose last delivery failed. */
export const failedWebhooks = queryOptions({
  queryKey: ['webhooks'],
  queryFn: () => requireData(api.GET('/webhooks')),
  select: (webhooks) =>
    webhooks.flatMap(({ id, name, url, enabled, last }) =>
      enabled && last?.state === 'failed'
        ? [{ id, name: name || url, at: last.at, status: last.status }]
        : [],
    ),
  staleTime: 0,
});

/** Change sets that could not be published when they were due. */
export const failedSets = queryOptions({
  queryKey: [changeSets.name, 'failed'],
  queryFn: () => requireData(api.GET('/change-sets', { params: { query: { state: 'failed' } } })),
  // Edits take a change set out of the failed ones, and are no changes of content.
  staleTime: 0,
});

/** Visits of all websites. */
export function createVisitsQuery({ from, to }: Period) {
  return queryOptions({
    queryKey: ['statistics', 'all', from, to],
    queryFn: () => requireData(api.GET('/stats', { params: { query: { root_id: 'all', from, to } } })),
  });
}
