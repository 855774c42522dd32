import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock, unixSeconds } from '../../base/clock.ts';
import type { Secrets } from '../../base/secrets.ts';

/** How long after it was sent a request is known, in seconds. Retries of deliveries end before. */
const knownSeconds = 10 * 60;
const keyBytes = 32;
/** An ID is a time, a random part, and the proof of both. */
const timeBytes = 4;
const seedBytes = 4;
const signedBytes = timeBytes + seedBytes;
const idBytes = 16;

/** What keys of requests are derived for (`Secrets.deriveKey`). */
const keyPurpose = 'incipit own requests';

/**
 * IDs of the requests that this instance sends and may get back: deliveries of webhooks, requests of workflows. An
 * HTTP input believes `X-IC-Webhook-Hop` only of them, since anyone else could claim any number. An ID carries a proof,
 * so nothing has to be remembered and each node knows those of all.
 */
export class OwnRequests {
  readonly #secrets: Pick<Secrets, 'deriveKey'>;
  readonly #clock: Clock;
  /** As long as the instance has no key, only this process knows its requests. */
  readonly #ownKey = randomBytes(keyBytes);
  #key: Buffer | undefined;

  constructor(clock: Clock, secrets: Pick<Secrets, 'deriveKey'>) {
    this.#clock = clock;
    this.#secrets = secrets;
  }

  /** A new ID: a UUID of version 8 (RFC 9562). */
  newId(): string {
    return this.#toId(unixSeconds(this.#clock), randomBytes(seedBytes));
  }

  /**
   * The ID of a request that may have to be sent again: always the same for the same time and name, also after a restart
   * and on another node.
   *
   * @param at Unix seconds
   * @param name what is sent, to whom
   */
  computeId(at: number, name: string): string {
    return this.#toId(at, createHash('sha256').update(name).digest());
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

  #toId(at: number, seed: Buffer): string {
    const signed = Buffer.alloc(signedBytes);
    signed.writeUInt32BE(at >>> 0);
    seed.copy(signed, timeBytes, 0, seedBytes);
    signed[6] = 0x80 | ((signed[6] ?? 0) & 0x0f);
    const digits = Buffer.concat([signed, this.#proofOf(signed)]).toString('hex');
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  #proofOf(signed: Buffer): Buffer {
    this.#key ??= this.#secrets.deriveKey(keyPurpose);
    const proof = createHmac('sha256', this.#key ?? this.#ownKey)
      .update(signed)
      .digest()
      .subarray(0, idBytes - signedBytes);
    proof[0] = 0x80 | ((proof[0] ?? 0) & 0x3f);
    return proof;
  }
}
