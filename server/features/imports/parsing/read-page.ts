import { webAddress, withoutFragment } from './address.ts';
import { AddressSet } from './address-set.ts';
import { decodePage } from './decode.ts';
import {
  type Element,
  elementsBelow,
  findAttribute,
  isElement,
  isText,
  nodesBelow,
  readDirectText,
} from './dom.ts';
import type { PageFacts, ReadPageTask, ResourceKind } from './messages.ts';
import { leadingStyles, type ParsedPage, parsePage, trailingScripts } from './parse-page.ts';
import { visitAddresses } from './visit.ts';

/** Most shared style sheets and scripts of one page, longest title and language tag. */
const limits = { shared: 100, title: 1000, lang: 100 } as const;

/** @throws Error if the page cannot be read */
export function readPage({ file, url, contentType }: ReadPageTask): PageFacts {
  const { text, encoding } = decodePage(file, contentType);
  const page = parsePage(text, url);
  const { head, html, base, isQuirky } = page;
  const styles = addressesOf(leadingStyles(page).slice(0, limits.shared), 'href', base);
  const scripts = addressesOf(trailingScripts(page).slice(-limits.shared), 'src', base);
  return {
    title: readTitle(head).slice(0, limits.title),
    lang: (findAttribute(html, 'lang') ?? '').trim().toLowerCase().slice(0, limits.lang),
    encoding,
    isQuirky,
    ...addressesIn(page),
    styles,
    scripts,
    isMadeByScripts: isMadeByScripts(page),
  };
}

/** The text of the first `<title>` in the head. */
export function readTitle(head: Element): string {
  const title = head.childNodes.find((node) => node.nodeName === 'title');
  return title !== undefined && isElement(title) ? readDirectText(title).replaceAll(/\s+/g, ' ').trim() : '';
}

function addressesIn(page: ParsedPage): Pick<PageFacts, 'links' | 'resources'> {
  const links = new AddressSet<'link'>();
  const resources = new AddressSet<ResourceKind>();
  const note = (url: URL, kind: ResourceKind): undefined => resources.add(withoutFragment(url), kind);
  visitAddresses(page.html, page.base, {
    link(url, { isFollowed }) {
      return isFollowed ? links.add(withoutFragment(url), 'link') : undefined;
    },
    resource: (url, kind) => note(url, kind),
    image: (url) => note(url, 'img'),
    other: () => undefined,
  });
  return {
    links: [...links].map(([url]) => url),
    resources: [...resources].map(([url, kind]) => ({ url, kind })),
  };
}

function addressesOf(elements: readonly Element[], name: string, base: string): string[] {
  return elements.flatMap((element) => {
    const url = webAddress(findAttribute(element, name) ?? '', base);
    return url === undefined ? [] : [withoutFragment(url)];
  });
}

/** Fewer characters of text than this are hardly a page. */
const hardlyAnyText = 200;

/** Elements that a page has for its visitors. */
const visible: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 p a img picture video audio iframe form input button table li dt blockquote pre svg'.split(
    ' ',
  ),
);

/** IDs of the elements that usual libraries fill. */
const mountIds = /^(?:root|app|main-app|react-root|__next|__nuxt|__layout|___gatsby|svelte|q-app)$/;

/**
 * A page with scripts that has nothing to see, or a notice at most beside the element that a library fills. A small
 * page with a script is none: it has something to see.
 */
function isMadeByScripts({ html, body }: ParsedPage): boolean {
  if (![...elementsBelow(html)].some(({ tagName }) => tagName === 'script')) return false;
  const length = lengthOfText(body);
  if (length >= hardlyAnyText) return false;
  let count = 0;
  let hasMount = false;
  for (const element of elementsBelow(body)) {
    if (visible.has(element.tagName) && !isInside(element, invisible)) count += 1;
    hasMount ||= mountIds.test(findAttribute(element, 'id') ?? '') || element.tagName === 'app-root';
  }
  return hasMount ? count <= 1 : count === 0 && length === 0;
}

function isInside(element: Element, names: ReadonlySet<string>): boolean {
  for (let node = element.parentNode; node !== null && node !== undefined; ) {
    if (names.has(node.nodeName)) return true;
    node = 'parentNode' in node ? node.parentNode : null;
  }
  return false;
}

const invisible: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template']);

function lengthOfText(body: Element): number {
  let length = 0;
  for (const node of nodesBelow(body)) {
    const parent = node.parentNode;
    if (isText(node) && !(parent !== null && invisible.has(parent.nodeName)))
      length += node.value.trim().length;
  }
  return length;
}
