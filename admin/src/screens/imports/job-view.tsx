import { Button, Progress } from '@mantine/core';
import { ApiFailure } from '../../api/failure.ts';
import { failureText } from '../../api/failure-text.ts';
import { findText, t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import {
  cancelJob,
  findRunResult,
  findScanResult,
  type ImportJob,
  useImportJob,
} from '../../content/jobs/imports.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { Strip } from '../../ui/messages/strip.tsx';
import { ChooseStep } from './choose-step.tsx';
import classes from './imports.module.css';
import { JobLog } from './job-log.tsx';
import { ScanForm } from './new-scan.tsx';
import { RunResultView } from './result.tsx';
import { type Step, Steps } from './steps.tsx';

/** A scan or an import, as far as it is. @param tab of a result */
export function JobView({ id, tab }: { readonly id: string; readonly tab: string }) {
  const { data: job, error } = useImportJob(id);
  if (error !== null && job === undefined)
    return (
      <EmptyState action={<Button onClick={() => goTo(paths.imports('new'))}>{t('imports.new')}</Button>}>
        {error instanceof ApiFailure && error.status === 404 ? t('imports.gone') : failureText(error)}
      </EmptyState>
    );
  if (job === undefined) return null;
  return (
    <div className="screen">
      <PageHeader
        title={readHost(job.url)}
        scope={
          <>
            <Link href={paths.imports()}>{t('nav.import')}</Link> · {t(`imports.kindOf.${job.kind}`)}
          </>
        }
      />
      <JobBody job={job} tab={tab} />
    </div>
  );
}

function JobBody({ job, tab }: { readonly job: ImportJob; readonly tab: string }) {
  const found = findScanResult(job);
  const done = findRunResult(job);
  if (found !== undefined) return <ChooseStep key={job.id} job={job} found={found} />;
  if (done !== undefined) return <RunResultView key={job.id} job={job} result={done} tab={tab} />;
  return (
    <div className="body">
      <Steps current={stepOf(job)} />
      {job.status === 'running' ? <JobProgress job={job} /> : <EndedEarly job={job} />}
    </div>
  );
}

function stepOf({ kind, status }: ImportJob): Step {
  if (kind === 'import') return 'run';
  return status === 'running' ? 'choose' : 'address';
}

/** A job that failed or was cancelled: why, and how to go on. */
function EndedEarly({ job }: { readonly job: ImportJob }) {
  const { kind, status, error, error_code: code, error_params: params, url, log } = job;
  return (
    <>
      <Strip tone={status === 'failed' ? 'brick' : 'slate'}>
        {status === 'failed'
          ? failureText(new ApiFailure(502, { error, code, params }))
          : t(`imports.wasCancelled.${kind}`)}
      </Strip>
      {kind === 'scan' ? <ScanForm url={url} /> : <p className="line quiet">{t('imports.again')}</p>}
      {log.length > 0 && <JobLog log={log} />}
    </>
  );
}

/** @param url an absolute address */
export function readHost(url: string): string {
  return URL.parse(url)?.host ?? url;
}

/** A job that is running: its step, how far it is, its log. */
function JobProgress({ job }: { readonly job: ImportJob }) {
  const { id, kind, phase, phase_code: code, done, total, files, assets, log } = job;
  const label = t(`imports.running.${kind}`);
  return (
    <>
      <section className={classes['progress']} aria-label={label}>
        <p className="line" role="status">
          <b>{findText(`errors.${code}`) ?? (phase || label)}</b>
        </p>
        <Progress
          aria-label={label}
          value={total === 0 ? 100 : (done / total) * 100}
          animated={total === 0}
          striped={total === 0}
        />
        <p className="meta line tabular">
          {total > 0 && t('imports.pagesDone', { done, total })}
          {kind === 'import' && ` · ${t('imports.taken', { files, assets })}`}
        </p>
        <div>
          <CommandButton
            variant="default"
            command={{
              id: 'import.cancel',
              label: kind === 'scan' ? 'imports.cancelScan' : 'imports.cancelImport',
              icon: 'x',
              async run() {
                await cancelJob(id);
                return { message: t('imports.cancelled') };
              },
            }}
          />
        </div>
      </section>
      <JobLog log={log} />
    </>
  );
}
