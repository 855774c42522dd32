import { Button, Checkbox } from '@mantine/core';
import { Resource } from '../../api/resource.ts';
import { t, timeText } from '../../base/i18n/index.ts';
import { DeleteButton } from '../../kit/delete/confirm-deletion.tsx';
import { CreateDialog } from '../../kit/form/create-dialog.tsx';
import { showSecret } from '../../kit/form/show-secret.tsx';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from '../../ui/layout/section.module.css';
import { EmptyState } from '../../ui/messages/empty-state.tsx';

const tokens = new Resource('/tokens');

/** Keys of other programs for the API. */
export function TokensSection() {
  const { data: all } = tokens.useList();
  return (
    <>
      <p className="quiet line">{t('tokens.help')}</p>
      <div>
        <Button
          leftSection={<Icon name="plus" />}
          onClick={() => openDialog((onClose) => <NewToken onClose={onClose} />)}
        >
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
              <DeleteButton texts="tokens" names={{ name: token.name }} run={() => tokens.remove(token.id)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function NewToken({ onClose }: { readonly onClose: () => void }) {
  return (
    <CreateDialog
      title={t('tokens.new')}
      submit={t('tokens.create')}
      initial={{ name: '', can_write: false }}
      fields={[{ name: 'name', label: 'fields.name', help: 'tokens.nameHelp' }]}
      more={({ body, onChange }) => (
        <Checkbox
          label={t('tokens.canWrite')}
          description={t('tokens.canWriteHelp')}
          checked={body.can_write}
          onChange={(event) => onChange({ can_write: event.currentTarget.checked })}
        />
      )}
      create={(body) => tokens.create(body)}
      onDone={({ token, secret }) =>
        showSecret({ title: t('tokens.made', { name: token.name }), texts: 'tokens', secret })
      }
      onClose={onClose}
    />
  );
}
