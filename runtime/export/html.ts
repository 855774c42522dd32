/** Rewrites the addresses of a rendered document for its place in a static export. */
import { parseFragment } from 'parse5';
import { parsePath } from '../page/route.ts';
import { scanAttributes, TagReader } from '../page/tags.ts';
import type { ExportFindings } from './export-findings.ts';
import { fileOfPage } from './files.ts';
import { exportResources, type Place, staticAddress } from './resources.ts';
import { computePathPrefix, type ExportedSite, getSiteHost, withoutUnknownHost } from './site.ts';

export interface ExportedDocument {
  readonly site: ExportedSite;
  readonly place: Place;
  readonly found: ExportFindings;
  /** The path of a page with this path in another spelling; undefined if there is none. */
  canonical(path: string): string | undefined;
}

/**
 * The document with addresses that are true in the export: a page at `/visit` becomes the file `visit/index.html`, so
 * addresses relative to the page become absolute from `/` (or relative to the file). `document.found` gets what it
 * leads to.
 */
export function exportHtml(rendered: string, document: ExportedDocument): string {
  const { site, place, found } = document;
  const html = withoutUnknownHost(site, rendered);
  const addresses = new AddressReader(document);
  let written = '';
  let from = 0;
  const edit = (start: number, end: number, text: string): void => {
    written += html.slice(from, start) + text;
    from = end;
  };
  const tag = new TagReader(html);
  while (tag.next()) {
    if (tag.closing || tag.nameEnd + 1 === tag.end || !elements.has(tag.name)) continue;
    const element = tag.name;
    scanAttributes(html, tag, (name, start, end) => {
      const form = formOf(element, name);
      if (form === undefined) return;
      const value = html.slice(start, end);
      const changed = form === 'set' ? addresses.ofSet(value) : addresses.of(value, form);
      if (changed !== value) edit(start, end, changed);
    });
  }
  return exportResources(written + html.slice(from), site, place, found);
}

/** `link` and `page` lead to pages; only links are followed. */
type Form = 'link' | 'page' | 'base' | 'resource' | 'set';

const elements: ReadonlySet<string> = new Set(
  'a area audio base button embed form frame iframe image img input link object script source track use video'.split(
    ' ',
  ),
);

const forms: ReadonlyMap<string, Form> = new Map([
  ['href', 'resource'],
  ['xlink:href', 'resource'],
  ['src', 'resource'],
  ['poster', 'resource'],
  ['action', 'page'],
  ['formaction', 'page'],
  ['data', 'resource'],
  ['srcset', 'set'],
  ['imagesrcset', 'set'],
]);

function formOf(element: string, attribute: string): Form | undefined {
  if (attribute === 'href' && (element === 'a' || element === 'area')) return 'link';
  if (attribute === 'href' && element === 'base') return 'base';
  if (attribute === 'src' && (element === 'iframe' || element === 'frame')) return 'page';
  if (attribute === 'data' && element !== 'object') return undefined;
  return forms.get(attribute);
}

/** Reads the values of attributes in order, because a `<base>` counts for those behind it. */
class AddressReader {
  readonly #document: ExportedDocument;
  readonly #ownHosts: ReadonlySet<string>;
  readonly #changesPaths: boolean;
  #base: URL | undefined;
  #hasBase = false;

  constructor(document: ExportedDocument) {
    const { site } = document;
    this.#document = document;
    this.#ownHosts = new Set([...site.hosts, hostWithoutPath(site)]);
    this.#changesPaths = site.links === 'relative' || computePathPrefix(site) !== '';
  }

  /** The new value of an attribute with one address, escaped as the old one. */
  of(value: string, form: Exclude<Form, 'set'>): string {
    if (isResource(value)) return value;
    if (form !== 'base' && !this.#changesPaths && plainPath.test(value)) {
      if (form === 'link') this.#note(value.length > 1 && value.endsWith('/') ? value.slice(0, -1) : value);
      return value;
    }
    const address = decoded(value).trim();
    if (address === '' || address.startsWith('#')) return value;
    const url = URL.parse(address, this.#baseUrl().href);
    if (url === null || !/^https?:$/.test(url.protocol) || !this.#isOwn(url)) return value;
    if (form === 'base') {
      if (!this.#hasBase) this.#base = url;
      this.#hasBase = true;
      // All other addresses are written for the place of the file.
      if (this.#document.site.links === 'relative') return './';
    }
    const isAbsolute = /^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(address);
    const canonical = form === 'link' ? this.#noteLink(url) : url.pathname;
    if (isAbsolute) return value;
    const path = canonical + url.search + url.hash;
    if (isResource(path)) return address.startsWith('/') ? value : escaped(path);
    if (!this.#changesPaths && path === address) return value;
    return escaped(this.#inPlace(path, form === 'link' || form === 'page' ? canonical : undefined));
  }

  /** The new value of a `srcset`. */
  ofSet(value: string): string {
    // Most sets name variants of one image, which are found by their form.
    if (isResource(value) && !/,\s+(?!\/media\/)/.test(value)) return value;
    return value.replaceAll(
      /([^\s,]\S*[^\s,]|[^\s,])((?:\s+[^\s,]+)*\s*(?:,|$))/g,
      (_all, address: string, rest: string) => this.of(address, 'resource') + rest,
    );
  }

  /** A domain of the website counts with every port. */
  #isOwn({ host, hostname }: URL): boolean {
    return this.#ownHosts.has(host) || this.#ownHosts.has(hostname);
  }

  /** Notes a link to a page; returns the path that the page has. */
  #noteLink({ pathname }: URL): string {
    const { canonical } = this.#document;
    if (isResource(pathname)) return pathname;
    const path = (/[A-Z%]/.test(pathname) ? canonical(pathname) : undefined) ?? pathname;
    this.#note(linkKey(path));
    return path;
  }

  #note(key: string): void {
    const { found, place } = this.#document;
    if (!found.links.has(key)) found.links.set(key, place.path);
  }

  #baseUrl(): URL {
    const { site, place } = this.#document;
    this.#base ??= new URL(place.path, `${site.scheme}://${hostWithoutPath(site)}`);
    return this.#base;
  }

  /** @param page path of the page that the address leads to, if it leads to one */
  #inPlace(address: string, page: string | undefined): string {
    const { site, place } = this.#document;
    const file = site.links === 'relative' && page !== undefined ? fileOfPage(page) : undefined;
    const target = file === undefined ? address : `/${file}${address.slice(page?.length)}`;
    return staticAddress(site, place, target);
  }
}

/** A path from `/` that every reader reads alike, without query; most links have this form. */
const plainPath = /^\/(?:[a-z0-9_-][a-z0-9._-]*(?:\/[a-z0-9_-][a-z0-9._-]*)*\/?)?$/;

function hostWithoutPath(site: ExportedSite): string {
  return getSiteHost(site).split('/', 1)[0] ?? '';
}

function isResource(path: string): boolean {
  return path.startsWith('/media/') || path.startsWith('/_assets/');
}

/** One text for all spellings of a path that lead to the same page. */
export function linkKey(path: string): string {
  const parsed = parsePath(path);
  return parsed === undefined ? path : `/${parsed.segments.map(encodeURIComponent).join('/')}`;
}

/** The value of an attribute without character references. */
function decoded(value: string): string {
  if (!value.includes('&')) return value;
  const [element] = parseFragment(`<a href="${value.replaceAll('"', '&quot;')}">`).childNodes;
  return element !== undefined && 'attrs' in element ? (element.attrs[0]?.value ?? value) : value;
}

/** For every kind of quotes. */
function escaped(address: string): string {
  return address
    .replaceAll('&', '&amp;')
    .replaceAll('"', '%22')
    .replaceAll("'", '%27')
    .replaceAll('>', '%3E');
}
