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

  /** The bytes from a position to the end of the part that contains it; empty at the end of the body. */
  from(position: number): Uint8Array {
    const index = this.#starts.findLastIndex((start) => start <= position);
    return this.#parts[index]?.subarray(position - (this.#starts[index] ?? 0)) ?? new Uint8Array();
  }

  /** All bytes in one piece, which takes time in proportion to their number. */
  joined(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

/** A body as handlers give it. */
export type Body = Uint8Array | string | BodyParts;

/** The number of bytes of a body. */
export function byteLengthOf(body: Body): number {
  return body instanceof BodyParts ? body.length : Buffer.byteLength(body);
}
