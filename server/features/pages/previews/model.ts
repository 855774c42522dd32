import Type, { type Static } from 'typebox';
import { fieldLimits } from '../../../content/common-fields.ts';
import { AssetsUpdate } from '../model.ts';

const template = (description: string) => Type.String({ maxLength: fieldLimits.template, description });
const title = Type.String({ maxLength: fieldLimits.title, description: 'Unsaved title.' });
const text = Type.String({ maxLength: fieldLimits.text });
const description = Type.String({ maxLength: fieldLimits.text, description: 'Unsaved description.' });
const simulated = {
  query: Type.Optional(
    Type.Record(Type.String(), Type.Union([text, Type.Number(), Type.Boolean()]), {
      description: 'Simulated query, `route.query`.',
    }),
  ),
  rest: Type.Optional(
    Type.Array(Type.String({ maxLength: fieldLimits.title }), {
      maxItems: 100,
      description: 'Simulated path below a catch-all page, `route.rest`.',
    }),
  ),
};

/** Fields that may differ from the saved page in a preview (Core, POST /pages/{id}/preview). */
export const PagePreview = Type.Object(
  {
    html: Type.Optional(template('Unsaved template.')),
    head: Type.Optional(template('Unsaved template of the head.')),
    title: Type.Optional(title),
    description: Type.Optional(description),
    assets: Type.Optional(AssetsUpdate),
    overrides: Type.Optional(
      Type.Record(Type.String(), template('Unsaved content.'), {
        description: 'Unsaved contents of assets by asset ID.',
      }),
    ),
    snippets: Type.Optional(
      Type.Record(Type.String(), template('Unsaved content.'), {
        description: 'Unsaved contents of snippets by name; a name that no snippet has is a new one.',
      }),
    ),
    global_blocks: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Unsaved block trees of global blocks by ID; an ID that no global block has is a new one. They are not checked; what is wrong shows as a notice.',
      }),
    ),
    item: Type.Optional(
      Type.Object(
        {
          collection: Type.String({ maxLength: fieldLimits.name, description: 'Slug of its collection.' }),
          id: Type.Integer({ minimum: 0, description: 'ID of the entry that it replaces; 0 = a new one.' }),
          data: Type.Record(Type.String(), Type.Unknown(), { description: 'Unsaved values.' }),
        },
        { title: 'PreviewItem', description: 'An unsaved entry.' },
      ),
    ),
    blocks: Type.Optional(
      Type.Unknown({
        description: 'Unsaved block tree. It is not checked; what is wrong shows as a notice.',
      }),
    ),
    regions: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Unsaved words by the names of regions; null shows the default. What does not fit shows the default too.',
      }),
    ),
    ...simulated,
  },
  {
    title: 'PagePreview',
    description: 'Unsaved content of a page. Missing fields come from the saved page.',
    examples: [{ html: '<h1>{{ page.title }}</h1>', query: { q: 'x' } }],
  },
);
export type PagePreview = Static<typeof PagePreview>;

export const TemplateDataQuery = Type.Object(
  {
    title: Type.Optional(title),
    meta_title: Type.Optional(
      Type.String({ maxLength: fieldLimits.title, description: 'Unsaved title for search engines.' }),
    ),
    description: Type.Optional(description),
    ...simulated,
  },
  { title: 'TemplateDataQuery', description: 'Unsaved fields of a page.' },
);
export type TemplateDataQuery = Static<typeof TemplateDataQuery>;

const list = (description: string) => Type.Array(Type.Unknown(), { description });

/** Core, POST /pages/{id}/template-data. */
export const TemplateData = Type.Object(
  {
    variables: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Values of the variables: `page`, `route`, `site`, `today`, `now`, `preview`.',
    }),
    nav: list('What `nav()` returns.'),
    children: list('What `children()` returns.'),
    collections: list('The collections with their first entries.'),
    sources: list('The REST data sources.'),
  },
  { title: 'TemplateData', description: 'What the templates of a page can use.' },
);

export const SitemapPreviewQuery = Type.Object(
  {
    sitemap_source: Type.Optional(
      Type.Unknown({ description: 'Unsaved source; default: that of the saved page.' }),
    ),
  },
  { title: 'SitemapPreviewQuery', description: 'A sitemap source to try.' },
);
export type SitemapPreviewQuery = Static<typeof SitemapPreviewQuery>;

const SitemapAddress = Type.Object(
  {
    path: Type.String({ description: 'URL path.' }),
    lastmod: Type.Union([Type.String(), Type.Null()], { description: 'Time of the last change.' }),
  },
  { title: 'SitemapAddress', description: 'An address of the sitemap.' },
);

/** Core, POST /pages/{id}/sitemap-preview. */
export const SitemapPreview = Type.Object(
  {
    count: Type.Integer({ description: 'Number of addresses.' }),
    sample: Type.Array(SitemapAddress, { description: 'The first 10 addresses.' }),
    duration_ms: Type.Integer({ description: 'How long it took.' }),
  },
  { title: 'SitemapPreview', description: 'What a sitemap source gives.' },
);
export type SitemapPreview = Static<typeof SitemapPreview>;
