import Type, { type Static } from 'typebox';
import { baseUpdatedAt, fieldLimits } from '../model.ts';
import { Warning } from '../warnings.ts';

/** One entry of a page's assets as clients send it. */
export const AssetAssignment = Type.Object({
  asset_id: Type.Integer(),
  inherit: Type.Optional(Type.Boolean()),
});
export type AssetAssignment = Static<typeof AssetAssignment>;

const AssetAssignments = Type.Array(AssetAssignment, { maxItems: 1000 });

/** An entry of a page's assets in answers. Lists are in loading order. */
export const PageAsset = Type.Object({
  asset_id: Type.Integer(),
  inherit: Type.Boolean(),
  name: Type.String(),
  kind: Type.Union([Type.Literal('css'), Type.Literal('js')]),
});
export type PageAsset = Static<typeof PageAsset>;

const SourceFields = {
  column: Type.Optional(Type.String({ maxLength: fieldLimits.name })),
  lastmod: Type.Optional(Type.String({ maxLength: fieldLimits.name })),
};
const required = Type.String({ minLength: 1, maxLength: fieldLimits.title });
const ruleText = Type.String({ maxLength: fieldLimits.title });
const ruleValue = Type.Union([ruleText, Type.Number(), Type.Boolean(), Type.Null()]);
/** One condition of a filter. `val` is a list for operators such as `in`. */
/** Comparisons of a rule: those of the `extdb` node (Data, Automation and Operations, "Workflow"). */
const ruleOperators = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'in',
  'not_in',
  'is_null',
  'is_not_null',
] as const;

const SourceRule = Type.Object({
  col: ruleText,
  op: Type.Union(ruleOperators.map((operator) => Type.Literal(operator))),
  val: Type.Optional(Type.Union([ruleValue, Type.Array(ruleValue, { maxItems: 1000 })])),
});

/** The source of the detail pages below a catch-all page (Core, `sitemap_source` shapes). */
export const ExtdbSource = Type.Object({
  type: Type.Literal('extdb'),
  connection: required,
  table: required,
  ...SourceFields,
  view: Type.Optional(Type.Union([Type.String({ maxLength: fieldLimits.name }), Type.Integer()])),
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
  meta_title: Type.String({ maxLength: fieldLimits.title }),
  html: Type.String({ maxLength: fieldLimits.template }),
  head: Type.String({ maxLength: fieldLimits.template }),
  description: Type.String({ maxLength: fieldLimits.text }),
  html_attrs: Type.String({ maxLength: fieldLimits.text }),
  body_attrs: Type.String({ maxLength: fieldLimits.text }),
};
/** Fields of a website. They are stored on its root page and ignored on other pages. */
const siteFields = {
  domains: Type.String({ maxLength: 100_000, 'x-expects': 'one domain per line' }),
  default_site: Type.Boolean(),
  notfound_page_id: Type.Integer({ minimum: 0 }),
  favicon_file_id: Type.Integer({ minimum: 0 }),
  robots_txt: Type.String({ maxLength: 100_000 }),
};
const title = Type.String({ maxLength: fieldLimits.title });
const lang = Type.String({ maxLength: fieldLimits.name });
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

export const PageListQuery = Type.Object({ roots: Type.Optional(Type.Boolean()) });
export type PageListQuery = Static<typeof PageListQuery>;

/** A page as stored: the fields that clients write, and the fields that the server sets. */
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
/** A page in lists, without the two large texts. */
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
/** A page with its assignments. Answers add `renders_blocks`, which needs static analysis. */
export type PageState = Omit<Page, 'renders_blocks'>;

export const SavedPage = Type.Object({ ...Page.properties, warnings: Type.Array(Warning) });
export type SavedPage = Static<typeof SavedPage>;
