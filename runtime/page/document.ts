import { escapeHtml } from '../values/escape.ts';
import { documentBasics, type HeadFacts, headTags } from './head.ts';
import { findLandmarks, hasHtmlElement, type Landmarks, mayHaveHeadTags } from './scan.ts';
import { attributesIn } from './tags.ts';

/** The parts of a page's document. */
export interface DocumentParts {
  /** The page's rendered `html`. */
  readonly body: string;
  /** Set if the body is known to have no tag of a document or of its head, as {@link mayHaveHeadTags} finds out. */
  readonly isPlain?: boolean;
  readonly head: HeadFacts;
  /** Raw attributes as the page has them; `lang` is added unless they have one. */
  readonly htmlAttrs: string;
  readonly bodyAttrs: string;
  readonly lang: string;
}

/**
 * Makes a document from the parts of a page (Core, "Page"). A body with its own `<html>` element is already a
 * document and is completed with the parts that it lacks.
 */
export function assembleDocument(parts: DocumentParts): string {
  if (parts.isPlain === true || !mayHaveHeadTags(parts.body)) return wrapBody(parts, noTags);
  return hasHtmlElement(parts.body)
    ? completeDocument(parts)
    : wrapBody(parts, findLandmarks(parts.body).tags);
}

function wrapBody(
  { body, head, htmlAttrs, bodyAttrs, lang }: DocumentParts,
  inBody: ReadonlySet<string>,
): string {
  const present = new Set(tagNames(head.extra));
  for (const name of inBody) {
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
  // A document with its own `<html>` gets no links to language versions.
  const tags = headTags({ ...head, alternates: [] }, present);
  const js = head.assets.js;
  const headAt = headInsertion(marks);
  const bodyAt = Math.max(headAt, bodyInsertion(marks, body.length));
  const wrapped = marks.headOpen < 0 && marks.headClose < 0 ? `<head>\n${tags}</head>\n` : tags;
  return body.slice(0, headAt) + wrapped + body.slice(headAt, bodyAt) + js + body.slice(bodyAt);
}

/** Before `</head>`. HTML allows leaving out this tag; then the last place that is certainly in the head. */
function headInsertion(marks: Landmarks): number {
  if (marks.headClose >= 0) return marks.headClose;
  if (marks.headOpen >= 0) return marks.headOpen;
  return marks.htmlOpen;
}

function bodyInsertion(marks: Landmarks, length: number): number {
  if (marks.bodyClose >= 0) return marks.bodyClose;
  return marks.htmlClose >= 0 ? marks.htmlClose : length;
}

const noTags: ReadonlySet<string> = new Set();

function tagNames(html: string): ReadonlySet<string> {
  return mayHaveHeadTags(html) ? findLandmarks(html).tags : noTags;
}

function htmlAttributes(raw: string, lang: string): string {
  const own = attributes(raw);
  return own !== '' && attributesIn(own).has('lang') ? own : ` lang="${escapeHtml(lang)}"${own}`;
}

function attributes(raw: string): string {
  const trimmed = raw.trim();
  return trimmed === '' ? '' : ` ${trimmed}`;
}
