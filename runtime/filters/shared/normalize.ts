/**
 * Unicode normalisation in linear time. JavaScript sorts consecutive marks by insertion, which takes
 * quadratic time for very many marks. Therefore each run of 60 marks ends a part of the text, and the parts
 * are normalised one by one. The Stream-Safe Text Process (UAX 15, section 13) does the same and allows 30
 * marks; no language needs as many.
 */
const manyMarks = /\p{M}{60}/gu;

/** The text in a normalisation form. */
export function normalized(text: string, form: 'NFC' | 'NFKD'): string {
  let out = '';
  let start = 0;
  for (const { index, 0: marks } of text.matchAll(manyMarks)) {
    out += text.slice(start, index + marks.length).normalize(form);
    start = index + marks.length;
  }
  return out + text.slice(start).normalize(form);
}
