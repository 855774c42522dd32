/** Small parts of SVG drawings. Random numbers come from a seed, so that a drawing is the same each time. */

/** Numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function times(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('');
}

/** Stops of a gradient from top to bottom: colours with their places in percent. */
export function gradient(id: string, stops: readonly (readonly [number, string])[]): string {
  const inner = stops.map(([at, colour]) => `<stop offset="${at}%" stop-color="${colour}"/>`).join('');
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${inner}</linearGradient>`;
}

/** Light that fades from a point. */
export function glow(id: string, colour: string, strength: number): string {
  return `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${strength}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;
}

/** A line of hills or waves across the picture, filled downwards. */
export function ridge(
  width: number,
  bottom: number,
  level: number,
  height: number,
  steps: number,
  random: () => number,
): string {
  const points = Array.from({ length: steps + 1 }, (_, index) => [
    Math.round((index * width) / steps),
    Math.round(level - random() * height),
  ]);
  const [first = [0, level], ...rest] = points;
  const curve = rest.map(([x = 0, y = 0], index) => {
    const [beforeX = 0] = points[index] ?? first;
    const [, beforeY = 0] = points[index] ?? first;
    const middle = (beforeX + x) / 2;
    return `C${middle} ${beforeY} ${middle} ${y} ${x} ${y}`;
  });
  return `M0 ${bottom}V${first[1]}${curve.join('')}V${bottom}Z`;
}

export function drawing(width: number, height: number, defs: string, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${defs}</defs>${body}</svg>`;
}
