/**
 * Which template offset each stretch of generated code came from, as one text: two bytes a number, and no object
 * of its own for each unit of code.
 */

/** Numbers of segments one after the other: generated line, column, template offset; see `append`. */
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

/** Fewer than a call can take on any stack. */
const maxArguments = 4_096;

const bits = 15;
const continued = 1 << bits;

function isLong(value: number): boolean {
  return value >= continued;
}

/** Small numbers are one unit; of others the units with the higher bits come first, each marked as continued. */
function append(units: number[], value: number): void {
  if (isLong(value)) appendHigh(units, value >>> bits);
  units.push(value & (continued - 1));
}

function appendHigh(units: number[], value: number): void {
  if (isLong(value)) appendHigh(units, value >>> bits);
  units.push(continued | (value & (continued - 1)));
}

/** The offset of the last segment at or before a position, on its line or, failing that, on a line above. */
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
