import { writeFileSync } from 'node:fs';
import { serialize, serializeOuter } from 'parse5';
import { linksIn, mediaLinksIn } from '../../../../runtime/page/links.ts';
import { isSameSite, pageKey, pageKeyWithoutQuery, webAddress, withoutFragment } from './address.ts';
import { decodePage } from './decode.ts';
import {
  type Element,
  elementsBelow,
  findAttribute,
  isElement,
  isHtml,
  isText,
  type Node,
  parseRel,
  removeAll,
  setAttribute,
} from './dom.ts';
import type { ConvertedPage, ConvertPageTask, ConvertReport, TakenFile } from './messages.ts';
import { leadingStyles, type ParsedPage, parsePage, trailingScripts } from './parse-page.ts';
import { Marks } from './protect.ts';
import { readTitle } from './read-page.ts';
import { readSiteMap, type SiteLookup } from './site-map.ts';
import { visitAddresses } from './visit.ts';
import type { ResourcePlace, Visitor } from './visitor.ts';

/** Makes the fields of a page from its source (Data, "Website import", rules 3 to 9). */
export function convertPage(task: ConvertPageTask): ConvertReport {
  const { text } = decodePage(task.file, task.contentType);
  const page = parsePage(text, task.url);
  const marks = new Marks(text);
  const converter = new Converter(page, marks, readSiteMap(task.siteMap));
  const fields = converter.convert(new Set(task.assigned));
  writeFileSync(task.output, JSON.stringify(fields));
  return { size: fields.html.length + fields.head.length };
}

class Converter {
  readonly #page: ParsedPage;
  readonly #marks: Marks;
  readonly #site: SiteLookup;
  /** IDs of assets by field, as they are named in templates. */
  readonly #assets = new Map<string, string>();
  /** Hints about files that need none here. */
  readonly #needless: Element[] = [];

  constructor(page: ParsedPage, marks: Marks, site: SiteLookup) {
    this.#page = page;
    this.#marks = marks;
    this.#site = site;
  }

  convert(assigned: ReadonlySet<string>): ConvertedPage {
    const { html, head, body, base } = this.#page;
    const title = readTitle(head);
    const description = descriptionOf(head);
    this.#removeAssigned(assigned);
    removeAll(head.childNodes.filter((node) => isElement(node) && isReplaced(node)));
    removeAll([...elementsBelow(body)].filter((element) => element.tagName === 'base' && isHtml(element)));
    visitAddresses(html, base, this.#visitor());
    removeAll(this.#needless);
    collapseSpace(head);
    // The element itself is in no list of elements below it.
    const htmlAttrs = attributesText(html);
    const bodyAttrs = attributesText(body);
    this.#marks.protectTree(html);
    for (const element of elementsBelow(html)) keepFirstLineBreak(element);
    const isFrameset = body.tagName === 'frameset';
    const fields = {
      html: isFrameset ? serializeOuter(html) : serialize(body),
      head: isFrameset ? '' : serialize(head).trim(),
    };
    const { resolve } = bound(this.#marks);
    return {
      title,
      description: resolve(this.#marks.protect(description)),
      html: resolve(fields.html),
      head: resolve(fields.head),
      html_attrs: isFrameset ? '' : htmlAttrs,
      body_attrs: isFrameset ? '' : bodyAttrs,
      references: {
        html: this.#referencesOf(fields.html, resolve(fields.html)),
        head: this.#referencesOf(fields.head, resolve(fields.head)),
      },
    };
  }

  #removeAssigned(assigned: ReadonlySet<string>): void {
    const { base } = this.#page;
    const isAssigned = (element: Element): boolean => {
      const address = findAttribute(element, element.tagName === 'script' ? 'src' : 'href');
      const url = webAddress(address ?? '', base);
      return url !== undefined && assigned.has(withoutFragment(url));
    };
    removeAll([...leadingStyles(this.#page), ...trailingScripts(this.#page)].filter(isAssigned));
  }

  #visitor(): Visitor {
    return {
      link: (url, { mustBeAbsolute }) => this.#link(url, mustBeAbsolute),
      resource: (url, kind, place) =>
        kind === 'css' || kind === 'js' ? this.#code(url, place) : this.#file(url, place),
      image: (url) => this.#site.file(withoutFragment(url)),
      other: (url) => url.href,
    };
  }

  /** Links to pages that are not imported lead to the original. */
  #link(url: URL, mustBeAbsolute: boolean): string {
    const { origin, base } = this.#site;
    if (!isSameSite(url, base)) return url.href;
    const exact = this.#site.page(pageKey(url));
    const path = exact ?? this.#site.page(pageKeyWithoutQuery(url));
    if (path === undefined) return url.href;
    // A query that distinguishes pages is in the path now.
    const query =
      exact !== undefined && this.#site.page(pageKeyWithoutQuery(url)) !== exact ? '' : url.search;
    return `${mustBeAbsolute ? origin : ''}${path}${query}${url.hash}`;
  }

  #code(url: URL, { element }: ResourcePlace): string | undefined {
    const id = this.#site.asset(withoutFragment(url));
    if (id === undefined) return this.#file(url, { element, mustBeAbsolute: false });
    if (element !== undefined && isHint(element)) {
      this.#needless.push(element);
      return undefined;
    }
    if (element !== undefined) withoutChecks(element);
    const mark = this.#marks.markOf(`{{ asset_url(${id}) }}`);
    this.#assets.set(mark, String(id));
    return mark + url.hash;
  }

  #file(url: URL, { element, mustBeAbsolute }: ResourcePlace): string {
    const file: TakenFile | undefined = this.#site.file(withoutFragment(url));
    if (file === undefined) return url.href;
    // A hint about a font works only with the attribute that requests for fonts have.
    if (element !== undefined && !(isHint(element) && findAttribute(element, 'as') === 'font'))
      withoutChecks(element);
    return `${mustBeAbsolute ? this.#site.origin : ''}${file.url}${url.hash}`;
  }

  #referencesOf(marked: string, text: string): ConvertedPage['references']['html'] {
    const assets = [...this.#assets].flatMap(([mark, id]) => (marked.includes(mark) ? [id] : []));
    return [
      ...[...new Set(assets)].map((key) => ({ kind: 'asset' as const, key })),
      ...mediaLinksIn(text).map((key) => ({ kind: 'media' as const, key })),
      ...linksIn(text).map((key) => ({ kind: 'link' as const, key })),
    ];
  }
}

function bound(marks: Marks): { readonly resolve: (text: string) => string } {
  return { resolve: (text) => marks.resolve(text) };
}

/** What the service writes itself, from the fields of the page. */
function isReplaced(element: Element): boolean {
  const name = (findAttribute(element, 'name') ?? '').trim().toLowerCase();
  switch (element.tagName) {
    case 'title':
    case 'base':
      return true;
    case 'meta':
      return (
        findAttribute(element, 'charset') !== undefined ||
        findAttribute(element, 'http-equiv')?.trim().toLowerCase() === 'content-type' ||
        ['description', 'viewport', 'generator'].includes(name)
      );
    default:
      return false;
  }
}

function descriptionOf(head: Element): string {
  const descriptions = head.childNodes.flatMap((node) =>
    isElement(node) &&
    node.tagName === 'meta' &&
    findAttribute(node, 'name')?.trim().toLowerCase() === 'description'
      ? [(findAttribute(node, 'content') ?? '').replaceAll(/\s+/g, ' ').trim()]
      : [],
  );
  return descriptions.find((description) => description !== '') ?? '';
}

function isHint(element: Element): boolean {
  return parseRel(element).some((rel) => rel === 'preload' || rel === 'prefetch' || rel === 'modulepreload');
}

/** The file may be changed here, and comes from the same origin. */
function withoutChecks(element: Element): void {
  setAttribute(element, 'integrity', undefined);
  setAttribute(element, 'crossorigin', undefined);
}

/** A parser drops a line break directly after these start tags, so one that belongs to the text needs another. */
function keepFirstLineBreak({ tagName, childNodes }: Element): void {
  if (tagName !== 'pre' && tagName !== 'textarea' && tagName !== 'listing') return;
  const [first] = childNodes;
  if (first !== undefined && isText(first) && first.value.startsWith('\n')) first.value = `\n${first.value}`;
}

/** Attributes as a page has them: raw text that is not a template. */
function attributesText({ attrs }: Element): string {
  return attrs
    .filter(({ name }) => /^[^\s"'<>/=\p{Cc}]+$/u.test(name))
    .map(({ name, value }) => (value === '' ? name : `${name}="${escapeValue(value)}"`))
    .join(' ');
}

function escapeValue(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** One line break between the elements of a head, in the place of the space around those that are taken out. */
function collapseSpace(head: Element): void {
  let afterSpace = false;
  const needless: Node[] = [];
  for (const node of head.childNodes) {
    if (isText(node) && afterSpace) needless.push(node);
    else if (isText(node)) node.value = '\n';
    afterSpace = isText(node);
  }
  removeAll(needless);
}
