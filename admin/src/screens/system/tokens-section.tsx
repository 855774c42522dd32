import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Token, TokenCreated } from '../../api/generated/schema.ts';
import { Resource } from '../../api/resource.ts';
import { t, timeText } from '../../base/i18n/index.ts';
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx';
import { CreateDialog } from '../../kit/form/create-dialog.tsx';
import { SecretDialog } from '../../kit/form/secret-dialog.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from '../../ui/layout/section.module.css';
import { EmptyState } from '../../ui/messages/empty-state.tsx';

const tokens = new Resource('/tokens');

/** Keys of other programs for the API. */
export function TokensSection() {
  const { data: all } = tokens.useList();
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<TokenCreated>();
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
      {isNew && <NewToken onMade={setMade} onClose={() => setNew(false)} />}
      <SecretDialog
        title={t('tokens.made', { name: made?.token.name ?? '' })}
        texts="tokens"
        secret={made?.secret}
        onClose={() => setMade(undefined)}
      />
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

interface NewTokenProps {
  onMade(made: TokenCreated): void;
  onClose(): void;
}

function NewToken({ onMade, onClose }: NewTokenProps) {
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
      onDone={onMade}
      onClose={onClose}
    />
  );
}
