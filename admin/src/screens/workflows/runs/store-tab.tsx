import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { text, timeText } from '../../../base/i18n/index.ts';
import { deleteLater, useDeleted } from '../../../commands/delayed.ts';
import { runCommand } from '../../../commands/run.ts';
import { clearStore, useStoreEntries } from '../../../content/workflows.ts';
import { ConfirmDialog } from '../../../kit/form/confirm-dialog.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import tableClasses from '../../../ui/rows/table.module.css';
import { ScrolledText } from '../../../ui/values/scrolled-text.tsx';
import { prettyJson } from '../model/trace.ts';
import classes from './runs.module.css';

/** What function nodes keep from run to run. */
export function StoreTab({ id, name }: { readonly id: number; readonly name: string }) {
  const { t } = useTranslation();
  const { data: entries } = useStoreEntries(id);
  const deleted = useDeleted();
  const [isClearing, setClearing] = useState(false);
  const nameOf = (key: string) => `workflow ${id} store ${key}`;
  const shown = entries?.filter(({ key }) => !deleted.has(nameOf(key)));
  const remove = (key: string) =>
    runCommand({
      id: 'store.delete',
      label: 'actions.delete',
      icon: 'trash',
      run: () => deleteLater(nameOf(key), text('code.deleted', { name: key }), () => clearStore(id, key)),
    });
  return (
    <div className={classes['tab']}>
      <div className={classes['head']}>
        <p className="quiet line">{t('workflows.storeHelp')}</p>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Icon name="trash" />}
          disabled={entries === undefined || entries.length === 0}
          onClick={() => setClearing(true)}
        >
          {t('workflows.storeClear')}
        </Button>
      </div>
      {shown?.length === 0 && <EmptyState>{t('workflows.storeNone')}</EmptyState>}
      {shown !== undefined && shown.length > 0 && (
        <table className={tableClasses['table']}>
          <thead>
            <tr>
              <th scope="col">{t('workflows.storeKey')}</th>
              <th scope="col">{t('workflows.storeValue')}</th>
              <th scope="col">{t('workflows.storeChanged')}</th>
              <th scope="col">{t('workflows.columns.actions')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ key, value, updated_at }) => (
              <tr key={key}>
                <td>
                  <code>{key}</code>
                </td>
                <td>
                  <ScrolledText className={classes['value']} text={prettyJson(value)} />
                </td>
                <td className="tabular">{timeText(updated_at)}</td>
                <td>
                  <Button
                    variant="subtle"
                    color="brick"
                    size="compact-sm"
                    aria-label={t('workflows.storeDelete', { key })}
                    onClick={() => void remove(key)}
                  >
                    {t('actions.delete')}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isClearing && entries !== undefined && (
        <ConfirmDialog
          title={t('workflows.storeClearTitle', { name })}
          loss={t('workflows.storeClearLoss', { count: entries.length })}
          submit={t('workflows.storeClear')}
          run={() => clearStore(id)}
          onClose={() => setClearing(false)}
        />
      )}
    </div>
  );
}
