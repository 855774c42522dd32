import { Progress } from '@mantine/core';
import { findText, t } from '../../base/i18n/index.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { cancelJob, type ImportJob } from '../../content/jobs/imports.ts';
import classes from './imports.module.css';
import { JobLog } from './job-log.tsx';

/** A job that is running: its step, how far it is, its log. */
export function JobProgress({ job }: { readonly job: ImportJob }) {
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
