import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Connection } from '../../server/db/connection.ts';
import type { ContentTables } from '../../server/db/tables.ts';
import { callOk } from '../../test/support/api.ts';
import { startServer } from '../../test/support/server.ts';
import { fieldsOf, fillCollection } from '../data/fill.ts';
import { createGrowthSite } from '../growth/site.ts';

/** How large an installation is that editors still work with. */
export const amounts = { pages: 20_000, entries: 100_000, files: 20_000 } as const;

/** Makes a website, a collection `lamps` and a library of these sizes. */
export async function fillLarge(dataDir: string): Promise<void> {
  createGrowthSite(dataDir, amounts.pages);
  const server = await startServer({ dataDir });
  const collection = (slug: string, fields: readonly object[]) =>
    callOk(server, 'POST', '/collections', { slug, fields });
  const tags = await collection('tags', [{ name: 'title', type: 'text' }]);
  const lamps = await collection('lamps', fieldsOf(Number(tags['id'])));
  await server.stop();
  fillCollection(dataDir, Number(lamps['id']), amounts.entries);
  fillLibrary(dataDir);
}

/** Files without bytes: the list shows them all the same. */
function fillLibrary(dataDir: string): void {
  const db = new Connection<ContentTables>(join(dataDir, 'content.db'));
  db.execute('BEGIN');
  const insert = db.statement(
    `INSERT INTO files (name, path, mime, kind, size, alt, content, created_at, updated_at)
     VALUES (?, ?, 'application/pdf', 'document', 1000, '', ?, 1, 1)`,
  );
  for (let n = 0; n < amounts.files; n++) {
    const content = createHash('md5').update(String(n)).digest('hex');
    insert.run([`lamp-${n}.pdf`, `lamp-${n}.pdf`, content]);
  }
  db.execute('COMMIT');
  db.close();
}
