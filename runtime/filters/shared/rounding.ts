/**
 * `toFixed` and `toExponential` with exact halves rounded to the even digit, as Python does, where JavaScript
 * takes the larger number. At most 75 places.
 */

/** Digits that tell an exact half from a number close to it: a double never has more zeros in a row. */
const GUARD_DIGITS = 25;

export const MAX_PLACES = 100 - GUARD_DIGITS;

/** The number, not negative, with `places` digits after the point. */
export function toFixedHalfEven(magnitude: number, places: number): string {
  const exact = magnitude.toFixed(places + GUARD_DIGITS);
  if (!isHalfAfterEven(exact)) return magnitude.toFixed(places);
  const kept = exact.slice(0, -GUARD_DIGITS);
  return kept.endsWith('.') ? kept.slice(0, -1) : kept;
}

/** The number, not negative, as `d.ddde+x` with `places` digits after the point. */
export function toExponentialHalfEven(magnitude: number, places: number): string {
  const [exact = '', exponent = ''] = magnitude.toExponential(places + GUARD_DIGITS).split('e');
  if (!isHalfAfterEven(exact)) return magnitude.toExponential(places);
  const kept = exact.slice(0, -GUARD_DIGITS);
  return `${kept.endsWith('.') ? kept.slice(0, -1) : kept}e${exponent}`;
}

function isHalfAfterEven(digits: string): boolean {
  return HALF_AFTER_EVEN.test(digits.slice(-GUARD_DIGITS - 2));
}

const HALF_AFTER_EVEN = new RegExp(`[02468][.]?50{${GUARD_DIGITS - 1}}$`);
