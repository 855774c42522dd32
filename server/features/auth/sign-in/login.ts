import type { Actor } from '../../../base/actor.ts';
import { apiError } from '../../../base/errors.ts';
import type { Secrets } from '../../../base/secrets.ts';
import type { Change } from '../../../changes/changes.ts';
import type { Client } from '../../../http/client-address.ts';
import type { PasskeyAnswer } from '../factors/model.ts';
import { type PasskeyDeps, spendPasskey, verifyPasskey } from '../factors/passkeys.ts';
import { listFactorKinds, useCode } from '../factors/service.ts';

import { type SecondStepLocks, secondStepFailure, toUserKey } from '../second-step.ts';
import { endSessionOfHash } from '../sessions/service.ts';
import { findUser, findUserByName, type StoredUser } from '../users/user-store.ts';
import { type SignedInUser, signIn, type UsersDeps } from '../users/users.ts';
import type { Login } from './model.ts';

export interface LoginDeps extends UsersDeps, SecondStepLocks, PasskeyDeps {
  readonly secrets: Secrets;
}

/** Who signs in, and from where. */
export interface LoginCaller {
  readonly actor: Actor;
  readonly client: Client;
  readonly agent: string;
}

/**
 * POST /auth/login. Ends the session of the request, because a login always opens a new session. What a wrong password
 * gets depends neither on the name nor on factors.
 *
 * @throws ApiError `auth.invalidCredentials`, `auth.tooManyAttempts`, 401 `auth.factorRequired`
 */
export async function logIn(deps: LoginDeps, caller: LoginCaller, body: Login): Promise<SignedInUser> {
  const { reader, lockout, userLockout, passwords } = deps;
  let secondStepOf: number | undefined;
  const signedIn = await lockout.attempt(caller.client.key, async () => {
    const user = await findUserByName(reader, body.username);
    const isRight = await passwords.verify(body.password, user?.password_hash);
    if (user === undefined || !isRight) return undefined;
    const open = () => openWithPassword(deps, caller, user, body);
    const factors = await listFactorKinds(reader, user.id);
    if (factors.length === 0) return open();
    // Thrown, because neither a success nor a failure: the password is right.
    if (!hasCode(body)) throw apiError('auth.factorRequired', { factors });
    secondStepOf = user.id;
    return userLockout.attempt(toUserKey(user.id), open);
  });
  if (signedIn === undefined && secondStepOf !== undefined) throw secondStepFailure(secondStepOf);
  if (signedIn === undefined) throw apiError('auth.invalidCredentials', {});
  return signedIn;
}

/** POST /auth/passkeys: a key alone is enough. @throws ApiError `auth.invalidCredentials`, `auth.tooManyAttempts` */
export async function logInWithPasskey(
  deps: LoginDeps,
  caller: LoginCaller,
  origin: URL,
  answer: PasskeyAnswer,
): Promise<SignedInUser> {
  const signedIn = await deps.lockout.attempt(caller.client.key, async () => {
    const passkey = await verifyPasskey(deps, origin, answer);
    if (passkey === undefined) return undefined;
    return deps.changes.changeUnversioned(caller.actor, async (change) => {
      const user = await findUser(change.tx, passkey.factor.user_id);
      if (user === undefined || !(await spendPasskey(change, passkey))) return undefined;
      return openSession(change, caller, user);
    });
  });
  if (signedIn === undefined) throw apiError('auth.invalidCredentials', {});
  return signedIn;
}

/** Undefined if the code is wrong. It is used up in the same change that opens the session. */
function openWithPassword(
  { changes, secrets }: LoginDeps,
  caller: LoginCaller,
  checked: StoredUser,
  body: Login,
): Promise<SignedInUser | undefined> {
  return changes.changeUnversioned(caller.actor, async (change) => {
    // The password may have been changed, or the user deleted, while the password was checked.
    const user = await findUser(change.tx, checked.id);
    if (user?.password_hash !== checked.password_hash) return undefined;
    const factors = await listFactorKinds(change.tx, user.id);
    if (factors.length > 0 && !hasCode(body)) throw apiError('auth.factorRequired', { factors });
    if (factors.length > 0 && !(await useCode(change, user.id, body, secrets))) return undefined;
    return openSession(change, caller, user);
  });
}

async function openSession(
  change: Change,
  { actor, client, agent }: LoginCaller,
  user: StoredUser,
): Promise<SignedInUser> {
  if (actor.kind === 'session') await endSessionOfHash(change.tx, actor.sessionHash);
  return signIn(change, user, { address: client.address, agent });
}

function hasCode({ code, recovery_code }: Login): boolean {
  return code !== undefined || recovery_code !== undefined;
}
