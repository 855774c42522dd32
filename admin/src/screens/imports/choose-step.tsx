import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { type ImportJob, type ImportScanResult, startImport } from '../../content/jobs/imports.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { Strip } from '../../ui/messages/strip.tsx';
import { firstChoice, type ImportChoice, runRequest } from './choice.ts';
import { HostChoice } from './host-choice.tsx';
import classes from './imports.module.css';
import { JobLog } from './job-log.tsx';
import { PageChoice } from './page-choice.tsx';
import { Steps } from './steps.tsx';
import { TargetChoice } from './target-choice.tsx';

/** What was chosen of each scan, for those who look elsewhere in between. */
const choices = new Map<string, ImportChoice>();

/** The second step: problems first, then pages, hosts and the target. */
export function ChooseStep({ job, found }: { readonly job: ImportJob; readonly found: ImportScanResult }) {
  const [choice, setChoice] = useState(() => choices.get(job.id) ?? firstChoice(found));
  const change = (fields: Partial<ImportChoice>) => {
    const next = { ...choice, ...fields };
    choices.set(job.id, next);
    setChoice(next);
  };
  const sending = useSubmit(async () => {
    const { id } = await startImport(runRequest(found, choice));
    goTo(paths.import(id));
  });
  const count = choice.urls.size;
  const isIncomplete =
    count === 0 || (choice.target === 'new' ? choice.title.trim() === '' : choice.pageId === 0);
  const blocked = found.pages.filter(({ excluded }) => excluded === 'robots').length;
  return (
    <form className="screen" onSubmit={sending.send}>
      {found.js_rendered && <Strip tone="brick">{t('imports.jsRendered')}</Strip>}
      {blocked > 0 && <Strip>{t('imports.blockedPages', { count: blocked })}</Strip>}
      <div className="body">
        <Steps current="choose" />
        <FormError message={sending.message} />
        <div className={classes['columns']}>
          <PageChoice pages={found.pages} chosen={choice.urls} onChange={(urls) => change({ urls })} />
          <HostChoice hosts={found.hosts} chosen={choice.hosts} onChange={(hosts) => change({ hosts })} />
        </div>
        <TargetChoice choice={choice} faults={sending.faults} onChange={change} />
        {job.log.length > 0 && <JobLog log={job.log} />}
      </div>
      <div className={classes['foot']}>
        <Button type="submit" loading={sending.isSending} disabled={isIncomplete}>
          {t('imports.run', { count })}
        </Button>
        <span className="quiet">{t(choice.publish ? 'imports.willBeLive' : 'imports.willBeDrafts')}</span>
      </div>
    </form>
  );
}
