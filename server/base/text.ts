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

/** The mark before what a template computes, and before one of its statements. */
export type TagStart = '{{' | '{%';

export interface TextSpan {
  /** Offset of the first mark. */
  readonly index: number;
  /** With both marks. */
  readonly text: string;
}

/**
 * The parts of a text from an opening mark to the next closing one. Takes linear time, which one pattern for both
 * marks would not: a text may have very many that nothing closes.
 */
export function* findTags(text: string, starts: readonly TagStart[]): Generator<TextSpan> {
  const open = new Set<string>(starts);
  let from = 0;
  // One mark may begin within another: `{{%`.
  for (const { 1: start = '', index } of text.matchAll(/(?=(\{[{%]))/g)) {
    if (index < from || !open.has(start)) continue;
    const end = text.indexOf(start === '{{' ? '}}' : '%}', index + 2);
    if (end < 0) open.delete(start);
    else {
      from = end + 2;
      yield { index, text: text.slice(index, from) };
    }
  }
}

/** The text with what `replace` makes of its tags, see {@link findTags}. */
export function replaceTags(
  text: string,
  starts: readonly TagStart[],
  replace: (tag: string) => string,
): string {
  let replaced = '';
  let from = 0;
  for (const { index, text: tag } of findTags(text, starts)) {
    replaced += text.slice(from, index) + replace(tag);
    from = index + tag.length;
  }
  return replaced + text.slice(from);
}
