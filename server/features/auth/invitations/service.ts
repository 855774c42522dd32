import { randomBytes } from 'node:crypto';
import type { Actor } from '../../../base/actor.ts';
import { type Clock, unixSeconds } from '../../../base/clock.ts';
import { apiError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { Origin } from '../../../http/origin.ts';
import { hasFactor } from '../factors/service.ts';
import { requirePublicOrigin } from '../public-address.ts';
import { hashToken } from '../secret-hash.ts';
import { endSessionOfHash, type SessionPlace } from '../sessions/service.ts';
import * as store from '../users/invitation-store.ts';
import { findUser, type StoredUser } from '../users/user-store.ts';
import {
  replacePassword,
  requireBelow,
  requireUser,
  type SignedInUser,
  signIn,
  type UsersDeps,
} from '../users/users.ts';
import type { Invitation, InvitationAcceptance, InvitationLink } from './model.ts';

/** How long an invitation lasts, in seconds. */
const invitationSeconds = 7 * 24 * 3600;

export interface InvitationDeps
  extends Pick<UsersDeps, 'reader' | 'changes' | 'passwords' | 'passwordRules'> {
  readonly clock: Clock;
  readonly log: Log;
  /** Sends mail; asked only if `isSetUp`. */
  readonly mail: () => InvitationMail;
}

export interface InvitationMail {
  readonly isSetUp: boolean;
  send(mail: { readonly to: string; readonly subject: string; readonly text: string }): Promise<void>;
}

/**
 * POST /users/{id}/invitation: a new one ends the one before. It is sent if mail is set up and the user has an address.
 *
 * @throws ApiError `common.notFound`, 400 `auth.publicUrlMissing`, `auth.notAllowed` for a user with more rights than
 *   the caller
 */
export async function inviteUser(
  deps: InvitationDeps,
  actor: Actor,
  userId: number,
  asked: Origin,
): Promise<InvitationLink> {
  await requireBelow({ tx: deps.reader, actor }, await requireUser(deps.reader, userId));
  const origin = await requirePublicOrigin(deps.reader, asked);
  const token = randomBytes(32).toString('base64url');
  const { user, expiresAt } = await deps.changes.changeUnversioned(actor, async (change) => {
    const invited = await requireUser(change.tx, userId);
    await requireBelow(change, invited);
    const expires_at = change.now + invitationSeconds;
    await store.saveInvitation(change.tx, { user_id: userId, hash: hashToken(token), expires_at });
    return { user: invited, expiresAt: expires_at };
  });
  const url = `${origin.origin}/cms-admin/invitation?token=${token}`;
  return { url, expires_at: expiresAt, sent: await sendInvitation(deps, user, url) };
}

/** GET /auth/invitation. @throws ApiError `common.notFound` if it was used or has ended */
export async function getInvitation(
  deps: Pick<InvitationDeps, 'reader' | 'clock'>,
  token: string,
): Promise<Invitation> {
  const { user, expires_at } = await requireInvitation(deps.reader, token, unixSeconds(deps.clock));
  const { username, name, email } = user;
  return { username, name, email, expires_at };
}

/**
 * POST /auth/invitation: sets the password, ends all sessions of the user and signs in. The session of a user with
 * factors waits for one of them.
 *
 * @throws ApiError `common.notFound`, and those of `PasswordRules`
 */
export async function acceptInvitation(
  deps: InvitationDeps,
  actor: Actor,
  place: SessionPlace,
  { token, password }: InvitationAcceptance,
): Promise<SignedInUser> {
  const found = await requireInvitation(deps.reader, token, unixSeconds(deps.clock));
  await deps.passwordRules.check(password, found.user);
  const passwordHash = await deps.passwords.hash(password);
  return deps.changes.changeUnversioned(actor, async (change) => {
    // Of two who come at the same time one finds the invitation used.
    const { user } = await requireInvitation(change.tx, token, change.now);
    await replacePassword(change, user.id, passwordHash, '', { isOwnChoice: true });
    if (actor.kind === 'session') await endSessionOfHash(change.tx, actor.sessionHash);
    // The invitation takes the place of the password only.
    const isWhole = !(await hasFactor(change.tx, user.id));
    return signIn(change, await requireUser(change.tx, user.id), place, isWhole);
  });
}

async function requireInvitation(
  db: ContentDb,
  token: string,
  now: number,
): Promise<{ readonly user: StoredUser; readonly expires_at: number }> {
  const invitation = await store.findInvitation(db, hashToken(token));
  const user =
    invitation === undefined || invitation.expires_at <= now
      ? undefined
      : await findUser(db, invitation.user_id);
  if (invitation === undefined || user === undefined) throw apiError('common.notFound', {});
  return { user, expires_at: invitation.expires_at };
}

/** Whether it was sent. A mail server that fails leaves an invitation whose address the caller can pass on. */
async function sendInvitation(
  { mail, log }: InvitationDeps,
  { email, name, username }: StoredUser,
  url: string,
): Promise<boolean> {
  const sender = mail();
  if (!sender.isSetUp || email === '') return false;
  const host = new URL(url).host;
  const text = [
    `Hello ${name === '' ? username : name},`,
    `you can now sign in at ${host} as "${username}". Choose your password here within seven days:`,
    url,
    'If you did not expect this mail, you can ignore it.',
  ].join('\n\n');
  try {
    await sender.send({ to: email, subject: `Your access to ${host}`, text });
    return true;
  } catch (error) {
    log.warn({ err: error }, 'an invitation could not be sent');
    return false;
  }
}
