import type { Encoding, TaggedBody } from '../../runtime/tasks/encode.ts';
import type { AnswerSharing } from '../http/sharing.ts';

/** One form of a body. */
export interface Form {
  readonly bytes: Uint8Array;
  /** Entity tag with its quotes. Forms are different bytes and therefore have different strong tags. */
  readonly tag: string;
}

/**
 * Sendings of the Brotli form after which its best level pays: it takes about 40 ms for 26 KB, which is then less than
 * half a millisecond for each time that it was sent.
 */
const popularUses = 100;

/**
 * A body in the forms that requests have asked for so far. Forms are added (`compression.ts`), and may be replaced
 * by smaller ones.
 */
export class AnswerBody {
  readonly identity: Form;
  /** How often the Brotli form was sent. */
  uses = 0;
  /** Whether the Brotli form is as small as it gets, or is being made so. */
  isBest = false;
  br: Form | undefined;
  gzip: Form | undefined;
  #isCompressible: boolean;
  readonly #keep: AnswerSharing['keep'];
  readonly #tag: string;
  /** How all tags of this body begin. */
  readonly #start: string;

  /** @param keep makes bytes that other threads can read */
  constructor(
    { identity, encoded, isCompressible, tag }: TaggedBody,
    keep: AnswerSharing['keep'] = (bytes) => bytes,
  ) {
    this.#tag = tag;
    this.#keep = keep;
    this.#start = `"${tag}`;
    this.identity = { bytes: keep(identity), tag: `"${tag}"` };
    this.#isCompressible = isCompressible;
    if (encoded.br !== undefined) this.add('br', encoded.br);
    if (encoded.gzip !== undefined) this.add('gzip', encoded.gzip);
  }

  /** Whether the Brotli form was sent so often that a smaller one pays, which nobody has begun to make. */
  get isPopular(): boolean {
    return this.uses >= popularUses && !this.isBest;
  }

  /** The coding of the form for a client: the first one that it accepts and that has been made. */
  choose(accepted: readonly Encoding[]): Encoding | undefined {
    for (const encoding of accepted) if (this.form(encoding) !== undefined) return encoding;
    return undefined;
  }

  /** The form with a coding if it has been made, or without any. */
  form(encoding: Encoding | undefined): Form | undefined {
    if (encoding === undefined) return this.identity;
    return encoding === 'br' ? this.br : this.gzip;
  }

  /** The form that a client would rather have and that has not been made. */
  missing(accepted: readonly Encoding[]): Encoding | undefined {
    const wanted = accepted[0];
    return this.#isCompressible && wanted !== undefined && this.form(wanted) === undefined
      ? wanted
      : undefined;
  }

  /** @param level added to the tag if these are not the first bytes of this coding */
  add(encoding: Encoding, bytes: Uint8Array, level = ''): void {
    this[encoding] = { bytes: this.#keep(bytes), tag: `"${this.#tag}-${encoding}${level}"` };
  }

  /** Compression saves nothing. */
  giveUp(): void {
    this.#isCompressible = false;
  }

  /** Whether If-None-Match names this body in any form (RFC 9110, 13.1.2: weak comparison, `*` for any). */
  isNamedBy(ifNoneMatch: string): boolean {
    // Nearly always it is one tag, and one of these: comparing texts is faster than looking at their letters.
    const { identity, br, gzip } = this;
    if (ifNoneMatch === gzip?.tag || ifNoneMatch === br?.tag || ifNoneMatch === identity.tag) return true;
    // Or that of a form that was replaced by a smaller one.
    if (ifNoneMatch.startsWith(this.#start)) {
      const next = ifNoneMatch[this.#start.length];
      if (next === '"' || next === '-') return true;
    }
    if (ifNoneMatch.trim() === '*') return true;
    for (const [, opaque = ''] of ifNoneMatch.matchAll(/"([^"]*)"/g)) {
      if (opaque === this.#tag || opaque.startsWith(`${this.#tag}-`)) return true;
    }
    return false;
  }

  /** Size of all forms. */
  get byteLength(): number {
    const { identity, br, gzip } = this;
    return identity.bytes.byteLength + (br?.bytes.byteLength ?? 0) + (gzip?.bytes.byteLength ?? 0);
  }
}
