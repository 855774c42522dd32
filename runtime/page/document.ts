import { escapeHtml } from '../escape.ts';
import { documentBasics, type HeadFacts, headTags } from './head.ts';
import { findLandmarks, hasHtmlElement, type Landmarks } from './scan.ts';

/** Everything a page's document is made of. */
export interface DocumentParts {
  /** The page's rendered `html`. */
  readonly body: string;
  readonly head: HeadFacts;
  /** Raw attributes as the page has them; `lang` is added unless they have one. */
  readonly htmlAttrs: string;
  readonly bodyAttrs: string;
  readonly lang: string;
}

/**
 * Puts a page together (Core, "Page"; open points 12, "Head"): a body becomes a document, a document with its
 * own `<html>` element is completed with what it lacks.
 */
export function assembleDocument(parts: DocumentParts): string {
  return hasHtmlElement(parts.body) ? completeDocument(parts) : wrapBody(parts);
}

function wrapBody({ body, head, htmlAttrs, bodyAttrs, lang }: DocumentParts): string {
  const present = new Set(tagNames(head.extra));
  for (const name of tagNames(body)) {
    if (name.startsWith('og:') || name.startsWith('twitter:')) present.add(name);
  }
  return (
    `<!DOCTYPE html>\n<html${htmlAttributes(htmlAttrs, lang)}>\n<head>\n` +
    `${documentBasics(present)}${headTags(head, present)}</head>\n` +
    `<body${attributes(bodyAttrs)}>\n${body}\n${head.assets.js}</body>\n</html>\n`
  );
}

function completeDocument({ body, head }: DocumentParts): string {
  const marks = findLandmarks(body);
  const present = new Set([...marks.tags, ...tagNames(head.extra)]);
  // Language versions are not among what a document of its own is completed with.
  const tags = headTags({ ...head, alternates: [] }, present);
  const js = head.assets.js;
  const headAt = headInsertion(marks);
  const bodyAt = Math.max(headAt, bodyInsertion(marks, body.length));
  const wrapped = marks.headOpen < 0 && marks.headClose < 0 ? `<head>\n${tags}</head>\n` : tags;
  return body.slice(0, headAt) + wrapped + body.slice(headAt, bodyAt) + js + body.slice(bodyAt);
}

/** Before `</head>`; where the end tag is left out, which HTML allows, at the last place that is surely head. */
function headInsertion(marks: Landmarks): number {
  if (marks.headClose >= 0) return marks.headClose;
  if (marks.headOpen >= 0) return marks.headOpen;
  return marks.htmlOpen;
}

function bodyInsertion(marks: Landmarks, length: number): number {
  if (marks.bodyClose >= 0) return marks.bodyClose;
  return marks.htmlClose >= 0 ? marks.htmlClose : length;
}

const NO_TAGS: ReadonlySet<string> = new Set();

function tagNames(html: string): ReadonlySet<string> {
  // Few bodies hold a head tag; this test spares the others the scan.
  return /<(?:meta|title|link)\b/i.test(html) ? findLandmarks(html).tags : NO_TAGS;
}

function htmlAttributes(raw: string, lang: string): string {
  const own = attributes(raw);
  return /(?:^|\s)lang\s*=/i.test(own) ? own : ` lang="${escapeHtml(lang)}"${own}`;
}

function attributes(raw: string): string {
  const trimmed = raw.trim();
  return trimmed === '' ? '' : ` ${trimmed}`;
}
