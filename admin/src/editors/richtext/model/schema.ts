/** The documents of the editor. They can hold more than a field allows, because stored values stay as they are. */
import {
  type Attrs,
  type DOMOutputSpec,
  type MarkSpec,
  type NodeSpec,
  Schema,
  type TagParseRule,
} from 'prosemirror-model';
import { tableNodes } from 'prosemirror-tables';
import { trust } from './trusted.ts';

export type Format = 'html' | 'markdown';

/** An element of the page; this file is also read where there is none. */
type Dom = Parameters<NonNullable<TagParseRule['getAttrs']>>[0];

/** Attributes of an element that the editor itself does not use, in their order. */
export type Attributes = readonly (readonly [name: string, value: string])[];

const noAttributes: Attributes = [];

/**
 * In the page of the admin the attributes stand in one of our own: classes, styles and IDs of a website must not
 * reach what is around the editor.
 */
const storage = 'data-ic-attributes';

function stored(attrs: Attrs): Record<string, string> {
  const attributes = readAttributes(attrs);
  return attributes.length === 0 ? {} : { [storage]: trust(JSON.stringify(attributes)) };
}

function restored(dom: Dom): { readonly attributes: Attributes } {
  const text = dom.getAttribute(storage);
  // Type boundary: nothing but this editor writes the attribute; others lose it when they are pasted.
  return { attributes: text === null ? noAttributes : (JSON.parse(text) as Attributes) };
}

/** The attributes that a node or mark keeps for its element. */
export function readAttributes(attrs: Attrs): Attributes {
  // Type boundary: set by the schema alone.
  return (attrs['attributes'] as Attributes | undefined) ?? noAttributes;
}

const attributes = { attributes: { default: noAttributes } };

interface Element {
  /** Its name, or how it follows from the node. */
  readonly tag: string | ((attrs: Attrs) => string);
  /** Selectors of its elements, with the attributes of a node for them. */
  readonly rules: readonly (readonly [selector: string, attrs?: (dom: Dom) => Attrs])[];
  readonly dom?: (attrs: Attrs) => Record<string, string>;
}

function drawn<Spec extends NodeSpec | MarkSpec>(element: Element, spec: Spec, isAtom = false) {
  return {
    ...spec,
    attrs: { ...attributes, ...spec.attrs },
    parseDOM: element.rules.map(
      ([tag, read]): TagParseRule => ({
        tag,
        getAttrs: (dom: Dom) => ({ ...restored(dom), ...read?.(dom) }),
      }),
    ),
    toDOM: ({ attrs }: { readonly attrs: Attrs }): DOMOutputSpec => {
      const name = typeof element.tag === 'string' ? element.tag : element.tag(attrs);
      const dom = { ...stored(attrs), ...element.dom?.(attrs) };
      return isAtom ? [name, dom] : [name, dom, 0];
    },
  };
}

/** A piece of source that the editor shows and moves, but does not change. */
function rawPiece(isInline: boolean): NodeSpec {
  const tag = isInline ? 'span' : 'div';
  return {
    group: isInline ? 'inline' : 'block',
    inline: isInline,
    atom: true,
    draggable: true,
    attrs: { source: { default: '' } },
    parseDOM: [
      { tag: `${tag}[data-ic-raw]`, getAttrs: (dom) => ({ source: dom.getAttribute('data-ic-raw') }) },
    ],
    toDOM: ({ attrs }) => [
      tag,
      { 'data-ic-raw': trust(String(attrs['source'])) },
      shorten(String(attrs['source'])),
    ],
  };
}

function shorten(source: string): string {
  const line = source.replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** Elements that hold blocks and mean nothing to the editor. */
export const boxTags: ReadonlySet<string> = new Set([
  ...['div', 'section', 'article', 'aside', 'header', 'footer', 'main', 'nav', 'address', 'hgroup'],
  ...['figure', 'figcaption', 'details', 'summary', 'center', 'dl', 'dt', 'dd'],
]);

/** Elements within a line that hold text and mean nothing to the editor. */
export const spanTags: ReadonlySet<string> = new Set([
  ...[
    'span',
    'small',
    'sub',
    'sup',
    'mark',
    'abbr',
    'u',
    's',
    'del',
    'ins',
    'kbd',
    'samp',
    'var',
    'q',
    'cite',
  ],
  ...['dfn', 'time', 'bdi', 'bdo', 'data', 'big', 'tt', 'strike', 'font'],
]);

const headingTags = [1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, () => ({ level })] as const);

function createNodes(format: Format): Record<string, NodeSpec> {
  const cells = tableNodes({
    tableGroup: 'block',
    // A cell of Markdown is one line.
    cellContent: format === 'html' ? 'block+' : 'paragraph',
    cellAttributes: {
      attributes: { default: noAttributes },
    },
  });
  return {
    doc: { content: 'block+' },
    paragraph: drawn(
      { tag: 'p', rules: [['p', (dom) => ({ isBare: dom.hasAttribute('data-ic-bare') })]], dom: bareDom },
      // Bare: the text stands there without a `p` around it.
      { group: 'block', content: 'inline*', attrs: { isBare: { default: false } } },
    ),
    heading: drawn(
      { tag: ({ level }) => `h${level}`, rules: headingTags },
      {
        group: 'block',
        content: 'inline*',
        defining: true,
        // Markdown: underlined instead of marked in front.
        attrs: { level: { default: 2 }, isUnderlined: { default: false } },
      },
    ),
    blockquote: drawn(
      { tag: 'blockquote', rules: [['blockquote']] },
      { group: 'block', content: 'block+', defining: true },
    ),
    bullet_list: drawn(
      { tag: 'ul', rules: [['ul']] },
      {
        group: 'block',
        content: 'list_item+',
        attrs: { bullet: { default: '-' } },
      },
    ),
    ordered_list: drawn(
      {
        tag: 'ol',
        rules: [['ol', (dom) => ({ order: Number(dom.getAttribute('start') ?? 1) })]],
        dom: ({ order }) => (order === 1 ? {} : { start: String(order) }),
      },
      {
        group: 'block',
        content: 'list_item+',
        attrs: { order: { default: 1 }, delimiter: { default: '.' } },
      },
    ),
    list_item: drawn({ tag: 'li', rules: [['li']] }, { content: 'block+', defining: true }),
    code_block: {
      group: 'block',
      content: 'text*',
      marks: '',
      code: true,
      defining: true,
      attrs: {
        ...attributes,
        info: { default: '' },
        fence: { default: '```' },
        inner: { default: noAttributes },
      },
      parseDOM: [{ tag: 'pre', preserveWhitespace: 'full', getAttrs: (dom) => restored(dom) }],
      toDOM: ({ attrs }) => ['pre', stored(attrs), ['code', 0]],
    },
    box: drawn(
      {
        tag: 'div',
        rules: [['div[data-ic-box]', (dom) => ({ tag: dom.getAttribute('data-ic-box') })]],
        dom: ({ tag }) => ({ 'data-ic-box': String(tag) }),
      },
      { group: 'block', content: 'block+', attrs: { tag: { default: 'div' } } },
    ),
    horizontal_rule: drawn(
      { tag: 'hr', rules: [['hr']] },
      { group: 'block', attrs: { markup: { default: '---' } } },
      true,
    ),
    table: { ...cells.table, attrs: { ...attributes } },
    table_row: { ...cells.table_row, attrs: { ...attributes, section: { default: '' } } },
    table_cell: cells.table_cell,
    table_header: cells.table_header,
    raw_block: rawPiece(false),
    text: { group: 'inline' },
    image: drawn(
      {
        tag: 'img',
        rules: [
          [
            'img[src]',
            (dom) => ({
              src: dom.getAttribute('src'),
              alt: dom.getAttribute('alt'),
              title: dom.getAttribute('title'),
            }),
          ],
        ],
        dom: ({ src, alt }) => ({ src: String(src), alt: String(alt ?? '') }),
      },
      {
        group: 'inline',
        inline: true,
        draggable: true,
        attrs: { src: { default: '' }, alt: { default: null }, title: { default: null } },
      },
      true,
    ),
    hard_break: drawn(
      { tag: 'br', rules: [['br']] },
      { group: 'inline', inline: true, selectable: false, attrs: { markup: { default: '\\\n' } } },
      true,
    ),
    raw_inline: rawPiece(true),
  };
}

function bareDom({ isBare }: Attrs): Record<string, string> {
  return isBare === true ? { 'data-ic-bare': '' } : {};
}

function named(tag: string, others: readonly string[]): Pick<Element, 'rules' | 'tag'> {
  const rules = [tag, ...others].map((name) => [name, () => ({ tag: name })] as const);
  return { tag: (attrs) => String(attrs['tag']), rules };
}

const marks: Record<string, MarkSpec> = {
  link: drawn(
    {
      tag: 'a',
      rules: [['a[href]', (dom) => ({ href: dom.getAttribute('href'), title: dom.getAttribute('title') })]],
      dom: ({ href }) => ({ href: toSafeAddress(String(href)), rel: 'noopener' }),
    },
    { inclusive: false, attrs: { href: { default: '' }, title: { default: null } } },
  ),
  // Any number of them around each other; `place` tells neighbours apart.
  keep: drawn(
    {
      tag: 'span',
      rules: [['span[data-ic-keep]', (dom) => ({ tag: dom.getAttribute('data-ic-keep') })]],
      dom: ({ tag }) => ({ 'data-ic-keep': String(tag) }),
    },
    { excludes: '', attrs: { tag: { default: 'span' }, place: { default: 0 } } },
  ),
  em: drawn(named('em', ['i']), { attrs: { tag: { default: 'em' }, markup: { default: '*' } } }),
  strong: drawn(named('strong', ['b']), { attrs: { tag: { default: 'strong' }, markup: { default: '**' } } }),
  code: drawn({ tag: 'code', rules: [['code']] }, { code: true }),
};

/** An address that leads nowhere dangerous while a text is edited; the stored one stays as it is. */
function toSafeAddress(href: string): string {
  return /^(?:https?:|mailto:|tel:|[/#?.])/i.test(href) || !/^[^/?#]*:/.test(href) ? href : '#';
}

export const schemas: Readonly<Record<Format, Schema>> = {
  html: new Schema({ nodes: createNodes('html'), marks }),
  markdown: new Schema({ nodes: createNodes('markdown'), marks }),
};
