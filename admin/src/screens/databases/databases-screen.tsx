import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { failureText } from '../../api/failure-text.ts';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { ListEntry, ListTag } from '../../kit/list/list-entry.tsx';
import { ListScreen } from '../../kit/list/list-screen.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import { ConnectionEditor } from './connection-editor.tsx';
import { ConnectionFields, faultsOfConnection, strayFault } from './connection-fields.tsx';
import classes from './databases.module.css';
import { addConnection, connections, type ExtdbConnection, type ExtdbTable, useTables } from './queries.ts';
import { TableView } from './table-view.tsx';

/** Connections to external databases, the tables of the open one, and what is in them. */
export function DatabasesScreen() {
  const params: { readonly name?: string; readonly table?: string } = useParams({ strict: false });
  return (
    <ListScreen
      resource={connections}
      title="databases.title"
      texts="databases"
      widthName="databases"
      list={paths.databases()}
      path={({ name }) => paths.database(name)}
      param="name"
      isNamed={isNamed}
      words={({ name }) => name}
      row={({ name }) => ({ name })}
      rows={(query) => <Places name={params.name} table={params.table} query={query} />}
      dialog={(onClose) => <NewConnection onClose={onClose} />}
    >
      {(connection) =>
        params.table === undefined ? (
          <ConnectionEditor
            key={`${connection.name} ${connection.url} ${connection.has_token}`}
            connection={connection}
          />
        ) : (
          <TableView
            key={`${connection.name} ${params.table}`}
            connection={connection.name}
            table={params.table}
          />
        )
      }
    </ListScreen>
  );
}

function isNamed(connection: ExtdbConnection, name: string): boolean {
  return connection.name.toLowerCase() === name.toLowerCase();
}

/** A row of the list: a connection, or below the open one a table. */
type Place =
  | { readonly connection: ExtdbConnection; readonly table?: never }
  | { readonly connection: ExtdbConnection; readonly table: ExtdbTable };

interface PlacesProps {
  /** Of the open connection, from the address. */
  readonly name: string | undefined;
  readonly table: string | undefined;
  readonly query: string;
}

function Places({ name, table, query }: PlacesProps) {
  const { data: all = [] } = connections.useList();
  const open = name === undefined ? undefined : all.find((connection) => isNamed(connection, name));
  const { data: tables, error } = useTables(open?.name ?? '');
  const fits = (text: string) => text.toLowerCase().includes(query.toLowerCase());
  const places = all.flatMap((connection): Place[] => {
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

interface PlaceEntryProps extends Pick<PlacesProps, 'table'> {
  readonly place: Place;
  readonly open: ExtdbConnection | undefined;
}

function PlaceEntry({ place: { connection, table }, open, table: openTable }: PlaceEntryProps) {
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

/** Adds a connection to the service of a database. */
function NewConnection({ onClose }: { readonly onClose: () => void }) {
  const [form, setForm] = useState({ name: '', url: 'https://', token: '' });
  const sending = useSubmit(async () => {
    await addConnection({ ...form, name: form.name.trim() });
    onClose();
    goTo(paths.database(form.name.trim()));
  });
  return (
    <FormDialog
      title={t('databases.new')}
      submit={t('databases.create')}
      sending={{ ...sending, message: sending.message ?? strayFault(sending.error) }}
      isIncomplete={form.name.trim() === '' || !/^https?:\/\/./.test(form.url)}
      onClose={onClose}
    >
      <ConnectionFields
        isNew
        form={form}
        faults={faultsOfConnection(sending.error)}
        hasToken={false}
        onChange={setForm}
      />
    </FormDialog>
  );
}
