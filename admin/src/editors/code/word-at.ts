/** What stands at a place of a template. Free of the editor, so that it is tested alone. */

export type WordKind = 'tags' | 'filters' | 'functions' | 'variables';

export interface FoundWord {
  readonly kind: WordKind;
  /** Name of the tag, filter or function; a variable with its fields up to the place, such as `page.title`. */
  readonly name: string;
  /** Place in the text, from 0. */
  readonly from: number;
  readonly to: number;
}

/** Longest tag that is looked at, in characters. */
const maxTag = 2000;

/** The word of the template language at a place of a text; undefined in other texts and inside of quotes. */
export function wordAt(text: string, position: number): FoundWord | undefined {
  const start = Math.max(text.lastIndexOf('{{', position), text.lastIndexOf('{%', position));
  if (start < 0 || position - start > maxTag) return undefined;
  const end = text.slice(start, start + maxTag).search(/[%}]\}/);
  if (end < 0 || position > start + end) return undefined;
  const code = text.slice(start, start + end);
  const isTag = code.startsWith('{%');
  let isFirst = true;
  for (const match of code.matchAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*(?:\.\w+)*/g)) {
    const [word] = match;
    const from = start + match.index;
    const isOpening = isFirst && isTag;
    isFirst = false;
    if (position < from || position > from + word.length) continue;
    if (/^["']/.test(word)) return undefined;
    if (isOpening) return { kind: 'tags', name: openingTag(word), from, to: from + word.length };
    const before = code.slice(0, match.index).trimEnd();
    if (before.endsWith('|')) return { kind: 'filters', name: word, from, to: from + word.length };
    if (code.slice(match.index + word.length).startsWith('('))
      return { kind: 'functions', name: word, from, to: from + word.length };
    const dot = word.indexOf('.', Math.max(0, position - from));
    const name = dot < 0 ? word : word.slice(0, dot);
    return { kind: 'variables', name, from, to: from + name.length };
  }
  return undefined;
}

/** A closing tag is explained like its opening one. */
function openingTag(word: string): string {
  return word.startsWith('end') ? word.slice(3) : word;
}
