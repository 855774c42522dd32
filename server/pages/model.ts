import Type, { type Static } from 'typebox';
import { baseUpdatedAt, limits, Warning } from '../model.ts';

/** One entry of a page's assets as clients send it. */
export const AssetAssignment = Type.Object({
  asset_id: Type.Integer(),
  inherit: Type.Optional(Type.Boolean()),
});
export type AssetAssignment = Static<typeof AssetAssignment>;

const AssetAssignments = Type.Array(AssetAssignment, { maxItems: 1000 });

/** An entry of a page's assets as it is answered, in loading order. */
export const PageAsset = Type.Object({
  asset_id: Type.Integer(),
  inherit: Type.Boolean(),
  name: Type.String(),
  kind: Type.Union([Type.Literal('css'), Type.Literal('js')]),
});
export type PageAsset = Static<typeof PageAsset>;

const SourceFields = {
  column: Type.Optional(Type.String({ maxLength: limits.name })),
  lastmod: Type.Optional(Type.String({ maxLength: limits.name })),
};
const required = Type.String({ minLength: 1, maxLength: limits.title });
const ruleText = Type.String({ maxLength: limits.title });
const ruleValue = Type.Union([ruleText, Type.Number(), Type.Boolean(), Type.Null()]);
/** One condition of a filter; a list of values goes with operators such as `in`. */
const SourceRule = Type.Object({
  col: ruleText,
  op: ruleText,
  val: Type.Optional(Type.Union([ruleValue, Type.Array(ruleValue, { maxItems: 1000 })])),
});

/** Where the detail pages behind a catch-all page come from (Core, `sitemap_source` shapes). */
export const ExtdbSource = Type.Object({
  type: Type.Literal('extdb'),
  connection: required,
  table: required,
  ...SourceFields,
  view: Type.Optional(Type.Union([Type.String({ maxLength: limits.name }), Type.Integer()])),
  rules: Type.Optional(Type.Array(SourceRule, { maxItems: 100 })),
  match: Type.Optional(Type.Union([Type.Literal('and'), Type.Literal('or')])),
});
export const WorkflowSource = Type.Object({
  type: Type.Literal('workflow'),
  path: required,
  ...SourceFields,
});
export type SitemapSource = Static<typeof ExtdbSource> | Static<typeof WorkflowSource>;

/** Fields a client may write on every page, by name. */
const flags = {
  published: Type.Boolean(),
  catch_all: Type.Boolean(),
  no_cache: Type.Boolean(),
  sitemap_exclude: Type.Boolean(),
  noindex: Type.Boolean(),
  nofollow: Type.Boolean(),
  hide_in_nav: Type.Boolean(),
};
const texts = {
  meta_title: Type.String({ maxLength: limits.title }),
  html: Type.String({ maxLength: limits.template }),
  head: Type.String({ maxLength: limits.template }),
  description: Type.String({ maxLength: limits.text }),
  html_attrs: Type.String({ maxLength: limits.text }),
  body_attrs: Type.String({ maxLength: limits.text }),
};
/** Fields of a website, which live on its root page and are ignored elsewhere. */
const siteFields = {
  domains: Type.String({ maxLength: 100_000 }),
  default_site: Type.Boolean(),
  notfound_page_id: Type.Integer({ minimum: 0 }),
  favicon_file_id: Type.Integer({ minimum: 0 }),
  robots_txt: Type.String({ maxLength: 100_000 }),
};
const title = Type.String({ maxLength: limits.title });
const lang = Type.String({ maxLength: limits.name });
const fileId = Type.Integer({ minimum: 0 });

const optionalFields = Type.Partial(
  Type.Object({ ...flags, ...texts, ...siteFields, lang, og_image_file_id: fileId }),
).properties;

const writable = {
  ...optionalFields,
  sitemap_source: Type.Optional(Type.Unknown()),
  assets: Type.Optional(AssetAssignments),
};

export const PageCreate = Type.Object({
  ...writable,
  parent_id: Type.Integer(),
  title,
  slug: Type.String(),
  layout_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
});
export type PageCreate = Static<typeof PageCreate>;

export const PageUpdate = Type.Object({
  ...writable,
  ...baseUpdatedAt,
  title: Type.Optional(title),
  slug: Type.Optional(Type.String()),
});
export type PageUpdate = Static<typeof PageUpdate>;

export const SiteCreate = Type.Object({
  title,
  domains: Type.Optional(siteFields.domains),
});
export type SiteCreate = Static<typeof SiteCreate>;

export const AssetsUpdate = AssetAssignments;

export const PageMove = Type.Object({ parent_id: Type.Integer(), index: Type.Optional(Type.Integer()) });
export type PageMove = Static<typeof PageMove>;

export const PageListQuery = Type.Object({ roots: Type.Optional(Type.String()) });

/** A page as stored: what is written plus what the server keeps about it. */
const stored = Type.Object({
  id: Type.Integer(),
  parent_id: Type.Union([Type.Integer(), Type.Null()]),
  root_id: Type.Integer(),
  slug: Type.String(),
  path: Type.String(),
  sort: Type.Integer(),
  title,
  ...texts,
  ...flags,
  ...siteFields,
  lang,
  og_image_file_id: fileId,
  translation_group: Type.String(),
  sitemap_source: Type.Union([ExtdbSource, WorkflowSource, Type.Null()]),
  source_url: Type.String(),
  import_root: Type.Integer(),
  local_modified: Type.Boolean(),
  created_at: Type.Integer(),
  updated_at: Type.Integer(),
});
export type StoredPage = Static<typeof stored>;
/** Pages as lists hold them, without the two large texts. */
export type StoredPageSummary = Omit<StoredPage, 'html' | 'head'>;

export const PageListEntry = Type.Object({
  ...Type.Omit(stored, ['html', 'head']).properties,
  effective_lang: Type.String(),
  assets: Type.Array(PageAsset),
});
export type PageListEntry = Static<typeof PageListEntry>;

/** GET /pages/{id}; POST and PUT add `warnings`. */
export const Page = Type.Object({
  ...stored.properties,
  effective_lang: Type.String(),
  assets: Type.Array(PageAsset),
  blocks: Type.Array(Type.Unknown()),
  renders_blocks: Type.Boolean(),
});
export type Page = Static<typeof Page>;

export const SavedPage = Type.Object({ ...Page.properties, warnings: Type.Array(Warning) });
export type SavedPage = Static<typeof SavedPage>;
