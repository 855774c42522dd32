/** Lines and columns of offsets. A line ends with LF, CR or CRLF, everywhere in the same way. */

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/** The position of one offset. */
export function positionAt(source: string, offset: number): Position {
  return new Positions(source, offset).at(offset);
}

/** The positions of many offsets: reads the source once. */
export class Positions {
  readonly #starts: number[] = [0];

  /** @param upTo the largest offset that will be asked for */
  constructor(source: string, upTo = source.length) {
    for (const { index, 0: end } of source.matchAll(lineEnd)) {
      if (index >= upTo) break;
      this.#starts.push(index + end.length);
    }
  }

  at(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}

/** The text of a line, without its end; undefined if the source has fewer lines. */
export function lineAt(source: string, line: number): string | undefined {
  return source.split(lineEnd)[line - 1];
}

const lineEnd = /\r\n|\r|\n/g;
