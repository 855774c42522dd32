/** What other programs put on the clipboard, as plain elements: no styles, no classes, nothing that a field forbids. */
import type { DomElement, DomNode } from './canonical.ts';
import { isBlock, isElement, isText, parseHtml } from './canonical.ts';
import type { Allowed, RichElement } from './elements.ts';
import { escapeAttribute, escapeText } from './html-write.ts';
import { isTrusted } from './trusted.ts';

/** Elements that say nothing to a reader. */
const dropped: ReadonlySet<string> = new Set([
  ...['style', 'script', 'meta', 'link', 'title', 'xml', 'head', 'iframe', 'object', 'embed', 'svg', 'math'],
  ...['template', 'noscript', 'form', 'input', 'button', 'select', 'textarea', 'colgroup', 'col', 'o:p'],
]);

/** Elements that stay, if the field allows them. */
const blocks: Readonly<Record<string, RichElement | undefined>> = {
  blockquote: 'quote',
  ul: 'lists',
  ol: 'lists',
  li: 'lists',
  table: 'table',
  tr: 'table',
  td: 'table',
  th: 'table',
  pre: 'code',
};

const marks: Readonly<Record<string, readonly [tag: string, element: RichElement]>> = {
  b: ['strong', 'bold'],
  strong: ['strong', 'bold'],
  i: ['em', 'italic'],
  em: ['em', 'italic'],
  code: ['code', 'code'],
};

export function cleanPaste(html: string, allowed: Allowed): string {
  if (html.includes('data-pm-slice')) return withoutStrangers(html);
  return cleanBlocks(parseHtml(html), { allowed, isWord: /mso-|urn:schemas-microsoft-com/.test(html) });
}

/** What an editor has copied, without pieces of source that no editor of this window has shown. */
function withoutStrangers(html: string): string {
  const isKnown = (_all: string, quoted: string) => {
    const [only] = parseHtml(`<i title="${quoted}">`);
    const value = only !== undefined && isElement(only) ? only.attrs[0]?.value : undefined;
    return value !== undefined && isTrusted(value);
  };
  return html.replace(/\sdata-ic-(?:raw|attributes)="([^"]*)"/g, (all, quoted: string) =>
    isKnown(all, quoted) ? all : '',
  );
}

interface Cleaning {
  readonly allowed: Allowed;
  readonly isWord: boolean;
}

function cleanBlocks(nodes: readonly DomNode[], cleaning: Cleaning): string {
  let out = '';
  let line: DomNode[] = [];
  const flush = () => {
    const text = cleanLine(line, cleaning).trim();
    if (text !== '') out += `<p>${text}</p>`;
    line = [];
  };
  const flat = unwrapBoxes(nodes);
  for (let place = 0; place < flat.length; place++) {
    const node = flat[place];
    if (node === undefined) break;
    if (!isBlock(node)) {
      line.push(node);
      continue;
    }
    flush();
    const items = listItemsFrom(flat, place);
    if (items.length === 0) out += cleanBlock(node, cleaning);
    else {
      out += cleanWordList(items, cleaning);
      place += items.length - 1;
    }
  }
  flush();
  return out;
}

/** Blocks within inline elements, such as the `b` that Google wraps all in, take its place. */
function unwrapBoxes(nodes: readonly DomNode[]): readonly DomNode[] {
  return nodes
    .filter((node) => !(isElement(node) && dropped.has(node.tagName)) && node.nodeName !== '#comment')
    .flatMap((node) => {
      const element = isElement(node) ? node : undefined;
      const isWrapper = element !== undefined && !isBlock(node) && hasBlock(element);
      return isWrapper ? unwrapBoxes(element.childNodes) : [node];
    });
}

function hasBlock({ childNodes }: DomElement): boolean {
  return childNodes.some((node) => isBlock(node) || (isElement(node) && hasBlock(node)));
}

function cleanBlock(element: DomElement, cleaning: Cleaning): string {
  const { tagName: tag, childNodes } = element;
  const { elements } = cleaning.allowed;
  if (/^h[1-6]$/.test(tag)) return cleanText(element, elements.has('headings') ? tag : 'p', cleaning);
  if (tag === 'p') {
    const isTitle = /\bMsoTitle\b/.test(attributeOf(element, 'class')) && elements.has('headings');
    return cleanText(element, isTitle ? 'h2' : 'p', cleaning);
  }
  if (tag === 'hr') return '<hr>';
  const needed = blocks[tag];
  if (needed === undefined || !elements.has(needed)) return cleanBlocks(childNodes, cleaning);
  if (tag === 'pre') return `<pre><code>${escapeText(textOf(childNodes))}</code></pre>`;
  if (tag === 'li') return `<li>${bare(cleanBlocks(childNodes, cleaning))}</li>`;
  if (tag === 'td' || tag === 'th')
    return `<${tag}${spansOf(element)}>${bare(cleanBlocks(childNodes, cleaning))}</${tag}>`;
  return `<${tag}>${cleanBlocks(childNodes, cleaning)}</${tag}>`;
}

/** A single paragraph in an item or a cell needs no element. */
function bare(content: string): string {
  return content === ''
    ? '<p data-ic-bare></p>'
    : content.replace(/^<p>((?:(?!<p>).)*)$/s, '<p data-ic-bare>$1');
}

function spansOf(element: DomElement): string {
  return ['colspan', 'rowspan']
    .map((name) => [name, Number(attributeOf(element, name))] as const)
    .filter(([, span]) => span > 1 && span < 100)
    .map(([name, span]) => ` ${name}="${span}"`)
    .join('');
}

function cleanText({ childNodes }: DomElement, tag: string, cleaning: Cleaning): string {
  const text = cleanLine(childNodes, cleaning).trim();
  return text === '' ? '' : `<${tag}>${text}</${tag}>`;
}

function cleanLine(nodes: readonly DomNode[], cleaning: Cleaning): string {
  return nodes.map((node) => cleanInline(node, cleaning)).join('');
}

function cleanInline(node: DomNode, cleaning: Cleaning): string {
  if (isText(node)) {
    const text = node.value.replace(/[ \t\r\n]+/g, ' ');
    return escapeText(cleaning.isWord ? text.replace(/\u00a0/g, ' ').replace(/ {2,}/g, ' ') : text);
  }
  if (!isElement(node) || dropped.has(node.tagName)) return '';
  // The mark of an item of a list in Word.
  if (/mso-list:\s*Ignore/i.test(attributeOf(node, 'style'))) return '';
  if (node.tagName === 'br') return '<br>';
  if (node.tagName === 'img') return cleanImage(node, cleaning);
  const content = cleanLine(node.childNodes, cleaning);
  if (content.trim() === '') return content;
  return marksOf(node, cleaning).reduce(
    (inner, tag) => `<${tag}>${inner}</${tag}>`,
    cleanLink(node, content, cleaning),
  );
}

function cleanLink(element: DomElement, content: string, { allowed }: Cleaning): string {
  if (element.tagName !== 'a' || !allowed.elements.has('link')) return content;
  const href = attributeOf(element, 'href');
  // Files of another computer and marks within a document of Word lead nowhere.
  return /^(?:https?:|mailto:|tel:|\/)/i.test(href)
    ? `<a href="${escapeAttribute(href)}">${content}</a>`
    : content;
}

function cleanImage(element: DomElement, { allowed }: Cleaning): string {
  const src = attributeOf(element, 'src');
  if (!allowed.elements.has('image') || !/^(?:https?:|\/)/i.test(src)) return '';
  return `<img src="${escapeAttribute(src)}" alt="${escapeAttribute(attributeOf(element, 'alt'))}">`;
}

/** What makes a text bold or italic: its element, or a style of it. */
function marksOf(element: DomElement, { allowed }: Cleaning): readonly string[] {
  const style = attributeOf(element, 'style');
  const weight = /(?:^|;)\s*font-weight:\s*(\w+)/i.exec(style)?.[1];
  const slope = /(?:^|;)\s*font-style:\s*(\w+)/i.exec(style)?.[1];
  const known = marks[element.tagName];
  const isPlain = (known?.[0] === 'strong' && isLight(weight)) || (known?.[0] === 'em' && slope === 'normal');
  const found = [
    ...(known === undefined || isPlain ? [] : [known]),
    ...(weight !== undefined && !isLight(weight) && known?.[0] !== 'strong'
      ? [['strong', 'bold'] as const]
      : []),
    ...(slope === 'italic' && known?.[0] !== 'em' ? [['em', 'italic'] as const] : []),
  ];
  return found.filter(([, element]) => allowed.elements.has(element)).map(([tag]) => tag);
}

function isLight(weight: string | undefined): boolean {
  return weight === 'normal' || Number(weight) < 600;
}

interface WordItem {
  readonly element: DomElement;
  readonly level: number;
  readonly isOrdered: boolean;
}

/** Paragraphs of Word that are items of one list. */
function listItemsFrom(nodes: readonly DomNode[], start: number): readonly WordItem[] {
  const items: WordItem[] = [];
  for (const node of nodes.slice(start)) {
    if (isText(node) && node.value.trim() === '' && items.length > 0) continue;
    const item = isBlock(node) ? readWordItem(node) : undefined;
    if (item === undefined) break;
    items.push(item);
  }
  return items;
}

function readWordItem(element: DomElement): WordItem | undefined {
  const level = /mso-list:[^;]*\blevel(\d+)/i.exec(attributeOf(element, 'style'))?.[1];
  if (level === undefined || element.tagName !== 'p') return undefined;
  return {
    element,
    level: Number(level),
    isOrdered: /^\(?[0-9a-z]{1,4}[.)]/i.test(textOf(element.childNodes).trim()),
  };
}

function cleanWordList(items: readonly WordItem[], cleaning: Cleaning): string {
  if (!cleaning.allowed.elements.has('lists'))
    return items.map(({ element }) => cleanText(element, 'p', cleaning)).join('');
  const [first] = items;
  if (first === undefined) return '';
  const tag = first.isOrdered ? 'ol' : 'ul';
  let out = '';
  for (let place = 0; place < items.length; ) {
    const item = items[place];
    if (item === undefined) break;
    let end = place + 1;
    while ((items[end]?.level ?? 0) > first.level) end += 1;
    const inner = cleanWordList(items.slice(place + 1, end), cleaning);
    out += `<li><p data-ic-bare>${cleanLine(item.element.childNodes, cleaning).trim()}</p>${inner}</li>`;
    place = end;
  }
  return `<${tag}>${out}</${tag}>`;
}

function attributeOf({ attrs }: DomElement, wanted: string): string {
  return attrs.find(({ name }) => name === wanted)?.value ?? '';
}

function textOf(nodes: readonly DomNode[]): string {
  return nodes
    .map((node) => (isText(node) ? node.value : isElement(node) ? textOf(node.childNodes) : ''))
    .join('');
}
