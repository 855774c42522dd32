import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { failureText } from '../../api/failure-text.ts';
import type { ChangeSet, ChangeSetItem } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { paths } from '../../base/router/paths.ts';
import { revert } from '../../content/releases/releases.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { fieldText, itemText } from '../../kit/releases/texts.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import { planRevertQuery } from './queries.ts';

interface RevertDialogProps {
  readonly release: ChangeSet;
  readonly items: readonly ChangeSetItem[];
  onClose(): void;
}

/** Names what stays as it is, because it was changed since, before the rest is put back. */
export function RevertDialog({ release: { id, name }, items, onClose }: RevertDialogProps) {
  const { data: plan, error } = useQuery(planRevertQuery(id));
  const sending = useSubmit(async () => {
    const { change_set } = await revert(id);
    onClose();
    const show = change_set === null ? {} : { show: paths.release(change_set) };
    showToast({ tone: 'done', message: t('releases.reverted', { name }), ...show });
  });
  const titleOf = ({ kind, id: of }: Pick<ChangeSetItem, 'kind' | 'id'>) =>
    itemText(items.find((item) => item.kind === kind && item.id === of) ?? { kind, id: of, title: '' });
  return (
    <FormDialog
      title={t('releases.revertTitle', { name })}
      submit={t('releases.revertNow')}
      sending={sending}
      isIncomplete={plan === undefined}
      onClose={onClose}
    >
      {plan === undefined && error === null && <Loader size="sm" aria-label={t('releases.looking')} />}
      <FormError message={error === null ? undefined : failureText(error)} />
      <p className="line">{t('releases.revertEffect')}</p>
      {plan !== undefined && plan.skipped.length > 0 && (
        <div>
          <b>{t('releases.staysAsItIs')}</b>
          <ul>
            {plan.skipped.map((skipped) => (
              <li key={`${skipped.kind} ${skipped.id} ${skipped.field}`}>
                {titleOf(skipped)}: {fieldText(skipped.field)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </FormDialog>
  );
}
