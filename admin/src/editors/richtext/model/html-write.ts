/** Writes documents as HTML: what was not touched as it was read, all else anew. */
import type { Mark, Node } from 'prosemirror-model';
import { type Sequence, type SourcePart, writeSequence } from './parts.ts';
import { type Attributes, readAttributes } from './schema.ts';
import { writeInline } from './write-inline.ts';

/** The value of a document that was read from a sequence. */
export function writeHtmlDocument(doc: Node, sequence: Sequence): string {
  return writeBlocks(doc, sequence, gapOf(sequence));
}

/** One node anew, as its elements. */
export function writeHtml(node: Node): string {
  return writeNode(node, undefined, true);
}

const nothing: Sequence = { parts: [], tail: '' };

/** White space as it is between the parts, so that a new line of a list is indented like the others. */
function gapOf({ parts }: Sequence): string {
  const gaps = parts.slice(1).map(({ before }) => before);
  return gaps.findLast((gap) => gap.trim() === '') ?? '\n';
}

function writeBlocks(parent: Node, sequence: Sequence, gap: string): string {
  return writeSequence(parent.children, sequence, {
    gap,
    keepsGap: () => true,
    write: ({ node, part, isUntouched }, neighbours) => {
      const isAlone = !neighbours.some((other) => other !== undefined && isBare(other));
      if (isUntouched && part !== undefined && (isAlone || !isBare(node))) return part.source;
      return writeNode(node, part, isAlone);
    },
  });
}

function isBare(node: Node): boolean {
  return node.type.name === 'paragraph' && node.attrs['isBare'] === true;
}

/** @param isAlone no line without an element of its own is beside it, which it would become one with */
function writeNode(node: Node, part: SourcePart | undefined, isAlone: boolean): string {
  const kept = part?.inner !== undefined && isSameElement(node, part.node) && writeInner(node, part);
  if (typeof kept === 'string') return kept;
  const attributes = readAttributes(node.attrs);
  switch (node.type.name) {
    case 'paragraph':
      return isBare(node) && isAlone ? writeLine(node) : wrap('p', attributes, writeLine(node));
    case 'heading':
      return wrap(`h${node.attrs['level']}`, attributes, writeLine(node));
    case 'horizontal_rule':
      return openTag('hr', attributes);
    case 'raw_block':
      return String(node.attrs['source']);
    case 'code_block':
      return writeCode(node);
    case 'table':
      return wrap('table', attributes, `\n${writeRows(node, part)}\n`);
    case 'ordered_list': {
      const { order } = node.attrs;
      const start = order === 1 ? undefined : String(order);
      return wrap('ol', withValues(attributes, { start }), writeContent(node, part));
    }
    default:
      return wrap(elementOf(node), cellAttributes(node, attributes), writeContent(node, part));
  }
}

function elementOf({ type: { name }, attrs }: Node): string {
  if (name === 'box') return String(attrs['tag']);
  return elements[name] ?? 'div';
}

const elements: Readonly<Record<string, string>> = {
  blockquote: 'blockquote',
  bullet_list: 'ul',
  list_item: 'li',
  table_row: 'tr',
  table_cell: 'td',
  table_header: 'th',
};

function cellAttributes({ type, attrs }: Node, attributes: Attributes): Attributes {
  if (type.spec['tableRole'] !== 'cell' && type.spec['tableRole'] !== 'header_cell') return attributes;
  const { colspan, rowspan } = attrs;
  const text = (span: number) => (span === 1 ? undefined : String(span));
  return withValues(attributes, { colspan: text(colspan), rowspan: text(rowspan) });
}

/** The tags of the source stay if the element is still the same. */
function isSameElement(node: Node, read: Node): boolean {
  return node.type === read.type && node.hasMarkup(read.type, read.attrs, read.marks);
}

/** @returns undefined if more than white space between the children would have to change */
function writeInner(node: Node, { inner }: SourcePart): string | undefined {
  if (inner === undefined) return undefined;
  const { open, sequence, close } = inner;
  const { parts, tail } = sequence;
  const isPlain = parts.every(({ before }) => before.trim() === '') && tail.trim() === '';
  if (!isPlain && parts.length !== node.childCount) return undefined;
  const gap = node.childCount > 1 && parts.length > 1 ? gapOf(sequence) : (parts[0]?.before ?? '') || '\n';
  return open + writeBlocks(node, sequence, gap) + close;
}

/** The children of a new element; those that have been elsewhere in it keep their source. */
function writeContent(node: Node, part: SourcePart | undefined): string {
  const { parts } = part?.inner?.sequence ?? nothing;
  const sequence = { parts: parts.map((own) => ({ ...own, before: '' })), tail: '' };
  const content = writeBlocks(node, sequence, '\n');
  const isLine = node.childCount === 1 && node.firstChild?.type.name === 'paragraph';
  const isRow = node.type.name === 'table_row';
  return isLine || isRow ? content : `\n${content}\n`;
}

function writeRows(table: Node, part: SourcePart | undefined): string {
  const sources = new Map((part?.inner?.sequence.parts ?? []).map((row) => [row.node, row.source]));
  const groups: { readonly section: string; readonly rows: string[] }[] = [];
  const hasSections = table.children.some(({ attrs }) => attrs['section'] !== '');
  for (const row of table.children) {
    // A new row is one of the body.
    const section = String(row.attrs['section']) || (hasSections ? 'tbody' : '');
    const text = sources.get(row) ?? writeNode(row, undefined, false);
    const last = groups.at(-1);
    if (last?.section === section) last.rows.push(text);
    else groups.push({ section, rows: [text] });
  }
  return groups
    .map(({ section, rows }) =>
      section === '' ? rows.join('\n') : wrap(section, [], `\n${rows.join('\n')}\n`),
    )
    .join('\n');
}

function writeCode(node: Node): string {
  const text = escapeText(node.textContent);
  // A parser drops a line break that begins the element.
  const safe = text.startsWith('\n') ? `\n${text}` : text;
  const attributes = readAttributes(node.attrs);
  const inner: Attributes | null = node.attrs['inner'];
  if (inner === null) return wrap('pre', attributes, safe);
  const info = String(node.attrs['info']);
  const language = info === '' || inner.length > 0 ? inner : [['class', `language-${info}`] as const];
  return wrap('pre', attributes, wrap('code', language, inner === null ? safe : text));
}

function writeLine(node: Node): string {
  return writeInline(node.children, { leaf: writeLeaf, mark: writeMark });
}

function writeLeaf(node: Node): string {
  const attributes = readAttributes(node.attrs);
  const { src, alt, title, source } = node.attrs;
  switch (node.type.name) {
    case 'hard_break':
      return openTag('br', attributes);
    case 'image':
      return openTag(
        'img',
        withValues(attributes, { src, alt: alt ?? undefined, title: title ?? undefined }),
      );
    case 'raw_inline':
      return String(source);
    default:
      return escapeText(node.text ?? '');
  }
}

function writeMark({ type: { name }, attrs }: Mark, content: string): string {
  const attributes = readAttributes(attrs);
  if (name !== 'link') return wrap(name === 'code' ? 'code' : String(attrs['tag']), attributes, content);
  return wrap(
    'a',
    withValues(attributes, { href: attrs['href'], title: attrs['title'] ?? undefined }),
    content,
  );
}

/** Attributes in their order with the values that the editor knows; undefined takes one out. */
function withValues(
  attributes: Attributes,
  values: Readonly<Record<string, string | undefined>>,
): Attributes {
  const names = new Set(attributes.map(([name]) => name));
  const all = [
    ...attributes,
    ...Object.keys(values).flatMap((name) => (names.has(name) ? [] : [[name, ''] as const])),
  ];
  return all.flatMap(([name, value]) => {
    const own = Object.hasOwn(values, name) ? values[name] : value;
    return own === undefined ? [] : [[name, own] as const];
  });
}

function wrap(tag: string, attributes: Attributes, content: string): string {
  return `${openTag(tag, attributes)}${content}</${tag}>`;
}

export function openTag(tag: string, attributes: Attributes): string {
  const texts = attributes.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  return `<${tag}${texts.join('')}>`;
}

export function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;');
}

export function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('\u00a0', '&nbsp;');
}
