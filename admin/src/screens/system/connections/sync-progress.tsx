import { Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../base/i18n/index.ts';
import { sizeText } from '../../../base/i18n/size-text.ts';
import { syncQuery } from '../../../content/jobs/connections.ts';

/** The push or pull that is running: its step and how much has been sent. */
export function SyncProgress() {
  const { data } = useQuery(syncQuery);
  if (data === undefined || !data.running || data.phase === '') return null;
  const { phase, done, total } = data;
  return (
    <section aria-label={t('connections.running')}>
      <p className="line" role="status">
        {t(`connections.phases.${phase}`)}
      </p>
      <Progress
        aria-label={t('connections.running')}
        value={total === 0 ? 100 : (done / total) * 100}
        striped={total === 0}
        animated={total === 0}
      />
      <p className="meta line tabular">
        {total > 0 && t('cache.sizeOf', { size: sizeText(done), max: sizeText(total) })}
      </p>
    </section>
  );
}
