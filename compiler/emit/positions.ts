/**
 * Template offsets of generated code, packed into one text: two bytes for a small number, and no further
 * object for each unit of code.
 */

/** The numbers of all segments in turn: generated line, column, template offset; packed by `append`. */
export type PackedPositions = string;

/** @param segments flat triples as the writer collects them */
export function packPositions(segments: readonly number[]): PackedPositions {
  if (segments.length <= maxArguments && !segments.some(isLong)) return String.fromCharCode(...segments);
  const units: number[] = [];
  for (const value of segments) append(units, value);
  let packed = '';
  for (let start = 0; start < units.length; start += maxArguments) {
    packed += String.fromCharCode(...units.slice(start, start + maxArguments));
  }
  return packed;
}

/** Arguments of one call. Any stack has room for so many. */
const maxArguments = 4_096;

const bits = 15;
const continued = 1 << bits;

function isLong(value: number): boolean {
  return value >= continued;
}

/** A small number is one unit. A larger one is several, highest bits first; all but the last are marked. */
function append(units: number[], value: number): void {
  if (isLong(value)) appendHigh(units, value >>> bits);
  units.push(value & (continued - 1));
}

function appendHigh(units: number[], value: number): void {
  if (isLong(value)) appendHigh(units, value >>> bits);
  units.push(continued | (value & (continued - 1)));
}

/** The offset of the last segment at or before a position, on the same line or on a line above. */
export function offsetAt(packed: PackedPositions, line: number, column: number): number | undefined {
  let at = 0;
  const next = () => {
    let value = 0;
    for (;;) {
      const unit = packed.charCodeAt(at++);
      value = (value << bits) | (unit & (continued - 1));
      if (unit < continued) return value;
    }
  };
  let best: number | undefined;
  while (at < packed.length) {
    const [segmentLine, segmentColumn, offset] = [next(), next(), next()];
    if (segmentLine > line || (segmentLine === line && segmentColumn > column)) break;
    best = offset;
  }
  return best;
}
