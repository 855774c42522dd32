import type { Generated } from 'kysely';
import { contentQuery } from '../../../db/prepared.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { FactorKind } from '../factor-kind.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    factors: {
      id: Generated<number>;
      user_id: number;
      kind: FactorKind;
      name: string;
      created_at: number;
      last_used_at: number | null;
      /** 0 while a secret was not yet shown to work. */
      is_active: number;
      secret: string;
      last_step: number;
      credential_id: string | null;
      public_key: string;
      counter: number;
      /** JSON list. */
      transports: string;
    };
    recovery_codes: { hash: string; user_id: number };
    spent_challenges: { hash: string; expires_at: number };
  }
}

const factors = contentTable('factors');
const recoveryCodes = contentTable('recovery_codes');
const spentChallenges = contentTable('spent_challenges');

export interface StoredFactor {
  readonly id: number;
  readonly user_id: number;
  readonly kind: FactorKind;
  readonly name: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly is_active: number;
  readonly secret: string;
  readonly last_step: number;
  readonly credential_id: string | null;
  readonly public_key: string;
  readonly counter: number;
  readonly transports: string;
}

const selectFactors = factors.listBy(['user_id', 'is_active'], ['id']);

/** The factors of a user that work, in the order in which they were set up. */
export function listFactors(db: ContentDb, userId: number): Promise<StoredFactor[]> {
  return selectFactors(db, userId, 1);
}

/** The kinds of all factors that work, with their users. */
export const listKindsOfAll = factors.listBy(['is_active'], ['id'], ['user_id', 'kind']);

const selectPending = factors.findBy(['user_id', 'is_active']);

/** The secret that a user is setting up. */
export function findPending(db: ContentDb, userId: number): Promise<StoredFactor | undefined> {
  return selectPending(db, userId, 0);
}

const selectByCredential = factors.findBy(['credential_id']);

export function findPasskey(db: ContentDb, credentialId: string): Promise<StoredFactor | undefined> {
  return selectByCredential(db, credentialId);
}

/** Adds a factor and returns its ID. */
export async function insertFactor(db: ContentDb, factor: Omit<StoredFactor, 'id'>): Promise<number> {
  return (await addFactor.first(db, factor))?.id ?? 0;
}

export const activateFactor = factors.updateBy(['id'], ['is_active', 'last_step', 'last_used_at']);

export const saveCodeUse = factors.updateBy(['id'], ['last_step', 'last_used_at']);

export const savePasskeyUse = factors.updateBy(['id'], ['counter', 'last_used_at']);

const removePending = factors.removeBy('user_id', 'is_active');

export async function deletePending(db: ContentDb, userId: number): Promise<void> {
  await removePending(db, userId, 0);
}

/** Deletes a factor of a user and answers how many there were. */
export const deleteFactor = factors.removeBy('user_id', 'id');

export const deleteAllFactors = factors.removeBy('user_id');

export const insertRecoveryCode = recoveryCodes.insert('hash', 'user_id');

/** Deletes a code of a user and answers how many there were. */
export const deleteRecoveryCode = recoveryCodes.removeBy('user_id', 'hash');

export const deleteRecoveryCodesOf = recoveryCodes.removeBy('user_id');

export const listRecoveryCodes = recoveryCodes.listBy(['user_id'], []);

/** Notes that a challenge was answered; false if it was before. */
export async function spendChallenge(
  db: ContentDb,
  hash: string,
  times: { readonly now: number; readonly expiresAt: number },
): Promise<boolean> {
  await removeSpent.run(db, { now: times.now });
  if (await isSpent(db, hash)) return false;
  await addSpent(db, { hash, expires_at: times.expiresAt });
  return true;
}

const isSpent = spentChallenges.existsBy('hash');

const addSpent = spentChallenges.insert('hash', 'expires_at');

const removeSpent = contentQuery((db, p: { now: number }) =>
  db.deleteFrom('spent_challenges').where('expires_at', '<=', p.now),
);

const addFactor = contentQuery((db, p: Omit<StoredFactor, 'id'>) =>
  db
    .insertInto('factors')
    .values({
      user_id: p.user_id,
      kind: p.kind,
      name: p.name,
      created_at: p.created_at,
      last_used_at: p.last_used_at,
      is_active: p.is_active,
      secret: p.secret,
      last_step: p.last_step,
      credential_id: p.credential_id,
      public_key: p.public_key,
      counter: p.counter,
      transports: p.transports,
    })
    .returning('id'),
);
