import type { SessionActor } from '../../../base/actor.ts';
import { apiError, invalid } from '../../../base/errors.ts';
import type { Client } from '../../../http/client-address.ts';
import { spendPasskey, type UsedPasskey, verifyPasskey } from '../factors/passkeys.ts';
import { listFactorKinds, useCode } from '../factors/service.ts';

import { attemptSecondStep } from '../second-step.ts';
import { confirmationSeconds, saveConfirmation } from '../sessions/service.ts';
import { findUser } from '../users/user-store.ts';
import type { LoginDeps } from './login.ts';
import type { Confirmation } from './model.ts';

/**
 * POST /auth/confirm: opens ten minutes in this session in which sensitive things may be done. Every part that is sent
 * must be right; with factors set up, the password alone is not enough.
 *
 * @param origin of this instance, for a passkey
 * @throws ApiError `common.invalid`, `auth.invalidCredentials`, `auth.factorRequired`, `auth.tooManyAttempts`
 */
export async function confirmSession(
  deps: LoginDeps,
  actor: SessionActor,
  client: Client,
  body: Confirmation,
  origin: () => Promise<URL>,
): Promise<void> {
  const { password, code, passkey } = body;
  if (password === undefined && code === undefined && passkey === undefined)
    throw invalid('password', 'is needed, or code or passkey');
  const signedBy = passkey === undefined ? undefined : await origin();
  await attemptSecondStep(deps, client.key, actor.userId, async () => {
    if (password !== undefined && !(await isPassword(deps, actor.userId, password))) return undefined;
    const factors = await listFactorKinds(deps.reader, actor.userId);
    if (factors.length > 0 && code === undefined && passkey === undefined)
      throw apiError('auth.factorRequired', { factors });
    const used =
      passkey === undefined || signedBy === undefined
        ? undefined
        : await verifyPasskey(deps, signedBy, passkey);
    if (passkey !== undefined && used?.factor.user_id !== actor.userId) return undefined;
    return openWindow(deps, actor, code, used);
  });
}

/** Undefined if the code or the answer of the key was used before. */
function openWindow(
  { changes, secrets }: LoginDeps,
  actor: SessionActor,
  code: string | undefined,
  passkey: UsedPasskey | undefined,
): Promise<true | undefined> {
  return changes.changeUnversioned(actor, async (change) => {
    if (code !== undefined && !(await useCode(change, actor.userId, { code }, secrets))) return undefined;
    if (passkey !== undefined && !(await spendPasskey(change, passkey))) return undefined;
    await saveConfirmation(change.tx, actor.sessionHash, change.now + confirmationSeconds);
    return true;
  });
}

async function isPassword({ reader, passwords }: LoginDeps, userId: number, sent: string): Promise<boolean> {
  const user = await findUser(reader, userId);
  return passwords.verify(sent, user?.password_hash);
}
