/**
 * `toFixed` and `toExponential` with exact halves rounded to the even digit, as Python does, where JavaScript
 * takes the larger number. At most 75 places.
 */

/** Digits that tell an exact half from a number close to it: a double never has more zeros in a row. */
const guardDigits = 25;

export const maxPlaces = 100 - guardDigits;

/** The number, not negative, with `places` digits after the point. */
export function toFixedHalfEven(magnitude: number, places: number): string {
  if (isFarFromTie(magnitude * (scales[places] ?? Number.NaN))) return magnitude.toFixed(places);
  const exact = magnitude.toFixed(places + guardDigits);
  if (!isHalfAfterEven(exact)) return magnitude.toFixed(places);
  const kept = exact.slice(0, -guardDigits);
  return kept.endsWith('.') ? kept.slice(0, -1) : kept;
}

/** Powers of ten for the numbers of places that are shown often. */
export const scales: readonly number[] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

/**
 * Whether a number, multiplied so that its last shown digit is the one before the point, is so far from a half
 * that it rounds the same way however it is calculated: the error of the product is far below the distance.
 * False for numbers that are negative, large or none.
 */
export function isFarFromTie(scaled: number): boolean {
  return scaled >= 0 && scaled < maxScaled && Math.abs(scaled - Math.floor(scaled) - 0.5) > nearTie;
}

const maxScaled = 1e9;
const nearTie = 1e-5;

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
