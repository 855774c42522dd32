import type { Generated } from 'kysely';
import { activityQuery, contentQuery } from '../../../db/prepared.ts';
import { activityTable, contentTable } from '../../../db/table.ts';
import type { ActivityDb, ContentDb } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    sessions: {
      hash: string;
      user_id: number;
      expires_at: number;
      /** Where it was opened. */
      address: Generated<string>;
      agent: Generated<string>;
      /** Until when sensitive things may be done in it, in Unix seconds; -1: the login waits for a factor. */
      confirmed_until: Generated<number>;
    };
  }
  interface ActivityTables {
    session_uses: { hash: string; last_used_at: number };
  }
}

const sessions = contentTable('sessions');
const uses = activityTable('session_uses');

export interface StoredSession {
  readonly hash: string;
  readonly user_id: number;
  readonly expires_at: number;
  readonly address: string;
  readonly agent: string;
  readonly confirmed_until: number;
}

/** A session with its user. */
export interface UserSession extends StoredSession {
  readonly username: string;
  /** JSON list of the IDs of roles. */
  readonly role_ids: string;
  readonly must_change_password: number;
}

/** A session with its user; undefined if it is unknown or has expired. */
export function findSession(db: ContentDb, hash: string, now: number): Promise<UserSession | undefined> {
  return selectSession.first(db, { hash, now });
}

export const insertSession = sessions.insert(
  ...(['hash', 'user_id', 'expires_at', 'address', 'agent', 'confirmed_until'] as const),
);

export const deleteSession = sessions.removeBy('hash');

export const saveConfirmation = sessions.updateBy(['hash'], ['confirmed_until']);

export const listSessionsOf = sessions.listBy(['user_id'], ['-expires_at', 'hash']);

export const listSessions = sessions.listBy([], []);

/** @param exceptHash hash of the session that stays; empty to delete all sessions */
export async function deleteAllSessions(db: ContentDb, userId: number, exceptHash: string): Promise<void> {
  await removeSessionsOf.run(db, { userId, exceptHash });
}

export async function deleteExpiredSessions(db: ContentDb, now: number): Promise<void> {
  await removeExpired.run(db, { now });
}

/** The sessions whose hashes begin like this. */
export function listSessionsByStart(db: ContentDb, start: string): Promise<StoredSession[]> {
  // No hexadecimal digit comes after "f". `like` would look at every session.
  return selectByStart.all(db, { start, end: `${start}g` });
}

export const findUse = uses.findCellBy(['hash'], 'last_used_at');

/** When each session was last used, in Unix seconds by hash. */
export async function listUses(db: ActivityDb): Promise<Map<string, number>> {
  const rows = await selectUses(db);
  return new Map(rows.map(({ hash, last_used_at }) => [hash, last_used_at]));
}

const upsertUse = uses.upsert(['hash'], ['last_used_at']);

export async function saveUse(db: ActivityDb, hash: string, usedAt: number): Promise<void> {
  await upsertUse(db, { hash, last_used_at: usedAt });
}

/** Forgets uses before a time. */
export async function deleteUsesBefore(db: ActivityDb, before: number): Promise<void> {
  await removeUses.run(db, { before });
}

const selectSession = contentQuery((db, p: { hash: string; now: number }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('sessions')
    .select(['users.username', 'users.role_ids', 'users.must_change_password'])
    .where('sessions.hash', '=', p.hash)
    .where('sessions.expires_at', '>', p.now),
);

const removeSessionsOf = contentQuery((db, p: { userId: number; exceptHash: string }) =>
  db.deleteFrom('sessions').where('user_id', '=', p.userId).where('hash', '<>', p.exceptHash),
);

const removeExpired = contentQuery((db, p: { now: number }) =>
  db.deleteFrom('sessions').where('expires_at', '<=', p.now),
);

const selectByStart = contentQuery((db, p: { start: string; end: string }) =>
  db.selectFrom('sessions').selectAll().where('hash', '>=', p.start).where('hash', '<', p.end),
);

const selectUses = uses.listBy([], []);

const removeUses = activityQuery((db, p: { before: number }) =>
  db.deleteFrom('session_uses').where('last_used_at', '<', p.before),
);
