import { timingSafeEqual } from 'node:crypto';

const periodSeconds = 30;
const digits = 6;
/** How many intervals back a code may be from. */
const stepsBack = 1;

/** What an app needs to make codes (RFC 6238). */
export interface TotpAddress {
  /** In Base32. */
  readonly secret: string;
  readonly uri: string;
  /** A `data:` URL. */
  readonly qr: string;
}

/** Makes a new secret. @param issuer what apps show beside the name of the user */
export async function createTotp(issuer: string, username: string): Promise<TotpAddress> {
  const { Secret, TOTP } = await import('otpauth');
  const secret = new Secret({ size: 20 });
  const uri = new TOTP({ issuer, label: username, secret, digits, period: periodSeconds }).toString();
  const { toString: draw } = (await import('qrcode')).default;
  const picture = await draw(uri, { type: 'svg', errorCorrectionLevel: 'M' });
  const qr = `data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')}`;
  return { secret: secret.base32, uri, qr };
}

/**
 * The interval of a code; undefined if it is wrong, too old or not newer than the last one that was used.
 *
 * @param secret in Base32
 * @param now Unix seconds
 */
export async function findStep(
  secret: string,
  code: string,
  { now, lastStep }: { readonly now: number; readonly lastStep: number },
): Promise<number | undefined> {
  const { HOTP, Secret } = await import('otpauth');
  const hotp = new HOTP({ secret: Secret.fromBase32(secret), digits });
  const current = Math.floor(now / periodSeconds);
  let found: number | undefined;
  // All intervals are looked at, so that the time tells nothing.
  for (let step = current; step >= current - stepsBack; step--)
    if (isSame(hotp.generate({ counter: step }), code) && step > lastStep) found = step;
  return found;
}

function isSame(expected: string, sent: string): boolean {
  const left = Buffer.from(expected);
  const right = Buffer.from(sent.replaceAll(/\s/g, ''));
  return left.length === right.length && timingSafeEqual(left, right);
}
