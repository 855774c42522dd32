import type { Actor, SessionActor } from '../actor.ts';
import { apiError } from '../errors.ts';

/** Narrows the type: only sessions reach routes with access `admin`. @throws ApiError `auth.sessionRequired` */
export function requireSession(actor: Actor): SessionActor {
  if (actor.kind !== 'session') throw apiError('auth.sessionRequired', {});
  return actor;
}

/**
 * Sensitive things need a session whose user has just signed in or confirmed with password or factor, because a
 * session can be stolen. Other callers need no confirmation.
 *
 * @param now Unix seconds
 * @throws ApiError 403 `auth.confirm`
 */
export function requireConfirmed(actor: Actor, now: number): void {
  if (actor.kind === 'session' && actor.confirmedUntil <= now) throw apiError('auth.confirm', {});
}
