import Type from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import { IdParams } from '../../content/common-fields.ts';
import type { SharedServices } from '../../feature.ts';
import { answerChecks } from './checks.ts';
import { requireKindsOfChecks, requireKindsOfGrants } from './known-kinds.ts';
import { CanRequest, Role, RoleCreate, RoleUpdate } from './model.ts';
import * as service from './service.ts';
import { listRoles } from './store.ts';

export function roleRoutes({
  reader,
  changes,
  registry,
}: Pick<SharedServices, 'reader' | 'changes' | 'registry'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/auth/can',
      access: 'read',
      needs: 'nothing',
      summary: 'Say whether the caller may do things, in the order of the questions',
      body: CanRequest,
      response: Type.Array(Type.Boolean()),
      handle({ actor, body }) {
        requireKindsOfChecks(registry.byName, body);
        return answerChecks(reader, registry.byName, actor, body.checks);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/roles',
      access: 'admin',
      needs: 'users',
      summary: 'List the roles',
      response: Type.Array(Role),
      handle: () => listRoles(reader),
    }),
    defineRoute({
      method: 'POST',
      path: '/roles',
      access: 'admin',
      needs: 'users',
      isSensitive: true,
      summary: 'Create a role',
      body: RoleCreate,
      response: Role,
      status: 201,
      errors: ['auth.notAllowed', 'common.busy'],
      handle({ actor, body }) {
        requireKindsOfGrants(registry.byName, body);
        return changes.changeUnversioned(actor, (change) => service.createRole(change, body));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/roles/{id}',
      access: 'admin',
      needs: 'users',
      summary: 'Get a role',
      params: IdParams,
      response: Role,
      handle: ({ params }) => service.requireRole(reader, params.id),
    }),
    defineRoute({
      method: 'PUT',
      path: '/roles/{id}',
      access: 'admin',
      needs: 'users',
      isSensitive: true,
      summary: 'Change fields of a role',
      params: IdParams,
      body: RoleUpdate,
      response: Role,
      errors: ['auth.notAllowed', 'role.builtin', 'common.busy'],
      handle({ actor, params, body }) {
        requireKindsOfGrants(registry.byName, body);
        return changes.changeUnversioned(actor, (change) => service.updateRole(change, params.id, body));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/roles/{id}',
      access: 'admin',
      needs: 'users',
      isSensitive: true,
      summary: 'Delete a role that nobody has',
      params: IdParams,
      errors: ['auth.notAllowed', 'role.builtin', 'role.inUse', 'common.busy'],
      handle: ({ actor, params }) =>
        changes.changeUnversioned(actor, (change) => service.deleteRole(change, params.id)),
    }),
  ];
}
