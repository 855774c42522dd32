import { hash as computeHash, timingSafeEqual } from 'node:crypto';

/**
 * The hash that is stored for a token. Plain SHA-256 is enough: tokens are random, so they cannot be guessed.
 */
export function hashToken(secret: string): string {
  return computeHash('sha256', secret, 'hex');
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function sameHash(left: string, right: string): boolean {
  const leftBytes = Buffer.from(left, 'hex');
  const rightBytes = Buffer.from(right, 'hex');
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}
