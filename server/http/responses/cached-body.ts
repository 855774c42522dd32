import type { Encoding } from '../../../runtime/tasks/encode.ts';
import type { SharedResponses } from '../shared-responses.ts';
import { matchesIfNoneMatch } from './conditions.ts';

/** What a body is made of, see `TaggedBody`. */
export interface BodySource {
  readonly identity: Uint8Array;
  readonly encoded: { readonly [Name in Encoding]?: Uint8Array };
  readonly isCompressible: boolean;
  readonly tag: string;
}

/** One body in one coding. */
export interface Representation {
  readonly bytes: Uint8Array;
  /** Entity tag with its quotes. Representations are different bytes and therefore have different strong tags. */
  readonly tag: string;
}

/**
 * Responses in Brotli after which its best level pays: it takes about 40 ms for 26 KB, which is then less than half a
 * millisecond for each response.
 */
const popularUses = 100;

/**
 * A body in the codings that requests have asked for so far. `Compression` adds representations, and may replace them
 * by smaller ones.
 */
export class CachedBody {
  readonly identity: Representation;
  /** How often the Brotli representation was sent. */
  brotliUses = 0;
  /** Whether the Brotli representation is as small as it gets, or is being made so. */
  isBest = false;
  br: Representation | undefined;
  gzip: Representation | undefined;
  #isCompressible: boolean;
  readonly #keep: SharedResponses['keep'];
  readonly #tag: string;
  /** How all tags of this body begin. */
  readonly #start: string;

  /** @param keep makes bytes that other threads can read */
  constructor(
    { identity, encoded, isCompressible, tag }: BodySource,
    keep: SharedResponses['keep'] = (bytes) => bytes,
  ) {
    this.#tag = tag;
    this.#keep = keep;
    this.#start = `"${tag}`;
    this.identity = { bytes: keep(identity), tag: `"${tag}"` };
    this.#isCompressible = isCompressible;
    if (encoded.br !== undefined) this.add('br', encoded.br);
    if (encoded.gzip !== undefined) this.add('gzip', encoded.gzip);
  }

  /** Whether Brotli was sent so often that a smaller representation pays, which nobody has begun to make. */
  get isPopular(): boolean {
    return this.brotliUses >= popularUses && !this.isBest;
  }

  /** The coding for a client: the first one that it accepts and that has been made. */
  chooseEncoding(accepted: readonly Encoding[]): Encoding | undefined {
    for (const encoding of accepted) if (this.findRepresentation(encoding) !== undefined) return encoding;
    return undefined;
  }

  /** The representation in a coding if it has been made, or without any. */
  findRepresentation(encoding: Encoding | undefined): Representation | undefined {
    if (encoding === undefined) return this.identity;
    return encoding === 'br' ? this.br : this.gzip;
  }

  /** The coding that a client would rather have and that has not been made. */
  findMissing(accepted: readonly Encoding[]): Encoding | undefined {
    const preferred = accepted[0];
    return this.#isCompressible && preferred !== undefined && this.findRepresentation(preferred) === undefined
      ? preferred
      : undefined;
  }

  /** @param level added to the tag if these are not the first bytes of this coding */
  add(encoding: Encoding, bytes: Uint8Array, level = ''): void {
    this[encoding] = { bytes: this.#keep(bytes), tag: `"${this.#tag}-${encoding}${level}"` };
  }

  /** To be called when compression saves nothing. */
  giveUp(): void {
    this.#isCompressible = false;
  }

  /** Whether If-None-Match names this body in any coding, also one that was replaced by a smaller one. */
  isNamedBy(ifNoneMatch: string): boolean {
    // Nearly always it is one tag, and one of these: comparing texts is faster than looking at their letters.
    const { identity, br, gzip } = this;
    if (ifNoneMatch === gzip?.tag || ifNoneMatch === br?.tag || ifNoneMatch === identity.tag) return true;
    if (this.#isOwn(ifNoneMatch)) return true;
    return matchesIfNoneMatch(ifNoneMatch, identity.tag, (tag) => this.#isOwn(tag));
  }

  #isOwn(tag: string): boolean {
    if (!tag.startsWith(this.#start)) return false;
    const next = tag[this.#start.length];
    return next === '"' || next === '-';
  }

  /** Bytes of all representations. */
  get byteLength(): number {
    const { identity, br, gzip } = this;
    return identity.bytes.byteLength + (br?.bytes.byteLength ?? 0) + (gzip?.bytes.byteLength ?? 0);
  }
}
