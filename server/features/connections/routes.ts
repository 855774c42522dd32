import Type from 'typebox';
import { Reply } from '../../api/reply.ts';
import { defineRoute, type Route } from '../../api/route.ts';
import { apiError } from '../../base/errors.ts';
import { usesSecureCookies } from '../../config/config.ts';
import { IdParams } from '../../content/common-fields.ts';
import type { SharedServices } from '../../feature.ts';
import { remoteCookie } from '../auth/cookie.ts';
import {
  Connection,
  ConnectionCreate,
  ConnectionStatus,
  ConnectionUpdate,
  Diff,
  DiffQuery,
  Select,
  SyncResult,
  SyncStart,
  SyncState,
} from './model.ts';
import * as service from './service.ts';
import { readStatus } from './status.ts';
import * as store from './store.ts';
import type { Sync, SyncDeps } from './sync.ts';

interface ConnectionRoutesDeps extends SyncDeps, Pick<SharedServices, 'config' | 'build'> {
  readonly sync: Sync;
}

const remoteErrors = ['connection.failed', 'storage.secretUndecryptable'] as const;

export function connectionRoutes(deps: ConnectionRoutesDeps): Route[] {
  return [...listRoutes(deps), ...stateRoutes(deps), ...syncRoutes(deps)];
}

function listRoutes(deps: ConnectionRoutesDeps): Route[] {
  const { reader, changes } = deps;
  return [
    defineRoute({
      method: 'GET',
      path: '/connections',
      access: 'admin',
      needs: 'settings',
      summary: 'List connections',
      response: Type.Array(Connection),
      handle: async () => (await store.connections.list(reader)).map(service.presentConnection),
    }),
    defineRoute({
      method: 'POST',
      path: '/connections',
      access: 'admin',
      needs: 'settings',
      isSensitive: true,
      summary: 'Create a connection',
      body: ConnectionCreate,
      response: Connection,
      status: 201,
      errors: ['connection.urlInvalid', 'common.busy'],
      handle: async ({ actor, body }) =>
        service.presentConnection(
          await changes.changeUnversioned(actor, (change) => service.createConnection(change, body, deps)),
        ),
    }),
    defineRoute({
      method: 'PUT',
      path: '/connections/{id}',
      access: 'admin',
      needs: 'settings',
      isSensitive: true,
      summary: 'Change a connection',
      params: IdParams,
      body: ConnectionUpdate,
      response: Connection,
      errors: ['connection.urlInvalid', 'common.busy'],
      handle: async ({ actor, params: { id }, body }) =>
        service.presentConnection(
          await changes.changeUnversioned(actor, (change) =>
            service.updateConnection(change, id, body, deps),
          ),
        ),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/connections/{id}',
      access: 'admin',
      needs: 'settings',
      isSensitive: true,
      summary: 'Delete a connection',
      params: IdParams,
      errors: ['common.busy'],
      handle: ({ actor, params: { id } }) =>
        changes.changeUnversioned(actor, async ({ tx }) => {
          if ((await store.connections.remove(tx, id)) === 0) throw apiError('common.notFound', {});
        }),
    }),
  ];
}

function stateRoutes({ reader, config, sync, bundles, ...deps }: ConnectionRoutesDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/connections/{id}/status',
      access: 'admin',
      needs: 'settings',
      summary: 'Whether the other instance can be reached, and what has changed',
      params: IdParams,
      response: ConnectionStatus,
      handle: async ({ params: { id } }) =>
        readStatus(await service.requireConnection(reader, id), { ...deps, bundles, sync }),
    }),
    defineRoute({
      method: 'GET',
      path: '/connections/{id}/diff',
      access: 'admin',
      needs: 'settings',
      summary: 'What a push or pull would do, object by object',
      params: IdParams,
      query: DiffQuery,
      response: Diff,
      errors: [...remoteErrors, 'bundle.invalid'],
      async handle({ params: { id }, query: { direction = 'push' } }) {
        const remote = sync.remote(await service.requireConnection(reader, id));
        return sync.download(remote, async (path) => ({
          direction,
          ...(await bundles.diff(path, direction === 'push' ? 'fromHere' : 'toHere')),
        }));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/connections/select',
      access: 'admin',
      needs: 'settings',
      summary: 'Forward requests to another instance, or end that',
      body: Select,
      async handle({ body: { id } }) {
        if (id !== 0) await service.requireConnection(reader, id);
        return Reply.empty({ headers: [remoteCookie(id, usesSecureCookies(config))] });
      },
    }),
  ];
}

function syncRoutes({ sync }: ConnectionRoutesDeps): Route[] {
  const errors = [...remoteErrors, 'connection.busy', 'common.storageFull', 'common.busy'] as const;
  return [
    defineRoute({
      method: 'GET',
      path: '/bundle/push',
      access: 'admin',
      needs: 'settings',
      summary: 'The running or last push or pull',
      response: SyncState,
      handle: () => sync.state,
    }),
    defineRoute({
      method: 'POST',
      path: '/bundle/push',
      access: 'admin',
      needs: 'settings',
      isSensitive: true,
      summary: 'Replace the content of another instance by that of this one',
      body: SyncStart,
      response: SyncResult,
      errors,
      handle: ({ actor, body }) => sync.push(actor, body.connection_id),
    }),
    defineRoute({
      method: 'POST',
      path: '/bundle/pull',
      access: 'admin',
      needs: 'settings',
      isSensitive: true,
      summary: 'Replace the content of this instance by that of another one',
      body: SyncStart,
      response: SyncResult,
      errors,
      handle: ({ actor, body }) => sync.pull(actor, body.connection_id),
    }),
  ];
}
