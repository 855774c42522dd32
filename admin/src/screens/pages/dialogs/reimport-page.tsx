import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { startReimport } from '../../../content/jobs/imports.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';

export interface ReimportPageProps {
  readonly page: Pick<PageTreeEntry, 'id' | 'title'>;
  onClose(): void;
}

/** Takes a page over again from where it came from. */
export function ReimportPage({ page: { id, title }, onClose }: ReimportPageProps) {
  const [overwritesModified, setOverwritesModified] = useState(false);
  const [isForced, setForced] = useState(false);
  const sending = useSubmit(async () => {
    const job = await startReimport(id, { overwrite_modified: overwritesModified, force: isForced });
    onClose();
    goTo(paths.import(job.id));
  });
  return (
    <FormDialog
      title={t('imports.reimportTitle', { title })}
      submit={t('imports.reimportStart')}
      sending={sending}
      onClose={onClose}
    >
      <p className="line quiet">{t('imports.reimportHelp')}</p>
      <Checkbox
        label={t('imports.overwriteModified')}
        description={t('imports.overwriteModifiedHelp')}
        checked={overwritesModified}
        onChange={(event) => setOverwritesModified(event.currentTarget.checked)}
      />
      <Checkbox
        label={t('imports.force')}
        description={t('imports.forceHelp')}
        checked={isForced}
        onChange={(event) => setForced(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
