import { apiError } from '../../../base/errors.ts';
import type { Secrets } from '../../../base/secrets.ts';
import type { Change } from '../../../changes/changes.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { FactorKind } from '../factor-kind.ts';
import { requireRoom } from './limit.ts';
import type { Factor, TotpCreate, TotpSetup } from './model.ts';
import { renewRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import * as store from './store.ts';
import { createTotp, findStep } from './totp.ts';

/** What the secrets of codes are encrypted for. */
const secretPurpose = 'totp';
/** How long a secret waits for its first code, in seconds. */
const setupSeconds = 3600;

/** What is sent in a login beside name and password. */
export interface SecondStepInput {
  readonly code?: string;
  readonly recovery_code?: string;
}

/** GET /auth/factors */
export async function listFactors(db: ContentDb, userId: number): Promise<Factor[]> {
  return (await store.listFactors(db, userId)).map(presentFactor);
}

export function presentFactor({ id, kind, name, created_at, last_used_at }: store.StoredFactor): Factor {
  return { id, kind, name, created_at, last_used_at };
}

/** The kinds of factors that a user has set up, each once; none if name and password are enough. */
export async function listFactorKinds(db: ContentDb, userId: number): Promise<FactorKind[]> {
  return [...new Set((await store.listFactors(db, userId)).map(({ kind }) => kind))];
}

/** Whether a user has a factor that works. */
export async function hasFactor(db: ContentDb, userId: number): Promise<boolean> {
  return (await listFactorKinds(db, userId)).length > 0;
}

/** POST /auth/factors/totp: a secret that counts after its first code. It replaces one that is still waiting. */
export async function beginTotp(
  { tx, now }: Change,
  user: { readonly userId: number; readonly name: string },
  {
    body,
    issuer,
    secrets,
  }: { readonly body: TotpCreate; readonly issuer: string; readonly secrets: Secrets },
): Promise<TotpSetup> {
  await requireRoom(tx, user.userId);
  const made = await createTotp(issuer, user.name);
  const name = body.name?.trim() ?? '';
  await store.deletePending(tx, user.userId);
  await store.insertFactor(tx, {
    user_id: user.userId,
    kind: 'totp',
    name: name === '' ? 'TOTP' : name,
    created_at: now,
    last_used_at: null,
    is_active: 0,
    secret: secrets.seal(made.secret, secretPurpose),
    last_step: 0,
    credential_id: null,
    public_key: '',
    counter: 0,
    transports: '[]',
  });
  return made;
}

/** Whether a user is setting up a secret. */
export async function requirePendingTotp(db: ContentDb, userId: number, now: number): Promise<void> {
  const pending = await store.findPending(db, userId);
  if (pending === undefined || pending.created_at + setupSeconds <= now)
    throw apiError('auth.factorMissing', {});
}

/**
 * POST /auth/factors/totp/verify: makes the waiting secret a factor.
 *
 * @returns new recovery codes; undefined if the code is wrong
 */
export async function activateTotp(
  { tx, now }: Change,
  userId: number,
  { code, secrets }: { readonly code: string; readonly secrets: Secrets },
): Promise<string[] | undefined> {
  const pending = await store.findPending(tx, userId);
  if (pending === undefined) return undefined;
  const step = await stepOf(pending, code, { now, secrets });
  if (step === undefined) return undefined;
  await store.activateFactor(tx, pending.id, 1, step, now);
  return renewRecoveryCodes(tx, userId);
}

/** POST /auth/factors/recovery-codes. @throws ApiError 409 `auth.factorMissing` without a factor */
export async function renewCodes({ tx }: Change, userId: number): Promise<string[]> {
  if ((await store.listFactors(tx, userId)).length === 0) throw apiError('auth.factorMissing', {});
  return renewRecoveryCodes(tx, userId);
}

/** GET /auth/factors/recovery-codes */
export async function countRecoveryCodes(db: ContentDb, userId: number): Promise<number> {
  return (await store.listRecoveryCodes(db, userId)).length;
}

/** DELETE /auth/factors/{id}: recovery codes go with the last factor. @throws ApiError `common.notFound` */
export async function deleteFactor({ tx }: Change, userId: number, id: number): Promise<void> {
  const factors = await store.listFactors(tx, userId);
  if (!factors.some((factor) => factor.id === id)) throw apiError('common.notFound', {});
  await store.deleteFactor(tx, userId, id);
  if (factors.length === 1) await store.deleteRecoveryCodesOf(tx, userId);
}

/** Deletes all factors of a user, with the recovery codes. */
export async function deleteAllFactors({ tx }: Pick<Change, 'tx'>, userId: number): Promise<void> {
  await store.deleteAllFactors(tx, userId);
  await store.deleteRecoveryCodesOf(tx, userId);
}

/** Uses a code or recovery code of a user up; false if it is wrong or was used before. */
export async function useCode(
  { tx, now }: Change,
  userId: number,
  { code, recovery_code: recoveryCode }: SecondStepInput,
  secrets: Secrets,
): Promise<boolean> {
  if (code === undefined)
    return recoveryCode !== undefined && (await useRecoveryCode(tx, userId, recoveryCode));
  for (const factor of await store.listFactors(tx, userId)) {
    if (factor.kind !== 'totp') continue;
    const step = await stepOf(factor, code, { now, secrets });
    if (step === undefined) continue;
    await store.saveCodeUse(tx, factor.id, step, now);
    return true;
  }
  return false;
}

async function stepOf(
  { secret, last_step: lastStep }: store.StoredFactor,
  code: string,
  { now, secrets }: { readonly now: number; readonly secrets: Secrets },
): Promise<number | undefined> {
  return findStep(secrets.open(secret, secretPurpose), code, { now, lastStep });
}
