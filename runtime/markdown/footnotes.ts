/** Footnotes (GFM): `[^a]` refers to the definition `[^a]: text`. The notes follow the text as a list. */
import type { Env, MarkdownIt, StateBlock, StateCore, StateInline, Token } from 'markdown-it';
import { encodeAddress } from './addresses.ts';

export function footnotes(parser: MarkdownIt): void {
  parser.block.ruler.before('reference', 'footnote', readDefinition, {
    alt: ['paragraph', 'reference', 'blockquote'],
  });
  parser.inline.ruler.before('link', 'footnote', readCall);
  parser.core.ruler.after('inline', 'footnotes', moveNotesToEnd);
  parser.renderer.rules[rendered] = (tokens, index) => tokens[index]?.content ?? '';
}

/** The footnotes of one text, by label. Labels are compared without regard to case. */
export class Footnotes {
  readonly #defined = new Set<string>();
  /** In the order of the first calls, which is the order of the notes. */
  readonly #called = new Map<string, Footnote>();

  get called(): ReadonlyMap<string, Footnote> {
    return this.#called;
  }

  get areDefined(): boolean {
    return this.#defined.size > 0;
  }

  define(label: string): void {
    this.#defined.add(label);
  }

  isDefined(label: string): boolean {
    return this.#defined.has(label);
  }

  call(label: string): Footnote {
    const footnote = this.#called.get(label) ?? { id: idOf(label), number: this.#called.size + 1, calls: 0 };
    footnote.calls += 1;
    this.#called.set(label, footnote);
    return footnote;
  }
}

interface Footnote {
  readonly id: string;
  readonly number: number;
  calls: number;
}

/** Type of the tokens whose content is HTML. */
const rendered = 'footnote_html';

const label = String.raw`\[\^((?:[^\s[\]\\]|\\(?:[[\]\\]|(?![[\]\\]))){1,999})\]`;
const definition = new RegExp(String.raw`${label}:[ \t]*`, 'y');
const call = new RegExp(label, 'y');

/** Lines that are indented by four, and lines that go on with a paragraph, belong to the note. */
function readDefinition(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const { bMarks, tShift, sCount, blkIndent, parentType } = state;
  const [start = 0, shift = 0, indent = 0] = [bMarks[startLine], tShift[startLine], sCount[startLine]];
  if (indent - blkIndent >= 4) return false;
  definition.lastIndex = start + shift;
  const [marker, label] = definition.exec(state.src) ?? [];
  if (marker === undefined || label === undefined) return false;
  if (silent) return true;
  notesOf(state.env).define(normalized(state, label));
  state.push('footnote_open', '', 1).info = normalized(state, label);
  // For the time of its content the line begins after the marker.
  bMarks[startLine] = start + shift + marker.length;
  tShift[startLine] = 0;
  sCount[startLine] = blkIndent + 4;
  state.blkIndent = blkIndent + 4;
  state.parentType = 'footnote';
  state.md.block.tokenize(state, startLine, endLine);
  state.parentType = parentType;
  state.blkIndent = blkIndent;
  bMarks[startLine] = start;
  tShift[startLine] = shift;
  sCount[startLine] = indent;
  state.push('footnote_close', '', -1);
  return true;
}

function readCall(state: StateInline, silent: boolean): boolean {
  call.lastIndex = state.pos;
  const [text, label] = call.exec(state.src) ?? [];
  if (text === undefined || label === undefined) return false;
  const notes = notesOf(state.env);
  const id = normalized(state, label);
  if (state.pos + text.length > state.posMax || !notes.isDefined(id)) return false;
  if (!silent) state.push(rendered, '', 0).content = callHtml(notes.call(id));
  state.pos += text.length;
  return true;
}

/** Takes the definitions out of the text. Those that are called follow it. */
function moveNotesToEnd(state: StateCore): void {
  const { called, areDefined } = notesOf(state.env);
  if (!areDefined) return;
  const text: Token[] = [];
  const bodies = new Map<string, Token[]>();
  const open = [text];
  for (const token of state.tokens) {
    if (token.type === 'footnote_close') open.pop();
    else if (token.type === 'footnote_open') {
      const body: Token[] = [];
      open.push(body);
      if (!bodies.has(token.info)) bodies.set(token.info, body);
    } else open.at(-1)?.push(token);
  }
  state.tokens = called.size === 0 ? text : text.concat(...notesSection(state, called, bodies));
}

function* notesSection(
  state: StateCore,
  called: ReadonlyMap<string, Footnote>,
  bodies: ReadonlyMap<string, readonly Token[]>,
): Iterable<Token | readonly Token[]> {
  const html = (content: string) => Object.assign(new state.Token(rendered, '', 0), { content });
  yield html(
    '<section data-footnotes="" class="footnotes">' +
      '<h2 id="footnote-label" class="sr-only">Footnotes</h2>\n<ol>\n',
  );
  for (const [label, footnote] of called) {
    const body = bodies.get(label) ?? [];
    const last = body.at(-1);
    yield html(`<li id="user-content-fn-${footnote.id}">\n`);
    if (last?.type === 'paragraph_close') yield* [body.slice(0, -1), html(` ${callLinks(footnote)}`), last];
    else yield* [body, html(`${callLinks(footnote)}\n`)];
    yield html('</li>\n');
  }
  yield html('</ol>\n</section>\n');
}

function callHtml({ id, number, calls }: Footnote): string {
  return (
    `<sup><a href="#user-content-fn-${id}" id="user-content-fnref-${id}${again(calls)}" ` +
    `data-footnote-ref="" aria-describedby="footnote-label">${number}</a></sup>`
  );
}

/** Links from a note back to its calls. */
function callLinks({ id, number, calls }: Footnote): string {
  const links = Array.from({ length: calls }, (_, index) => {
    const suffix = again(index + 1);
    return (
      `<a href="#user-content-fnref-${id}${suffix}" data-footnote-backref="" ` +
      `aria-label="Back to reference ${number}${suffix}" class="data-footnote-backref">↩` +
      `${index > 0 ? `<sup>${index + 1}</sup>` : ''}</a>`
    );
  });
  return links.join(' ');
}

function again(count: number): string {
  return count > 1 ? `-${count}` : '';
}

function normalized({ md }: { readonly md: MarkdownIt }, label: string): string {
  return md.utils.normalizeReference(label);
}

function idOf(label: string): string {
  return encodeAddress(label.toLowerCase()).replaceAll('&', '&amp;');
}

function notesOf(env: Env): Footnotes {
  const { footnotes } = env;
  if (!(footnotes instanceof Footnotes))
    throw new TypeError('a text is rendered without a place for footnotes');
  return footnotes;
}
