import { defaultLang } from '../content/language.ts';
import type { ContentMemo } from '../content/memo.ts';
import type { PageFields } from '../content/reader.ts';
import { domainsOf, hostName, type SiteHost } from '../content/site-host.ts';

/**
 * The variables `page`, `site` and `route` of a page template. All are plain data without a prototype, so
 * that a template can read only the fields that are listed here.
 */

/** `page`: the fields of a page without html and head, and `url`, `parent`, `effective_lang`, `blocks`. */
export interface PageValue extends PageFields {
  readonly effective_lang: string;
  readonly url: string;
  readonly blocks: readonly unknown[];
  readonly parent: PageValue | null;
}

export interface SiteValue {
  readonly id: number;
  readonly title: string;
  /** Absolute, without a slash at the end. */
  readonly url: string;
  readonly domain: string;
  readonly lang: string;
}

export interface RouteValue {
  readonly path: string;
  readonly slug: string;
  readonly rest: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** A page with the values that it inherits from the pages above it, and the IDs of these pages. */
export interface PageLine {
  readonly value: PageValue;
  /** Ids from the home page down to the page. */
  readonly ids: readonly number[];
}

/**
 * Title and description are evaluated for the rendered page only. Ancestors have the stored values: an
 * ancestor whose `meta_title` is a template has its `title` there, and a description that is a template is
 * empty.
 */
export function pageLine(memo: ContentMemo, page: PageFields): PageLine {
  const line = [page];
  let above = page.parent_id === null ? undefined : memo.pageFields(page.parent_id);
  while (above !== undefined) {
    line.unshift(above);
    above = above.parent_id === null ? undefined : memo.pageFields(above.parent_id);
  }
  let value: PageValue | null = null;
  for (const fields of line)
    value = pageValue(fields, value, staticText(fields.meta_title), staticText(fields.description));
  return { value: value ?? pageValue(page, null, '', ''), ids: line.map((entry) => entry.id) };
}

/** The same page with its evaluated texts. */
export function withTexts(page: PageValue, metaTitle: string, description: string): PageValue {
  return plain({ ...page, meta_title: metaTitle === '' ? page.title : metaTitle, description });
}

export function siteValue(root: PageFields, host: SiteHost, scheme: string): SiteValue {
  return plain({
    id: root.id,
    title: root.title,
    url: `${scheme}://${host.host}`,
    domain: domainsOf(root).length > 0 ? host.host : hostName(host.host),
    lang: root.lang || defaultLang,
  });
}

/** @param query raw, without `?`; of equal names the last counts, as in Django. */
export function routeValue(path: string, rest: readonly string[], query: string): RouteValue {
  return plain({
    path,
    slug: rest.join('/'),
    rest,
    query: plain(Object.fromEntries(new URLSearchParams(query))),
  });
}

/** Whether a text field is a template; most titles and descriptions are not. */
export function isTemplate(source: string): boolean {
  return source.includes('{{') || source.includes('{%') || source.includes('{#');
}

function pageValue(
  { ...fields }: PageFields & { readonly html?: unknown; readonly head?: unknown },
  parent: PageValue | null,
  metaTitle: string,
  description: string,
): PageValue {
  const { html: _html, head: _head, ...shown } = fields;
  const effectiveLang: string = fields.lang || (parent?.effective_lang ?? defaultLang);
  return plain({
    ...shown,
    meta_title: metaTitle === '' ? fields.title : metaTitle,
    description,
    effective_lang: effectiveLang,
    url: fields.path,
    blocks: [],
    parent,
  });
}

function staticText(source: string): string {
  return isTemplate(source) ? '' : source;
}

function plain<T extends object>(fields: T): T {
  return Object.freeze(Object.assign(Object.create(null), fields));
}
