import type { PageFields } from '../content.ts';
import type { ContentMemo } from '../content-memo.ts';
import { DEFAULT_LANG } from './lang.ts';
import { domainsOf, hostName, type SiteHost } from './site-host.ts';

/**
 * The variables of a page template (open points 2: `page`, `site`, `route`). All are plain data without a
 * prototype, so that a template reaches nothing but what is listed here.
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

/** A page, the line of pages above it, and what it inherits. */
export interface PageLine {
  readonly value: PageValue;
  /** Ids from the home page down to the page. */
  readonly ids: readonly number[];
}

/**
 * Ancestors say of themselves what is stored; only the rendered page's title and description are evaluated, so
 * an ancestor whose `meta_title` is a template shows its title, and an ancestor's template description is empty.
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
    lang: root.lang || DEFAULT_LANG,
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

/** Whether a text field is a template at all; most titles and descriptions are not. */
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
  const effectiveLang: string = fields.lang || (parent?.effective_lang ?? DEFAULT_LANG);
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
