import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RenderWorker } from '../../runtime/tasks/context.ts';
import { renderPageTask } from '../../runtime/tasks/render-page.ts';
import { changesSince, newestChange } from '../../server/changes/change-log.ts';
import { readOverlay } from '../../server/changes/overlay.ts';
import { Connection } from '../../server/db/connection.ts';
import { writeOverlayFile } from '../../server/db/overlay-file.ts';
import type { ContentTables } from '../../server/db/tables.ts';
import { installInto } from '../runtime/demo-content/database.ts';
import { entries, pages } from '../runtime/demo-content/site.ts';
import { makeTempDir } from '../support/server.ts';

/** Pages with changes laid over the content are those that visitors get when the changes are committed. */

const noon = new Date(2026, 5, 4, 12).getTime();
/** Some of all: pages of each part of the website, entries, what is nowhere. */
const paths = [
  ...['/', '/about', '/about/contact', '/moved', '/nothing'],
  ...pages.flatMap(({ path }, index) => (index % 4 === 1 ? [path] : [])),
  ...entries.flatMap(({ path }, index) => (index % 12 === 0 ? [path] : [])),
];

let dir: string;
let committed: string;
let before: ReadonlyMap<string, string>;

beforeAll(async () => {
  dir = makeTempDir();
  committed = join(dir, 'content.db');
  installInto(committed);
  const db = new Database(committed);
  db.pragma('journal_mode = DELETE');
  db.close();
  const worker = openWorker(committed);
  before = await renderAll(worker);
  worker.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function openWorker(databaseFile: string): RenderWorker {
  return new RenderWorker({
    databaseFile,
    cacheDir: join(dir, 'cache'),
    scheme: 'http',
    signingKeyFile: '',
  });
}

/** What a worker answers to each path. */
async function renderAll(worker: RenderWorker): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const path of paths) {
    const task = { host: 'museum.example', scheme: 'http', path, query: '', now: noon } as const;
    const { outcome } = await renderPageTask(worker.contextFor(), { kind: 'page', ...task });
    const text = 'body' in outcome ? new TextDecoder().decode(outcome.body.identity) : '';
    answers.set(path, `${outcome.kind} ${'location' in outcome ? outcome.location : ''} ${text}`);
  }
  return answers;
}

let number = 0;

/** Runs statements on a copy of the content, and lays what they change over the content itself. */
async function compare(sql: string) {
  const name = join(dir, `copy-${number++}`);
  copyFileSync(committed, `${name}.db`);
  const copy = new Connection<ContentTables>(`${name}.db`);
  const since = await newestChange(copy);
  copy.execute(sql);
  const overlay = readOverlay(copy, await changesSince(copy, since));
  copy.close();
  if (overlay === undefined) throw new Error('the changes cannot be shown');
  writeOverlayFile(`${name}.overlay`, overlay.tables);
  const [plain, changed] = [openWorker(committed), openWorker(`${name}.db`)];
  try {
    const shown = await renderAll(plain.withOverlay({ overlayFile: `${name}.overlay` }));
    return { shown, expected: await renderAll(changed), after: await renderAll(plain) };
  } finally {
    plain.close();
    changed.close();
  }
}

const collectionId = (slug: string) => `(SELECT id FROM collections WHERE slug = '${slug}')`;

describe('pages with an overlay are those of the changed content', () => {
  it.each<[name: string, sql: string]>([
    ['a page', `UPDATE pages SET title = 'New', html = '<h1>{{ page.title }}</h1>' WHERE path = '/about'`],
    [
      'a moved page',
      `UPDATE pages SET path = '/moved', slug = 'moved', parent_id = root_id WHERE path = '/about/contact'`,
    ],
    ['a page that is a draft', `UPDATE pages SET published = 0 WHERE path = '/about'`],
    [
      'the order of pages',
      `UPDATE pages SET sort = 1000 - sort WHERE parent_id = (SELECT min(id) FROM pages WHERE parent_id IS NULL)`,
    ],
    ['snippets', `UPDATE snippets SET content = 'changed ' || content`],
    ['entries', `UPDATE items SET sort = 10000 - sort`],
    ['fewer entries', `DELETE FROM items WHERE id % 3 = 0`],
    ['unpublished entries', `UPDATE items SET published = 0 WHERE id % 2 = 0`],
    [
      'more entries',
      `INSERT INTO items (collection_id, sort, published, translation_group, created_at, updated_at, data)
       SELECT collection_id, sort + 1, 1, '', created_at, updated_at, data FROM items`,
    ],
    [
      'very many entries at once',
      `INSERT INTO bulk_items SELECT id FROM collections;
       UPDATE items SET data = json_set(data, '$.title', 'Bulk');
       DELETE FROM bulk_items`,
    ],
    [
      'a collection',
      `UPDATE collections SET slug = slug || 's' WHERE id = (SELECT min(id) FROM collections)`,
    ],
    ['assets', `UPDATE page_assets SET position = -position; UPDATE assets SET updated_at = updated_at + 5`],
    ['no assets', `DELETE FROM page_assets; DELETE FROM snippet_assets`],
    ['global blocks', `UPDATE global_blocks SET blocks = '[]'`],
    [
      'a redirect',
      `INSERT INTO redirects (root_id, source, target, target_path, status, auto, created_at)
       SELECT min(id), '/nothing', '/about', '/about', 301, 0, 1 FROM pages`,
    ],
    [
      'everything together',
      `UPDATE pages SET title = title || '!' WHERE id % 2 = 0;
       DELETE FROM items WHERE collection_id = ${collectionId('works')} AND id % 2 = 1;
       UPDATE snippets SET content = content || ' ';`,
    ],
  ])('%s', async (_name, sql) => {
    const { shown, expected, after } = await compare(sql);
    expect(expected).not.toEqual(before);
    expect(shown).toEqual(expected);
    // Nothing of it stays.
    expect(after).toEqual(before);
  });
});

it('cannot be had of changes that the log does not name', async () => {
  const copy = new Connection<ContentTables>(committed, { readonly: true });
  const everything = { root_id: null, parent_id: null, name: null, translation_group: null };
  const change = { seq: 1, kind: 'all', id: 0, parts: 0, now: everything, before: everything } as const;
  expect(readOverlay(copy, [change])).toBeUndefined();
  copy.close();
});
