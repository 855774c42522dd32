import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withReadLimits } from '../../../server/base/content-overlay.ts';
import { allows, type Grant, type Grants, type Placement } from '../../../server/base/rights.ts';
import { type Databases, openDatabases } from '../../../server/db/open.ts';
import { limitReads } from '../../../server/db/readable-rows.ts';
import { listTables } from '../../support/tables.ts';

let dataDir: string;
let databases: Databases;

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'incipit-readable-'));
  databases = openDatabases(dataDir, 100);
});
afterAll(() => {
  databases.close();
  rmSync(dataDir, { recursive: true });
});

interface PageRow {
  readonly id: number;
  readonly parent: number | undefined;
  readonly lang: string;
}

const langs = ['', 'de', 'en', "x'y"];
/** Trees of up to 14 pages: each has an earlier page as its parent, or is a website. */
const trees = fc
  .array(fc.record({ parent: fc.nat(13), isSite: fc.nat(4), lang: fc.constantFrom(...langs) }), {
    minLength: 1,
    maxLength: 14,
  })
  .map((pages) =>
    pages.map(({ parent, isSite, lang }, index): PageRow => {
      const isHome = index === 0 || isSite === 0;
      return { id: index + 1, parent: isHome ? undefined : (parent % index) + 1, lang };
    }),
  );

const ids = fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 3 });
const grants: fc.Arbitrary<Grants> = fc.array(
  fc.record({
    actions: fc.constantFrom<Grant['actions']>(['read'], ['read', 'edit'], ['edit']),
    on: fc.record(
      {
        kinds: fc.subarray(['page', 'item', 'collection', 'redirect', 'file', 'snippet']),
        sites: ids,
        pages: ids,
        languages: fc.subarray(['de', 'en', "x'y"]),
        collections: fc.subarray<number | string>([1, 2, 'three']),
        workflows: ids,
      },
      { requiredKeys: [] },
    ),
  }),
  { maxLength: 3 },
);

function fill(pages: readonly PageRow[]): void {
  const { writer } = databases.content;
  writer.execute('BEGIN; DELETE FROM pages; DELETE FROM items; DELETE FROM collections; DELETE FROM files');
  const insert = writer.statement(
    `INSERT INTO pages (id, parent_id, root_id, slug, path, sort, title, lang, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, 0, ?, ?, 1, 1)`,
  );
  for (const { id, parent, lang } of pages)
    insert.run([
      id,
      parent ?? null,
      rootOf(pages, id),
      parent === undefined ? '' : `p${id}`,
      pathOf(pages, id),
      't',
      lang,
    ]);
  for (const [id, slug, lang] of [
    [1, 'one', 'de'],
    [2, 'two', ''],
    [3, 'three', 'en'],
  ] as const) {
    writer
      .statement(
        `INSERT INTO collections (id, slug, name, lang, created_at, updated_at) VALUES (?, ?, '', ?, 1, 1)`,
      )
      .run([id, slug, lang]);
    writer
      .statement(
        `INSERT INTO items (id, collection_id, sort, created_at, updated_at, data) VALUES (?, ?, 0, 1, 1, '{}')`,
      )
      .run([id, id]);
  }
  writer.execute('COMMIT');
}

const find = (pages: readonly PageRow[], id: number | undefined) => pages.find((page) => page.id === id);
function lineOf(pages: readonly PageRow[], id: number): PageRow[] {
  const page = find(pages, id);
  return page === undefined ? [] : [page, ...lineOf(pages, page.parent ?? 0)];
}
const rootOf = (pages: readonly PageRow[], id: number) => lineOf(pages, id).at(-1)?.id ?? 0;
function pathOf(pages: readonly PageRow[], id: number): string {
  const line = lineOf(pages, id).slice(0, -1);
  return `/${line
    .map((page) => `p${page.id}`)
    .reverse()
    .join('/')}`;
}

function placeOf(pages: readonly PageRow[], id: number): Placement {
  const line = lineOf(pages, id);
  const language = line.find(({ lang }) => lang !== '')?.lang ?? 'de';
  return { kind: 'page', id, site: rootOf(pages, id), pages: line.map((page) => page.id), language };
}

/** What the slow model of `rights.ts` lets read, in the form of the queries below. */
function model(given: Grants, pages: readonly PageRow[]) {
  const readable = pages.filter(({ id }) => allows(given, 'read', placeOf(pages, id))).map(({ id }) => id);
  const above = new Set(readable.flatMap((id) => lineOf(pages, id).map((page) => page.id)));
  const collections = [
    { id: 1, slug: 'one', lang: 'de' },
    { id: 2, slug: 'two', lang: '' },
    { id: 3, slug: 'three', lang: 'en' },
  ].map(({ id, slug, lang }) => ({ collection: { id, slug }, language: lang }));
  const items = collections.filter((place) => allows(given, 'read', { kind: 'item', ...place }));
  const definitions = collections.filter(
    (place) =>
      items.includes(place) ||
      allows(given, 'read', { kind: 'collection', id: place.collection.id, ...place }),
  );
  return {
    readable,
    outlines: pages.map(({ id }) => id).filter((id) => above.has(id) && !readable.includes(id)),
    items: items.map(({ collection }) => collection.id),
    collections: definitions.map(({ collection }) => collection.id),
  };
}

async function read(given: Grants) {
  const limits = limitReads(given);
  const work = async () => {
    const list = (sql: string) =>
      databases.content.reader
        .statement(sql)
        .all([])
        .map(({ id }) => Number(id));
    return {
      readable: list('SELECT id FROM pages WHERE updated_at > 0 ORDER BY id'),
      outlines: list('SELECT id FROM pages WHERE updated_at = 0 ORDER BY id'),
      items: list('SELECT id FROM items ORDER BY id'),
      collections: list('SELECT id FROM collections ORDER BY id'),
    };
  };
  return limits === undefined ? work() : withReadLimits(limits, work);
}

describe('the rows that grants let read', () => {
  it('are those that the decision about single objects allows, and the pages above in outline', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.array(grants, { minLength: 1, maxLength: 6 }), async (pages, several) => {
        fill(pages);
        for (const given of several) expect(await read(given)).toEqual(model(given, pages));
      }),
      { numRuns: 150 },
    );
  });

  it('include many pages that are named one by one', async () => {
    const pages = Array.from(
      { length: 120 },
      (_, index): PageRow => ({
        id: index + 1,
        parent: index === 0 ? undefined : Math.floor((index - 1) / 3) + 1,
        lang: '',
      }),
    );
    fill(pages);
    const given: Grants = [{ actions: ['read'], on: { pages: pages.slice(20, 90).map(({ id }) => id) } }];
    expect(await read(given)).toEqual(model(given, pages));
  });

  it('have nothing of a page above but where it stands', async () => {
    fill([
      { id: 1, parent: undefined, lang: 'en' },
      { id: 2, parent: 1, lang: '' },
    ]);
    databases.content.writer.execute(
      `UPDATE pages SET html = 'secret', description = 'secret', published = 1`,
    );
    const limits = limitReads([{ actions: ['read'], on: { pages: [2] } }]);
    const rows = await withReadLimits(limits ?? { key: '', views: {}, rendering: {} }, async () =>
      databases.content.reader.statement('SELECT * FROM pages ORDER BY id').all([]),
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ id: 1, title: 't', path: '/', html: '', description: '', published: 0 });
    expect(rows[1]).toMatchObject({ id: 2, html: 'secret', published: 1 });
  });

  it('are those of new commits at once', async () => {
    fill([{ id: 1, parent: undefined, lang: 'en' }]);
    const given: Grants = [{ actions: ['read'], on: { pages: [1] } }];
    expect((await read(given)).readable).toEqual([1]);
    fill([
      { id: 1, parent: undefined, lang: 'en' },
      { id: 2, parent: 1, lang: '' },
    ]);
    expect((await read(given)).readable).toEqual([1, 2]);
  });

  it('are thought of for every table', () => {
    const limits = limitReads([]);
    const limited = Object.keys(limits?.views ?? {});
    const thoughtOf = new Set([...limited, ...notLimited]);
    expect(listTables(databases.content.writer).filter((name) => !thoughtOf.has(name))).toEqual([]);
  });
});

/** Tables that need no limits, because something else decides who reads them. */
const notLimited = [
  // Only `users`, `settings` or the runs of a workflow read them.
  ...[
    'imported_assets',
    'imported_files',
    'imported_pages',
    'import_hosts',
    'bundle_ids',
    'workflow_secrets',
  ],
  ...['workflow_inputs', 'workflow_values'],
  ...['users', 'tokens', 'sessions', 'roles', 'webhooks', 'connections', 'extdb_connections', 'settings'],
  // Services show of each row what its object allows.
  ...['commits', 'trash', 'trash_rows', 'trash_contents'],
  // Belongs to objects that are limited, and is read with them.
  ...['snippet_assets', 'state_authors', 'item_links', 'item_link_sets', 'file_hashes', 'file_crops'],
  ...[
    'change_set_comments',
    'change_set_reviews',
    'factors',
    'recovery_codes',
    'spent_challenges',
    'invitations',
  ],
  ...['oidc_accounts', 'journals', 'journal_objects', 'sittings'],
  // The server's own.
  ...['changes', 'reference_backlog', 'bulk_items', 'site_domains', 'batches', 'outbox', 'log_positions'],
];
