import { compareIgnoringCase } from '../../../base/text.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { FactorKind } from '../factor-kind.ts';
import type { User } from '../model.ts';
import * as store from '../users/user-store.ts';
import { requireUser, toUser } from '../users/users.ts';
import { listFactors, listKindsOfAll } from './store.ts';

/** GET /users: sorted by username. */
export async function listUsers(db: ContentDb): Promise<User[]> {
  const all = Map.groupBy(await listKindsOfAll(db, 1), ({ user_id }) => user_id);
  const users = (await store.listUsers(db)).map((row) => withFactors(toUser(row), all.get(row.id) ?? []));
  return users.sort((left, right) => compareIgnoringCase(left.username, right.username));
}

/** GET /users/{id}. @throws ApiError `common.notFound` */
export async function describeUser(db: ContentDb, id: number): Promise<User> {
  return withFactors(toUser(await requireUser(db, id)), await listFactors(db, id));
}

/** A user with the kinds of their factors, if there are any. */
function withFactors(user: User, factors: readonly { readonly kind: FactorKind }[]): User {
  const kinds = new Set(factors.map(({ kind }) => kind));
  return kinds.size === 0 ? user : { ...user, factors: [...kinds] };
}
