import { randomBytes } from 'node:crypto';
import type { SessionActor } from '../../../base/actor.ts';
import { apiError } from '../../../base/errors.ts';
import type { Change } from '../../../changes/changes.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { sessionSeconds } from '../cookie.ts';
import { hashToken } from '../secret-hash.ts';
import { createdAt, type LiveSessions } from './live-sessions.ts';
import type { ListedSession } from './model.ts';
import * as store from './store.ts';

/** Where a session is opened: the address of the client and what its browser says of itself. */
export interface SessionPlace {
  readonly address: string;
  readonly agent: string;
}

const maxAgentCharacters = 300;
/** Characters of the hash that name a session. The hash itself opens nothing. */
const idCharacters = 32;

/** How long after a login or confirmation sensitive things may be done, in seconds. */
export const confirmationSeconds = 600;

/** In place of the end of a confirmation: the login itself waits for a second factor, which the first one brings. */
const waiting = -1;

/** Whether the login of a session waits for a second factor. */
export function waitsForFactor({ confirmed_until }: Pick<store.StoredSession, 'confirmed_until'>): boolean {
  return confirmed_until === waiting;
}

/**
 * Opens a session and returns the cookie's value; the database stores only its hash. Deletes expired sessions.
 *
 * @param isWhole whether the user has shown all their factors; otherwise the session waits for one of them
 */
export async function openSession(
  change: Change,
  userId: number,
  place: SessionPlace,
  isWhole: boolean,
): Promise<string> {
  const session = randomBytes(32).toString('base64url');
  await store.deleteExpiredSessions(change.tx, change.now);
  await store.insertSession(change.tx, {
    hash: hashToken(session),
    user_id: userId,
    expires_at: change.now + sessionSeconds,
    address: place.address,
    agent: place.agent.slice(0, maxAgentCharacters),
    confirmed_until: isWhole ? change.now + confirmationSeconds : waiting,
  });
  return session;
}

/** GET /auth/sessions: the newest first. */
export async function listSessions(
  live: LiveSessions,
  actor: SessionActor,
  userId: number,
): Promise<ListedSession[]> {
  const sessions = await live.listOf(userId);
  return sessions.map((session) => ({
    id: toId(session),
    created_at: createdAt(session),
    last_used_at: session.last_used_at,
    address: session.address,
    agent: session.agent,
    current: session.hash === actor.sessionHash,
  }));
}

/**
 * DELETE /auth/sessions/{id}
 *
 * @param mayEnd whether the caller may end the sessions of a user
 * @throws ApiError `common.notFound`
 */
export async function endSession(
  { tx }: Change,
  id: string,
  mayEnd: (userId: number) => boolean,
): Promise<void> {
  const isId = new RegExp(`^[\\da-f]{${idCharacters}}$`).test(id);
  const [found] = isId ? await store.listSessionsByStart(tx, id) : [];
  if (found === undefined || !mayEnd(found.user_id)) throw apiError('common.notFound', {});
  await store.deleteSession(tx, found.hash);
}

/** Ends the sessions of a user except one. @param exceptHash hash of that session, or empty */
export function endOtherSessions(db: ContentDb, userId: number, exceptHash: string): Promise<void> {
  return store.deleteAllSessions(db, userId, exceptHash);
}

/** Ends one session; nothing happens if it has ended. */
export async function endSessionOfHash(db: ContentDb, hash: string): Promise<void> {
  await store.deleteSession(db, hash);
}

/** Sets until when sensitive things may be done in a session. @param until Unix seconds; 0 ends it */
export async function saveConfirmation(db: ContentDb, hash: string, until: number): Promise<void> {
  await store.saveConfirmation(db, hash, until);
}

/** Ends the sessions of all users. */
export async function endAllSessions(db: ContentDb): Promise<void> {
  // By then every session has expired.
  await store.deleteExpiredSessions(db, Number.MAX_SAFE_INTEGER);
}

function toId({ hash }: Pick<store.StoredSession, 'hash'>): string {
  return hash.slice(0, idCharacters);
}
