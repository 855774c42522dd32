import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, callOk } from '../support/api.ts';
import { download, hashOf, importBundle } from '../support/bundles.ts';
import { createSnippet } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { discard, listTrash, restore } from '../support/trash.ts';

/** When the trash ends, and what bundles and the feed have of it. */

const dayMs = 86_400_000;
let nowMs = Date.UTC(2026, 0, 1);
let server: InProcessServer;

beforeAll(async () => {
  server = await startInProcess({ clock: () => nowMs });
});
afterAll(() => server.stop());

it('an object can be restored until its last second, then it is gone', async () => {
  const id = await createSnippet(server);
  const entry = await discard(server, `/snippets/${id}`, 'snippet', id);
  const start = nowMs;
  nowMs = start + 30 * dayMs - 1000;
  expect((await restore(server, entry.id, { dry_run: true })).status).toBe(200);
  nowMs = start + 30 * dayMs;
  expect(await listTrash(server)).toEqual([]);
  expect((await call(server, 'GET', `/trash/${entry.id}`)).status).toBe(404);
  expect((await restore(server, entry.id)).status).toBe(404);
});

it('a bundle leaves the trash out, and its import keeps it', async () => {
  const before = await download(server);
  const hash = await hashOf(server);
  const id = await createSnippet(server, { name: 'only-in-the-trash' });
  expect(await hashOf(server)).not.toBe(hash);
  const entry = await discard(server, `/snippets/${id}`, 'snippet', id);
  expect(await hashOf(server)).toBe(hash);
  expect((await importBundle(server, before)).status).toBe(200);
  expect((await listTrash(server)).map((one) => one.id)).toEqual([entry.id]);
});

it('a restore is told as a creation', async () => {
  const id = await createSnippet(server, { name: 'back-again' });
  const entry = await discard(server, `/snippets/${id}`, 'snippet', id);
  const { version } = await callOk(server, 'GET', '/changes?since=now');
  await restore(server, entry.id);
  const { changes } = await callOk(server, 'GET', `/changes?since=${version}`);
  expect(changes).toEqual([expect.objectContaining({ kind: 'snippet', id, action: 'created' })]);
});
