import Type, { type Static } from 'typebox';
import type { BlockTree as Tree } from '../../../runtime/blocks/tree.ts';
import { Warning } from '../../base/warnings.ts';
import { BlockTree, SentTree } from '../../content/blocks/model.ts';
import { baseUpdatedAt, fieldLimits, serverFields } from '../../content/common-fields.ts';
import { operators } from '../extdb/conditions.ts';
import { examplePage } from './example.ts';
import { RegionSchema, RegionWords, SentRegions } from './regions/model.ts';

const assetId = Type.Integer({ description: 'ID of the CSS or JS asset.' });
const inherit = Type.Boolean({ description: 'True: also loaded on all subpages.' });

/** One entry of a page's assets as clients send it. */
export const AssetAssignment = Type.Object(
  { asset_id: assetId, inherit: Type.Optional(inherit) },
  { title: 'AssetAssignment', description: 'An asset of a page.' },
);
export type AssetAssignment = Static<typeof AssetAssignment>;

const AssetAssignments = Type.Array(AssetAssignment, {
  maxItems: 1000,
  description: 'Assets in loading order. Replaces all assignments.',
});

/** An entry of a page's assets in answers. Lists are in loading order. */
export const PageAsset = Type.Object(
  {
    asset_id: assetId,
    inherit,
    name: Type.String({ description: 'Name of the asset.' }),
    kind: Type.Union([Type.Literal('css'), Type.Literal('js')], { description: 'Kind of the asset.' }),
  },
  { title: 'PageAsset', description: 'An asset of a page, with its name and kind.' },
);
export type PageAsset = Static<typeof PageAsset>;

const SourceFields = {
  column: Type.Optional(
    Type.String({ maxLength: fieldLimits.name, description: 'Column with the paths; default `slug`.' }),
  ),
  lastmod: Type.Optional(
    Type.String({ maxLength: fieldLimits.name, description: 'Column with the time of the last change.' }),
  ),
};
const requiredName = (description: string) =>
  Type.String({ minLength: 1, maxLength: fieldLimits.title, description });
const ruleText = Type.String({ maxLength: fieldLimits.title });
const ruleValue = Type.Union([ruleText, Type.Number(), Type.Boolean(), Type.Null()]);

/** One condition of a filter. `val` is a list for operators such as `in`. */
const SourceRule = Type.Object(
  {
    col: Type.String({ maxLength: fieldLimits.title, description: 'Column.' }),
    op: Type.Union(
      operators.map((operator) => Type.Literal(operator)),
      { description: 'Comparison.' },
    ),
    val: Type.Optional(
      Type.Union([ruleValue, Type.Array(ruleValue, { maxItems: 1000 })], {
        description: 'Value, or a list of values for `in` and `not_in`.',
      }),
    ),
  },
  { title: 'SitemapRule', description: 'One condition of a filter.' },
);

/** The source of the detail pages below a catch-all page (Core, `sitemap_source` shapes). */
export const ExtdbSource = Type.Object(
  {
    type: Type.Literal('extdb', { description: 'A table of an external database.' }),
    connection: requiredName('Name of the database connection.'),
    table: requiredName('Name of the table.'),
    ...SourceFields,
    view: Type.Optional(
      Type.Union([Type.String({ maxLength: fieldLimits.name }), Type.Integer()], {
        description: 'ID of a saved view whose filter is used.',
      }),
    ),
    rules: Type.Optional(Type.Array(SourceRule, { maxItems: 100, description: 'Conditions for the rows.' })),
    match: Type.Optional(
      Type.Union([Type.Literal('and'), Type.Literal('or')], {
        description: 'Whether all conditions must hold or one of them.',
      }),
    ),
  },
  { title: 'ExtdbSource', description: 'Detail pages from a table of an external database.' },
);
export const WorkflowSource = Type.Object(
  {
    type: Type.Literal('workflow', { description: 'A workflow with a GET input.' }),
    path: requiredName('Path of the input.'),
    ...SourceFields,
  },
  { title: 'WorkflowSource', description: 'Detail pages from a workflow.' },
);
export type SitemapSource = Static<typeof ExtdbSource> | Static<typeof WorkflowSource>;

/** Fields a client may write on every page, by name. */
const flag = (description: string) => Type.Boolean({ description });
const flags = {
  published: flag('False for a draft, which answers 404 to visitors. Its subpages stay reachable.'),
  catch_all: flag('The page also answers paths below it that have no page of their own.'),
  no_cache: flag('The page is never kept in the page cache.'),
  sitemap_exclude: flag('Left out of /sitemap.xml.'),
  noindex: flag('Adds meta robots `noindex`; also left out of /sitemap.xml.'),
  nofollow: flag('Adds meta robots `nofollow`.'),
  hide_in_nav: flag('Left out of `nav()` and `children()` unless they are called with `true`.'),
};
const textField = (maxLength: number, description: string) => Type.String({ maxLength, description });
const texts = {
  meta_title: textField(fieldLimits.title, 'Title for search engines, a template; empty = `title`.'),
  html: textField(
    fieldLimits.template,
    'Template of the content. With an `<html>` element it is the whole document.',
  ),
  head: textField(fieldLimits.template, 'Template of additional tags for `<head>`.'),
  description: textField(fieldLimits.text, 'Meta description, a template.'),
  html_attrs: textField(fieldLimits.text, 'Attributes of `<html>` as they are, such as `lang="en"`.'),
  body_attrs: textField(fieldLimits.text, 'Attributes of `<body>` as they are.'),
};
/** Fields of a website. They are stored on its root page and ignored on other pages. */
const siteFields = {
  domains: Type.String({
    maxLength: 100_000,
    description: 'Home pages only: domains of the website, one per line.',
    'x-expects': 'one domain per line',
  }),
  default_site: flag('Home pages only: this website answers domains that belong to none.'),
  notfound_page_id: Type.Integer({
    minimum: 0,
    description: 'Home pages only: the subpage shown as 404 page; 0 = the page with the slug `404`.',
  }),
  favicon_file_id: Type.Integer({
    minimum: 0,
    description: 'Home pages only: image file of the website icon; 0 = none.',
  }),
  robots_txt: textField(100_000, 'Home pages only: content of /robots.txt; empty = allow everything.'),
  zone: textField(
    fieldLimits.name,
    'Home pages only: IANA time zone in which templates show times, such as `Europe/Berlin`; empty = that of the server.',
  ),
};
const title = textField(
  fieldLimits.title,
  'Name in navigation, and `<title>` unless there is a `meta_title`.',
);
const lang = textField(
  fieldLimits.name,
  'Language tag (BCP 47) in lower case; empty = that of the page above.',
);
const fileId = Type.Integer({
  minimum: 0,
  description: 'Image file for og:image; 0 = that of the nearest page above.',
});
const slug = Type.String({
  description: 'Last part of the path: a-z, 0-9, `.`, `_`, `-`. Empty for a home page.',
});

const optionalFields = Type.Partial(
  Type.Object({ ...flags, ...texts, ...siteFields, lang, og_image_file_id: fileId }),
).properties;

const writable = {
  ...optionalFields,
  sitemap_source: Type.Optional(
    Type.Unknown({
      description:
        'Catch-all pages only: where the sitemap gets the paths below the page from, an `ExtdbSource`, a `WorkflowSource` or null.',
    }),
  ),
  assets: Type.Optional(AssetAssignments),
  blocks: Type.Optional(SentTree),
  regions: Type.Optional(SentRegions),
};

export const PageCreate = Type.Object(
  {
    ...writable,
    parent_id: Type.Integer({ description: 'The page above.' }),
    title,
    slug,
    layout_id: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], {
        description: 'Snippet with a page layout, which the new page extends; in place of `html`.',
      }),
    ),
  },
  {
    title: 'PageCreate',
    description: 'A new page below another one.',
    examples: [
      { parent_id: 1, title: 'Visit', slug: 'visit', html: '<h1>{{ page.title }}</h1>', published: true },
    ],
  },
);
export type PageCreate = Static<typeof PageCreate>;

export const PageUpdate = Type.Object(
  { ...writable, ...baseUpdatedAt, title: Type.Optional(title), slug: Type.Optional(slug) },
  {
    title: 'PageUpdate',
    description: 'The fields of a page that change.',
    examples: [{ title: 'Your visit', base_updated_at: 1767225600 }],
  },
);
export type PageUpdate = Static<typeof PageUpdate>;

export const SiteCreate = Type.Object(
  {
    title,
    domains: Type.Optional(siteFields.domains),
    zone: Type.Optional(siteFields.zone),
    lang: Type.Optional(lang),
  },
  {
    title: 'SiteCreate',
    description: 'A new website.',
    examples: [{ title: 'Museum', domains: 'example.org\nwww.example.org', lang: 'en' }],
  },
);
export type SiteCreate = Static<typeof SiteCreate>;

export const AssetsUpdate = AssetAssignments;

export const PageMove = Type.Object(
  {
    parent_id: Type.Integer({ description: 'The new page above, also of another website.' }),
    index: Type.Optional(
      Type.Integer({
        description: 'Position among the new siblings from 0; below 0, too large or missing: at the end.',
      }),
    ),
  },
  { title: 'PageMove', description: 'The new place of a page.', examples: [{ parent_id: 1, index: 0 }] },
);
export type PageMove = Static<typeof PageMove>;

export const PageListQuery = Type.Object({
  roots: Type.Optional(Type.Boolean({ description: 'Only home pages, one for each website.' })),
  view: Type.Optional(
    Type.Literal('tree', {
      description: 'Few fields of each page, for a tree of all pages (`PageTreeEntry`).',
    }),
  ),
});
export type PageListQuery = Static<typeof PageListQuery>;

/** A page as stored: the fields that clients write, and the fields that the server sets. */
const stored = Type.Object({
  id: serverFields.id,
  parent_id: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The page above; null for a home page.',
  }),
  root_id: Type.Integer({ description: 'Home page of the website.' }),
  slug,
  path: Type.String({ description: 'URL path.' }),
  sort: Type.Integer({ description: 'Position among the siblings.' }),
  title,
  ...texts,
  ...flags,
  ...siteFields,
  lang,
  og_image_file_id: fileId,
  translation_group: Type.String({
    description: 'The same for all language versions; empty for a page without others.',
  }),
  sitemap_source: Type.Union([ExtdbSource, WorkflowSource, Type.Null()], {
    description: 'Where the sitemap gets the paths below a catch-all page from.',
  }),
  source_url: Type.String({ description: 'Where an imported page comes from.' }),
  import_root: Type.Integer({ description: 'Target page of the import that the page came from; 0 = none.' }),
  local_modified: Type.Boolean({ description: 'Whether the page was edited here.' }),
  created_at: serverFields.created_at,
  updated_at: serverFields.updated_at,
  blocks: BlockTree,
  regions: RegionWords,
});
/** Type boundary: `server/blocks` checks trees, whose blocks have another type each. */
export type StoredPage = Omit<Static<typeof stored>, 'blocks'> & { readonly blocks: Tree };
/** A page in lists, without what may be large. */
export type StoredPageSummary = Omit<StoredPage, 'html' | 'head' | 'blocks' | 'regions'>;

const effectiveLang = Type.String({ description: 'Own or inherited language, or `de`.' });
const pageAssets = Type.Array(PageAsset, { description: 'Assets in loading order.' });

export const PageListEntry = Type.Object(
  {
    ...Type.Omit(stored, ['html', 'head', 'blocks', 'regions']).properties,
    effective_lang: effectiveLang,
    assets: pageAssets,
  },
  { title: 'PageListEntry', description: 'A page without its templates.' },
);
export type PageListEntry = Static<typeof PageListEntry>;

/** An entry of GET /pages?view=tree. A tree of many pages is read and sent as a whole, so it has few fields. */
export const PageTreeEntry = Type.Object(
  {
    ...Type.Pick(stored, [
      'id',
      'parent_id',
      'root_id',
      'title',
      'slug',
      'path',
      'lang',
      'translation_group',
      'published',
      'catch_all',
      'hide_in_nav',
      'noindex',
      'updated_at',
    ]).properties,
  },
  { title: 'PageTreeEntry', description: 'A page in a tree.' },
);
export type PageTreeEntry = Static<typeof PageTreeEntry>;

/** An entry of GET /pages about a page that the caller may not read, above one that it may. */
export const PageOutline = Type.Object(
  Type.Pick(stored, ['id', 'parent_id', 'title', 'slug', 'path']).properties,
  {
    title: 'PageOutline',
    description: 'A page above pages that may be read.',
  },
);
export type PageOutline = Static<typeof PageOutline>;

/** GET /pages/{id}; POST and PUT add `warnings`. */
export const Page = Type.Object(
  {
    ...stored.properties,
    effective_lang: effectiveLang,
    assets: pageAssets,
    renders_blocks: Type.Boolean({ description: 'Whether the template outputs the blocks.' }),
    region_schema: Type.Array(RegionSchema, {
      description: 'The regions of its templates, in order of rendering.',
    }),
  },
  { title: 'Page', description: 'A page of a website.', examples: [examplePage] },
);
export type Page = Omit<Static<typeof Page>, 'blocks'> & Pick<StoredPage, 'blocks'>;
/** A page with its assignments. Answers add what needs static analysis. */
export type PageState = Omit<Page, 'renders_blocks' | 'region_schema'>;

export const SavedPage = Type.Object(
  {
    ...Page.properties,
    warnings: Type.Array(Warning, { description: 'Findings about the templates.' }),
  },
  { title: 'SavedPage', description: 'A page after a save, with the findings about its templates.' },
);
