import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../api/failure-text.ts';
import { paths } from '../../base/router/paths.ts';
import { useCommands } from '../../commands/registry.ts';
import { ListAndDetail } from '../../kit/list/list-and-detail.tsx';
import { ListEntry, ListTag } from '../../kit/list/list-entry.tsx';
import { ListPane } from '../../kit/list/list-pane.tsx';
import { NothingOpen } from '../../kit/list/nothing-open.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import { ConnectionEditor } from './connection-editor.tsx';
import classes from './databases.module.css';
import { NewConnection } from './new-connection.tsx';
import { type ExtdbConnection, type ExtdbTable, useConnections, useTables } from './queries.ts';
import { TableView } from './table-view.tsx';

/** Connections to external databases, the tables of the open one, and what is in them. */
export function DatabasesScreen() {
  const { t } = useTranslation();
  const params: { readonly name?: string; readonly table?: string } = useParams({ strict: false });
  const { data: connections } = useConnections();
  const [query, setQuery] = useState('');
  const [isNew, setNew] = useState(false);
  useCommands([{ id: 'database.new', label: 'databases.new', icon: 'plus', run: () => setNew(true) }]);
  const open = connections?.find(({ name }) => name.toLowerCase() === params.name?.toLowerCase());
  const isMissing = params.name !== undefined && connections !== undefined && open === undefined;
  return (
    <>
      <ListAndDetail
        id="databases"
        label={t('code.width')}
        isOpen={params.name !== undefined}
        list={
          <ListPane
            title={t('databases.title')}
            count={connections?.length}
            add={{ label: t('databases.new'), run: () => setNew(true) }}
            filter={t('code.filter')}
            query={query}
            onQuery={setQuery}
          >
            {connections?.length === 0 && <EmptyState>{t('databases.none')}</EmptyState>}
            {connections !== undefined && connections.length > 0 && (
              <Places connections={connections} open={open} table={params.table} query={query} />
            )}
          </ListPane>
        }
      >
        {open === undefined ? (
          <NothingOpen list={{ name: t('databases.title'), path: paths.databases() }} isFailed={isMissing}>
            {t(isMissing ? 'databases.missing' : 'databases.choose')}
          </NothingOpen>
        ) : params.table === undefined ? (
          <ConnectionEditor key={`${open.name} ${open.url} ${open.has_token}`} connection={open} />
        ) : (
          <TableView key={`${open.name} ${params.table}`} connection={open.name} table={params.table} />
        )}
      </ListAndDetail>
      {isNew && <NewConnection onClose={() => setNew(false)} />}
    </>
  );
}

/** A row of the list: a connection, or below the open one a table. */
type Place =
  | { readonly connection: ExtdbConnection; readonly table?: never }
  | { readonly connection: ExtdbConnection; readonly table: ExtdbTable };

interface PlacesProps {
  readonly connections: readonly ExtdbConnection[];
  readonly open: ExtdbConnection | undefined;
  readonly table: string | undefined;
  readonly query: string;
}

function Places({ connections, open, table, query }: PlacesProps) {
  const { t } = useTranslation();
  const { data: tables, error } = useTables(open?.name ?? '');
  const fits = (text: string) => text.toLowerCase().includes(query.toLowerCase());
  const places = connections.flatMap((connection): Place[] => {
    const own = connection === open ? (tables ?? []) : [];
    const inside = own.filter(({ ref }) => fits(ref)).map((each) => ({ connection, table: each }));
    return fits(connection.name) || inside.length > 0 ? [{ connection }, ...inside] : [];
  });
  if (places.length === 0) return <EmptyState>{t('tree.noHit')}</EmptyState>;
  return (
    <>
      {open !== undefined && error !== null && (
        <p className={classes['failed']} role="status">
          {failureText(error)}
        </p>
      )}
      <VirtualRows
        label={t('databases.title')}
        rows={places}
        rowHeight={32}
        isPlain
        keyOf={(place) => `${place.connection.name}/${place.table?.id ?? ''}`}
        render={(place) => <PlaceEntry place={place} open={open} table={table} />}
      />
    </>
  );
}

interface PlaceEntryProps extends Pick<PlacesProps, 'open' | 'table'> {
  readonly place: Place;
}

function PlaceEntry({ place: { connection, table }, open, table: openTable }: PlaceEntryProps) {
  const { t } = useTranslation();
  if (table === undefined)
    return (
      <ListEntry
        href={paths.database(connection.name)}
        isCurrent={connection === open && openTable === undefined}
        name={connection.name}
      />
    );
  const { ref, name, public_read } = table;
  return (
    <div className={classes['table']}>
      <ListEntry
        href={paths.database(connection.name, ref)}
        isCurrent={ref === openTable}
        folder={ref === name ? '' : ref.slice(0, -name.length)}
        name={name}
      >
        {public_read && <ListTag tone="ochre">{t('databases.public')}</ListTag>}
      </ListEntry>
    </div>
  );
}
