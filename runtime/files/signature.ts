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

/** Hexadecimal digits that name who has opened an address. */
const openerDigits = 24;
/** A digest of 160 bits leaves room for the opener, so that all signatures look alike. */
const shortDigits = 64 - openerDigits;

/** What a signature says. */
export interface SignedTerms {
  /** Of the file below /media/. */
  readonly path: string;
  /** Until when, in Unix seconds. */
  readonly exp: number;
  /** Whom the address ends with, 24 hexadecimal digits; empty: it ends only by time. */
  readonly opener: string;
}

/** The parameters that open a file and all of its variants. */
export function signatureFor(key: SigningKey, terms: SignedTerms): Signature {
  return `exp=${terms.exp}&sig=${sign(key, terms)}`;
}

/** The parameter `sig` alone: 64 lower case hexadecimal digits, the last of which name the opener if there is one. */
export function sign(key: SigningKey, { path, exp, opener }: SignedTerms): string {
  if (opener === '') return computeDigest(key, `${path}\n${exp}`);
  return `${computeDigest(key, `${path}\n${exp}\n${opener}`).slice(0, shortDigits)}${opener}`;
}

function computeDigest(key: SigningKey, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/**
 * The opener of a query that opens a file until now; undefined if it does not. Anything but one `exp` and one `sig` in
 * exactly the form that is given out opens nothing; the comparison takes the same time for every digest.
 *
 * @param now Unix seconds
 */
export function findSigner(
  key: SigningKey,
  path: string,
  query: URLSearchParams,
  now: number,
): string | undefined {
  const [exp = '', ...moreExps] = query.getAll('exp');
  const [sig = '', ...moreSigs] = query.getAll('sig');
  if (moreExps.length > 0 || moreSigs.length > 0) return undefined;
  if (!/^[1-9]\d{0,10}$/.test(exp) || !/^[0-9a-f]{64}$/.test(sig)) return undefined;
  const named = sig.slice(shortDigits);
  const isSigned = (opener: string) =>
    timingSafeEqual(Buffer.from(sign(key, { path, exp: Number(exp), opener })), Buffer.from(sig));
  if (Number(exp) <= now) return undefined;
  if (isSigned(named)) return named;
  return isSigned('') ? '' : undefined;
}

/** The end of the signatures in previews: in one to two hours, the same for all of one hour. */
export function previewExpiry(now: number): number {
  return (Math.floor(now / 3600) + 2) * 3600;
}
