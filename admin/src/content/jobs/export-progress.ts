import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import { t } from '../../base/i18n/index.ts';
import { sizeText } from '../../base/i18n/size-text.ts';
import { type RunningExport, useRunningExport } from './running-export.ts';

/** How often the server is asked how many pages are rendered, in milliseconds. */
const pollMs = 1000;

function renderingQuery(site: number) {
  return queryOptions({
    queryKey: ['static-export', site],
    queryFn: () => requireData(api.GET('/sites/{id}/static/progress', { params: { path: { id: site } } })),
    refetchInterval: pollMs,
    staleTime: 0,
    gcTime: 0,
  });
}

export interface ExportProgress extends Pick<RunningExport, 'state' | 'cancel'> {
  readonly step: string;
  /** Pages while they are rendered, then bytes; `total` is 0 as long as nobody knows. */
  readonly done: number;
  readonly total: number;
  /** The two as a text; empty as long as nobody knows. */
  readonly figures: string;
}

/** How far the export of this window is; undefined if there was none. */
export function useExportProgress(): ExportProgress | undefined {
  const last = useRunningExport();
  const isRendering = last?.state === 'running' && last.total === 0;
  const { data: pages } = useQuery({ ...renderingQuery(last?.site ?? 0), enabled: isRendering });
  if (last === undefined) return undefined;
  const { state, cancel } = last;
  if (isRendering) {
    const { done, total } = pages ?? { done: 0, total: 0 };
    const figures = total === 0 ? '' : t('export.rendered', { done, total });
    return { state, cancel, step: t('export.rendering'), done, total, figures };
  }
  const { done, total } = last;
  const figures = t('cache.sizeOf', { size: sizeText(done), max: sizeText(total) });
  return { state, cancel, step: t('export.receiving'), done, total, figures };
}
