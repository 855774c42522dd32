import Type, { type Static } from 'typebox';
import { fieldLimits } from '../../model.ts';
import { AssetsUpdate } from '../model.ts';

const template = Type.String({ maxLength: fieldLimits.template });
const title = Type.String({ maxLength: fieldLimits.title });
const text = Type.String({ maxLength: fieldLimits.text });
const simulated = {
  /** `route.query` */
  query: Type.Optional(Type.Record(Type.String(), Type.Union([text, Type.Number(), Type.Boolean()]))),
  /** `route.rest`, for catch-all pages. */
  rest: Type.Optional(Type.Array(Type.String({ maxLength: fieldLimits.title }), { maxItems: 100 })),
};

/** Fields that may differ from the saved page in a preview (Core, POST /pages/{id}/preview). */
export const PagePreview = Type.Object({
  html: Type.Optional(template),
  head: Type.Optional(template),
  title: Type.Optional(title),
  description: Type.Optional(text),
  assets: Type.Optional(AssetsUpdate),
  /** Contents of assets by asset ID. */
  overrides: Type.Optional(Type.Record(Type.String(), template)),
  ...simulated,
});
export type PagePreview = Static<typeof PagePreview>;

export const TemplateDataQuery = Type.Object({
  title: Type.Optional(title),
  meta_title: Type.Optional(title),
  description: Type.Optional(text),
  ...simulated,
});
export type TemplateDataQuery = Static<typeof TemplateDataQuery>;

const list = Type.Array(Type.Unknown());

/** Core, POST /pages/{id}/template-data. */
export const TemplateData = Type.Object({
  variables: Type.Record(Type.String(), Type.Unknown()),
  nav: list,
  children: list,
  collections: list,
  sources: list,
});

export const SitemapPreviewQuery = Type.Object({ sitemap_source: Type.Optional(Type.Unknown()) });
export type SitemapPreviewQuery = Static<typeof SitemapPreviewQuery>;

/** Core, POST /pages/{id}/sitemap-preview. */
export const SitemapPreview = Type.Object({
  count: Type.Integer(),
  /** The first 10 addresses. */
  sample: Type.Array(Type.Object({ path: Type.String(), lastmod: Type.Union([Type.String(), Type.Null()]) })),
  duration_ms: Type.Integer(),
});
export type SitemapPreview = Static<typeof SitemapPreview>;
