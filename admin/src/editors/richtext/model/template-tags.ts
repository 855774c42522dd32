/** Tags of templates within a text. Values are not compiled, but some are written for code that compiles them. */

const tag = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g;
const opening = /\{[{%#]/;

export interface TextPiece {
  readonly source: string;
  readonly isTag: boolean;
}

/** @returns undefined if a tag begins in the text and does not end there */
export function splitTemplate(source: string): readonly TextPiece[] | undefined {
  const pieces: TextPiece[] = [];
  let place = 0;
  for (const match of source.matchAll(tag)) {
    if (match.index > place) pieces.push({ source: source.slice(place, match.index), isTag: false });
    pieces.push({ source: match[0], isTag: true });
    place = match.index + match[0].length;
  }
  if (place < source.length) pieces.push({ source: source.slice(place), isTag: false });
  return pieces.some(({ isTag, source: text }) => !isTag && opening.test(text)) ? undefined : pieces;
}
