import { compareIgnoringCase } from '../../../base/text.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { User } from '../model.ts';
import * as store from '../users/user-store.ts';
import { requireUser, toUser } from '../users/users.ts';
import { listKindsOfAll } from './store.ts';

/** GET /users: sorted by username. */
export async function listUsers(db: ContentDb): Promise<User[]> {
  const users = await withFactors(db, (await store.listUsers(db)).map(toUser));
  return users.sort((left, right) => compareIgnoringCase(left.username, right.username));
}

/** GET /users/{id}. @throws ApiError `common.notFound` */
export async function describeUser(db: ContentDb, id: number): Promise<User> {
  const user = toUser(await requireUser(db, id));
  const [described = user] = await withFactors(db, [user]);
  return described;
}

/** Users with the kinds of their factors. */
async function withFactors(db: ContentDb, users: readonly User[]): Promise<User[]> {
  const all = Map.groupBy(await listKindsOfAll(db, 1), ({ user_id }) => user_id);
  return users.map((user) => {
    const kinds = all.get(user.id)?.map(({ kind }) => kind);
    return kinds === undefined ? user : { ...user, factors: [...new Set(kinds)] };
  });
}
