import { Button } from '@mantine/core';
import type { Role, Token } from '../../../api/generated/schema.ts';
import { t, timeText } from '../../../base/i18n/index.ts';
import { DeleteButton } from '../../../kit/delete/confirm-deletion.tsx';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import classes from '../../../ui/layout/section.module.css';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import { NewToken } from './new-token.tsx';
import { formatRoles, tokens, useRoles, users } from './queries.ts';

/** Keys of other programs for the API. */
export function TokensSection() {
  const { data: all } = tokens.useList();
  const { data: people = [] } = users.useList();
  const known = useRoles();
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
                  <code>{token.prefix}…</code> · {describeRights(token, known)} · {describeUse(token)}
                </span>
                <span className="meta">
                  {[
                    t('tokens.owner', {
                      name: people.find(({ id }) => id === token.owner_id)?.username ?? t('tokens.nobody'),
                    }),
                    describeEnd(token),
                  ].join(' · ')}
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

function describeRights({ role_ids: ids, can_write }: Token, known: readonly Role[]): string {
  if (ids === null) return t(can_write ? 'tokens.write' : 'tokens.read');
  return formatRoles(known, ids) || t('users.noRole');
}

function describeUse({ last_used_at: at }: Token): string {
  return at === null ? t('tokens.neverUsed') : t('tokens.lastUsed', { time: timeText(at) });
}

function describeEnd({ expires_at: at }: Token): string {
  if (at === null) return t('tokens.neverEnds');
  return t(at * 1000 > Date.now() ? 'tokens.ends' : 'tokens.ended', { time: timeText(at) });
}
