import { createHmac } from 'node:crypto';

/** The code of a secret (RFC 6238: SHA-1, six digits, 30 seconds). @param atMs Unix milliseconds */
export function totpCode(base32: string, atMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)));
  const digest = createHmac('sha1', decodeBase32(base32)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** A code that is certainly wrong. */
export function wrongCode(right: string): string {
  return right.replace(/^./, (digit) => String((Number(digit) + 5) % 10));
}

function decodeBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
