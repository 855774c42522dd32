import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock, unixSeconds } from '../../base/clock.ts';

/** How long after it was sent a request is known, in seconds. Retries of deliveries end before. */
const knownSeconds = 10 * 60;
const keyBytes = 32;
/** An ID is a time, a random part, and the proof of both. */
const timeBytes = 4;
const signedBytes = 8;
const idBytes = 16;

/**
 * IDs of the requests that this instance sends and may get back: deliveries of webhooks, requests of workflows. An
 * HTTP input believes `X-IC-Webhook-Hop` only of them, since anyone else could claim any number. An ID carries a proof,
 * so nothing has to be remembered and each node knows those of all.
 */
export class OwnRequests {
  readonly #key: Buffer;
  readonly #clock: Clock;

  /** @param passphrase which all nodes of an instance have; without one only this process knows its requests */
  constructor(clock: Clock, passphrase?: string) {
    this.#clock = clock;
    this.#key =
      passphrase === undefined
        ? randomBytes(keyBytes)
        : Buffer.from(hkdfSync('sha256', passphrase, '', 'incipit own requests', keyBytes));
  }

  /** A new ID: a UUID of version 8 (RFC 9562). */
  newId(): string {
    const signed = randomBytes(signedBytes);
    signed.writeUInt32BE(unixSeconds(this.#clock) >>> 0);
    signed[6] = 0x80 | ((signed[6] ?? 0) & 0x0f);
    const digits = Buffer.concat([signed, this.#proofOf(signed)]).toString('hex');
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  /** Whether this instance has made this ID lately. */
  has(id: string): boolean {
    if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return false;
    const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
    const signed = bytes.subarray(0, signedBytes);
    if (!timingSafeEqual(bytes.subarray(signedBytes), this.#proofOf(signed))) return false;
    const age = unixSeconds(this.#clock) - signed.readUIntBE(0, timeBytes);
    return Math.abs(age) <= knownSeconds;
  }

  /** Headers for a request of a workflow. @param hop that of the run */
  headersFor(hop: number): Readonly<Record<string, string>> {
    return { 'X-IC-Delivery': this.newId(), 'X-IC-Webhook-Hop': String(hop + 1) };
  }

  #proofOf(signed: Buffer): Buffer {
    const proof = createHmac('sha256', this.#key)
      .update(signed)
      .digest()
      .subarray(0, idBytes - signedBytes);
    proof[0] = 0x80 | ((proof[0] ?? 0) & 0x3f);
    return proof;
  }
}
