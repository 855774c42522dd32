import { type Generated, sql } from 'kysely';
import { nameKey } from '../../base/text.ts';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { User } from './model.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    users: {
      id: Generated<number>;
      username: string;
      /** `nameKey` of the username; unique. */
      username_key: string;
      password_hash: string;
      created_at: number;
      last_login_at: number | null;
    };
    sessions: { hash: string; user_id: number; expires_at: number };
  }
}

/** A user with the password hash, which must never leave the server. */
export interface StoredUser extends User {
  readonly password_hash: string;
}

export function listUsers(db: ContentDb): Promise<User[]> {
  return selectUsers.all(db, {});
}

export async function countUsers(db: ContentDb): Promise<number> {
  return (await selectCount.first(db, {}))?.users ?? 0;
}

export function findUser(db: ContentDb, id: number): Promise<StoredUser | undefined> {
  return selectUser.first(db, { id });
}

/** The user of a name, without regard to case and to white space around it. */
export function findUserByName(db: ContentDb, username: string): Promise<StoredUser | undefined> {
  return selectUserByName.first(db, { key: nameKey(username) });
}

export async function insertUser(
  db: ContentDb,
  user: { username: string; passwordHash: string; createdAt: number },
): Promise<number> {
  return (await insert.first(db, { ...user, key: nameKey(user.username) }))?.id ?? 0;
}

export async function savePassword(db: ContentDb, userId: number, passwordHash: string): Promise<void> {
  await updatePassword.run(db, { userId, passwordHash });
}

export async function saveLogin(db: ContentDb, userId: number, at: number): Promise<void> {
  await updateLogin.run(db, { userId, at });
}

/** The foreign key also deletes the sessions of the user. */
export async function deleteUser(db: ContentDb, id: number): Promise<void> {
  await removeUser.run(db, { id });
}

/** The user of a session; undefined if the session is unknown or has expired. */
export function findSession(
  db: ContentDb,
  hash: string,
  now: number,
): Promise<{ user_id: number; username: string } | undefined> {
  return selectSession.first(db, { hash, now });
}

export async function insertSession(
  db: ContentDb,
  session: { hash: string; userId: number; expiresAt: number },
): Promise<void> {
  await addSession.run(db, session);
}

export async function deleteSession(db: ContentDb, hash: string): Promise<void> {
  await removeSession.run(db, { hash });
}

/** @param exceptHash hash of the session that stays; empty to delete all sessions */
export async function deleteSessionsOf(db: ContentDb, userId: number, exceptHash: string): Promise<void> {
  await removeSessionsOf.run(db, { userId, exceptHash });
}

export async function deleteExpiredSessions(db: ContentDb, now: number): Promise<void> {
  await removeExpired.run(db, { now });
}

const selectUsers = contentQuery((db, _p: object) =>
  db.selectFrom('users').select(['id', 'username', 'created_at', 'last_login_at']),
);

const selectCount = contentQuery((db, _p: object) =>
  db.selectFrom('users').select(sql<number>`count(*)`.as('users')),
);

const selectUser = contentQuery((db, p: { id: number }) =>
  db.selectFrom('users').selectAll().where('id', '=', p.id),
);

const selectUserByName = contentQuery((db, p: { key: string }) =>
  db.selectFrom('users').selectAll().where('username_key', '=', p.key),
);

const insert = contentQuery(
  (db, p: { username: string; key: string; passwordHash: string; createdAt: number }) =>
    db
      .insertInto('users')
      .values({
        username: p.username,
        username_key: p.key,
        password_hash: p.passwordHash,
        created_at: p.createdAt,
      })
      .returning('id'),
);

const updatePassword = contentQuery((db, p: { userId: number; passwordHash: string }) =>
  db.updateTable('users').set({ password_hash: p.passwordHash }).where('id', '=', p.userId),
);

const updateLogin = contentQuery((db, p: { userId: number; at: number }) =>
  db.updateTable('users').set({ last_login_at: p.at }).where('id', '=', p.userId),
);

const removeUser = contentQuery((db, p: { id: number }) => db.deleteFrom('users').where('id', '=', p.id));

const selectSession = contentQuery((db, p: { hash: string; now: number }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.user_id', 'users.username'])
    .where('sessions.hash', '=', p.hash)
    .where('sessions.expires_at', '>', p.now),
);

const addSession = contentQuery((db, p: { hash: string; userId: number; expiresAt: number }) =>
  db.insertInto('sessions').values({ hash: p.hash, user_id: p.userId, expires_at: p.expiresAt }),
);

const removeSession = contentQuery((db, p: { hash: string }) =>
  db.deleteFrom('sessions').where('hash', '=', p.hash),
);

const removeSessionsOf = contentQuery((db, p: { userId: number; exceptHash: string }) =>
  db.deleteFrom('sessions').where('user_id', '=', p.userId).where('hash', '<>', p.exceptHash),
);

const removeExpired = contentQuery((db, p: { now: number }) =>
  db.deleteFrom('sessions').where('expires_at', '<=', p.now),
);
