import { Button } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { failureText } from '../../api/failure-text.ts';
import { findText, t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import type { Command } from '../../commands/command.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { useCommands } from '../../commands/registry.ts';
import { WithDetail } from '../../kit/list/with-detail.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { TabPanes } from '../../ui/layout/tab-panes.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { Strip } from '../../ui/messages/strip.tsx';
import classes from './databases.module.css';
import { type Column, type ExtdbRows, type ExtdbTableDetail, reload, useRows, useTable } from './queries.ts';
import { RowPanel } from './row-panel.tsx';
import { parseRowsQuery, type RowsQuery, toExtdbQuery, writeRowsQuery } from './rows-query.ts';
import { RowsTable } from './rows-table.tsx';
import { RuleBar } from './rule-bar.tsx';

export interface TableViewProps {
  readonly connection: string;
  /** What nodes call the table. */
  readonly table: string;
}

/** A table of an external database: its rows page by page, and its columns. Nothing can be changed here. */
export function TableView({ connection, table }: TableViewProps) {
  const { data: detail, error } = useTable(connection, table);
  const [tab, setTab] = useState<'rows' | 'columns'>('rows');
  const refresh: Command = {
    id: 'database.refresh',
    label: 'databases.refresh',
    icon: 'arrows-clockwise',
    run: () => reload(connection),
  };
  useCommands([refresh]);
  return (
    <div className="screen">
      <PageHeader
        scope={
          <>
            <Link href={paths.databases()}>{t('databases.title')}</Link> ·{' '}
            <Link href={paths.database(connection)}>{connection}</Link>
          </>
        }
        title={table}
        actions={<CommandButton command={refresh} variant="default" withIcon />}
      />
      {error !== null && <Strip tone="brick">{failureText(error)}</Strip>}
      {detail !== undefined && (
        <TabPanes
          value={tab}
          tabs={[
            {
              name: 'rows',
              label: t('databases.rows'),
              content: <Rows connection={connection} detail={detail} />,
            },
            {
              name: 'columns',
              label: t('databases.columns', { count: detail.columns.length }),
              content: <ColumnList columns={detail.columns} />,
            },
          ]}
          onChange={setTab}
        />
      )}
    </div>
  );
}

interface RowsProps {
  readonly connection: string;
  readonly detail: ExtdbTableDetail;
}

function Rows({ connection, detail }: RowsProps) {
  const { ref } = detail.table;
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const query = parseRowsQuery(search);
  const { data: page, error, isPlaceholderData } = useRows(connection, ref, toExtdbQuery(query));
  const addressOf = (next: Partial<RowsQuery>) =>
    paths.database(connection, ref, writeRowsQuery({ ...query, row: undefined, ...next }));
  const show = (next: Partial<RowsQuery>) => goTo(addressOf(next), { replace: true });
  const open = query.row === undefined ? undefined : page?.records[query.row];
  return (
    <WithDetail
      id="database-row"
      label={t('databases.rowWidth')}
      widths={[260, 360, 720]}
      restMin={320}
      detail={open !== undefined && <RowPanel columns={detail.columns} row={open} back={addressOf({})} />}
      list={
        <div className="fill">
          <RuleBar columns={detail.columns} views={detail.views} query={query} onQuery={show} />
          {error !== null && <Strip tone="brick">{failureText(error)}</Strip>}
          {page?.records.length === 0 && <EmptyState>{t('databases.noRow')}</EmptyState>}
          {page !== undefined && page.records.length > 0 && (
            <RowsTable
              columns={detail.columns}
              records={page.records}
              sort={query.sort}
              open={query.row}
              isOld={isPlaceholderData}
              addressOf={(row) => addressOf({ row })}
              onSort={(sort) => show({ sort, page: 1 })}
            />
          )}
          {page !== undefined && page.total > 0 && (
            <Pager page={page} onPage={(next) => show({ page: next })} />
          )}
        </div>
      }
    />
  );
}

/** The columns of a table, as the service describes them. */
function ColumnList({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <div className={classes['columns']}>
      <DataTable
        className={classes['grid']}
        rows={columns}
        keyOf={({ name }) => name}
        columns={[
          { head: t('fields.name'), isName: true, cell: ({ name }) => name },
          { head: t('schema.type'), cell: ({ ui_type }) => ui_type },
          {
            head: t('databases.kind'),
            cell: ({ field_kind }) => findText(`databases.kinds.${field_kind}`) ?? field_kind,
          },
          {
            head: t('databases.rules'),
            cell: ({ primary_key, nullable }) =>
              [primary_key ? t('databases.key') : '', nullable ? '' : t('databases.required')]
                .filter((part) => part !== '')
                .join(', '),
          },
        ]}
      />
    </div>
  );
}

interface PagerProps {
  readonly page: ExtdbRows;
  onPage(page: number): void;
}

/** Which rows are shown, and the ways to those before and after. */
function Pager({ page: { records, offset, total, page, has_more }, onPage }: PagerProps) {
  return (
    <nav className={classes['pager']} aria-label={t('databases.pages')}>
      <span className="tabular" role="status">
        {t('databases.shown', {
          from: (offset + Math.min(1, records.length)).toLocaleString(),
          to: (offset + records.length).toLocaleString(),
          total: total.toLocaleString(),
        })}
      </span>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="arrow-left" />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        {t('databases.previous')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        rightSection={<Icon name="arrow-right" />}
        disabled={!has_more}
        onClick={() => onPage(page + 1)}
      >
        {t('databases.next')}
      </Button>
    </nav>
  );
}
