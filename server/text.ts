/** Orders by Unicode code point, ignoring case (open points 12), and then by case so that the order is total. */
export function compareText(left: string, right: string): number {
  return compareCodePoints(left.toLowerCase(), right.toLowerCase()) || compareCodePoints(left, right);
}

/** UTF-8 keeps the order of code points, which UTF-16 units do not. */
function compareCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Length in code points, the "characters" of the specification's limits. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _character of text) count++;
  return count;
}
