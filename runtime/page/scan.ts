/**
 * Finds the landmarks of an HTML text: where `<html>`, `<head>` and `<body>` begin and end, and which head
 * tags are there.
 */
import { type HtmlTag, TagReader } from './tags.ts';

export interface Landmarks {
  /** Offset after the start tag; -1 if there is none. The first one counts. */
  readonly htmlOpen: number;
  readonly headOpen: number;
  /** Offset of `</head>`; -1 if there is none. */
  readonly headClose: number;
  /** Offset of `<body`; -1 if there is none. */
  readonly bodyStart: number;
  /** Offset of the last `</body>` and `</html>`; -1 if there is none. */
  readonly bodyClose: number;
  readonly htmlClose: number;
  /**
   * The head tags that are present: `title`, `charset`, `icon`, `apple-touch-icon`, `canonical`, `hreflang`
   * (language versions), and the `name` or `property` of every `<meta>` in lower case (`description`, `og:title`, ...).
   */
  readonly tags: ReadonlySet<string>;
}

export function findLandmarks(html: string): Landmarks {
  const found = {
    htmlOpen: -1,
    headOpen: -1,
    headClose: -1,
    bodyStart: -1,
    bodyClose: -1,
    htmlClose: -1,
    tags: new Set<string>(),
  };
  const tag = new TagReader(html);
  while (tag.next()) {
    if (tag.foreign) continue;
    if (tag.closing) {
      if (tag.name === 'head' && found.headClose < 0) found.headClose = tag.start;
      else if (tag.name === 'body') found.bodyClose = tag.start;
      else if (tag.name === 'html') found.htmlClose = tag.start;
      continue;
    }
    if (tag.name === 'html' && found.htmlOpen < 0) found.htmlOpen = tag.end;
    else if (tag.name === 'head' && found.headOpen < 0) found.headOpen = tag.end;
    else if (tag.name === 'body' && found.bodyStart < 0) found.bodyStart = tag.start;
    else addHeadTag(found.tags, tag);
  }
  return found;
}

/** Whether a text may have tags of a document or its head. Few bodies do; this test avoids the scan of all others. */
export function mayHaveHeadTags(html: string): boolean {
  return /<(?:html|meta|title|link)\b/i.test(html);
}

/** Names that {@link mayHaveHeadTags} looks for. */
export function isHeadTag(name: string): boolean {
  return name === 'html' || name === 'meta' || name === 'title' || name === 'link';
}

/** Whether the text is a document of its own, with an `<html>` element (Core, "Page", `html`). */
export function hasHtmlElement(html: string): boolean {
  const tag = new TagReader(html);
  while (tag.next()) if (tag.name === 'html' && !tag.closing && !tag.foreign) return true;
  return false;
}

function addHeadTag(tags: Set<string>, tag: HtmlTag): void {
  if (tag.name === 'title') {
    tags.add('title');
  } else if (tag.name === 'meta') {
    for (const attribute of ['name', 'property']) {
      const value = tag.attributes.get(attribute);
      if (value !== undefined) tags.add(value.trim().toLowerCase());
    }
    if (tag.attributes.has('charset')) tags.add('charset');
  } else if (tag.name === 'link') {
    for (const word of (tag.attributes.get('rel') ?? '').toLowerCase().split(/\s+/)) {
      if (namedLinks.has(word)) tags.add(word);
      if (word === 'alternate' && tag.attributes.has('hreflang')) tags.add('hreflang');
    }
  }
}

const namedLinks: ReadonlySet<string> = new Set(['icon', 'apple-touch-icon', 'canonical']);
