import { Button } from '@mantine/core';
import type { TrashEntry } from '../../api/generated/schema.ts';
import { t, timeText } from '../../base/i18n/index.ts';
import { sizeText } from '../../base/i18n/size-text.ts';
import { DeleteButton } from '../../kit/delete/confirm-deletion.tsx';
import { type Column, DataTable } from '../../kit/table/data-table.tsx';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { useMedia } from '../../ui/layout/use-media.ts';
import tableClasses from '../../ui/rows/table.module.css';
import { forget } from './queries.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import { containsText, kindText } from './texts.ts';
import classes from './trash.module.css';

interface TrashTableProps {
  /** Undefined until they are known. */
  readonly entries: readonly TrashEntry[] | undefined;
  /** Said in place of a table without rows. */
  readonly none: string;
}

/** Deleted objects: what they were, until when they can be restored. A phone has the times below the names. */
export function TrashTable({ entries, none }: TrashTableProps) {
  const isNarrow = useMedia('(max-width: 700px)');
  return (
    <DataTable
      className={tableClasses['table']}
      rows={entries}
      none={none}
      keyOf={({ id }) => id}
      columns={[nameColumn(isNarrow), ...(isNarrow ? [] : listTimeColumns()), actionsColumn]}
    />
  );
}

function nameColumn(isNarrow: boolean): Column<TrashEntry> {
  return {
    head: t('fields.title'),
    isName: true,
    className: classes['name'],
    cell: (entry) => (
      <>
        <b>{entry.title}</b>
        <span className="meta">{detailsOf(entry).join(' · ')}</span>
        {isNarrow && (
          <span className="meta">
            {deletedText(entry)} · {t('trash.untilTime', { time: timeText(entry.expires_at) })}
          </span>
        )}
      </>
    ),
  };
}

function detailsOf(entry: TrashEntry): readonly string[] {
  return [kindText(entry.kind), entry.path, containsText(entry), sizeText(entry.bytes)].filter(
    (text) => text !== '',
  );
}

function deletedText({ deleted_at, deleted_by }: TrashEntry): string {
  return `${timeText(deleted_at)} · ${deleted_by}`;
}

function listTimeColumns(): readonly Column<TrashEntry>[] {
  return [
    { head: t('trash.deletedAt'), className: 'tabular', cell: deletedText },
    { head: t('trash.until'), className: 'tabular', cell: ({ expires_at }) => timeText(expires_at) },
  ];
}

const actionsColumn: Column<TrashEntry> = {
  id: 'actions',
  get head() {
    return t('actions.more');
  },
  isHeadHidden: true,
  cell: (entry) => (
    <div className={classes['actions']}>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={t('trash.restoreOf', { name: entry.title })}
        onClick={() => openDialog((onClose) => <RestoreDialog entry={entry} onClose={onClose} />)}
      >
        {t('trash.restore')}
      </Button>
      <DeleteButton texts="trash" names={{ name: entry.title }} run={() => forget(entry.id)} />
    </div>
  ),
};
