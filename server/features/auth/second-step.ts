import { apiError } from '../../base/errors.ts';
import type { Lockout } from './lockout.ts';

/** Wrong codes and confirmations of a user before this step is locked. */
export const maxSecondStepFailures = 20;

export interface SecondStepLocks {
  /** Counts failures by address. */
  readonly lockout: Lockout;
  /** Counts failures by user, of the second step only: nobody can lock others out who does not know their password. */
  readonly userLockout: Lockout;
}

/**
 * Runs a check of a code or confirmation of a user. A wrong one (undefined) counts for the address and for the user.
 *
 * @throws ApiError `auth.invalidCredentials`, `auth.tooManyAttempts`
 */
export async function attemptSecondStep<T>(
  { lockout, userLockout }: SecondStepLocks,
  clientKey: string,
  userId: number,
  check: () => Promise<T | undefined>,
): Promise<T> {
  const result = await lockout.attempt(clientKey, () => userLockout.attempt(toUserKey(userId), check));
  if (result === undefined) throw apiError('auth.invalidCredentials', {});
  return result;
}

/** No address looks like this. */
export function toUserKey(userId: number): string {
  return `user ${userId}`;
}
