import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText } from '../../api/failure-text.ts';
import type { UsageEntry } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { toKindKey } from '../../content/usage.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { FormError } from '../../kit/form/form-error.tsx';
import { FormText } from '../../kit/form/form-text.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { Strip } from '../../ui/messages/strip.tsx';
import { showToast } from '../../ui/messages/toasts.ts';
import type { CodeStore } from './code-store.ts';
import { planRename, renameSnippet } from './rename-plan.ts';
import classes from './rename-snippet.module.css';

/** Renames a snippet wherever it is used, in one step; all places are listed before. */
export function RenameSnippet({ store, onClose }: { readonly store: CodeStore; onClose(): void }) {
  const { id, name, updated_at } = store.base;
  const [to, setTo] = useState(name);
  const [asked] = useDebouncedValue(to, 200);
  const { data: plan, error } = useQuery({
    queryKey: ['usage', 'snippet', id, 'rename', asked],
    queryFn: () => planRename(id, name, asked),
    staleTime: 0,
  });
  const sending = useSubmit(async () => {
    if (plan === undefined) return;
    await renameSnippet({ id, updated_at }, to, plan);
    onClose();
    showToast({ tone: 'done', message: t('code.renamed', { from: name, to }) });
  });
  const steps = plan?.steps ?? [];
  const missed = steps.filter(({ count }) => count === 0);
  return (
    <FormDialog
      title={t('code.renameTitle', { name })}
      size={560}
      submit={t('code.renameSubmit')}
      sending={sending}
      isIncomplete={store.isChanged || plan === undefined || asked !== to || to === name || to === ''}
      onClose={onClose}
    >
      {store.isChanged && <Strip>{t('schema.saveFirst')}</Strip>}
      <FormError message={error === null ? undefined : failureText(error)} />
      <FormText
        isFirst
        label={t('code.newName')}
        help={t('code.snippet.nameHelp')}
        value={to}
        error={sending.faults['name']}
        onChange={setTo}
      />
      {plan !== undefined && steps.length === 0 && <p className="line">{t('code.notUsed')}</p>}
      {steps.length > 0 && (
        <div className={classes['steps']}>
          <b>{t('code.renamePlaces', { count: steps.reduce((sum, { count }) => sum + count, 0) })}</b>
          <ul>
            {steps
              .filter(({ count }) => count > 0)
              .map(({ user, count }) => (
                <li key={`${user.kind} ${user.id}`}>
                  {t(`kinds.${toKindKey(user)}`)} "{titleOf(user)}" <span className="meta">{count} ×</span>
                </li>
              ))}
          </ul>
        </div>
      )}
      {missed.length > 0 && (
        <Strip tone="ochre">
          {t('code.renameMissed', { names: missed.map(({ user }) => `"${titleOf(user)}"`).join(', ') })}
        </Strip>
      )}
      {plan?.isComplete === false && <Strip tone="ochre">{t('code.renameMore')}</Strip>}
    </FormDialog>
  );
}

/** An entry may have no title. */
function titleOf({ title, id }: UsageEntry): string {
  return title || `#${id}`;
}
