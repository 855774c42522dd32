/** Addresses of all screens. They hold what a colleague should see when opening the same address. */
export const base = '/cms-admin';

export const pageTabs = ['content', 'template', 'head', 'seo', 'settings', 'assets', 'history'] as const;
export type PageTab = (typeof pageTabs)[number];

export const paths = {
  start: () => `${base}/`,
  pages: (root: number) => `${base}/s/${root}/pages`,
  page: (root: number, id: number, tab: PageTab = 'content') => `${base}/s/${root}/pages/${id}/${tab}`,
  languages: (root: number) => `${base}/s/${root}/languages`,
  redirects: (root: number) => `${base}/s/${root}/redirects`,
  notFound: (root: number) => `${base}/s/${root}/redirects?tab=404`,
  /** @param query what is shown of them, as `screens/statistics/model/view.ts` writes it */
  statistics: (root: number, query = '') => `${base}/s/${root}/statistics${query}`,
  snippets: () => `${base}/snippets`,
  snippet: (id: number) => `${base}/snippets/${id}`,
  // Not `assets`: below that name the server has the files of the admin itself.
  assets: () => `${base}/code`,
  asset: (id: number) => `${base}/code/${id}`,
  globalBlocks: () => `${base}/global-blocks`,
  globalBlock: (id: number) => `${base}/global-blocks/${id}`,
  media: (shown: { readonly folder?: number | undefined; readonly file?: number | undefined } = {}) =>
    `${base}/media${queryOf(shown)}`,
  collections: () => `${base}/collections`,
  /** @param part `fields`, `settings`, `import`, `new`, or the ID of an entry @param query of the list */
  collection: (ref: string, part: string | number = '', query = '') =>
    `${base}/collections/${ref}${part === '' ? '' : `/${part}`}${query === '' ? '' : `?${query}`}`,
  collectionImport: () => `${base}/collection-import`,
  /** @param section as in system-screen.tsx */
  system: (section = '') => `${base}/system${section === '' ? '' : `/${section}`}`,
  user: (id: number) => `${base}/system/users/${id}`,
  role: (id: number) => `${base}/system/roles/${id}`,
  invitation: () => `${base}/invitation`,
  /** @param operation ID of a call; empty is the list of all */
  apiReference: (operation = '') => `${base}/system/api${operation === '' ? '' : `/${operation}`}`,
  /** What the reference is made from, as the server sends it. */
  apiDescription: () => '/api/v1/openapi.json',
  pens: () => `${base}/pens`,
  /** @param ref ID or UUID; visitors have the address with the UUID too */
  pen: (ref: number | string) => `${base}/pen/${ref}`,
  releases: () => `${base}/releases`,
  release: (id: number) => `${base}/releases/${id}`,
  trash: () => `${base}/trash`,
  webhooks: () => `${base}/webhooks`,
  webhook: (id: string) => `${base}/webhooks/${id}`,
  /** @param id of a job, or `new` */
  imports: (id = '') => `${base}/import${id === '' ? '' : `/${id}`}`,
  /** @param tab of the result; empty is its pages */
  import: (id: string, tab = '') => `${base}/import/${id}${tab === '' ? '' : `/${tab}`}`,
  workflows: () => `${base}/workflows`,
  /** @param tab of the editor; empty is the graph */
  workflow: (id: number, tab = '') => `${base}/workflows/${id}${tab === '' ? '' : `/${tab}`}`,
  flowNodes: () => `${base}/workflows/custom-nodes`,
  /** @param tab of the editor; empty is the code */
  flowNode: (id: number, tab = '') => `${base}/workflows/custom-nodes/${id}${tab === '' ? '' : `/${tab}`}`,
  databases: () => `${base}/workflows/databases`,
  /** @param table what nodes call the table; empty is the connection itself @param query of the rows */
  database: (name: string, table = '', query = '') =>
    `${base}/workflows/databases/${encodeURIComponent(name)}${table === '' ? '' : `/${encodeURIComponent(table)}`}${query === '' ? '' : `?${query}`}`,
  workflowSecrets: () => `${base}/workflows/secrets`,
  sources: () => `${base}/sources`,
  source: (id: number) => `${base}/sources/${id}`,
} as const;

/** A query of what is given; empty if nothing is. */
function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}
