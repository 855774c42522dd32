import { callOk } from './api.ts';
import type { TestServer } from './server.ts';
import { writeContent } from './shared-database.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The ID of the object that an answer contains. */
export function idOf(answer: Fields): number {
  const id = answer['id'];
  if (typeof id === 'number' && Number.isInteger(id)) return id;
  throw new Error(`no integer id in ${JSON.stringify(answer)}`);
}

let names = 0;

/** A name that differs from every name returned before; the same names in every run. */
export function freshName(prefix: string): string {
  names++;
  return `${prefix}-${names}`;
}

export function freshSlug(): string {
  return freshName('page');
}

/** Creates a website and resolves with the ID of its home page. */
export function createSite(server: Pick<TestServer, 'url'>, fields: Fields = {}): Promise<number> {
  return create(server, '/sites', { title: 'Site', ...fields });
}

/** Creates a page with a fresh slug, and resolves with its ID. Its title is the slug unless given. */
export function createPage(
  server: Pick<TestServer, 'url'>,
  parentId: number,
  fields: Fields = {},
): Promise<number> {
  const slug = fields['slug'] ?? freshSlug();
  return create(server, '/pages', { parent_id: parentId, title: slug, slug, ...fields });
}

/**
 * Writes published pages `/many-1`, `/many-2`, ... into the database of a server, because the API would take long
 * for thousands of them. They are hidden in navigation. Visitors see them after the next change through the API.
 */
export async function insertPages(
  server: Pick<TestServer, 'dataDir'>,
  homeId: number,
  count: number,
): Promise<void> {
  await writeContent(server.dataDir, async (db) =>
    db
      .statement(
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
         INSERT INTO pages
           (parent_id, root_id, slug, path, title, sort, published, hide_in_nav, created_at, updated_at)
         SELECT ?, ?, 'many-' || n, '/many-' || n, 'Page ' || n, n, 1, 1, 1, 1 FROM numbers`,
      )
      .run([count, homeId, homeId]),
  );
}

/** Creates an asset, a style sheet unless `kind` is given, and resolves with its ID. */
export function createAsset(server: Pick<TestServer, 'url'>, fields: Fields = {}): Promise<number> {
  return create(server, '/assets', { name: freshName('asset'), kind: 'css', ...fields });
}

/** Creates a snippet with a fresh name, and resolves with its ID. */
export function createSnippet(server: Pick<TestServer, 'url'>, fields: Fields = {}): Promise<number> {
  return create(server, '/snippets', { name: freshName('snippet'), ...fields });
}

/** Creates a global block with a fresh name, and resolves with its ID. */
export function createGlobalBlock(server: Pick<TestServer, 'url'>, fields: Fields = {}): Promise<number> {
  return create(server, '/global-blocks', { name: freshName('global'), ...fields });
}

/** Creates a redirect of a website from a fresh path, and resolves with its ID. */
export function createRedirect(
  server: Pick<TestServer, 'url'>,
  siteId: number,
  fields: Fields = {},
): Promise<number> {
  const source = `/${freshName('old')}`;
  return create(server, '/redirects', { root_id: siteId, source, target: '/new', ...fields });
}

/** Creates a collection with a fresh slug, and resolves with its ID. */
export function createCollection(server: Pick<TestServer, 'url'>, fields: Fields = {}): Promise<number> {
  return create(server, '/collections', { slug: freshName('collection'), ...fields });
}

/** Creates a published entry of a collection, and resolves with its ID. */
export function createItem(
  server: Pick<TestServer, 'url'>,
  collection: string | number,
  data: Fields,
): Promise<number> {
  return create(server, `/collections/${collection}/items`, { data });
}

async function create(server: Pick<TestServer, 'url'>, path: string, fields: Fields): Promise<number> {
  return idOf(await callOk(server, 'POST', path, fields));
}
