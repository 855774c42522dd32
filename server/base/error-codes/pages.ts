import type { ErrorTable } from './entry.ts';

/** Websites, pages, their language versions, redirects, snippets. */
export const pageErrors = {
  'site.domainTaken': {
    status: 409,
    text: (p: { domain: string }) => `domain ${p.domain} belongs to another website`,
  },
  'page.slugInvalid': {
    status: 400,
    text: (p: { slug: string }) =>
      `slug ${JSON.stringify(p.slug)} is not valid: a-z, 0-9, ".", "_", "-", at most 200 characters, beginning with a letter or digit`,
  },
  'page.slugReserved': {
    status: 400,
    text: (p: { slug: string }) => `slug "${p.slug}" is reserved below the home page`,
  },
  'page.slugTaken': {
    status: 409,
    text: (p: { slug: string }) => `slug "${p.slug}" is taken among the siblings`,
  },
  'page.layoutWithHTML': { status: 400, text: () => 'layout_id and html cannot be combined' },
  'page.layoutUnknown': { status: 400, text: (p: { id: number }) => `snippet ${p.id} is not a page layout` },
  'page.sitemapSourceFailed': {
    status: 502,
    text: (p: { reason: string }) => `the sitemap source failed: ${p.reason}`,
  },
  'translation.langInvalid': {
    status: 400,
    text: (p: { lang: string }) => `${JSON.stringify(p.lang)} is not a language tag (BCP 47)`,
  },
  'translation.noLang': {
    status: 400,
    text: (p: { page_id: number } | { item_id: number }) =>
      'page_id' in p
        ? `page ${p.page_id} has no language, neither its own nor one of a page above it`
        : `the collection of entry ${p.item_id} has no language`,
  },
  'translation.langTaken': {
    status: 409,
    text: (p: { lang: string }) => `the language versions include one in "${p.lang}" already`,
  },
  'translation.alreadyLinked': {
    status: 409,
    text: (p: { page_id: number } | { item_id: number }) =>
      `${'page_id' in p ? `page ${p.page_id}` : `entry ${p.item_id}`} belongs to other language versions; move takes it from them`,
  },
  'translation.collectionLinked': {
    status: 409,
    text: (p: { collection: string }) =>
      `entries of "${p.collection}" are language versions of others, so the collection needs a language`,
  },
  'redirect.sourceTaken': {
    status: 409,
    text: (p: { source: string }) => `there is a redirect from ${p.source} already`,
  },
  'redirect.loop': {
    status: 400,
    text: (p: { source: string }) => `the redirect from ${p.source} would lead back to itself`,
  },
  'redirect.duplicate': {
    status: 400,
    text: (p: { source: string; row: number }) => `${p.source} stands in row ${p.row} already`,
  },
  'snippet.nameTaken': { status: 409, text: (p: { name: string }) => `snippet name "${p.name}" is taken` },
  'snippet.layoutTooLong': {
    status: 400,
    text: (p: { field: string; max: number }) => `page_layout.${p.field} is longer than ${p.max} characters`,
  },
  'template.invalid': {
    status: 422,
    text: (p: { count: number }) =>
      `${p.count === 1 ? 'one fault keeps' : `${p.count} faults keep`} the object from working, nothing was saved: see warnings`,
  },
  'demo.notEmpty': {
    status: 409,
    text: () => 'a website to begin with is installed only while there is no content',
  },
} satisfies ErrorTable;
