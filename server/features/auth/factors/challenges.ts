import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../../base/secrets.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { hashToken } from '../secret-hash.ts';
import * as store from './store.ts';

const validSeconds = 300;

/**
 * A challenge that any node recognises, because it carries its end encrypted. Nothing is stored before it is answered,
 * so nobody can fill the database by asking for challenges.
 *
 * @param purpose what the answer may be used for
 * @param now Unix seconds
 */
export function createChallenge(secrets: Secrets, purpose: string, now: number): string {
  const content = `${now + validSeconds}.${randomBytes(16).toString('base64url')}`;
  return secrets.seal(content, purposeOf(purpose));
}

/** When a challenge ends, in Unix seconds; undefined if it is none of this purpose or has ended. */
export function readChallenge(
  secrets: Secrets,
  challenge: string,
  { purpose, now }: { readonly purpose: string; readonly now: number },
): number | undefined {
  try {
    const expiresAt = Number(secrets.open(challenge, purposeOf(purpose)).split('.', 1)[0]);
    return expiresAt > now ? expiresAt : undefined;
  } catch {
    return undefined;
  }
}

/** Notes in the change that a challenge was answered; false if it was before. */
export function spendChallenge(
  db: ContentDb,
  challenge: string,
  times: { readonly now: number; readonly expiresAt: number },
): Promise<boolean> {
  return store.spendChallenge(db, hashToken(challenge), times);
}

function purposeOf(purpose: string): string {
  return `passkey ${purpose}`;
}
