/** HTML in the form in which two texts are equal if they mean the same, and the leaves that lines are made of. */
import { type DefaultTreeAdapterTypes, parseFragment, serializeOuter } from 'parse5';
import { spanTags } from './schema.ts';

export type DomNode = DefaultTreeAdapterTypes.ChildNode;
export type DomElement = DefaultTreeAdapterTypes.Element;

export function isElement(node: DomNode): node is DomElement {
  return 'tagName' in node;
}

export function isText(node: DomNode): node is DefaultTreeAdapterTypes.TextNode {
  return node.nodeName === '#text';
}

/** Reads HTML with the places of its nodes in it. */
export function parseHtml(source: string): readonly DomNode[] {
  return parseFragment(source, { sourceCodeLocationInfo: true }).childNodes;
}

const markTags: ReadonlySet<string> = new Set(['a', 'strong', 'b', 'em', 'i', 'code', ...spanTags]);

const blockTags: ReadonlySet<string> = new Set([
  ...[
    'p',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'blockquote',
    'pre',
    'hr',
    'table',
    'caption',
  ],
  ...['colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'div', 'section', 'article', 'aside'],
  ...['header', 'footer', 'main', 'nav', 'address', 'hgroup', 'figure', 'figcaption', 'details', 'summary'],
  ...['center', 'dl', 'dt', 'dd', 'form', 'fieldset'],
]);

export function isBlock(node: DomNode): node is DomElement {
  return isElement(node) && blockTags.has(node.tagName);
}

/** A piece of a line: a text, or something without text in it. */
export interface Leaf {
  /** Undefined for what is no text. */
  readonly text: string | undefined;
  readonly node: DomNode;
  /** Elements around it, outermost first. */
  readonly around: readonly DomElement[];
}

/** @returns undefined if a block stands within the line */
export function listLeaves(
  nodes: readonly DomNode[],
  around: readonly DomElement[] = [],
): readonly Leaf[] | undefined {
  const leaves: Leaf[] = [];
  for (const node of nodes) {
    if (isBlock(node)) return undefined;
    if (isText(node)) leaves.push({ text: node.value, node, around });
    else if (isElement(node) && markTags.has(node.tagName) && node.childNodes.length > 0) {
      const inner = listLeaves(node.childNodes, [...around, node]);
      if (inner === undefined) return undefined;
      leaves.push(...inner);
    } else leaves.push({ text: undefined, node, around });
  }
  return leaves;
}

/** Takes out the white space that a browser does not show. */
export function collapse<Piece extends { readonly text: string | undefined; readonly isBreak: boolean }>(
  pieces: readonly Piece[],
): readonly Piece[] {
  let isSpaceBefore = true;
  const forwards = pieces.map((piece) => {
    if (piece.text === undefined) {
      isSpaceBefore = piece.isBreak;
      return piece;
    }
    const joined = piece.text.replace(/[ \t\n\r\f]+/g, ' ');
    const text = isSpaceBefore ? joined.replace(/^ /, '') : joined;
    if (text !== '') isSpaceBefore = text.endsWith(' ');
    return { ...piece, text };
  });
  let isEnd = true;
  const backwards = forwards.toReversed().map((piece) => {
    if (piece.text === undefined) {
      isEnd = piece.isBreak;
      return piece;
    }
    const text = isEnd ? piece.text.replace(/ $/, '') : piece.text;
    if (text !== '') isEnd = false;
    return { ...piece, text };
  });
  return backwards.toReversed().filter(({ text }) => text !== '');
}

/** Text that is equal for HTML with the same meaning: white space, order of attributes and of marks do not count. */
export function toCanonical(nodes: readonly DomNode[]): string {
  let line: DomNode[] = [];
  const out: string[] = [];
  const flush = () => {
    out.push(formatLine(line));
    line = [];
  };
  for (const node of nodes) {
    if (!isBlock(node)) {
      line.push(node);
      continue;
    }
    flush();
    const content = node.tagName === 'pre' ? formatPreformatted(node) : toCanonical(node.childNodes);
    out.push(`<${describe(node)}>${content}</>`);
  }
  flush();
  return out.join('');
}

function describe({ tagName, attrs }: DomElement): string {
  const named = attrs.map(({ name, value }) => `${name}=${JSON.stringify(value)}`);
  return [tagName, ...named.sort()].join(' ');
}

function formatPreformatted(node: DomElement): string {
  return node.childNodes
    .map((child) =>
      isElement(child) ? `<${describe(child)}>${formatPreformatted(child)}</>` : serializeOuter(child),
    )
    .join('');
}

function formatLine(nodes: readonly DomNode[]): string {
  const leaves = listLeaves(nodes);
  // A block within a line is nothing that the editor writes: only the same source is equal to it.
  if (leaves === undefined) return nodes.map((node) => serializeOuter(node)).join('');
  const pieces = collapse(leaves.map((leaf) => ({ ...leaf, isBreak: leaf.node.nodeName === 'br' })));
  let last = '';
  let out = '';
  for (const { text, node, around } of pieces) {
    const key = around.map(describe).sort().join();
    if (text === undefined || key !== last) out += `|${key}|`;
    last = text === undefined ? '' : key;
    out +=
      text === undefined
        ? `<${isElement(node) ? serializeOuter(withSortedAttributes(node)) : serializeOuter(node)}>`
        : JSON.stringify(text).slice(1, -1);
  }
  return out;
}

function withSortedAttributes(node: DomElement): DomElement {
  return { ...node, attrs: node.attrs.toSorted((left, right) => (left.name < right.name ? -1 : 1)) };
}
