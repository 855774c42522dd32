import { queryClient } from '../../api/query-client.ts';
import { t } from '../../base/i18n/index.ts';
import { paths } from '../../base/router/paths.ts';
import { systemQuery } from '../../content/trash.ts';
import { showToast } from '../../ui/messages/toasts.ts';

/** Says that something is deleted, and leads to the trash if that keeps it. */
export async function tellDeleted(message: string): Promise<void> {
  const days = await queryClient.ensureQueryData(systemQuery).then(
    ({ trash_days }) => trash_days,
    // The deletion has worked, whatever this asks.
    () => 0,
  );
  if (days === 0) showToast({ tone: 'done', message });
  else
    showToast({
      tone: 'done',
      message: `${message} ${t('trash.kept', { count: days })}`,
      show: paths.trash(),
    });
}
