import { parse, html as parserHtml, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { webAddress } from './address.ts';
import { type Element, elementsBelow, findAttribute, isElement, isHtml, isText, parseRel } from './dom.ts';

/** A parsed page. The parser makes `<html>` and `<head>` if the text has none. */
export interface ParsedPage {
  readonly document: Tree.Document;
  readonly html: Element;
  readonly head: Element;
  /** `<body>` or `<frameset>`. */
  readonly body: Element;
  /** What relative addresses are relative to. */
  readonly base: string;
  readonly isQuirky: boolean;
}

/** @param url address of the page @throws Error if elements are nested too deeply */
export function parsePage(text: string, url: string): ParsedPage {
  const document = parse(text);
  const html = childOf(document, 'html');
  const head = childOf(html, 'head');
  const body = html.childNodes.find((node) => isElement(node) && node !== head);
  if (body === undefined || !isElement(body)) throw new Error('it has no body');
  const isQuirky = document.mode === parserHtml.DOCUMENT_MODE.QUIRKS;
  return { document, html, head, body, base: baseOf(html, url), isQuirky };
}

function childOf(parent: Tree.Document | Element, name: string): Element {
  const child = parent.childNodes.find((node) => node.nodeName === name);
  if (child === undefined || !isElement(child)) throw new Error(`it has no ${name}`);
  return child;
}

/** The first `<base href>` counts. */
function baseOf(html: Element, url: string): string {
  for (const element of elementsBelow(html)) {
    const href = element.tagName === 'base' && isHtml(element) ? findAttribute(element, 'href') : undefined;
    if (href !== undefined) return webAddress(href, url)?.href ?? url;
  }
  return url;
}

/**
 * The style sheets that can be loaded before everything else in the head: those before the first `<style>` and the
 * first style sheet with conditions of its own.
 */
export function leadingStyles({ head }: ParsedPage): Element[] {
  const styles: Element[] = [];
  for (const node of head.childNodes) {
    if (!isElement(node)) continue;
    if (node.tagName === 'style') break;
    if (node.tagName !== 'link' || !parseRel(node).includes('stylesheet')) continue;
    if (!isPlain(node, plainStyle)) break;
    styles.push(node);
  }
  return styles;
}

/** The scripts that can be loaded after everything else in the body: the last elements of it, if they are plain. */
export function trailingScripts({ body }: ParsedPage): Element[] {
  const scripts: Element[] = [];
  for (const node of [...body.childNodes].reverse()) {
    if (isText(node) && node.value.trim() === '') continue;
    if (node.nodeName === '#comment') continue;
    if (!isElement(node) || node.tagName !== 'script' || findAttribute(node, 'src') === undefined) break;
    if (!isPlain(node, plainScript)) break;
    scripts.push(node);
  }
  return scripts.reverse();
}

/** Attributes that make no difference to how a file is loaded, with the values that they may have. */
type PlainAttributes = Readonly<Record<string, RegExp>>;

const anything = /^/;
const plainStyle: PlainAttributes = {
  rel: /^\s*stylesheet\s*$/i,
  href: anything,
  type: /^(?:text\/css)?$/i,
  media: /^\s*(?:all)?\s*$/i,
  id: anything,
  integrity: anything,
  crossorigin: anything,
  charset: anything,
};
const plainScript: PlainAttributes = {
  src: anything,
  type: /^(?:(?:text|application)\/(?:x-)?javascript)?$/i,
  language: anything,
  defer: anything,
  id: anything,
  integrity: anything,
  crossorigin: anything,
  charset: anything,
};

function isPlain({ attrs }: Element, allowed: PlainAttributes): boolean {
  return attrs.every(({ name, value }) => allowed[name]?.test(value) === true);
}
