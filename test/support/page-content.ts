import { gunzipSync } from 'node:zlib';
import sniffHtmlEncoding from 'html-encoding-sniffer';
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { OriginAnswer } from './origin.ts';

/** What a page says, for comparisons: two pages with equal contents look and work the same. */
export interface PageContent {
  readonly html: readonly string[];
  readonly body: readonly string[];
}

export interface ContentOptions {
  /** Address of the page. */
  readonly base: string;
  /** The address that one in the page stands for. */
  resolve(address: string, base: string): string;
}

/** The elements, texts and comments of a page, with resolved addresses. `lang` and checks of files are left out. */
export function contentOf(answer: OriginAnswer | undefined, options: ContentOptions): PageContent {
  const document = parse(textOf(answer), { scriptingEnabled: false });
  const html = elementIn(document, 'html');
  const body = elementIn(html, 'body');
  const found = baseIn(html);
  const base = (found === undefined ? null : URL.parse(found, options.base))?.href ?? options.base;
  const safeBase = base.startsWith('http') ? base : options.base;
  const reader = new Reader({ ...options, base: safeBase });
  reader.read(body);
  return {
    html: [
      ...reader.attributesOf(html).filter((text) => !text.startsWith('lang=')),
      ...reader.attributesOf(body),
    ],
    body: trimmed(reader.parts),
  };
}

class Reader {
  readonly parts: string[] = [];
  readonly #options: ContentOptions;

  constructor(options: ContentOptions) {
    this.#options = options;
  }

  read(parent: Tree.ParentNode): void {
    for (const node of parent.childNodes) {
      if ('value' in node) this.#text(node);
      else if ('data' in node) this.parts.push(`<!--${node.data}-->`);
      else if ('tagName' in node && node.tagName !== 'base') this.#element(node);
    }
  }

  #text({ value, parentNode }: Tree.TextNode): void {
    const isStyle = parentNode?.nodeName === 'style';
    this.parts.push(isStyle ? this.#css(value) : value);
  }

  #element(element: Tree.Element): void {
    this.parts.push(`<${[element.tagName, ...this.attributesOf(element)].join(' ')}>`);
    this.read('content' in element && element.nodeName === 'template' ? contentIn(element) : element);
    this.parts.push(`</${element.tagName}>`);
  }

  attributesOf({ attrs }: Tree.Element): string[] {
    return attrs.flatMap(({ name, value, prefix }) => {
      if (name === 'integrity' || name === 'crossorigin') return [];
      const full = prefix === undefined || prefix === '' ? name : `${prefix}:${name}`;
      return [`${full}=${this.#value(full, value)}`];
    });
  }

  #value(name: string, value: string): string {
    if (name === 'style' || /^\s*url\(/.test(value)) return this.#css(value);
    return addressAttribute.test(name) ? this.#address(value) : value;
  }

  #address(address: string): string {
    return /^\s*[{[]/.test(address) ? address : this.#options.resolve(address, this.#options.base);
  }

  #css(text: string): string {
    return text.replaceAll(
      /url\(\s*("[^"\n]*"|'[^'\n]*'|[^"'()\s]*)\s*\)/gi,
      (_url, address: string) => `url(${this.#address(address.replaceAll(/^["']|["']$/g, ''))})`,
    );
  }
}

const addressAttribute =
  /^(?:(?:xlink:)?href|src|poster|data|background|action|formaction|cite|data-(?:src|bg|original))$/;

function contentIn(element: Tree.Element): Tree.ParentNode {
  const content: unknown = Reflect.get(element, 'content');
  if (!isFragment(content)) throw new Error('a template has no content');
  return content;
}

function isFragment(value: unknown): value is Tree.DocumentFragment {
  return typeof value === 'object' && value !== null && 'childNodes' in value;
}

/** Without the white space at both ends, which says nothing; neighbouring texts as one. */
function trimmed(parts: readonly string[]): string[] {
  const kept = [...parts];
  while (kept[0]?.trim() === '') kept.shift();
  while (kept.at(-1)?.trim() === '') kept.pop();
  if (kept.length > 0) {
    kept[0] = (kept[0] ?? '').trimStart();
    kept[kept.length - 1] = (kept.at(-1) ?? '').trimEnd();
  }
  return kept;
}

function elementIn(parent: Tree.ParentNode, name: string): Tree.Element {
  const found = parent.childNodes.find((node) => node.nodeName === name);
  if (found === undefined || !('tagName' in found)) throw new Error(`the page has no ${name}`);
  return found;
}

function baseIn(parent: Tree.ParentNode): string | undefined {
  for (const node of parent.childNodes) {
    if (!('tagName' in node)) continue;
    const own = node.tagName === 'base' ? node.attrs.find(({ name }) => name === 'href')?.value : undefined;
    const found = own ?? baseIn(node);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textOf(answer: OriginAnswer | undefined): string {
  if (answer === undefined || typeof answer === 'function') throw new Error('the answer is no page');
  if (typeof answer === 'string') return answer;
  const {
    body = '',
    type = 'text/html; charset=utf-8',
    headers = {},
  } = answer instanceof Uint8Array ? { body: answer } : answer;
  if (typeof body === 'string') return body;
  const bytes = headers['Content-Encoding'] === 'gzip' ? gunzipSync(body) : body;
  const label = /charset=(.*)/.exec(type)?.[1];
  const encoding = sniffHtmlEncoding(bytes, {
    ...(label === undefined ? {} : { transportLayerEncodingLabel: label }),
    defaultEncoding: isUtf8(bytes) ? 'UTF-8' : 'windows-1252',
  });
  return new TextDecoder(encoding).decode(bytes);
}

function isUtf8(bytes: Uint8Array): boolean {
  return !new TextDecoder().decode(bytes).includes('\ufffd');
}
