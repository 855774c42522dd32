/** Finds `{{` and `{%` that begin no tag, because they are not closed where they should be. They show as text. */
import type { Text } from '../../grammar/ast.ts';
import { walkNodes } from '../walk.ts';
import type { CheckedTemplate } from './report.ts';

export function reportUnclosed({ template, report }: CheckedTemplate): void {
  const { source } = template;
  walkNodes(template.body, (node) => {
    if (node.type !== 'Text') return;
    for (const offset of unclosedIn(node, source)) {
      report(offset, 'template.unclosed', () => {
        const name = source.slice(offset, offset + maxShown).split(/[\r\n]/)[0] ?? '';
        const close = name.startsWith('{{') ? '"}}" on its line' : '"%}"';
        return { reason: `"${name}" is not closed with ${close}, so it shows as text`, params: { name } };
      });
    }
  });
}

/** Characters of the text that are shown. */
const maxShown = 40;

/** Offsets of the openers that stand in a text as it is written. */
function* unclosedIn({ value, start, end }: Text, source: string): Generator<number> {
  if (!value.includes('{{') && !value.includes('{%')) return;
  // A text that is not printed as it is written holds comments, `verbatim` and the like.
  const tags = value === source.slice(start, end) ? undefined : new TagEnds(source, end);
  let at = start;
  while (at < end) {
    opener.lastIndex = at;
    const found = opener.exec(source)?.index ?? end;
    if (found >= end) return;
    const after = tags?.after(found);
    if (after === undefined && source[found + 1] !== '#') yield found;
    at = after ?? found + 2;
  }
}

const opener = /\{[{%#]/g;
const tagName = /\{%-?\s*(\w+)\s*([^\s%-]*)/y;

/** Tags that leave no node in the tree but text. */
const withoutNode = new Set(['load', 'csrf_token', 'debug', 'templatetag', 'verbatim', 'comment']);

/** Finds the ends of comments and of tags without a node, from the beginning of a text to its end. */
class TagEnds {
  readonly #source: string;
  readonly #end: number;
  /** Closing tags and delimiters that do not follow any more, so that none is searched for again and again. */
  readonly #missing = new Set<string>();

  constructor(source: string, end: number) {
    this.#source = source;
    this.#end = end;
  }

  /** The end of what begins at `at`; undefined if it is no comment and no tag without a node. */
  after(at: number): number | undefined {
    if (this.#source[at + 1] === '#') return this.#next(/#\}/g, at);
    tagName.lastIndex = at;
    const [, name = '', label = ''] = tagName.exec(this.#source) ?? [];
    if (!withoutNode.has(name)) return undefined;
    const close = this.#next(/%\}/g, at);
    if (close === undefined || (name !== 'verbatim' && name !== 'comment')) return close;
    const ofLabel = name === 'comment' || label === '' ? '' : `\\s+${label.replace(/[^\w]/g, '\\$&')}`;
    return this.#next(new RegExp(`\\{%-?\\s*end${name}${ofLabel}\\s*-?%\\}`, 'g'), close);
  }

  #next(closer: RegExp, from: number): number | undefined {
    if (this.#missing.has(closer.source)) return undefined;
    closer.lastIndex = from;
    if (closer.test(this.#source) && closer.lastIndex <= this.#end) return closer.lastIndex;
    this.#missing.add(closer.source);
    return undefined;
  }
}
