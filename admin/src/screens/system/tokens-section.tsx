import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Token } from '../../api/generated/schema.ts';
import { Resource } from '../../api/resource.ts';
import { timeText } from '../../base/i18n/index.ts';
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { FormText } from '../../kit/form/form-text.tsx';
import { useSending } from '../../kit/form/sending.ts';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from '../../ui/layout/section.module.css';
import { EmptyState } from '../../ui/messages/empty-state.tsx';

const tokens = new Resource('/tokens');

/** Keys of other programs for the API. */
export function TokensSection() {
  const { t } = useTranslation();
  const { data: all } = tokens.useList();
  const [isNew, setNew] = useState(false);
  const [removed, setRemoved] = useState<Token>();
  return (
    <>
      <p className="quiet line">{t('tokens.help')}</p>
      <div>
        <Button leftSection={<Icon name="plus" />} onClick={() => setNew(true)}>
          {t('tokens.new')}
        </Button>
      </div>
      {all?.length === 0 && <EmptyState>{t('tokens.none')}</EmptyState>}
      {all !== undefined && all.length > 0 && (
        <ul className={classes['rows']}>
          {all.map((token) => (
            <li key={token.id} className={classes['row']}>
              <span>
                <b>{token.name}</b>
                <span className="meta">
                  <code>{token.prefix}…</code> · {t(token.can_write ? 'tokens.write' : 'tokens.read')} ·{' '}
                  {token.last_used_at === null
                    ? t('tokens.neverUsed')
                    : t('tokens.lastUsed', { time: timeText(token.last_used_at) })}
                </span>
              </span>
              <Button
                variant="subtle"
                color="brick"
                size="compact-sm"
                aria-label={t('tokens.deleteOf', { name: token.name })}
                onClick={() => setRemoved(token)}
              >
                {t('actions.delete')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isNew && <NewToken onClose={() => setNew(false)} />}
      {removed !== undefined && (
        <ConfirmDialog
          title={t('tokens.deleteTitle', { name: removed.name })}
          loss={t('tokens.deleteLoss')}
          submit={t('tokens.delete')}
          run={() => tokens.remove(removed.id)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  );
}

/** Makes a token, and then shows its secret, which nobody sees again. */
function NewToken({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [canWrite, setCanWrite] = useState(false);
  const [secret, setSecret] = useState<string>();
  const sending = useSending(async () => {
    setSecret((await tokens.create({ name, can_write: canWrite })).secret);
  });
  if (secret !== undefined)
    return (
      <Dialog title={t('tokens.made', { name })} onClose={onClose}>
        <TextInput
          data-autofocus
          readOnly
          label={t('tokens.secret')}
          description={t('tokens.secretHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={secret}
          onFocus={(event) => event.currentTarget.select()}
        />
      </Dialog>
    );
  return (
    <FormDialog title={t('tokens.new')} submit={t('tokens.create')} sending={sending} onClose={onClose}>
      <FormText
        isFirst
        label={t('fields.name')}
        help={t('tokens.nameHelp')}
        value={name}
        error={sending.faults['name']}
        onChange={setName}
      />
      <Checkbox
        label={t('tokens.canWrite')}
        description={t('tokens.canWriteHelp')}
        checked={canWrite}
        onChange={(event) => setCanWrite(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
