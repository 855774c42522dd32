import { useQuery } from '@tanstack/react-query';
import { findText, t } from '../../base/i18n/index.ts';
import { paths } from '../../base/router/paths.ts';
import { syncQuery } from '../../content/jobs/connections.ts';
import { useExportProgress } from '../../content/jobs/export-progress.ts';
import { cancelJob, useImportJobs } from '../../content/jobs/imports.ts';
import { cancelMigration, storageQuery } from '../../content/jobs/storage.ts';
import type { KnownJobs } from './job.ts';

/** Everything that runs, or has run last, of all kinds. */
export function useJobs(): KnownJobs {
  const all = [useImports(), useMigration(), useSync(), useExport()];
  return { jobs: all.flatMap(({ jobs }) => jobs), isAsking: all.some(({ isAsking }) => isAsking) };
}

function useImports(): KnownJobs {
  const { data = [], isFetching } = useImportJobs();
  const jobs = data.map(({ id, kind, url, status, phase, phase_code: code, done, total }) => ({
    id: `import ${id}`,
    name: `${t(`imports.running.${kind}`)}: ${url}`,
    state: status === 'running' ? status : stateOf(status === 'done'),
    step: findText(`errors.${code}`) ?? phase,
    done,
    total,
    path: paths.imports(id),
    cancel: () => cancelJob(id),
  }));
  return { jobs, isAsking: isFetching };
}

function useMigration(): KnownJobs {
  const { data, isFetching } = useQuery(storageQuery);
  if (data === undefined || data.migration.status === 'idle') return { jobs: [], isAsking: isFetching };
  const { status, phase, done_bytes: done, total_bytes: total } = data.migration;
  const job = {
    id: 'storage',
    name: t('storage.migration'),
    state: status === 'running' ? status : stateOf(status === 'done'),
    step: phase === '' ? '' : t(`storage.phases.${phase}`),
    done,
    total,
    path: paths.system('storage'),
    cancel: cancelMigration,
  };
  return { jobs: [job], isAsking: isFetching };
}

function useSync(): KnownJobs {
  const { data, isFetching } = useQuery(syncQuery);
  if (data === undefined || data.phase === '') return { jobs: [], isAsking: isFetching };
  const { running, phase, done, total } = data;
  const job = {
    id: 'sync',
    name: t('connections.running'),
    state: running ? ('running' as const) : stateOf(phase === 'done'),
    step: t(`connections.phases.${phase}`),
    done,
    total,
    path: paths.system('connections'),
  };
  return { jobs: [job], isAsking: isFetching };
}

function useExport(): KnownJobs {
  const progress = useExportProgress();
  if (progress === undefined) return { jobs: [], isAsking: false };
  const { state, step, done, total, figures, cancel } = progress;
  const job = {
    id: 'export',
    name: t('export.running'),
    state,
    step: figures === '' ? step : figures,
    done,
    total,
    path: paths.system('static-export'),
    cancel,
  };
  return { jobs: [job], isAsking: false };
}

function stateOf(isDone: boolean): 'done' | 'failed' {
  return isDone ? 'done' : 'failed';
}
