/**
 * Finds in HTML what can run code in the browser of a visitor: scripts, event attributes, addresses that are code, and
 * frames. Written for values of people who may not write code; what a browser might read differently counts as found.
 */
import { type DefaultTreeAdapterTypes, type ParserError, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Elements that run code, show another document, or change where the scripts of the page come from. */
const unsafeElements: ReadonlySet<string> = new Set([
  ...['script', 'iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'portal', 'fencedframe', 'base'],
]);

/** Elements whose content is no markup here, but may be where the page shows it. */
const textElements: ReadonlySet<string> = new Set([
  ...['title', 'textarea', 'style', 'xmp', 'noembed', 'noframes', 'noscript', 'plaintext'],
]);

/** Attributes that hold words for people, which may speak of code. */
const wordAttributes: ReadonlySet<string> = new Set([
  ...['alt', 'title', 'placeholder', 'label', 'summary', 'abbr', 'aria-label', 'aria-description'],
]);

/** Tags that a fragment drops; within a page their attributes count, or they are the page. */
const documentTags = /<(html|head|body|frameset|frame)(?=[\s/>])/gi;
const documentPrefix = 'document-';

/** Most things that are listed. */
const maxFound = 20;
/** Texts in texts that are read as markup once more; nobody needs more. */
const maxTextLevels = 4;

/** Names of what is unsafe, each once, such as `script`, `onclick`, `javascript:`, `iframe`. */
export function findUnsafeHtml(html: string): string[] {
  const found = new Set<string>();
  collect(html, found, 0);
  return [...found].slice(0, maxFound);
}

function collect(html: string, found: Set<string>, level: number): void {
  if (!html.includes('<')) return;
  let endsInTag = false;
  const onParseError = ({ code }: ParserError): void => {
    if (code === 'eof-in-tag') endsInTag = true;
  };
  collectFrom(
    parseFragment(html.replace(documentTags, `<${documentPrefix}$1`), { onParseError }),
    found,
    level,
  );
  // The markup after the value would complete the tag, and its text would be attributes.
  if (endsInTag && level === 0) found.add('unclosed tag');
}

function collectFrom(root: Node, found: Set<string>, level: number): void {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined && found.size < maxFound; node = waiting.pop()) {
    if ('tagName' in node) collectFromElement(node, found, level);
    if ('content' in node) waiting.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) waiting.push(child);
  }
}

function collectFromElement(element: Element, found: Set<string>, level: number): void {
  const name = element.tagName.toLowerCase().replace(documentPrefix, '');
  if (unsafeElements.has(name)) found.add(name);
  for (const { name: attribute, value } of element.attrs) {
    const unsafe = findInAttribute(name, attribute.toLowerCase(), value);
    if (unsafe !== undefined) found.add(unsafe);
  }
  if (level < maxTextLevels && textElements.has(name))
    for (const child of element.childNodes) if ('value' in child) collect(child.value, found, level + 1);
}

function findInAttribute(element: string, attribute: string, value: string): string | undefined {
  if (/^on./.test(attribute)) return attribute;
  if (attribute === 'srcdoc') return 'srcdoc';
  if (wordAttributes.has(attribute)) return undefined;
  if (element === 'meta' && attribute === 'http-equiv') return 'http-equiv';
  return findCodeAddress(element, value);
}

/**
 * Addresses that are code. A browser skips control characters and spaces in them; entities are decoded already. Values of
 * animations are lists of addresses.
 */
function findCodeAddress(element: string, value: string): string | undefined {
  const address = value.replace(/[\p{C}\p{Z}]+/gu, '');
  const scheme = /(?:^|[;,(]|url=)["']?(javascript|vbscript):/i.exec(address)?.[1];
  if (scheme !== undefined) return `${scheme.toLowerCase()}:`;
  if (element !== 'img' && /^data:(?!image\/(?:png|jpe?g|gif|webp|avif)[;,])/i.test(address)) return 'data:';
  return undefined;
}
