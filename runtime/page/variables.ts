import { defaultLang } from '../content/language.ts';
import type { ContentMemo } from '../content/memo.ts';
import type { PageBasics, PageFields } from '../content/reader.ts';
import { domainsOf, hostName, type SiteHost } from '../content/site-host.ts';
import { filled } from '../values/map.ts';

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

/** Title and description of a page after their evaluation; empty texts fall back to the stored title. */
interface EvaluatedTexts {
  readonly metaTitle: string;
  readonly description: string;
}

/** The page that is rendered. */
export function pageValue(memo: ContentMemo, page: PageFields, texts: EvaluatedTexts): PageValue {
  const { html: _html, head: _head, ...shown }: PageFields & { html?: unknown; head?: unknown } = page;
  const { parent_id: parentId } = page;
  const value = Object.assign(Object.create(null), {
    ...shown,
    meta_title: texts.metaTitle === '' ? page.title : texts.metaTitle,
    description: texts.description,
    effective_lang: memo.effectiveLang(page),
    url: page.path,
    blocks: [],
  });
  // Read by need, so that a page depends on the page above only if its templates look there.
  let parent: PageValue | null | undefined;
  Object.defineProperty(value, 'parent', {
    enumerable: true,
    get: () => {
      parent ??= parentOf(memo, parentId);
      return parent;
    },
  });
  return Object.freeze(value);
}

/**
 * A page as it is stored: a `meta_title` that is a template is replaced by the title, a description that is a
 * template is empty. Texts are evaluated for the rendered page only.
 */
export function storedPageValue(memo: ContentMemo, page: PageFields): PageValue {
  const { meta_title: metaTitle, description } = page;
  return pageValue(memo, page, { metaTitle: staticText(metaTitle), description: staticText(description) });
}

export function siteValue(root: PageBasics, host: SiteHost, scheme: string): SiteValue {
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
    query: Object.freeze(filled(Object.create(null), [...new URLSearchParams(query)])),
  });
}

/** Whether a text field is a template; most titles and descriptions are not. */
export function isTemplate(source: string): boolean {
  return source.includes('{{') || source.includes('{%') || source.includes('{#');
}

function parentOf(memo: ContentMemo, parentId: number | null): PageValue | null {
  const parent = parentId === null ? undefined : memo.pageFields(parentId);
  return parent === undefined ? null : storedPageValue(memo, parent);
}

function staticText(source: string): string {
  return isTemplate(source) ? '' : source;
}

function plain<T extends object>(fields: T): T {
  return Object.freeze(Object.assign(Object.create(null), fields));
}
