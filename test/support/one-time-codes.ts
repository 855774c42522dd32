import { createHmac } from 'node:crypto';
import { type ApiAnswer, asRecord } from './api.ts';

/** Sets up codes of an app with a confirmed session. @param ask calls the API with it @param atMs Unix milliseconds */
export async function addTotp(
  ask: (method: string, path: string, body?: unknown) => Promise<ApiAnswer>,
  atMs: number,
): Promise<{ readonly secret: string; readonly recovery: readonly string[] }> {
  const secret = String(asRecord((await ask('POST', '/auth/factors/totp')).body)['secret']);
  const verified = await ask('POST', '/auth/factors/totp/verify', { code: totpCode(secret, atMs) });
  if (verified.status !== 200) throw new Error(`no codes: ${JSON.stringify(verified.body)}`);
  return { secret, recovery: readRecoveryCodes(verified) };
}

/** The recovery codes in an answer. */
export function readRecoveryCodes({ body }: ApiAnswer): string[] {
  const codes = asRecord(body)['recovery_codes'];
  return Array.isArray(codes) ? codes.map(String) : [];
}

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
