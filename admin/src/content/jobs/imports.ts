import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, requireData } from '../../api/client.ts';
import type {
  ImportJob,
  ImportJobSummary,
  ImportRun,
  ImportRunResult,
  ImportScan,
  ImportScanResult,
  ImportSuggestionsApply,
  ImportSuggestionsResult,
  PageReimport,
} from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { jobSignal } from './signal.ts';

export type {
  ImportJob,
  ImportJobSummary,
  ImportRun,
  ImportRunResult,
  ImportScan,
  ImportScanResult,
  ImportSuggestionsResult,
};

/** How often a job that runs is asked for, in milliseconds. A hidden window asks not at all. */
const pollMs = 1000;

const listQuery = queryOptions({
  queryKey: ['imports', 'list'],
  queryFn: () => requireData(api.GET('/import/jobs')),
  refetchInterval: ({ state }) => (state.data?.some(isRunning) === true ? pollMs : false),
});

/** The last scans and imports, newest first. */
export function useImportJobs() {
  return useQuery(listQuery);
}

/** A job with its whole log, of which only what is new is asked for. */
export function useImportJob(id: string) {
  const queryKey = ['imports', 'job', id];
  const query = useQuery({
    queryKey,
    queryFn: async () => {
      const known = queryClient.getQueryData<ImportJob>(queryKey)?.log ?? [];
      const params = { path: { id }, query: { log_since: known.length } };
      const job = await requireData(api.GET('/import/jobs/{id}', { params }));
      return { ...job, log: [...known, ...job.log] };
    },
    refetchInterval: ({ state }) => (state.data !== undefined && isRunning(state.data) ? pollMs : false),
  });
  const status = query.data?.status;
  useEffect(() => {
    if (status !== undefined) void queryClient.invalidateQueries(listQuery);
  }, [status]);
  return query;
}

function isRunning({ status }: ImportJobSummary): boolean {
  return status === 'running';
}

/** What a scan has found; undefined until it is done. */
export function findScanResult({ result }: ImportJob): ImportScanResult | undefined {
  return result !== undefined && 'hosts' in result ? result : undefined;
}

/** What an import has done; undefined until it is done. */
export function findRunResult({ result }: ImportJob): ImportRunResult | undefined {
  return result !== undefined && 'target_page_id' in result ? result : undefined;
}

/** Looks at a website in the background. */
export function startScan(body: ImportScan): Promise<ImportJob> {
  return started(requireData(api.POST('/import/scan', { body })));
}

/** Imports pages in the background. */
export function startImport(body: ImportRun): Promise<ImportJob> {
  return started(requireData(api.POST('/import/run', { body })));
}

/** Imports a page again in the background. */
export function startReimport(id: number, body: PageReimport): Promise<ImportJob> {
  return started(requireData(api.POST('/pages/{id}/reimport', { params: { path: { id } }, body })));
}

export async function cancelJob(id: string): Promise<void> {
  await requireData(api.DELETE('/import/jobs/{id}', { params: { path: { id } } }));
  await queryClient.invalidateQueries({ queryKey: ['imports'] });
}

/** Layouts and snippets for what the pages of an import have in common. */
export function suggestionsQuery(id: string) {
  return queryOptions({
    queryKey: ['imports', 'suggestions', id],
    queryFn: () => requireData(api.GET('/import/jobs/{id}/suggestions', { params: { path: { id } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Applies suggestions, or says what would happen (`dry_run`). */
export function applySuggestions(id: string, body: ImportSuggestionsApply): Promise<ImportSuggestionsResult> {
  return requireData(api.POST('/import/jobs/{id}/suggestions/apply', { params: { path: { id } }, body }));
}

async function started(work: Promise<ImportJob>): Promise<ImportJob> {
  const job = await work;
  jobSignal.raise();
  await queryClient.invalidateQueries(listQuery);
  return job;
}
