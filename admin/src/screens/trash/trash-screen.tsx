import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText } from '../../api/failure-text.ts';
import { t } from '../../base/i18n/index.ts';
import { type Command, createDeletion } from '../../commands/command.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { useCommands } from '../../commands/registry.ts';
import { confirmFirst } from '../../kit/form/confirm-first.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Strip } from '../../ui/messages/strip.tsx';
import { SearchInput } from '../../ui/rows/search-input.tsx';
import { emptyTrash, trashKinds, trashQuery } from './queries.ts';
import { kindText } from './texts.ts';
import classes from './trash.module.css';
import { TrashTable } from './trash-table.tsx';

/** Entries that are shown at first, and that each "more" adds. */
const step = 100;
/** Most entries of one answer. */
const most = 1000;

/** Deleted objects, which can be restored until their time is over. */
export function TrashScreen() {
  const [filter, setFilter] = useState({ kind: '', q: '' });
  const [limit, setLimit] = useState(step);
  const { data, error } = useQuery(trashQuery(filter, limit));
  const change = (part: Partial<typeof filter>) => {
    setFilter({ ...filter, ...part });
    setLimit(step);
  };
  const isFiltered = filter.kind !== '' || filter.q !== '';
  const hasMore = data !== undefined && data.rows.length < data.count && limit < most;
  const empty = emptyCommand(isFiltered ? undefined : data?.count);
  useCommands([empty]);
  return (
    <div className={classes['screen']}>
      <PageHeader
        scope={t('frame.allSites')}
        title={t('nav.trash')}
        actions={<CommandButton variant="default" command={empty} />}
      />
      <div className={classes['filter']}>
        <SearchInput label={t('trash.search')} value={filter.q} onChange={(q) => change({ q })} />
        <NativeSelect
          aria-label={t('audit.kind')}
          data={[
            { value: '', label: t('audit.allKinds') },
            ...trashKinds.map((kind) => ({ value: kind, label: kindText(kind) })),
          ]}
          value={filter.kind}
          onChange={(event) => change({ kind: event.currentTarget.value })}
        />
      </div>
      {error !== null && <Strip tone="brick">{failureText(error)}</Strip>}
      <div className={classes['body']}>
        <TrashTable entries={data?.rows} none={t(isFiltered ? 'tree.noHit' : 'trash.none')} />
        {hasMore && (
          <Button variant="default" onClick={() => setLimit(Math.min(most, limit + step))}>
            {t('trash.more', { count: data.count - data.rows.length })}
          </Button>
        )}
      </div>
    </div>
  );
}

/** @param count number of all objects in the trash, if it is known */
function emptyCommand(count: number | undefined): Command {
  return {
    ...createDeletion('trash.empty', 'trash.empty', () =>
      confirmFirst({
        title: t('trash.empty'),
        loss: count === undefined ? t('trash.emptyLossAll') : t('trash.emptyLoss', { count }),
        submit: t('trash.emptyNow'),
        run: emptyTrash,
      }),
    ),
    can: () => count !== 0,
  };
}
