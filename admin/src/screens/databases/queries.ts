import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import type {
  ExtdbConnection,
  ExtdbConnectionUpdate,
  ExtdbRows,
  ExtdbRowsQuery,
  ExtdbTable,
  ExtdbTableDetail,
  ExtdbTest,
} from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';

export type { ExtdbConnection, ExtdbConnectionUpdate, ExtdbRows, ExtdbTable, ExtdbTableDetail, ExtdbTest };

export type Column = ExtdbTableDetail['columns'][number];
/** A row of a table: values by the name of the column. */
export type Row = Readonly<Record<string, unknown>>;

const listQuery = queryOptions({ queryKey: ['extdb'], queryFn: () => requireData(api.GET('/extdb')) });

/** They have names and no IDs, and the API stores them as one list. */
export const connections = { name: 'extdb', useList: () => useQuery(listQuery) };

/** The tables of a connection. @param name empty: none are asked for */
export function useTables(name: string) {
  return useQuery({
    queryKey: ['extdb-tables', name],
    queryFn: () => requireData(api.GET('/extdb/{name}/tables', { params: { path: { name } } })),
    enabled: name !== '',
    // The service of somebody else is not asked again and again.
    retry: false,
    staleTime: 60_000,
  });
}

export function useTable(name: string, table: string) {
  return useQuery({
    queryKey: ['extdb-tables', name, table],
    queryFn: () =>
      requireData(api.GET('/extdb/{name}/tables/{table}', { params: { path: { name, table } } })),
    retry: false,
    staleTime: 60_000,
  });
}

export function useRows(name: string, table: string, query: ExtdbRowsQuery) {
  return useQuery({
    queryKey: ['extdb-rows', name, table, query],
    queryFn: () =>
      requireData(
        api.POST('/extdb/{name}/tables/{table}/rows', { params: { path: { name, table } }, body: query }),
      ),
    retry: false,
    // The rows stay where they are until the next page is there.
    placeholderData: keepPreviousData,
  });
}

/** Reads tables and rows of a connection anew. */
export async function reload(name: string): Promise<void> {
  await requireData(api.GET('/extdb/{name}/tables', { params: { path: { name }, query: { fresh: true } } }));
  await Promise.all(
    ['extdb-tables', 'extdb-rows'].map((kind) => queryClient.invalidateQueries({ queryKey: [kind, name] })),
  );
}

/** @throws ApiFailure `extdb.failed` with what the service has said */
export function testConnection(name: string): Promise<ExtdbTest> {
  return requireData(api.POST('/extdb/{name}/test', { params: { path: { name } } }));
}

export function addConnection(connection: ExtdbConnectionUpdate): Promise<void> {
  return replaceList((list) => [...list, connection]);
}

/** @param name as it is stored, if it gets another one */
export function updateConnection(name: string, connection: ExtdbConnectionUpdate): Promise<void> {
  const renamed = { ...connection, old_name: name };
  return replaceList((list) => list.map((other) => (other.name === name ? renamed : other)));
}

export function deleteConnection(name: string): Promise<void> {
  return replaceList((list) => list.filter((other) => other.name !== name));
}

/** The API stores the whole list. It is read at once before, so that nothing that others have added is lost. */
async function replaceList(
  change: (list: readonly ExtdbConnectionUpdate[]) => readonly ExtdbConnectionUpdate[],
): Promise<void> {
  const stored = await requireData(api.GET('/extdb'));
  const body = change(stored.map(({ name, url }) => ({ name, url })));
  await requireData(api.PUT('/extdb', { body: [...body] }));
  await Promise.all(
    ['extdb', 'extdb-tables', 'extdb-rows'].map((kind) =>
      queryClient.invalidateQueries({ queryKey: [kind] }),
    ),
  );
}
