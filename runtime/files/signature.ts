/** Signatures that open private files for a time (Core, "Public non-API routes"). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Signature } from './addresses.ts';

/** The secret of this installation, 32 bytes. */
export type SigningKey = Uint8Array;

/** @throws if the file cannot be read or holds no key */
export function readSigningKey(file: string): SigningKey {
  const text = readFileSync(file, 'latin1').trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error('it does not hold 64 hexadecimal digits');
  return Buffer.from(text, 'hex');
}

/**
 * The parameters that open a file and all of its variants.
 *
 * @param path of the file below /media/
 * @param exp until when, in Unix seconds
 */
export function signatureFor(key: SigningKey, path: string, exp: number): Signature {
  return `exp=${exp}&sig=${computeDigest(key, path, exp)}`;
}

/** The digest alone: 64 lower case hexadecimal digits. */
export function computeDigest(key: SigningKey, path: string, exp: number): string {
  return createHmac('sha256', key).update(`${path}\n${exp}`).digest('hex');
}

/**
 * Whether a query opens a file. Anything but one `exp` and one `sig` in exactly the form that is given out opens
 * nothing; the comparison takes the same time for every digest.
 *
 * @param now Unix seconds
 */
export function isSigned(key: SigningKey, path: string, query: URLSearchParams, now: number): boolean {
  const [exp = '', ...moreExps] = query.getAll('exp');
  const [sig = '', ...moreSigs] = query.getAll('sig');
  if (moreExps.length > 0 || moreSigs.length > 0) return false;
  if (!/^[1-9]\d{0,10}$/.test(exp) || !/^[0-9a-f]{64}$/.test(sig)) return false;
  const expected = Buffer.from(computeDigest(key, path, Number(exp)));
  return timingSafeEqual(expected, Buffer.from(sig)) && Number(exp) > now;
}

/** The end of the signatures in previews: in one to two hours, the same for all of one hour. */
export function previewExpiry(now: number): number {
  return (Math.floor(now / 3600) + 2) * 3600;
}
