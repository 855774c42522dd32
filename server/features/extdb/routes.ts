import Type from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import { apiError } from '../../base/errors.ts';
import type { SharedServices } from '../../feature.ts';
import type { ExternalDatabases } from './databases.ts';
import {
  ExtdbConnection,
  ExtdbList,
  ExtdbRows,
  ExtdbRowsQuery,
  ExtdbTable,
  ExtdbTableDetail,
  ExtdbTest,
} from './model.ts';
import { presentConnection, replaceList } from './service.ts';
import { listConnections } from './store.ts';

const Params = Type.Object({ name: Type.String({ description: 'Name of the connection.' }) });
const TableParams = Type.Object({
  ...Params.properties,
  table: Type.String({ description: 'Name of the table, `source/name`, or its ID.' }),
});
const TablesQuery = Type.Object({
  fresh: Type.Optional(Type.Boolean({ description: 'Reads the tables anew, in place of the kept list.' })),
});

const errors = ['extdb.failed', 'storage.secretUndecryptable'] as const;

export function extdbRoutes(
  parts: Pick<SharedServices, 'reader' | 'changes' | 'secrets' | 'outgoing'>,
  databases: ExternalDatabases,
): Route[] {
  const { reader, changes } = parts;
  return [
    defineRoute({
      method: 'GET',
      path: '/extdb',
      access: 'write',
      needs: 'settings',
      summary: 'List connections to external databases',
      response: Type.Array(ExtdbConnection),
      handle: async () => (await listConnections(reader)).map(presentConnection),
    }),
    defineRoute({
      method: 'PUT',
      path: '/extdb',
      access: 'write',
      needs: 'settings',
      summary: 'Replace the list of connections to external databases',
      errors: ['auth.confirm'],
      body: ExtdbList,
      response: Type.Array(ExtdbConnection),
      handle: ({ actor, body }) =>
        changes.changeUnversioned(actor, async (change) =>
          (await replaceList(change, body, parts)).map(presentConnection),
        ),
    }),
    defineRoute({
      method: 'POST',
      path: '/extdb/{name}/test',
      access: 'write',
      needs: 'settings',
      summary: 'Test a connection to an external database',
      params: Params,
      response: ExtdbTest,
      errors,
      handle: async ({ params: { name } }) => ({
        ok: true,
        ...(await databases.test(found(databases, name))),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/extdb/{name}/tables',
      access: 'write',
      needs: 'settings',
      summary: 'List the readable tables of an external database',
      params: Params,
      query: TablesQuery,
      response: Type.Array(ExtdbTable),
      errors,
      handle: ({ params: { name }, query: { fresh = false } }) =>
        databases.tables(found(databases, name), fresh),
    }),
    defineRoute({
      method: 'GET',
      path: '/extdb/{name}/tables/{table}',
      access: 'write',
      needs: 'settings',
      summary: 'Get a table of an external database with its columns and views',
      params: TableParams,
      response: ExtdbTableDetail,
      errors,
      async handle({ params: { name, table } }) {
        const detail = await databases.table(found(databases, name), table);
        if (detail === undefined) throw apiError('common.notFound', {});
        return detail;
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/extdb/{name}/tables/{table}/rows',
      access: 'write',
      needs: 'settings',
      summary: 'Read a page of the rows of a table',
      params: TableParams,
      body: ExtdbRowsQuery,
      bodyOptional: true,
      response: ExtdbRows,
      errors: [...errors, 'extdb.tableUnknown', 'extdb.columnUnknown', 'extdb.unsupported'],
      handle: ({ params: { name, table }, body }) => databases.rows(found(databases, name), table, body),
    }),
  ];
}

/** The name of a connection that exists. @throws ApiError `common.notFound` */
function found(databases: ExternalDatabases, name: string): string {
  if (!databases.has(name)) throw apiError('common.notFound', {});
  return name;
}
