/**
 * A long body as a list of parts, so that nobody has to put them together: joining 60 MB would hold the main
 * thread for 50 ms.
 */
export class BodyParts {
  /** Bytes of all parts together. */
  readonly length: number;
  readonly #parts: readonly Uint8Array[];
  /** Where each part begins. */
  readonly #starts: readonly number[];

  constructor(parts: readonly Uint8Array[]) {
    let length = 0;
    this.#starts = parts.map((part) => {
      length += part.length;
      return length - part.length;
    });
    this.#parts = parts;
    this.length = length;
  }

  /** Bytes from a position on, at most `limit` and of one part; empty at the end of the body. */
  from(position: number, limit: number): Uint8Array {
    const index = this.#starts.findLastIndex((start) => start <= position);
    const offset = position - (this.#starts[index] ?? 0);
    return this.#parts[index]?.subarray(offset, offset + limit) ?? new Uint8Array();
  }

  /** All bytes in one piece, which takes time in proportion to their number. */
  joined(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

/** A body as handlers give it. */
export type Body = Uint8Array | string | BodyParts;

/** The number of bytes of a body. */
export function computeByteLength(body: Body): number {
  return body instanceof BodyParts ? body.length : Buffer.byteLength(body);
}

/**
 * Collects the text of a long body. The blocks grow, and the largest ones have a size that the allocator of
 * Linux gets from the system and gives back to it (above 32 MB, see mallopt(3), M_MMAP_THRESHOLD). Many smaller
 * pieces would stay with the process. Of a block only the part that is written takes memory.
 */
export class BodyBuilder {
  readonly #full: Uint8Array[] = [];
  #block: Uint8Array = Buffer.allocUnsafeSlow(blockSizes[0]);
  #used = 0;

  add(text: string): void {
    for (let rest = text; ; ) {
      const { read, written } = encoder.encodeInto(rest, this.#block.subarray(this.#used));
      this.#used += written;
      if (read === rest.length) return;
      rest = rest.slice(read);
      this.#full.push(this.#block.subarray(0, this.#used));
      this.#block = Buffer.allocUnsafeSlow(blockSizes[this.#full.length] ?? largestBlock);
      this.#used = 0;
    }
  }

  /** To be called once, at the end. */
  finish(): BodyParts {
    const last = this.#block.subarray(0, this.#used);
    // A copy of a small body has the exact size, which counts when it is kept.
    return new BodyParts([...this.#full, this.#used <= copiedBytes ? last.slice() : last]);
  }
}

const encoder = new TextEncoder();
const blockSizes = [64 * 2 ** 10, 2 ** 20, 4 * 2 ** 20] as const;
const largestBlock = 33 * 2 ** 20;
/** Up to this size a copy takes less than a millisecond. */
const copiedBytes = 4 * 2 ** 20;
