/**
 * Text of another website in a template: what would be template syntax is wrapped in `{% verbatim %}`, so that it is
 * printed as it is.
 *
 * Marks stand for the tags while a document is changed and written: the serialiser escapes text, and must not escape
 * tags. A mark is a word that does not occur in the page.
 */
import { type Element, isComment, isElement, isText, nodesBelow } from './dom.ts';

/** Where template syntax may begin. */
const delimiter = /\{[{%#]/;

export class Marks {
  readonly #word: string;
  readonly #tags: string[] = [];
  #verbatim: { readonly open: string; readonly close: string } | undefined;
  readonly #name: string;

  /** @param source text of the page, in which no mark may occur */
  constructor(source: string) {
    this.#word = freeWord(source, 'icmark');
    this.#name = source.includes('endverbatim') ? ` ${freeWord(source, 'source')}` : '';
  }

  /** A mark that stands for a tag. */
  markOf(tag: string): string {
    return `${this.#word}n${this.#tags.push(tag) - 1}z`;
  }

  /** Puts the tags in the place of their marks. */
  resolve(text: string): string {
    return text.replaceAll(this.#pattern(), (_mark, index: string) => this.#tags[Number(index)] ?? '');
  }

  /** Marks everything in a tree that would be template syntax. Tags that are marked already stay. */
  protectTree(root: Element): void {
    for (const node of [...nodesBelow(root)]) {
      if (isText(node)) node.value = this.#protectNode(node.value, node.parentNode?.nodeName ?? '');
      else if (isComment(node)) node.data = this.protect(node.data);
      else if (isElement(node)) this.#protectElement(node);
    }
  }

  #protectElement(element: Element): void {
    if (delimiter.test(element.tagName)) element.tagName = this.protect(element.tagName);
    for (const attribute of element.attrs) {
      attribute.value = this.protect(attribute.value);
      if (attribute.name.includes('{')) attribute.name = this.protect(attribute.name);
    }
  }

  /** Code is wrapped as a whole, because braces are all over it. */
  #protectNode(text: string, parent: string): string {
    const isCode = parent === 'script' || parent === 'style';
    if (!isCode || !delimiter.test(text) || this.#pattern().test(text)) return this.protect(text);
    const { open, close } = this.#tagsAround();
    return `${open}${text}${close}`;
  }

  /** A text in which everything that would be template syntax is between marks. */
  protect(text: string): string {
    if (!delimiter.test(text)) return text;
    const { open, close } = this.#tagsAround();
    let result = '';
    let from = 0;
    for (const { start, end } of syntaxIn(text)) {
      result += `${text.slice(from, start)}${open}${text.slice(start, end)}${close}`;
      from = end;
    }
    return result + text.slice(from);
  }

  #tagsAround(): { readonly open: string; readonly close: string } {
    this.#verbatim ??= {
      open: this.markOf(`{% verbatim${this.#name} %}`),
      close: this.markOf(`{% endverbatim${this.#name} %}`),
    };
    return this.#verbatim;
  }

  #pattern(): RegExp {
    return new RegExp(`${this.#word}n(\\d+)z`, 'g');
  }
}

const closers: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '{#': '#}' };

/** What is closer than this to what looks like a tag is wrapped with it, in characters. */
const nearby = 40;

/** The parts of a text that look like tags. */
function syntaxIn(text: string): { readonly start: number; readonly end: number }[] {
  const parts: { start: number; end: number }[] = [];
  const unclosed = new Set<string>();
  const opening = /\{[{%#]/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const [opener] = match;
    const close = unclosed.has(opener) ? -1 : text.indexOf(closers[opener] ?? '', match.index + 2);
    // Without this a text of many opening marks would be searched to its end for each of them.
    if (close < 0) unclosed.add(opener);
    const end = close < 0 ? match.index + 2 : close + 2;
    const last = parts.at(-1);
    if (last !== undefined && match.index - last.end < nearby) last.end = end;
    else parts.push({ start: match.index, end });
    opening.lastIndex = end;
  }
  return parts;
}

function freeWord(source: string, word: string): string {
  for (let number = 0; ; number++) {
    const candidate = `${word}${number}`;
    if (!source.includes(candidate)) return candidate;
  }
}
