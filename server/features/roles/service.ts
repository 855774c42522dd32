import { apiError, invalid, requireText } from '../../base/errors.ts';
import { notAllowed } from '../../base/refusals/refusal.ts';
import type { Grants } from '../../base/rights.ts';
import type { Change } from '../../changes/changes.ts';
import type { ContentDb } from '../../db/tables.ts';
import { covers } from './grants.ts';
import type { Role, RoleCreate, RoleUpdate } from './model.ts';
import * as store from './store.ts';

export { listRoles } from './store.ts';

/** ID of the built-in role that may do everything. */
export const administratorRole = 1;

/** @throws ApiError `common.notFound` */
export async function requireRole(db: ContentDb, id: number): Promise<Role> {
  const role = await store.findRole(db, id);
  if (role === undefined) throw apiError('common.notFound', {});
  return role;
}

/** POST /roles. @throws ApiError `common.invalid`; `auth.notAllowed` beyond the grants of the caller */
export async function createRole(change: Change, body: RoleCreate): Promise<Role> {
  requireText('name', body.name);
  const role = {
    name: body.name,
    description: body.description ?? '',
    builtin: false,
    require_factor: body.require_factor ?? false,
    grants: toGrants(body.grants ?? []),
  };
  await requireCovered(change, role.grants, { kind: 'role' });
  return { id: await store.insertRole(change.tx, role), ...role };
}

/**
 * PUT /roles/{id}: merges the fields.
 *
 * @throws ApiError `common.notFound`, 409 `role.builtin`, and the errors of {@link createRole}
 */
export async function updateRole(change: Change, id: number, body: RoleUpdate): Promise<Role> {
  const before = await requireOwnRole(change, id);
  if (body.name !== undefined) requireText('name', body.name);
  const { grants, ...fields } = body;
  const after = { ...before, ...fields, ...(grants === undefined ? {} : { grants: toGrants(grants) }) };
  await requireCovered(change, after.grants, { kind: 'role', id });
  await store.updateRole(change.tx, id, after);
  return after;
}

/** DELETE /roles/{id}. @throws ApiError `common.notFound`, 409 `role.builtin`, `role.inUse` */
export async function deleteRole(change: Change, id: number): Promise<void> {
  await requireOwnRole(change, id);
  const holders = await store.countHolders(change.tx, id);
  if (holders.users + holders.tokens > 0) throw apiError('role.inUse', holders);
  await store.deleteRole(change.tx, id);
}

/** A role that is not built in, and that gives nothing beyond the grants of the caller. */
async function requireOwnRole(change: Change, id: number): Promise<Role> {
  const role = await requireRole(change.tx, id);
  if (role.builtin) throw apiError('role.builtin', {});
  await requireCovered(change, role.grants, { kind: 'role', id });
  return role;
}

function toGrants(sent: NonNullable<RoleCreate['grants']>): Grants {
  return sent.map(({ actions, on = {} }) => ({ actions: [...new Set(actions)], on }));
}

/** Checks that all roles exist. @throws ApiError 400 `common.invalid` for `role_ids` */
export async function requireRoles(db: ContentDb, ids: readonly number[]): Promise<void> {
  for (const id of ids)
    if ((await store.findRole(db, id)) === undefined)
      throw invalid('role_ids', `has ${id}, which is no role`);
}

/** What roles give together; undefined for everything. Roles that are gone give nothing. */
export async function readGrants(db: ContentDb, roleIds: readonly number[]): Promise<Grants | undefined> {
  if (roleIds.includes(administratorRole)) return undefined;
  const grants: Grants[] = [];
  for (const id of roleIds) grants.push((await store.findRole(db, id))?.grants ?? []);
  return grants.flat();
}

/**
 * Checks that nobody gives, or takes over, more than they have.
 *
 * @throws ApiError 403 `auth.notAllowed`
 */
export async function requireCovered(
  { tx, actor }: Pick<Change, 'tx' | 'actor'>,
  given: Grants,
  of: { readonly kind: 'role' | 'user' | 'token'; readonly id?: number; readonly field?: string },
): Promise<void> {
  if (await covers(tx, actor.grants, given)) return;
  throw notAllowed({ action: 'users', ...of });
}
