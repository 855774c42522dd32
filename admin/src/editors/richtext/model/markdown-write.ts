/** Writes documents as Markdown: what was not touched as it was read, all else anew. */
import type { Env } from 'markdown-it';
import type { Mark, Node } from 'prosemirror-model';
import { openTag } from './html-write.ts';
import { meaningOfNode, meaningOfSource } from './markdown-parser.ts';
import type { MarkdownReading } from './markdown-read.ts';
import { type Matched, type SourcePart, writeSequence } from './parts.ts';
import { readAttributes } from './schema.ts';
import { writeInline } from './write-inline.ts';

/** How a text is made safe from being read as markup. */
interface Style {
  /** All punctuation instead of what usually means something. */
  readonly escapesAll: boolean;
  /** Elements instead of `*`, which means nothing beside some letters. */
  readonly hasElements: boolean;
}

const plain: Style = { escapesAll: false, hasElements: false };
/** From the most readable to the safest. */
const styles: readonly Style[] = [
  plain,
  { escapesAll: true, hasElements: false },
  { escapesAll: true, hasElements: true },
];

/** The value of a document that was read from Markdown. */
export function writeMarkdownDocument(doc: Node, { sequence, env }: MarkdownReading): string {
  // Markdown has no empty paragraphs.
  const nodes = doc.children.filter(({ type, childCount }) => type.name !== 'paragraph' || childCount > 0);
  if (nodes.length === 0) return '';
  return writeSequence(nodes, sequence, {
    gap: '\n\n',
    keepsGap: canKeepGap,
    write: ({ node, part, isUntouched }, [before]) =>
      isUntouched && part !== undefined ? part.source : writeTouched(apart(node, before), part, env),
  });
}

/** One line break is enough between blocks of which none has become another. */
function canKeepGap(before: Matched, after: Matched): boolean {
  const gap = after.part?.before ?? '';
  return /\n[ \t]*\n|\r[ \t]*\r/.test(gap.replaceAll('\r\n', '\n')) || [before, after].every(isAlike);
}

function isAlike({ node, part, isUntouched }: Matched): boolean {
  return (
    isUntouched ||
    (part !== undefined && node.type === part.node.type && node.hasMarkup(node.type, part.node.attrs))
  );
}

/** Two lists in a row would be one: the second gets other marks. */
function apart(node: Node, before: Node | undefined): Node {
  if (before?.type !== node.type) return node;
  const { bullet, delimiter, ...rest } = node.attrs;
  if (bullet !== undefined && bullet === before.attrs['bullet'])
    return node.type.create({ ...rest, bullet: bullet === '-' ? '*' : '-' }, node.content);
  if (delimiter !== undefined && delimiter === before.attrs['delimiter'])
    return node.type.create({ ...rest, delimiter: delimiter === '.' ? ')' : '.' }, node.content);
  return node;
}

/** The first style that is read as what the node means. */
function writeTouched(node: Node, part: SourcePart | undefined, env: Env): string {
  const meaning = meaningOfNode(node, env);
  const isMeant = (text: string) => meaningOfSource(text, env) === meaning;
  const kept = writeKeptItems(node, part);
  if (kept !== undefined && isMeant(kept)) return kept;
  const texts = styles.map((style) => () => writeBlock(node, style));
  for (const write of texts) {
    const text = write();
    if (isMeant(text)) return text;
  }
  return writeBlock(node, styles.at(-1) ?? plain);
}

/** A list whose untouched items keep their lines; undefined if it has become another list. */
function writeKeptItems(list: Node, part: SourcePart | undefined): string | undefined {
  const sequence = part?.inner?.sequence;
  if (part === undefined || sequence === undefined || !list.hasMarkup(part.node.type, part.node.attrs))
    return undefined;
  let number = Number(list.attrs['order'] ?? 1) - 1;
  return writeSequence(list.children, sequence, {
    gap: isTight(list) ? '\n' : '\n\n',
    keepsGap: () => true,
    write: ({ node, part: item, isUntouched }) => {
      number += 1;
      return isUntouched && item !== undefined ? item.source : writeItem(list, node, number, plain);
    },
  });
}

function writeBlock(node: Node, style: Style): string {
  switch (node.type.name) {
    case 'paragraph':
      return writeLine(node, style);
    case 'heading':
      return writeHeading(node, style);
    case 'blockquote':
      return prefix(writeBlocks(node.children, '\n\n', style), '> ', '> ');
    case 'bullet_list':
    case 'ordered_list':
      return writeList(node, style);
    case 'code_block':
      return writeCode(node);
    case 'horizontal_rule':
      return String(node.attrs['markup']);
    case 'table':
      return writeTable(node, style);
    default:
      return String(node.attrs['source'] ?? '');
  }
}

function writeBlocks(nodes: readonly Node[], gap: string, style: Style): string {
  const texts = nodes.map((node, place) => writeBlock(apart(node, nodes[place - 1]), style));
  return texts.filter((text, place) => text !== '' || nodes[place]?.type.name === 'code_block').join(gap);
}

/** @param first before the first line @param rest before all others */
function prefix(text: string, first: string, rest: string): string {
  const lines = text.split('\n');
  return lines.map((line, place) => ((place === 0 ? first : rest) + line).trimEnd()).join('\n');
}

function writeHeading(node: Node, style: Style): string {
  const { level, isUnderlined } = node.attrs;
  const text = writeLine(node, style);
  if (isUnderlined === true && level <= 2 && text !== '') return `${text}\n${level === 1 ? '===' : '---'}`;
  // A heading is one line.
  const line = text.replace(/\\\n/g, '<br>').replace(/(#+)$/, '\\$1');
  return `${'#'.repeat(level)} ${line}`.trimEnd();
}

/** Tight: the texts of its items are no paragraphs. */
function isTight(list: Node): boolean {
  const texts = list.children.flatMap((item) =>
    item.children.filter(({ type }) => type.name === 'paragraph'),
  );
  return texts.every(({ attrs }) => attrs['isBare'] === true);
}

function writeList(list: Node, style: Style): string {
  const first = Number(list.attrs['order'] ?? 1);
  const items = list.children.map((item, place) => writeItem(list, item, first + place, style));
  return items.join(isTight(list) ? '\n' : '\n\n');
}

function writeItem(list: Node, item: Node, number: number, style: Style): string {
  const { bullet, delimiter } = list.attrs;
  const mark = bullet === undefined ? `${number}${delimiter} ` : `${bullet} `;
  return prefix(
    writeBlocks(item.children, isTight(list) ? '\n' : '\n\n', style),
    mark,
    ' '.repeat(mark.length),
  );
}

function writeCode({ attrs, textContent }: Node): string {
  const { fence, info } = attrs;
  const character = String(fence).charAt(0) === '~' && !textContent.includes('~~~') ? '~' : '`';
  const runs = [...textContent.matchAll(character === '~' ? /~+/g : /`+/g)].map(([run]) => run.length);
  const marks = character.repeat(Math.max(String(fence).length, 3, ...runs.map((length) => length + 1)));
  return `${marks}${info}\n${textContent}${textContent === '' ? '' : '\n'}${marks}`;
}

function writeTable(table: Node, style: Style): string {
  const rows = table.children.map((row) => row.children.map((cell) => writeCell(cell, style)));
  const [head = [], ...body] = rows;
  const marks = (table.firstChild?.children ?? []).map(delimiterOf);
  return [head, marks, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function delimiterOf({ attrs }: Node): string {
  const style = new Map(readAttributes(attrs)).get('style') ?? '';
  if (style.includes('center')) return ':---:';
  if (style.includes('left')) return ':---';
  return style.includes('right') ? '---:' : '---';
}

function writeCell(cell: Node, style: Style): string {
  const texts = cell.children.map((line) => writeLine(line, style));
  return texts
    .join('<br>')
    .replace(/\\\n/g, '<br>')
    .replace(/(?<!\\)\|/g, '\\|');
}

/** Marks of lines, which mean something at the beginning of one alone. */
const lineMark = /^(#{1,6}(?=\s|$)|>|[-+](?=[-\s|:]|$)|=+\s*$|(?<number>\d{1,9})(?=[.)](?:\s|$)))/;

function writeLine(node: Node, style: Style): string {
  const text = writeInline(node.children, {
    leaf: (leaf) => writeLeaf(leaf, style),
    mark: (mark, content) => writeMark(mark, content, style),
  });
  const lines = text.trim().split(/(?<=\\)\n/);
  return lines.map((line) => protectLine(line.trimStart())).join('\n');
}

function protectLine(line: string): string {
  return line.replace(lineMark, (mark, _all, number: string | undefined) =>
    number === undefined ? `\\${mark}` : `${number}\\`,
  );
}

function writeLeaf(node: Node, style: Style): string {
  const { markup, src, alt, title, source } = node.attrs;
  switch (node.type.name) {
    case 'hard_break':
      return String(markup);
    case 'image':
      return `![${escapeMarkup(String(alt ?? ''), style)}](${writeTarget(src, title)})`;
    case 'raw_inline':
      return String(source);
    default:
      return node.marks.some(({ type }) => type.name === 'code')
        ? (node.text ?? '')
        : escapeMarkup(node.text ?? '', style);
  }
}

function escapeMarkup(text: string, { escapesAll }: Style): string {
  if (escapesAll) return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  const escaped = text.replace(/[\\`*[\]~]|<(?=[a-z/!?])|&(?=#?\w+;)|_/gi, '\\$&');
  // Between letters it means nothing, as in addresses.
  return escaped.replace(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, '_');
}

/** Address and title of a link or an image. */
function writeTarget(address: unknown, title: unknown): string {
  const text = String(address);
  const isPlain = /^[^\s<>()\\&]+$/.test(text);
  const target = isPlain ? text : `<${text.replace(/[<>\\&]/g, '\\$&').replace(/[\r\n]/g, ' ')}>`;
  return title === null || title === undefined
    ? target
    : `${target} "${String(title).replace(/["\\&]/g, '\\$&')}"`;
}

/** Space belongs outside of marks: `**bold **` means nothing. */
function wrap(open: string, content: string, close: string): string {
  const [, before = '', inner = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(content) ?? [];
  return inner === '' ? content : `${before}${open}${inner}${close}${after}`;
}

function writeMark({ type, attrs }: Mark, content: string, { hasElements }: Style): string {
  const { tag, markup, href, title } = attrs;
  switch (type.name) {
    case 'code':
      return writeCodeMark(content);
    case 'link':
      return `[${content}](${writeTarget(href, title)})`;
    case 'keep':
      if (tag === 's' && !hasElements) return wrap('~~', content, '~~');
      return `${openTag(tag, readAttributes(attrs))}${content}</${tag}>`;
    default:
      return hasElements ? wrap(`<${tag}>`, content, `</${tag}>`) : wrap(markup, content, markup);
  }
}

function writeCodeMark(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  const marks = '`'.repeat(Math.max(0, ...runs) + 1);
  const space = /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return `${marks}${space}${text}${space}${marks}`;
}
