/**
 * Decimal numbers as Python's `Decimal` reads them, exact, because a binary fraction rounds `0.5` cases
 * wrongly. The value is `sign * digits * 10^exponent`.
 */
export interface Decimal {
  readonly negative: boolean;
  /** Digits without leading zeros; `0` for zero. */
  readonly digits: string;
  readonly exponent: bigint;
}

const decimalPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,30}))?$/i;

/** Reads a decimal number; 'special' for infinity and NaN, undefined for anything else. */
export function parseDecimal(source: string): Decimal | 'special' | undefined {
  const text = source.trim().replaceAll('_', '');
  if (/^[+-]?(?:inf(?:inity)?|s?nan\d*)$/i.test(text)) return 'special';
  const match = decimalPattern.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  return {
    negative: sign === '-',
    digits: (whole + fraction).replace(/^0+(?=\d)/, ''),
    exponent: BigInt(exponent) - BigInt(fraction.length),
  };
}

/** Whether the number has no fraction. */
export function isWhole(decimal: Decimal): boolean {
  if (decimal.exponent >= 0n || decimal.digits === '0') return true;
  const places = Number(-decimal.exponent);
  return places < decimal.digits.length && /^0+$/.test(decimal.digits.slice(-places));
}

/** Rounds half away from zero to `places` digits after the point, e.g. `-12.50`. */
export function toFixedPlaces(decimal: Decimal, places: number): string {
  const shift = decimal.exponent + BigInt(places);
  let scaled = BigInt(decimal.digits);
  if (shift >= 0n) scaled *= 10n ** shift;
  else {
    const divisor = 10n ** -shift;
    scaled = (scaled * 2n + divisor) / (divisor * 2n);
  }
  const text = scaled.toString().padStart(places + 1, '0');
  const sign = decimal.negative && scaled !== 0n ? '-' : '';
  if (places === 0) return sign + text;
  return `${sign}${text.slice(0, -places)}.${text.slice(-places)}`;
}
