/**
 * `toFixed` and `toExponential` with exact halves rounded to the even digit, as Python does, where JavaScript
 * takes the larger number. At most 75 places.
 */

/** Digits that tell an exact half from a number close to it: a double never has more zeros in a row. */
const guardDigits = 25;

export const maxPlaces = 100 - guardDigits;

/** The number, not negative, with `places` digits after the point. */
export function toFixedHalfEven(magnitude: number, places: number): string {
  const exact = magnitude.toFixed(places + guardDigits);
  if (!isHalfAfterEven(exact)) return magnitude.toFixed(places);
  const kept = exact.slice(0, -guardDigits);
  return kept.endsWith('.') ? kept.slice(0, -1) : kept;
}

/** The number, not negative, as `d.ddde+x` with `places` digits after the point. */
export function toExponentialHalfEven(magnitude: number, places: number): string {
  const [exact = '', exponent = ''] = magnitude.toExponential(places + guardDigits).split('e');
  if (!isHalfAfterEven(exact)) return magnitude.toExponential(places);
  const kept = exact.slice(0, -guardDigits);
  return `${kept.endsWith('.') ? kept.slice(0, -1) : kept}e${exponent}`;
}

function isHalfAfterEven(digits: string): boolean {
  return halfAfterEven.test(digits.slice(-guardDigits - 2));
}

const halfAfterEven = new RegExp(`[02468][.]?50{${guardDigits - 1}}$`);
