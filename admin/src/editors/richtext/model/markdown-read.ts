/** Reads Markdown as a document whose parts know their lines. What the document cannot say stays source. */
import type { Env, Token } from 'markdown-it';
import type { Mark, Node } from 'prosemirror-model';
import { collapse, isElement, parseHtml } from './canonical.ts';
import { meaningOfNode, meaningOfSource, parser } from './markdown-parser.ts';
import type { Sequence, SourcePart } from './parts.ts';
import { type Attributes, schemas, spanTags } from './schema.ts';

const schema = schemas.markdown;

class Unfit extends Error {}

export interface MarkdownReading {
  readonly sequence: Sequence;
  /** What the whole text defines for its parts: the addresses of links. */
  readonly env: Env;
}

export function readMarkdown(source: string): MarkdownReading {
  const env: Env = {};
  const tokens = parser.parse(source, env);
  const lines = new Lines(source);
  const parts: SourcePart[] = [];
  let place = 0;
  const take = (
    start: number,
    end: number,
    read: (text: string) => Omit<SourcePart, 'before' | 'source'>,
  ) => {
    const text = source.slice(start, end);
    parts.push({ ...read(text), source: text, before: source.slice(place, start) });
    place = end;
  };
  const takeStray = (end: number) => {
    const between = source.slice(place, end);
    const text = between.trim();
    const start = place + between.indexOf(text);
    if (text !== '') take(start, start + text.length, (stray) => ({ node: createRaw(stray) }));
  };
  for (const group of groupTokens(tokens)) {
    const [from, to] = group[0]?.map ?? [0, 0];
    const [start, end] = [lines.start(from), lines.end(from, to)];
    takeStray(start);
    take(start, end, (text) => readBlock(group, text, { lines, source, env }));
  }
  takeStray(source.length);
  return { sequence: { parts, tail: source.slice(place) }, env };
}

interface Whole {
  readonly lines: Lines;
  readonly source: string;
  readonly env: Env;
}

/** Where the lines of a text begin and end. */
class Lines {
  readonly #source: string;
  readonly #starts: readonly number[];

  constructor(source: string) {
    this.#source = source;
    this.#starts = [0, ...[...source.matchAll(/\r\n?|\n/g)].map(({ 0: end, index }) => index + end.length)];
  }

  start(line: number): number {
    return this.#starts[line] ?? this.#source.length;
  }

  /** The end of the text before a line, without the empty lines in between. */
  end(from: number, to: number): number {
    const start = this.start(from);
    const text = this.#source.slice(start, this.start(to));
    const last = /(?:[ \t]*(?:\r\n?|\n))*[ \t]*$/.exec(text)?.index ?? text.length;
    // Two spaces at the end of the last line are no empty line.
    const isBreak = /^[ \t]*$/.test(text.slice(last));
    return start + (isBreak ? text.length : last);
  }
}

/** The tokens of each block that no other block holds. */
function groupTokens(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const groups: Token[][] = [];
  for (const token of tokens) {
    if (token.level === 0 && token.nesting >= 0 && token.type !== 'inline') groups.push([token]);
    else groups.at(-1)?.push(token);
  }
  return groups;
}

function createRaw(source: string): Node {
  return schema.node('raw_block', { source });
}

function readBlock(
  tokens: readonly Token[],
  text: string,
  whole: Whole,
): Omit<SourcePart, 'before' | 'source'> {
  try {
    const [node] = new Reader(tokens).blocks();
    if (node === undefined) throw new Unfit();
    if (meaningOfNode(node, whole.env) !== meaningOfSource(text, whole.env)) throw new Unfit();
    return { node, inner: readItems(tokens, node, whole) };
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    return { node: createRaw(text) };
  }
}

/** The items of a list are parts of their own. */
function readItems(tokens: readonly Token[], list: Node, { lines, source }: Whole): SourcePart['inner'] {
  if (list.type.name !== 'bullet_list' && list.type.name !== 'ordered_list') return undefined;
  const items = tokens.filter(({ type, level }) => type === 'list_item_open' && level === 1);
  let place = lines.start(tokens[0]?.map?.[0] ?? 0);
  const parts = items.flatMap(({ map }, index) => {
    const [start, end] = [lines.start(map?.[0] ?? 0), lines.end(map?.[0] ?? 0, map?.[1] ?? 0)];
    const node = list.maybeChild(index);
    const before = source.slice(place, start);
    place = end;
    return node === null ? [] : [{ node, before, source: source.slice(start, end) }];
  });
  return parts.length === list.childCount
    ? { open: '', sequence: { parts, tail: '' }, close: '' }
    : undefined;
}

class Reader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** The blocks up to the end of what holds them. */
  blocks(): Node[] {
    const nodes: Node[] = [];
    for (let token = this.#tokens[this.#next]; token !== undefined && token.nesting >= 0; ) {
      nodes.push(this.#block(token));
      token = this.#tokens[this.#next];
    }
    return nodes;
  }

  #block(token: Token): Node {
    this.#next += 1;
    switch (token.type) {
      case 'paragraph_open':
        return schema.node('paragraph', { isBare: token.hidden }, this.#line());
      case 'heading_open': {
        const attrs = { level: Number(token.tag.slice(1)), isUnderlined: !token.markup.startsWith('#') };
        return schema.node('heading', attrs, this.#line());
      }
      case 'blockquote_open':
        return schema.node('blockquote', null, this.#filled());
      case 'bullet_list_open':
        return schema.node('bullet_list', { bullet: token.markup }, this.#inside());
      case 'ordered_list_open': {
        const attrs = { order: Number(token.attrGet('start') ?? 1), delimiter: token.markup };
        return schema.node('ordered_list', attrs, this.#inside());
      }
      case 'list_item_open':
        return schema.node('list_item', null, this.#filled());
      case 'fence':
      case 'code_block':
        return createCode(token);
      case 'hr':
        return schema.node('horizontal_rule', { markup: token.markup });
      case 'html_block':
        return createRaw(token.content.trimEnd());
      case 'table_open':
        return schema.node('table', null, this.#rows());
      default:
        throw new Unfit();
    }
  }

  /** The blocks within a block, whose end is passed. */
  #inside(): Node[] {
    const nodes = this.blocks();
    this.#next += 1;
    return nodes;
  }

  #filled(): Node[] {
    const nodes = this.#inside();
    return nodes.length === 0 ? [schema.node('paragraph', { isBare: true })] : nodes;
  }

  #line(): Node[] {
    const inline = this.#tokens[this.#next];
    if (inline?.type !== 'inline') throw new Unfit();
    this.#next += 2;
    return readLine(inline.children ?? []);
  }

  #rows(): Node[] {
    const rows: Node[] = [];
    let cells: Node[] = [];
    let section = '';
    for (;;) {
      const token = this.#tokens[this.#next];
      this.#next += 1;
      if (token === undefined) throw new Unfit();
      if (token.type === 'table_close') return rows;
      if (token.type === 'thead_open' || token.type === 'tbody_open') section = token.tag;
      if (token.type === 'tr_open') cells = [];
      if (token.type === 'tr_close') rows.push(schema.node('table_row', { section }, cells));
      if (token.type === 'th_open' || token.type === 'td_open') {
        const style = token.attrGet('style');
        const attributes: Attributes = style === null ? [] : [['style', String(style)]];
        const type = token.type === 'th_open' ? 'table_header' : 'table_cell';
        cells.push(
          schema.node(type, { attributes }, schema.node('paragraph', { isBare: true }, this.#line())),
        );
      }
    }
  }
}

function createCode({ type, content, info, markup }: Token): Node {
  const text = content.replace(/\n$/, '');
  const attrs = { info: info.trim(), fence: type === 'fence' ? markup : '```' };
  return schema.node('code_block', attrs, text === '' ? [] : [schema.text(text)]);
}

interface Piece {
  readonly text: string | undefined;
  readonly isBreak: boolean;
  readonly node: Node | undefined;
  readonly marks: readonly Mark[];
}

/** The content of a line from its tokens. */
function readLine(tokens: readonly Token[]): Node[] {
  let marks: readonly Mark[] = [];
  let keptCount = 0;
  const pieces: Piece[] = [];
  const closed = pairTags(tokens);
  const ends = new Set(closed.values());
  const leaf = (node: Node) =>
    pieces.push({ text: undefined, isBreak: node.type.name === 'hard_break', node, marks });
  const open = (mark: Mark) => {
    marks = [...marks, mark];
  };
  const close = () => {
    marks = marks.slice(0, -1);
  };
  for (const [place, token] of tokens.entries()) {
    const { type, content, markup } = token;
    if (type === 'text' || type === 'text_special')
      pieces.push({ text: content, isBreak: false, node: undefined, marks });
    else if (type === 'softbreak') pieces.push({ text: ' ', isBreak: false, node: undefined, marks });
    else if (type === 'hardbreak') leaf(schema.node('hard_break', { markup: '\\\n' }));
    else if (type === 'code_inline')
      pieces.push({ text: content, isBreak: false, node: undefined, marks: [...marks, schema.mark('code')] });
    else if (type === 'image') leaf(createImage(token));
    else if (type === 'em_open') open(schema.mark('em', { markup }));
    else if (type === 'strong_open') open(schema.mark('strong', { markup }));
    else if (type === 's_open') open(schema.mark('keep', { tag: 's', place: ++keptCount }));
    else if (type === 'link_open')
      open(schema.mark('link', { href: token.attrGet('href') ?? '', title: token.attrGet('title') }));
    else if (/^(?:em|strong|s|link)_close$/.test(type)) close();
    else if (type !== 'html_inline') throw new Unfit();
    else if (/^<br\s*\/?>$/i.test(content)) leaf(schema.node('hard_break', { markup: '<br>' }));
    else if (closed.has(place)) open(createKept(content, ++keptCount));
    else if (ends.has(place)) close();
    else leaf(schema.node('raw_inline', { source: content }));
  }
  return collapse(pieces).map(({ text, node, marks: own }) => {
    const inline = text === undefined ? node : schema.text(text);
    if (inline === undefined) throw new Unfit();
    return inline.mark(own.reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), []));
  });
}

/** Places of tags within a line that hold what is between them, with the places of their ends. */
function pairTags(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: { readonly tag: string; readonly place: number; readonly level: number }[] = [];
  for (const [place, { type, content, level }] of tokens.entries()) {
    const [, slash, tag = ''] = /^<(\/?)([a-z]+)\b/i.exec(type === 'html_inline' ? content : '') ?? [];
    if (!spanTags.has(tag)) continue;
    if (slash === '') {
      open.push({ tag, place, level });
      continue;
    }
    const last = open.pop();
    if (last?.tag === tag && last.level === level && place > last.place + 1) pairs.set(last.place, place);
    else open.length = 0;
  }
  return pairs;
}

function createKept(source: string, place: number): Mark {
  const [element] = parseHtml(source);
  if (element === undefined || !isElement(element)) throw new Unfit();
  const attributes = element.attrs.map(({ name, value }) => [name, value] as const);
  return schema.mark('keep', { tag: element.tagName, attributes, place });
}

function createImage(token: Token): Node {
  const alt = parser.renderer.renderInlineAsText(token.children ?? [], parser.options, {});
  const attrs = { src: token.attrGet('src') ?? '', alt, title: token.attrGet('title') };
  return schema.node('image', attrs);
}
