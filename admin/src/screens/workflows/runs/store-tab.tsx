import { Button } from '@mantine/core';
import { t, timeText } from '../../../base/i18n/index.ts';
import { useDeleted } from '../../../commands/delayed.ts';
import { runCommand } from '../../../commands/run.ts';
import { clearStore, useStoreEntries } from '../../../content/workflows.ts';
import { deleteCommand, deletionKey } from '../../../kit/delete/delete-command.tsx';
import { confirmFirst } from '../../../kit/form/confirm-first.tsx';
import { DataTable } from '../../../kit/table/data-table.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import tableClasses from '../../../ui/rows/table.module.css';
import { ScrolledText } from '../../../ui/values/scrolled-text.tsx';
import { prettyJson } from '../model/trace.ts';
import classes from './runs.module.css';

/** What function nodes keep from run to run. */
export function StoreTab({ id, name }: { readonly id: number; readonly name: string }) {
  const { data: entries } = useStoreEntries(id);
  const deleted = useDeleted();
  const store = { name: `workflow ${id} store`, remove: (key: string) => clearStore(id, key) };
  const shown = entries?.filter(({ key }) => !deleted.has(deletionKey(store, key)));
  const remove = (key: string) =>
    runCommand(deleteCommand(store, key, { label: 'actions.delete', name: key }));
  return (
    <div className={classes['tab']}>
      <div className={classes['head']}>
        <p className="quiet line">{t('workflows.storeHelp')}</p>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Icon name="trash" />}
          disabled={entries === undefined || entries.length === 0}
          onClick={() =>
            confirmFirst({
              title: t('workflows.storeClearTitle', { name }),
              loss: t('workflows.storeClearLoss', { count: entries?.length ?? 0 }),
              submit: t('workflows.storeClear'),
              run: () => clearStore(id),
            })
          }
        >
          {t('workflows.storeClear')}
        </Button>
      </div>
      <DataTable
        className={tableClasses['table']}
        rows={shown}
        none={t('workflows.storeNone')}
        keyOf={({ key }) => key}
        columns={[
          { head: t('workflows.storeKey'), cell: ({ key }) => <code>{key}</code> },
          {
            head: t('workflows.storeValue'),
            cell: ({ value }) => <ScrolledText className={classes['value']} text={prettyJson(value)} />,
          },
          {
            head: t('workflows.storeChanged'),
            className: 'tabular',
            cell: ({ updated_at }) => timeText(updated_at),
          },
          {
            head: t('workflows.columns.actions'),
            cell: ({ key }) => (
              <Button
                variant="subtle"
                color="brick"
                size="compact-sm"
                aria-label={t('workflows.storeDelete', { key })}
                onClick={() => void remove(key)}
              >
                {t('actions.delete')}
              </Button>
            ),
          },
        ]}
      />
    </div>
  );
}
