import { randomBytes } from 'node:crypto';
import type { ContentDb } from '../../../db/tables.ts';
import { hashToken } from '../secret-hash.ts';
import * as store from './store.ts';

const codeCount = 10;
const groups = 4;
const groupCharacters = 6;
/** 32 characters that are hard to take for others: five bits each. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Replaces the recovery codes of a user. Only hashes are stored, so they are never shown again. */
export async function renewRecoveryCodes(db: ContentDb, userId: number): Promise<string[]> {
  await store.deleteRecoveryCodesOf(db, userId);
  const codes = Array.from({ length: codeCount }, generateCode);
  for (const code of codes) await store.insertRecoveryCode(db, { hash: hashCode(code), user_id: userId });
  return codes;
}

/** Whether a code belongs to a user. It is gone then. */
export async function useRecoveryCode(db: ContentDb, userId: number, code: string): Promise<boolean> {
  return (await store.deleteRecoveryCode(db, userId, hashCode(code))) > 0;
}

/** 120 random bits, so a plain hash of them cannot be guessed. */
function generateCode(): string {
  const characters = [...randomBytes(groups * groupCharacters)].map((byte) => alphabet[byte % 32]);
  return Array.from({ length: groups }, (_, group) =>
    characters.slice(group * groupCharacters, (group + 1) * groupCharacters).join(''),
  ).join('-');
}

/** People may write a code in upper case, with spaces or without dashes. */
function hashCode(code: string): string {
  return hashToken(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}
