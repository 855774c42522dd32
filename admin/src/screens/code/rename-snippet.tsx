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
import type { CodeStore } from './code-store.ts';
import { planRename, type RenamePlan } from './rename-plan.ts';
import classes from './rename-snippet.module.css';

export interface RenameSnippetProps {
  readonly store: CodeStore;
  /** The new name to begin with. */
  readonly name: string;
  /** Other changes have to be saved or dropped first. */
  readonly isBlocked?: boolean;
  /** Done before the dialog closes. */
  rename(to: string, plan: RenamePlan): Promise<void>;
  onClose(): void;
}

/** Asks for the new name of a snippet, and lists all places that change with it. */
export function RenameSnippet({ store, name, isBlocked = false, rename, onClose }: RenameSnippetProps) {
  const { id, name: from } = store.base;
  const [to, setTo] = useState(name);
  const [asked] = useDebouncedValue(to, 200);
  const { data: plan, error } = useQuery({
    queryKey: ['usage', 'snippet', id, 'rename', asked],
    queryFn: () => planRename(id, from, asked),
    staleTime: 0,
  });
  const sending = useSubmit(async () => {
    if (plan === undefined) return;
    await rename(to, plan);
    onClose();
  });
  const steps = plan?.steps ?? [];
  const missed = steps.filter(({ count }) => count === 0);
  return (
    <FormDialog
      title={t('code.renameTitle', { name: from })}
      size={560}
      submit={t('code.renameSubmit')}
      sending={sending}
      isIncomplete={isBlocked || plan === undefined || asked !== to || to === from || to === ''}
      onClose={onClose}
    >
      {isBlocked && <Strip>{t('schema.saveFirst')}</Strip>}
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
