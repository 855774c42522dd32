/**
 * Unicode normalisation in linear time. JavaScript sorts consecutive marks by insertion, which takes
 * quadratic time for very many marks. Therefore each run of 60 marks ends a part of the text, and the parts
 * are normalised one by one. The Stream-Safe Text Process (UAX 15, section 13) does the same and allows 30
 * marks; no language needs as many.
 */
const marksOfPart = 60;
const manyMarks = /\p{M}{60}/gu;

/** Whether the text has no character beyond U+007F. Every normalisation form leaves such a text as it is. */
export function isAscii(text: string): boolean {
  return !beyondAscii.test(text);
}

const beyondAscii = /[^\0-\x7f]/;

/** The text in a normalisation form. */
export function normalized(text: string, form: 'NFC' | 'NFKD'): string {
  if (!(form === 'NFC' ? mayChange : beyondAscii).test(text)) return text;
  if (text.length <= marksOfPart) return text.normalize(form);
  let out = '';
  let start = 0;
  for (const { index, 0: marks } of text.matchAll(manyMarks)) {
    out += text.slice(start, index + marks.length).normalize(form);
    start = index + marks.length;
  }
  return out + text.slice(start).normalize(form);
}

/** NFC changes no text that has only characters below the first combining mark. */
const mayChange = /[^\0-\u02ff]/;
