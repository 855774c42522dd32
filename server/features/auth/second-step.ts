import { type ApiError, apiError } from '../../base/errors.ts';
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
 * @param keepsFailures whether a success leaves the count of the user, because it needs no factor
 * @throws ApiError `auth.invalidCredentials`, `auth.tooManyAttempts`
 */
export async function attemptSecondStep<T>(
  { lockout, userLockout }: SecondStepLocks,
  clientKey: string,
  userId: number,
  check: () => Promise<T | undefined>,
  keepsFailures = false,
): Promise<T> {
  const result = await lockout.attempt(clientKey, () =>
    userLockout.attempt(toUserKey(userId), check, keepsFailures),
  );
  if (result === undefined) throw secondStepFailure(userId);
  return result;
}

/** Why a login or confirmation failed, for the record of events. */
class FailedSecondStep {
  readonly userId: number;

  constructor(userId: number) {
    this.userId = userId;
  }
}

/** Whose second step an error tells of; undefined for other errors. */
export function findFailedUser({ cause }: ApiError): number | undefined {
  return cause instanceof FailedSecondStep ? cause.userId : undefined;
}

/** The answer to a wrong code or confirmation. It is that to a wrong password. */
export function secondStepFailure(userId: number): ApiError {
  return apiError('auth.invalidCredentials', {}, { cause: new FailedSecondStep(userId) });
}

/** No address looks like this. */
export function toUserKey(userId: number): string {
  return `user ${userId}`;
}
