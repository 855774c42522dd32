import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, requireData } from '../../../api/client.ts';
import type {
  LiveStatistics,
  PathStatistics,
  Statistics,
  ValueStatistics,
} from '../../../api/generated/schema.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { Period } from '../../../content/period.ts';
import type { Detail } from './view.ts';

export type { LiveStatistics, Statistics };

/** Views are no changes, so nothing tells of new ones: they are asked for so often, in milliseconds. */
const everyMs = 60_000;

/** A website, or `all` of them. */
export type Scope = number | 'all';

function reportQuery(scope: Scope, { from, to }: Period) {
  return queryOptions({
    queryKey: ['statistics', scope, from, to],
    queryFn: ({ signal }) =>
      requireData(api.GET('/stats', { params: { query: { root_id: String(scope), from, to } }, signal })),
    refetchInterval: everyMs,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

export function useReport(scope: Scope, period: Period, isWanted = true) {
  return useQuery({ ...reportQuery(scope, period), enabled: isWanted });
}

/** Days of one page or value, in one form. */
export interface DetailReport {
  readonly visitors: number;
  /** Undefined for what counts visitors only. */
  readonly views: number | undefined;
  readonly days: readonly { readonly day: string; readonly visitors: number; readonly views?: number }[];
  /** Where the visitors of a page came from. */
  readonly referrers: PathStatistics['referrers'];
  /** Where a referrer led to. */
  readonly pages: ValueStatistics['pages'];
}

export function useDetail(scope: Scope, period: Period, detail: Detail, isWanted = true) {
  return useQuery({
    queryKey: ['statistics', scope, period.from, period.to, detail],
    queryFn: () => loadDetail(scope, period, detail),
    refetchInterval: everyMs,
    staleTime: 0,
    enabled: isWanted,
  });
}

async function loadDetail(
  scope: Scope,
  { from, to }: Period,
  { dimension, name }: Detail,
): Promise<DetailReport> {
  const range = { root_id: String(scope), from, to };
  if (dimension === 'page') {
    const report = await requireData(
      api.GET('/stats/paths', { params: { query: { ...range, path: name } } }),
    );
    return { ...report, pages: [] };
  }
  const report = await requireData(
    api.GET('/stats/values', { params: { query: { ...range, dimension, name } } }),
  );
  return { ...report, views: undefined, referrers: [] };
}

/** What is being read at the moment, as long as the window is seen; undefined until it is known. */
export function useLive(scope: Scope): LiveStatistics | undefined {
  const [figures, setFigures] = useState<LiveStatistics>();
  useEffect(() => {
    let stream: EventSource | undefined;
    const listen = () => {
      stream?.close();
      stream = undefined;
      if (document.visibilityState === 'hidden') return;
      stream = new EventSource(`/api/v1/stats/live?root_id=${scope}`);
      stream.addEventListener('live', ({ data }: MessageEvent<string>) => {
        // Type boundary: the server sends the figures in this form.
        setFigures(JSON.parse(data) as LiveStatistics);
      });
    };
    document.addEventListener('visibilitychange', listen);
    listen();
    return () => {
      document.removeEventListener('visibilitychange', listen);
      stream?.close();
      setFigures(undefined);
    };
  }, [scope]);
  return figures;
}

/** Address of the same figures as a file. */
export function exportAddress(scope: Scope, { from, to }: Period): string {
  return `/api/v1/stats/export?${new URLSearchParams({ root_id: String(scope), from, to })}`;
}

export async function deleteStatistics(scope: Scope): Promise<void> {
  await requireData(api.DELETE('/stats', { params: { query: { root_id: String(scope) } } }));
  await queryClient.invalidateQueries({ queryKey: ['statistics'] });
}
