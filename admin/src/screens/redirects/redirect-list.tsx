import { ActionIcon, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Redirect } from '../../api/generated/schema.ts';
import { t, timeText } from '../../base/i18n/index.ts';
import { useDeleted } from '../../commands/delayed.ts';
import { runCommand } from '../../commands/run.ts';
import { deleteCommand, deletionKey } from '../../kit/delete/delete-command.tsx';
import { Tooltip } from '../../ui/floating/tooltip.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import { useMedia } from '../../ui/layout/use-media.ts';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import { redirects } from './queries.ts';
import { RedirectForm } from './redirect-form.tsx';
import { showVersions } from './redirect-versions.tsx';
import classes from './redirects.module.css';

export interface RedirectListProps {
  readonly site: number;
  /** Undefined until they are loaded. */
  readonly all: readonly Redirect[] | undefined;
}

export function RedirectList({ site, all }: RedirectListProps) {
  const deleted = useDeleted();
  const [query, setQuery] = useState('');
  const [edited, setEdited] = useState<number>();
  // Only what was created here empties the form: the list also changes while somebody types.
  const [created, setCreated] = useState({ count: 0, hadFocus: false });
  const bar = useRef<HTMLDivElement>(null);
  /** The redirect whose button takes the focus when its row is drawn again. */
  const [left, setLeft] = useState<number>();
  const isNarrow = useMedia('(max-width: 600px)');
  const leaveEdited = () => {
    setLeft(edited);
    setEdited(undefined);
  };
  const words = query.toLowerCase();
  const shown = all?.filter(
    ({ id, source, target }) =>
      !deleted.has(deletionKey(redirects, id)) && `${source} ${target}`.toLowerCase().includes(words),
  );
  return (
    <>
      <div ref={bar} className={classes['bar']}>
        <RedirectForm
          key={created.count}
          hasFocus={created.hadFocus}
          submit={t('redirects.create')}
          onSubmit={async (redirect) => {
            await redirects.create({ root_id: site, ...redirect });
            // Whoever has gone on to a row meanwhile stays there.
            const { activeElement: focused, body } = document;
            const hadFocus = focused === body || bar.current?.contains(focused) === true;
            setCreated(({ count }) => ({ count: count + 1, hadFocus }));
          }}
        />
        <TextInput
          type="search"
          aria-label={t('redirects.search')}
          placeholder={t('redirects.search')}
          leftSection={<Icon name="magnifying-glass" />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      </div>
      {shown?.length === 0 && (
        <EmptyState>{t(all?.length === 0 ? 'redirects.none' : 'redirects.noHit')}</EmptyState>
      )}
      {shown !== undefined && shown.length > 0 && (
        <VirtualRows
          label={t('redirects.title')}
          rows={shown}
          rowHeight={isNarrow ? 60 : 44}
          keyOf={({ id }) => id}
          render={(redirect) =>
            edited === redirect.id ? (
              <div className={classes['row']} data-edited="true">
                <RedirectForm
                  hasFocus
                  initial={redirect}
                  submit={t('redirects.save')}
                  onCancel={leaveEdited}
                  onVersions={() => showVersions(redirect, leaveEdited)}
                  onSubmit={async (changed) => {
                    await redirects.update(redirect.id, changed);
                    leaveEdited();
                  }}
                />
              </div>
            ) : (
              <RedirectRow
                redirect={redirect}
                hasFocus={left === redirect.id}
                onFocus={() => setLeft(undefined)}
                onEdit={() => setEdited(redirect.id)}
              />
            )
          }
        />
      )}
    </>
  );
}

interface RedirectRowProps {
  readonly redirect: Redirect;
  /** Whether its edit button takes the focus when the row appears. */
  readonly hasFocus: boolean;
  onFocus(): void;
  onEdit(): void;
}

function RedirectRow({ redirect, hasFocus, onFocus, onEdit }: RedirectRowProps) {
  const { id, source, target, status, auto, hits, last_hit_at } = redirect;
  const isLost = 'target_missing' in redirect && redirect.target_missing === true;
  const remove = () =>
    runCommand(
      deleteCommand(redirects, id, {
        label: 'redirects.delete',
        name: source,
        message: t('redirects.deleted', { source }),
      }),
    );
  return (
    <div className={classes['row']} data-redirect="true">
      <code className={classes['path']} title={source}>
        {source}
      </code>
      <Icon name="arrow-right" />
      <code className={classes['path']} data-lost={isLost || undefined} title={target}>
        {target}
      </code>
      {isLost && <span className={classes['lost']}>{t('redirects.targetMissing')}</span>}
      <span className={classes['number']}>{status}</span>
      <span className={classes['wide']}>{auto ? t('redirects.auto') : ''}</span>
      <span className={classes['number']}>{t('redirects.hits', { count: hits })}</span>
      <span className={classes['wide']}>{last_hit_at > 0 ? timeText(last_hit_at) : ''}</span>
      <Tooltip label={t('redirects.edit')}>
        <ActionIcon
          size={28}
          aria-label={t('redirects.editOf', { source })}
          autoFocus={hasFocus}
          onFocus={onFocus}
          onClick={onEdit}
        >
          <Icon name="pencil-simple" />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('redirects.delete')}>
        <ActionIcon size={28} aria-label={t('redirects.deleteOf', { source })} onClick={remove}>
          <Icon name="trash" />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
