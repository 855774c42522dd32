import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Characters of a token that are kept and shown, so that people can tell their tokens apart. */
const shownCharacters = 10;

/** A new token: 256 random bits behind the prefix `ic_`. */
export function generateToken(): { secret: string; prefix: string; hash: string } {
  const secret = `ic_${randomBytes(32).toString('base64url')}`;
  return { secret, prefix: secret.slice(0, shownCharacters), hash: hashToken(secret) };
}

/**
 * What is stored of a token. Plain SHA-256 is enough here: tokens are random, so there is nothing to guess.
 */
export function hashToken(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function sameHash(left: string, right: string): boolean {
  const leftBytes = Buffer.from(left, 'hex');
  const rightBytes = Buffer.from(right, 'hex');
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}
