/** Reads HTML as a document whose parts know their source. What the document cannot say stays a piece of source. */
import type { Attrs, Mark, Node } from 'prosemirror-model';
import { TableMap } from 'prosemirror-tables';
import {
  collapse,
  type DomElement,
  type DomNode,
  isBlock,
  isElement,
  isText,
  listLeaves,
  parseHtml,
  toCanonical,
} from './canonical.ts';
import { writeHtml } from './html-write.ts';
import type { Inner, Sequence, SourcePart } from './parts.ts';
import { boxTags, schemas } from './schema.ts';
import { splitTemplate } from './template-tags.ts';

const schema = schemas.html;

/** The document has no way to say this. */
class Unfit extends Error {}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A block, or a line without an element of its own. */
interface Segment extends Span {
  readonly nodes: readonly DomNode[];
}

/** @param source of a whole value */
export function readHtml(source: string): Sequence {
  try {
    return new Reader(source).sequence(parseHtml(source), { start: 0, end: source.length });
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    return { parts: [{ node: createRaw(source), source, before: '' }], tail: '' };
  }
}

function createRaw(source: string): Node {
  return schema.node('raw_block', { source });
}

function spanOf(node: DomNode): Span {
  const location = node.sourceCodeLocation;
  if (location === null || location === undefined) throw new Unfit();
  return { start: location.startOffset, end: location.endOffset };
}

class Reader {
  readonly #source: string;
  #place = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** The blocks among siblings. What stands between them without meaning stays with the part behind it. */
  sequence(nodes: readonly DomNode[], { start, end }: Span): Sequence {
    const parts: SourcePart[] = [];
    let place = start;
    for (const segment of this.#segments(nodes)) {
      if (segment.start < place || segment.end > end) throw new Unfit();
      place = this.#takeStray(parts, place, segment.start);
      const before = this.#source.slice(place, segment.start);
      parts.push({ ...this.#block(segment), before });
      place = segment.end;
    }
    place = this.#takeStray(parts, place, end);
    return { parts, tail: this.#source.slice(place, end) };
  }

  /** Ends of elements that nothing began are in the source, but not in the tree. */
  #takeStray(parts: SourcePart[], start: number, end: number): number {
    const between = this.#source.slice(start, end);
    const source = between.trim();
    if (source === '') return start;
    const before = between.slice(0, between.indexOf(source));
    parts.push({ node: createRaw(source), source, before });
    return start + before.length + source.length;
  }

  #segments(nodes: readonly DomNode[]): readonly Segment[] {
    const segments: Segment[] = [];
    let line: DomNode[] = [];
    const flush = () => {
      const text = (node: DomNode) => isText(node) && node.value.trim() === '';
      const first = line.findIndex((node) => !text(node));
      const last = line.findLastIndex((node) => !text(node));
      if (first >= 0) segments.push(this.#trimmed(line.slice(first, last + 1)));
      line = [];
    };
    for (const node of nodes) {
      if (!isBlock(node)) line.push(node);
      else {
        flush();
        segments.push({ nodes: [node], ...spanOf(node) });
      }
    }
    flush();
    return segments;
  }

  #trimmed(nodes: readonly DomNode[]): Segment {
    const [first, last] = [nodes[0], nodes.at(-1)];
    if (first === undefined || last === undefined) throw new Unfit();
    const [{ start }, { end }] = [spanOf(first), spanOf(last)];
    const text = this.#source.slice(start, end);
    return {
      nodes,
      start: start + text.length - text.trimStart().length,
      end: start + text.trimEnd().length,
    };
  }

  /** A block as a node, if what the node writes means the same as the source. */
  #block(segment: Segment): Omit<SourcePart, 'before'> {
    const source = this.#source.slice(segment.start, segment.end);
    try {
      const [first] = segment.nodes;
      const read =
        first !== undefined && isBlock(first)
          ? this.#element(first)
          : { node: this.#bareLine(segment.nodes) };
      if (toCanonical(segment.nodes) === toCanonical(parseHtml(writeHtml(read.node))))
        return { source, ...read };
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
    }
    return { source, node: createRaw(source) };
  }

  #bareLine(nodes: readonly DomNode[]): Node {
    const content = this.#line(nodes);
    const isWords = content.some(({ isText: isWord, type }) => isWord || type.name === 'image');
    if (!isWords) throw new Unfit();
    return schema.node('paragraph', { isBare: true }, content);
  }

  #element(element: DomElement): { readonly node: Node; readonly inner?: Inner | undefined } {
    const { tagName: tag } = element;
    const attrs = { attributes: readAttributes(element) };
    const level = /^h([1-6])$/.exec(tag)?.[1];
    if (tag === 'p') return { node: schema.node('paragraph', attrs, this.#line(element.childNodes)) };
    if (level !== undefined)
      return {
        node: schema.node('heading', { ...attrs, level: Number(level) }, this.#line(element.childNodes)),
      };
    if (tag === 'hr') return { node: schema.node('horizontal_rule', attrs) };
    if (tag === 'pre') return { node: this.#code(element) };
    if (tag === 'blockquote') return this.#container(element, 'blockquote', attrs);
    if (tag === 'ul') return this.#list(element, 'bullet_list', attrs);
    if (tag === 'ol') return this.#list(element, 'ordered_list', { ...attrs, order: readStart(element) });
    if (tag === 'table') return this.#table(element);
    if (boxTags.has(tag)) return this.#container(element, 'box', { ...attrs, tag });
    throw new Unfit();
  }

  #container(element: DomElement, type: string, attrs: Attrs) {
    const sequence = this.sequence(element.childNodes, contentOf(element));
    const nodes = sequence.parts.map(({ node }) => node);
    const content = nodes.length === 0 ? [schema.node('paragraph', { isBare: true })] : nodes;
    return { node: schema.node(type, attrs, content), inner: this.#inner(element, sequence) };
  }

  #inner(element: DomElement, sequence: Sequence): Inner | undefined {
    if (sequence.parts.length === 0) return undefined;
    const [outer, content] = [spanOf(element), contentOf(element)];
    return {
      open: this.#source.slice(outer.start, content.start),
      sequence,
      close: this.#source.slice(content.end, outer.end),
    };
  }

  /** Elements that belong to a list or a table alone: nothing else may stand between them. */
  #members(element: DomElement, tags: readonly string[]): readonly DomElement[] {
    const members = element.childNodes.filter((node) => !(isText(node) && node.value.trim() === ''));
    return members.map((node) => {
      if (!isElement(node) || !tags.includes(node.tagName)) throw new Unfit();
      return node;
    });
  }

  #list(element: DomElement, type: string, attrs: Attrs) {
    const items = this.#members(element, ['li']);
    if (items.length === 0) throw new Unfit();
    const read = items.map((item) => ({
      ...spanOf(item),
      ...this.#container(item, 'list_item', { attributes: readAttributes(item) }),
    }));
    const sequence = this.#join(read, contentOf(element));
    const node = schema.node(
      type,
      attrs,
      read.map((item) => item.node),
    );
    return { node, inner: this.#inner(element, sequence) };
  }

  #join(members: readonly (Span & Pick<SourcePart, 'node' | 'inner'>)[], { start, end }: Span): Sequence {
    let place = start;
    const parts = members.map(({ node, inner, ...span }) => {
      if (span.start < place || span.end > end) throw new Unfit();
      const before = this.#source.slice(place, span.start);
      place = span.end;
      return { node, inner, before, source: this.#source.slice(span.start, span.end) };
    });
    return { parts, tail: this.#source.slice(place, end) };
  }

  #table(element: DomElement) {
    const sections = ['thead', 'tbody', 'tfoot'];
    const members = this.#members(element, [...sections, 'tr']);
    const rows = members.flatMap((member) => {
      if (member.tagName === 'tr') return [this.#row(member, '')];
      if (member.attrs.length > 0) throw new Unfit();
      // A parser adds `tbody` where the source has none.
      const section = member.sourceCodeLocation?.startTag === undefined ? '' : member.tagName;
      return this.#members(member, ['tr']).map((row) => this.#row(row, section));
    });
    if (rows.length === 0) throw new Unfit();
    const attributes = readAttributes(element);
    const node = schema.node(
      'table',
      { attributes },
      rows.map((row) => row.node),
    );
    // The editor would mend tables whose rows differ in length, and so change what nobody has touched.
    if (TableMap.get(node).problems !== null) throw new Unfit();
    return { node, inner: this.#inner(element, this.#join(rows, contentOf(element))) };
  }

  #row(element: DomElement, section: string) {
    const cells = this.#members(element, ['td', 'th']).map((cell) => {
      const [colspan, rowspan] = [readSpan(cell, 'colspan'), readSpan(cell, 'rowspan')];
      const attrs = { attributes: readAttributes(cell), colspan, rowspan };
      const type = cell.tagName === 'th' ? 'table_header' : 'table_cell';
      return { ...spanOf(cell), ...this.#container(cell, type, attrs) };
    });
    if (cells.length === 0) throw new Unfit();
    const attrs = { attributes: readAttributes(element), section };
    const node = schema.node(
      'table_row',
      attrs,
      cells.map((cell) => cell.node),
    );
    return { ...spanOf(element), node, inner: this.#inner(element, this.#join(cells, contentOf(element))) };
  }

  #code(element: DomElement): Node {
    const [only, second] = element.childNodes;
    const code =
      only !== undefined && second === undefined && isElement(only) && only.tagName === 'code'
        ? only
        : undefined;
    const inner = (code ?? element).childNodes;
    if (!inner.every(isText)) throw new Unfit();
    const text = inner.map(({ value }) => value).join('');
    const attrs = {
      attributes: readAttributes(element),
      inner: code === undefined ? null : readAttributes(code),
    };
    return schema.node('code_block', attrs, text === '' ? [] : [schema.text(text)]);
  }

  #line(nodes: readonly DomNode[]): readonly Node[] {
    const leaves = listLeaves(nodes);
    if (leaves === undefined) throw new Unfit();
    const kept = new Map<DomElement, Mark>();
    const pieces = leaves.flatMap(({ text, node, around }) => {
      const marks = around.map((element) => this.#mark(element, kept));
      if (text === undefined) return [{ text, node, marks, isBreak: node.nodeName === 'br', source: '' }];
      return this.#texts(node, text).map((piece) => ({ ...piece, node, marks, isBreak: false }));
    });
    return collapse(pieces).map(({ text, node, marks, source }) => {
      if (text !== undefined) return schema.text(text, marks);
      return (source === '' ? this.#leaf(node) : schema.node('raw_inline', { source })).mark([...marks]);
    });
  }

  /** A text without its template tags, which stay as they are. */
  #texts(node: DomNode, text: string) {
    if (!/\{[{%#]/.test(text)) return [{ text, source: '' }];
    const { start, end } = spanOf(node);
    const pieces = splitTemplate(this.#source.slice(start, end));
    if (pieces === undefined) throw new Unfit();
    return pieces.map(({ source, isTag }) => {
      if (isTag) return { text: undefined, source };
      const [only, second] = parseHtml(source);
      if (only === undefined || second !== undefined || !isText(only)) throw new Unfit();
      return { text: only.value, source: '' };
    });
  }

  #leaf(node: DomNode): Node {
    if (node.nodeName === 'br' && isElement(node))
      return schema.node('hard_break', { attributes: readAttributes(node) });
    if (node.nodeName === 'img' && isElement(node)) {
      const attributes = readAttributes(node);
      const { src, alt = null, title = null } = Object.fromEntries(attributes);
      if (src !== undefined) return schema.node('image', { attributes, src, alt, title });
    }
    const { start, end } = spanOf(node);
    const source = this.#source.slice(start, end);
    // An element without an end would take in what follows.
    const behind = parseHtml(`${source}.`).at(-1);
    if (behind === undefined || !isText(behind)) throw new Unfit();
    return schema.node('raw_inline', { source });
  }

  #mark(element: DomElement, kept: Map<DomElement, Mark>): Mark {
    const known = kept.get(element);
    if (known !== undefined) return known;
    const attributes = readAttributes(element);
    const mark = this.#newMark(element.tagName, { attributes });
    kept.set(element, mark);
    return mark;
  }

  #newMark(tag: string, attrs: { readonly attributes: ReturnType<typeof readAttributes> }): Mark {
    const { href, title = null } = Object.fromEntries(attrs.attributes);
    if (tag === 'a' && href !== undefined) return schema.mark('link', { ...attrs, href, title });
    if (tag === 'strong' || tag === 'b') return schema.mark('strong', { ...attrs, tag });
    if (tag === 'em' || tag === 'i') return schema.mark('em', { ...attrs, tag });
    if (tag === 'code') return schema.mark('code', attrs);
    this.#place += 1;
    return schema.mark('keep', { ...attrs, tag, place: this.#place });
  }
}

function contentOf(element: DomElement): Span {
  const location = element.sourceCodeLocation;
  if (location?.startTag === undefined) {
    // A `tbody` that only the parser sees has no tags: its rows are all there is.
    throw new Unfit();
  }
  return { start: location.startTag.endOffset, end: location.endTag?.startOffset ?? location.endOffset };
}

function readAttributes({ attrs }: DomElement): readonly (readonly [string, string])[] {
  return attrs.map(({ name, value, prefix }) => {
    // A template tag between the attributes has been torn into names.
    if (/[{}%]/.test(name) || (prefix ?? '') !== '') throw new Unfit();
    return [name, value] as const;
  });
}

function readStart({ attrs }: DomElement): number {
  const start = attrs.find(({ name }) => name === 'start')?.value ?? '1';
  if (!/^-?\d{1,9}$/.test(start)) throw new Unfit();
  return Number(start);
}

function readSpan({ attrs }: DomElement, attribute: string): number {
  const value = attrs.find(({ name }) => name === attribute)?.value ?? '1';
  if (!/^[1-9]\d?$/.test(value)) throw new Unfit();
  return Number(value);
}
