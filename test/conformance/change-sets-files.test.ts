import { afterAll, beforeAll, expect, it } from 'vitest';
import { asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { download, importBundle } from '../support/bundles.ts';
import { createPage, createSite, createSnippet, freshName, idOf } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { draw, uploadOne } from '../support/media.ts';

/** The contract, "Change sets": a file that only a change set uses is no unused file; bundles leave change sets alone. */

const dayMs = 86_400_000;
let nowMs = Date.UTC(2026, 0, 1);
let server: InProcessServer;
let site: number;

beforeAll(async () => {
  server = await startInProcess({ clock: () => nowMs });
  site = await createSite(server);
});
afterAll(() => server.stop());

const release = async () => idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('r') }));
const put = (set: number, of: string, body: object) =>
  callOk(server, 'PUT', `/change-sets/${set}/items/${of}`, body);

async function addFile(): Promise<{ id: number; url: string }> {
  const name = `${freshName('f')}.png`;
  const bytes = await draw({ width: 4, height: 4, format: 'png' });
  const { id, url } = await uploadOne(server, name, bytes);
  return { id: Number(id), url: String(url) };
}

async function isUnused(id: number): Promise<boolean> {
  const { files } = await callOk(server, 'GET', '/cleanup');
  return Array.isArray(files) && files.some((file) => asRecord(file)['id'] === id);
}

const holders: readonly [string, (set: number, file: { id: number; url: string }) => Promise<string>][] = [
  [
    'an image of a page',
    async (set, { id }) => {
      const of = `page/${await createPage(server, site)}`;
      await put(set, of, { og_image_file_id: id });
      return of;
    },
  ],
  [
    'an address in a template',
    async (set, { url }) => {
      const of = `snippet/${await createSnippet(server)}`;
      await put(set, of, { content: `<img src="${url}" alt="">` });
      return of;
    },
  ],
  [
    'an object that the set creates',
    async (set, { url }) => {
      const data = { name: freshName('s'), content: `<img src="${url}" alt="">` };
      const { id } = await callOk(server, 'POST', `/change-sets/${set}/items`, {
        ...{ op: 'create', kind: 'snippet', data },
      });
      return `snippet/${id}`;
    },
  ],
];

it.each(holders)('%s keeps its file in use until it leaves the set', async (_name, use) => {
  const file = await addFile();
  expect(await isUnused(file.id)).toBe(true);
  const set = await release();
  const of = await use(set, file);
  expect(await isUnused(file.id)).toBe(false);
  expect(await call(server, 'DELETE', `/files/${file.id}?if_unused=1`)).toMatchObject({
    status: 409,
    body: { code: 'common.inUse', params: { usage: [{ kind: 'change_set', id: set }] } },
  });
  expect(await callOk(server, 'POST', '/cleanup', { files: [file.id] })).toMatchObject({
    skipped: [{ kind: 'file', id: file.id }],
  });
  expect((await call(server, 'DELETE', `/change-sets/${set}/items/${of}`)).status).toBe(204);
  expect(await isUnused(file.id)).toBe(true);
});

it('a discarded set keeps its files for thirty days', async () => {
  const file = await addFile();
  const set = await release();
  await put(set, `page/${await createPage(server, site)}`, { og_image_file_id: file.id });
  await call(server, 'DELETE', `/change-sets/${set}`);
  nowMs += 30 * dayMs - 1000;
  expect(await isUnused(file.id)).toBe(false);
  expect(outcomeOf(await call(server, 'DELETE', `/files/${file.id}?if_unused=1`)).status).toBe(409);
  nowMs += 2000;
  expect(await isUnused(file.id)).toBe(true);
  expect((await call(server, 'DELETE', `/files/${file.id}?if_unused=1`)).status).toBe(204);
});

it('a published set does not keep files that nothing uses any more', async () => {
  const file = await addFile();
  const page = await createPage(server, site);
  const set = await release();
  await put(set, `page/${page}`, { og_image_file_id: file.id });
  await callOk(server, 'POST', `/change-sets/${set}/publish`);
  expect(await isUnused(file.id)).toBe(false);
  await callOk(server, 'PUT', `/pages/${page}`, { og_image_file_id: 0 });
  expect(await isUnused(file.id)).toBe(true);
});

it('change sets are in no bundle, and survive its import', async () => {
  const page = await createPage(server, site, { title: 'Live' });
  const before = await download(server);
  const set = await release();
  await put(set, `page/${page}`, { title: 'Mine' });
  expect(await callOk(server, 'GET', `/change-sets/${set}`)).toMatchObject({ items: 1 });
  expect((await importBundle(server, before)).status).toBe(200);
  expect(await callOk(server, 'GET', `/change-sets/${set}`)).toMatchObject({ state: 'open', items: 1 });
  await callOk(server, 'POST', `/change-sets/${set}/publish`);
  expect(await callOk(server, 'GET', `/pages/${page}`)).toMatchObject({ title: 'Mine' });
});
