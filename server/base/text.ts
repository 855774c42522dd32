/**
 * Compares by Unicode code point, ignoring case. Texts that differ only in case are compared with case, so
 * that the order is total.
 */
export function compareIgnoringCase(left: string, right: string): number {
  return byCodePoint(left.toLowerCase(), right.toLowerCase()) || byCodePoint(left, right);
}

/** UTF-8 bytes have the order of code points; UTF-16 units do not. */
function byCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** A name as it is stored and shown: without white space around it. */
export function trimName(name: string): string {
  return name.trim();
}

/**
 * What two names are compared by: equal for names that differ only in case, in white space around them, or in
 * the encoding of the same characters. Upper case comes first, because it makes one form of `ß` and `ss`.
 */
export function nameKey(name: string): string {
  return trimName(name).normalize('NFC').toUpperCase().toLowerCase();
}
