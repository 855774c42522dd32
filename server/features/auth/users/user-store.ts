import { type Generated, sql } from 'kysely';
import { nameKey } from '../../../base/text.ts';
import { contentQuery } from '../../../db/prepared.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { User } from '../model.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    users: {
      id: Generated<number>;
      username: string;
      /** `nameKey` of the username; unique. */
      username_key: string;
      password_hash: string;
      created_at: number;
      last_login_at: number | null;
      /** JSON list of the IDs of roles. */
      role_ids: Generated<string>;
      email: Generated<string>;
      name: Generated<string>;
      /** Whether the user must choose another password before anything else. */
      must_change_password: Generated<number>;
    };
  }
}

const usersTable = contentTable('users');

/** A user with the password hash, which must never leave the server. */
export interface StoredUser extends Omit<User, 'role_ids' | 'must_change_password'> {
  /** Empty for a user who has none yet, and cannot sign in with one. */
  readonly password_hash: string;
  /** JSON list of the IDs of roles. */
  readonly role_ids: string;
  readonly must_change_password: number;
}

export const listUsers = usersTable.listBy([], []);

/** How many users have a role. */
export async function countUsersWithRole(db: ContentDb, roleId: number): Promise<number> {
  // Of the JSON list with commas as its brackets, because SQLite and PostgreSQL read JSON differently.
  return (await selectCountWithRole.first(db, { pattern: `%,${roleId},%` }))?.users ?? 0;
}

export async function countUsers(db: ContentDb): Promise<number> {
  return (await selectCount.first(db, {}))?.users ?? 0;
}

export const findUser = usersTable.findBy(['id']);

/** The user of a name, without regard to case and to white space around it. */
export function findUserByName(db: ContentDb, username: string): Promise<StoredUser | undefined> {
  return selectUserByName(db, nameKey(username));
}

export interface NewUser {
  readonly username: string;
  readonly passwordHash: string;
  readonly createdAt: number;
  /** JSON list of the IDs of roles. */
  readonly roleIds: string;
  readonly email: string;
  readonly name: string;
  readonly mustChangePassword: number;
}

export async function insertUser(db: ContentDb, user: NewUser): Promise<number> {
  return (await insert.first(db, { ...user, key: nameKey(user.username) }))?.id ?? 0;
}

export async function saveUser(db: ContentDb, id: number, user: StoredUser): Promise<void> {
  const { username, role_ids, email, name, must_change_password } = user;
  await update(db, id, username, nameKey(username), role_ids, email, name, must_change_password);
}

export const saveMustChange = usersTable.updateBy(['id'], ['must_change_password']);

export const savePassword = usersTable.updateBy(['id'], ['password_hash']);

export const saveLogin = usersTable.updateBy(['id'], ['last_login_at']);

/** The foreign key also deletes the sessions of the user. */
export async function deleteUser(db: ContentDb, id: number): Promise<void> {
  await removeUser(db, id);
}

const selectCount = contentQuery((db, _p: object) =>
  db.selectFrom('users').select(sql<number>`count(*)`.as('users')),
);

const selectCountWithRole = contentQuery((db, p: { pattern: string }) =>
  db
    .selectFrom('users')
    .select(sql<number>`count(*)`.as('users'))
    .where(sql<boolean>`replace(replace(role_ids, '[', ','), ']', ',') like ${p.pattern}`),
);

const selectUserByName = usersTable.findBy(['username_key']);

const insert = contentQuery((db, p: NewUser & { key: string }) =>
  db
    .insertInto('users')
    .values({
      username: p.username,
      username_key: p.key,
      password_hash: p.passwordHash,
      created_at: p.createdAt,
      role_ids: p.roleIds,
      email: p.email,
      name: p.name,
      must_change_password: p.mustChangePassword,
    })
    .returning('id'),
);

const update = usersTable.updateBy(
  ['id'],
  ['username', 'username_key', 'role_ids', 'email', 'name', 'must_change_password'],
);

const removeUser = usersTable.removeBy('id');
