import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { callOk } from '../support/api.ts';
import { download, hashOf, importBundle } from '../support/bundles.ts';
import { uploadOne } from '../support/media.ts';
import { makeTempDir, startServer } from '../support/server.ts';

/** The moments of kill -9 after the start of an import, in milliseconds; `CRASH_ROUNDS=25` adds more of them. */
const extraRounds = Number(process.env['CRASH_ROUNDS'] ?? 0);
const moments = [20, 200, ...Array.from({ length: extraRounds }, (_, index) => 10 + index * 37)];

describe('kill -9 during an import', () => {
  let bundle: Buffer;
  let imported: string;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = makeTempDir();
    const source = await startServer({ args: ['-demo'] });
    bundle = await download(source);
    imported = await hashOf(source);
    await source.stop();
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it.each(moments)('leaves the old state or the new one, whole (after %i ms)', async (moment) => {
    const server = await startServer({ dataDir });
    await callOk(server, 'POST', '/snippets', { name: `own-${moment}`, content: 'x' });
    await uploadOne(server, 'own.txt', 'own');
    const before = await hashOf(server);
    const answer = importBundle(server, bundle).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, moment));
    await server.end('SIGKILL');
    const isAcknowledged = (await answer)?.status === 200;

    const restarted = await startServer({ dataDir });
    const after = await hashOf(restarted);
    expect(isAcknowledged ? [imported] : [before, imported]).toContain(after);
    // The new server may be busy with files of its own.
    await expect.poll(() => readdirSync(join(dataDir, 'media', '.staging')), { timeout: 30_000 }).toEqual([]);
    const listUnfinished = () =>
      existsSync(join(dataDir, 'backups'))
        ? readdirSync(join(dataDir, 'backups')).filter((name) => name.startsWith('.'))
        : [];
    await expect.poll(listUnfinished, { timeout: 30_000 }).toEqual([]);
    await restarted.stop();
    const db = new Connection<object>(join(dataDir, 'content.db'));
    expect([db.pragma('integrity_check'), db.pragma('foreign_key_check')]).toEqual(['ok', undefined]);
    db.close();
  });
});
