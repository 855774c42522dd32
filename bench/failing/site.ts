import {
  createCollection,
  createGlobalBlock,
  createItem,
  createPage,
  createSite,
  createSnippet,
} from '../../test/support/content.ts';
import type { TestServer } from '../../test/support/server.ts';

/** IDs of what is changed. */
export interface CheckedSite {
  readonly pages: readonly number[];
  readonly snippet: number;
  readonly collection: number;
  readonly entries: readonly number[];
  readonly global: number;
}

/** A change that pages have read. */
export interface Save {
  readonly name: string;
  /** How many pages are asked for after it, all of which show it. */
  readonly visits: number;
  /** The request of PUT; another change for each number. */
  requestOf(site: CheckedSite, number: number): { readonly path: string; readonly body: object };
}

export const pageCount = 40;
const entryCount = 20;

export const saves: readonly Save[] = [
  {
    name: 'a page',
    visits: 1,
    requestOf: ({ pages }, number) => ({
      path: `/pages/${pages[number % pageCount]}`,
      body: { meta_description: `Version ${number}` },
    }),
  },
  {
    name: `a snippet of ${pageCount} pages`,
    visits: 4,
    requestOf: ({ snippet }, number) => ({
      path: `/snippets/${snippet}`,
      body: { content: `<p>Version ${number} of {{ page.title }}</p>` },
    }),
  },
  {
    name: `an entry in ${pageCount} lists`,
    visits: 4,
    requestOf: ({ collection, entries }, number) => ({
      path: `/collections/${collection}/items/${entries[number % entryCount]}`,
      body: { data: { label: `Version ${number}` } },
    }),
  },
  {
    name: `a global block of ${pageCount} pages`,
    visits: 4,
    requestOf: ({ global }, number) => ({
      path: `/global-blocks/${global}`,
      body: { blocks: [{ type: 'text', params: { words: `Version ${number}` } }] },
    }),
  },
];

/** A website of equal pages, each of which shows a snippet, a list of entries and a global block. */
export async function createCheckedSite(server: TestServer): Promise<CheckedSite> {
  const home = await createSite(server);
  const snippet = await createSnippet(server, { name: 'part', content: '<p>{{ page.title }}</p>' });
  await createSnippet(server, {
    name: 'text',
    content: '<p>{{ words }}</p>',
    schema: { block: true, params: [{ name: 'words', type: 'text' }] },
  });
  const collection = await createCollection(server, {
    slug: 'parts',
    fields: [{ name: 'label', type: 'text' }],
  });
  const entries: number[] = [];
  for (let entry = 0; entry < entryCount; entry++)
    entries.push(await createItem(server, collection, { label: `Entry ${entry}` }));
  const global = await createGlobalBlock(server, { blocks: [{ type: 'text', params: { words: 'A' } }] });
  const html =
    '{% include "part" %}<ul>{% for part in data("parts") %}<li>{{ part.label }}</li>{% endfor %}</ul>{% blocks page.blocks %}';
  const pages: number[] = [];
  for (let page = 0; page < pageCount; page++)
    pages.push(
      await createPage(server, home, { slug: `p${page}`, published: true, html, blocks: [{ global }] }),
    );
  return { pages, snippet, collection, entries, global };
}
