/** Visits every address in a document, wherever it stands, and puts others in their place. */
import { parseFragment, serialize, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { webAddress } from './address.ts';
import { replaceInCss } from './css.ts';
import {
  type Element,
  elementsBelow,
  findAttribute,
  isHtml,
  parseRel,
  readDirectText,
  setAttribute,
  setText,
} from './dom.ts';
import { findResourceKind, linkedKind } from './extensions.ts';
import { visitImages } from './images.ts';
import type { ResourceKind } from './messages.ts';
import { replaceUrl, type VisitContext, type Visitor } from './visitor.ts';

/** @param root element or fragment @param base what relative addresses are relative to */
export function visitAddresses(root: Element | Tree.DocumentFragment, base: string, visitor: Visitor): void {
  // The list is complete before anything is changed.
  for (const element of [...elementsBelow(root)]) visitElement(element, { base, visitor });
}

/** Visits an element itself, without those in it. */
function visitElement(element: Element, context: VisitContext): void {
  if (isHtml(element)) byTag[element.tagName]?.(element, context);
  else visitForeign(element, context);
  for (const { name } of [...element.attrs]) byAttribute[name]?.(element, context);
}

type Visit = (element: Element, context: VisitContext) => void;

const byTag: Readonly<Record<string, Visit>> = {
  a: (element, context) => visitLink(element, 'href', context),
  area: (element, context) => visitLink(element, 'href', context),
  audio: (element, context) => visitFile(element, 'src', 'file', context),
  base: () => {},
  blockquote: (element, context) => visitOther(element, 'cite', context),
  body: (element, context) => visitFile(element, 'background', 'img', context),
  button: (element, context) => visitForm(element, 'formaction', context),
  del: (element, context) => visitOther(element, 'cite', context),
  embed: (element, context) => visitFile(element, 'src', 'file', context),
  form: (element, context) => visitForm(element, 'action', context),
  frame: (element, context) => visitLink(element, 'src', context),
  iframe: (element, context) => visitLink(element, 'src', context),
  img(element, context) {
    visitImages(element, context);
    visitOther(element, 'longdesc', context);
  },
  input(element, context) {
    visitFile(element, 'src', 'img', context);
    visitForm(element, 'formaction', context);
  },
  ins: (element, context) => visitOther(element, 'cite', context),
  link: visitLinkElement,
  meta: visitMeta,
  noscript: visitNoscript,
  object: (element, context) => visitFile(element, 'data', 'file', context),
  q: (element, context) => visitOther(element, 'cite', context),
  script: (element, context) => visitFile(element, 'src', 'js', context),
  source: visitImages,
  style: (element, context) => setText(element, css(readDirectText(element), context)),
  table: (element, context) => visitFile(element, 'background', 'img', context),
  td: (element, context) => visitFile(element, 'background', 'img', context),
  th: (element, context) => visitFile(element, 'background', 'img', context),
  track: (element, context) => visitFile(element, 'src', 'file', context),
  video(element, context) {
    visitFile(element, 'src', 'file', context);
    visitFile(element, 'poster', 'img', context);
  },
};

/** Attributes of any element: styles, and what scripts load later. */
const byAttribute: Readonly<Record<string, Visit>> = {
  style(element, context) {
    const value = findAttribute(element, 'style');
    if (value !== undefined) setAttribute(element, 'style', css(value, context));
  },
  'data-video-urls': visitList,
  ...Object.fromEntries(
    [
      'data-src',
      'data-lazy-src',
      'data-lazy',
      'data-original',
      'data-bg',
      'data-background',
      'data-background-image',
      'data-poster',
      'data-image',
      'data-thumb',
      'data-full',
      'data-large_image',
    ].map((name): [string, Visit] => [name, (element, context) => visitLazy(element, name, context)]),
  ),
};

function visitForeign(element: Element, context: VisitContext): void {
  const { tagName } = element;
  for (const name of ['href', 'xlink:href']) {
    if (tagName === 'a') visitLink(element, name, context);
    else if (tagName === 'script') visitFile(element, name, 'js', context);
    else if (tagName === 'use' || tagName === 'image' || tagName === 'feImage')
      visitFile(element, name, 'img', context);
  }
  if (tagName === 'style') setText(element, css(readDirectText(element), context));
}

/** A link to a page, or to a document that is taken over like an image. An address within the page stays. */
function visitLink(element: Element, name: string, context: VisitContext): void {
  replaceUrl(element, name, context, (url) => linked(url, context, { element, isFollowed: true }));
}

function linked(
  url: URL,
  { visitor }: VisitContext,
  { element, isFollowed }: { readonly element: Element; readonly isFollowed: boolean },
): string | undefined {
  const kind = linkedKind(url);
  const mustBeAbsolute = false;
  return kind === undefined
    ? visitor.link(url, { isFollowed, mustBeAbsolute })
    : visitor.resource(url, kind, { mustBeAbsolute, element });
}

function visitForm(element: Element, name: string, context: VisitContext): void {
  replaceUrl(element, name, context, (url) =>
    context.visitor.link(url, { isFollowed: false, mustBeAbsolute: false }),
  );
}

function visitOther(element: Element, name: string, context: VisitContext): void {
  replaceUrl(element, name, context, (url) => context.visitor.other(url));
}

function visitFile(element: Element, name: string, kind: ResourceKind, context: VisitContext): void {
  replaceUrl(element, name, context, (url) =>
    context.visitor.resource(url, kind, { mustBeAbsolute: false, element }),
  );
}

function visitLinkElement(element: Element, context: VisitContext): void {
  const rel = parseRel(element);
  const has = (...names: readonly string[]): boolean => names.some((name) => rel.includes(name));
  if (has('dns-prefetch', 'preconnect')) return;
  if (has('stylesheet')) visitFile(element, 'href', 'css', context);
  else if (has('icon', 'apple-touch-icon', 'apple-touch-icon-precomposed', 'mask-icon', 'image_src'))
    visitFile(element, 'href', 'img', context);
  else if (has('apple-touch-startup-image')) visitFile(element, 'href', 'img', context);
  else if (has('manifest')) visitFile(element, 'href', 'file', context);
  else if (has('preload', 'prefetch', 'modulepreload')) visitHint(element, context);
  else if (has('canonical', 'alternate', 'shortlink', 'amphtml'))
    replaceUrl(element, 'href', context, (url) =>
      context.visitor.link(url, {
        isFollowed: has('alternate') && isPageLink(element),
        mustBeAbsolute: true,
      }),
    );
  else if (has('next', 'prev'))
    replaceUrl(element, 'href', context, (url) =>
      context.visitor.link(url, { isFollowed: true, mustBeAbsolute: false }),
    );
  else visitOther(element, 'href', context);
}

/** An alternate is a page in another language, or a feed. */
function isPageLink(element: Element): boolean {
  return findAttribute(element, 'hreflang') !== undefined;
}

const hintedKinds: Readonly<Record<string, ResourceKind>> = {
  style: 'css',
  script: 'js',
  worker: 'js',
  font: 'font',
  image: 'img',
  video: 'file',
  audio: 'file',
  track: 'file',
};

function visitHint(element: Element, context: VisitContext): void {
  const as = (findAttribute(element, 'as') ?? '').toLowerCase();
  const kind = parseRel(element).includes('modulepreload') ? 'js' : hintedKinds[as];
  if (kind === undefined) visitOther(element, 'href', context);
  else if (kind === 'img') visitImages(element, context);
  else visitFile(element, 'href', kind, context);
}

const socialImages =
  /^(?:og:image(?::(?:secure_)?url)?|twitter:image(?::src)?|image|msapplication-(?:tileimage|square\d+x\d+logo|wide\d+x\d+logo))$/i;
const socialLinks = /^(?:og:url|twitter:url)$/i;
const socialMedia = /^(?:og:(?:video|audio)(?::(?:secure_)?url)?)$/i;

function visitMeta(element: Element, context: VisitContext): void {
  const names = ['property', 'name', 'itemprop'].map((name) => findAttribute(element, name) ?? '');
  const { visitor } = context;
  if (names.some((name) => socialImages.test(name)))
    replaceUrl(element, 'content', context, (url) =>
      visitor.resource(url, 'img', { mustBeAbsolute: true, element }),
    );
  else if (names.some((name) => socialLinks.test(name)))
    replaceUrl(element, 'content', context, (url) =>
      visitor.link(url, { isFollowed: false, mustBeAbsolute: true }),
    );
  else if (names.some((name) => socialMedia.test(name)))
    replaceUrl(element, 'content', context, (url) =>
      linkedKind(url) === undefined
        ? visitor.other(url)
        : visitor.resource(url, 'file', { mustBeAbsolute: true, element }),
    );
  else if (findAttribute(element, 'http-equiv')?.toLowerCase() === 'refresh') visitRefresh(element, context);
}

/** `<meta http-equiv="refresh" content="0; url=...">` */
function visitRefresh(element: Element, context: VisitContext): void {
  const content = findAttribute(element, 'content') ?? '';
  const [, start, quote, address] =
    /^(\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?)(["']?)([^"']+)\2\s*$/i.exec(content) ?? [];
  if (start === undefined || address === undefined || !/url\s*=/i.test(start)) return;
  const url = webAddress(address, context.base);
  if (url === undefined) return;
  const replacement = context.visitor.link(url, { isFollowed: true, mustBeAbsolute: false });
  if (replacement !== undefined) setAttribute(element, 'content', `${start}${quote}${replacement}${quote}`);
}

/** What browsers without scripts see. The parser keeps it as text, because the page is read as with scripts. */
function visitNoscript(element: Element, context: VisitContext): void {
  const text = readDirectText(element);
  if (!/[<](?:[a-z])/i.test(text)) return;
  const fragment = parseFragment(text);
  visitAddresses(fragment, context.base, context.visitor);
  setText(element, serialize(fragment));
}

/** An address for a script, which may be anything: only what is certainly a file is taken. */
function visitLazy(element: Element, name: string, context: VisitContext): void {
  const value = findAttribute(element, name) ?? '';
  if (/^\s*url\(/i.test(value)) {
    setAttribute(element, name, css(value, context));
    return;
  }
  if (element.tagName === 'iframe' || element.tagName === 'frame') {
    visitLink(element, name, context);
    return;
  }
  // Images in several sizes are visited with their srcset.
  if (name === 'data-src' && findAttribute(element, 'data-srcset') !== undefined) return;
  if (name === 'data-lazy-src' && findAttribute(element, 'data-lazy-srcset') !== undefined) return;
  if (/^\s*[[{]/.test(value)) return;
  replaceUrl(element, name, context, (url) => {
    const kind = findResourceKind(url) ?? (element.tagName === 'img' ? 'img' : undefined);
    return kind === undefined
      ? undefined
      : context.visitor.resource(url, kind, { mustBeAbsolute: false, element });
  });
}

/** Addresses with commas between them. */
function visitList(element: Element, context: VisitContext): void {
  const value = findAttribute(element, 'data-video-urls') ?? '';
  const addresses = value.split(',').map((address) => {
    const url = webAddress(address, context.base);
    const place = { mustBeAbsolute: false, element };
    return (url && context.visitor.resource(url, 'file', place)) ?? address.trim();
  });
  setAttribute(element, 'data-video-urls', addresses.join(','));
}

/** CSS with its addresses replaced. */
function css(text: string, { base, visitor }: VisitContext): string {
  return replaceInCss(text, ({ address, kind }) => {
    if (address.startsWith('#')) return undefined;
    const url = webAddress(address, base);
    if (url === undefined) return undefined;
    const use = kind === 'import' ? 'css' : kind;
    return visitor.resource(url, use, { mustBeAbsolute: false, element: undefined });
  });
}
