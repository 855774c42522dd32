import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Length of the start of a token that is stored and shown, so that users can tell tokens apart. */
const shownCharacters = 10;

/** A new token: 256 random bits behind the prefix `ic_`. */
export function generateToken(): { secret: string; prefix: string; hash: string } {
  const secret = `ic_${randomBytes(32).toString('base64url')}`;
  return { secret, prefix: secret.slice(0, shownCharacters), hash: hashToken(secret) };
}

/**
 * The hash that is stored for a token. Plain SHA-256 is enough: tokens are random, so they cannot be guessed.
 */
export function hashToken(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function sameHash(left: string, right: string): boolean {
  const leftBytes = Buffer.from(left, 'hex');
  const rightBytes = Buffer.from(right, 'hex');
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}
