import type { NavNode } from '../content/tree.ts';
import type { SystemObjects } from '../engine.ts';
import type { PageValue, RouteValue, SiteValue } from './variables.ts';

/**
 * The variables of page templates with their fields, for findings about fields and variables that do not exist.
 * The types make sure that no field is forgotten: a field that is missing here would be reported as unknown.
 */
export const systemObjects: SystemObjects = {
  variables: new Map<string, ReadonlySet<string> | 'any'>([
    [
      'page',
      fieldsOf<PageValue & Record<'assets' | 'translations' | 'sitemap_source' | 'blocks', unknown>>({
        id: true,
        parent_id: true,
        root_id: true,
        slug: true,
        path: true,
        sort: true,
        title: true,
        meta_title: true,
        description: true,
        html_attrs: true,
        body_attrs: true,
        lang: true,
        effective_lang: true,
        translation_group: true,
        translations: true,
        published: true,
        catch_all: true,
        no_cache: true,
        sitemap_exclude: true,
        noindex: true,
        nofollow: true,
        hide_in_nav: true,
        sitemap_source: true,
        source_url: true,
        import_root: true,
        local_modified: true,
        domains: true,
        default_site: true,
        notfound_page_id: true,
        og_image_file_id: true,
        favicon_file_id: true,
        robots_txt: true,
        zone: true,
        created_at: true,
        updated_at: true,
        url: true,
        blocks: true,
        parent: true,
        assets: true,
      }),
    ],
    [
      'site',
      fieldsOf<SiteValue & Record<'languages', unknown>>({
        id: true,
        title: true,
        url: true,
        domain: true,
        lang: true,
        languages: true,
      }),
    ],
    ['route', fieldsOf<RouteValue>({ path: true, slug: true, rest: true, query: true })],
    ['today', 'any'],
    ['now', 'any'],
    ['preview', 'any'],
  ]),
  navFields: fieldsOf<NavNode>({
    id: true,
    title: true,
    path: true,
    url: true,
    slug: true,
    lang: true,
    active: true,
    current: true,
    children: true,
  }),
};

function fieldsOf<Fields>(fields: Readonly<Record<keyof Fields & string, true>>): ReadonlySet<string> {
  return new Set(Object.keys(fields));
}
