import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { asRecord, call, callOk } from '../support/api.ts';
import {
  createAsset,
  createCollection,
  createGlobalBlock,
  createItem,
  createPage,
  createRedirect,
  createSite,
  createSnippet,
  idOf,
} from '../support/content.ts';
import { uploadOne } from '../support/media.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { contentFile } from '../support/shared-database.ts';
import { findTrashed, inputFlow, listTrash, restore } from '../support/trash.ts';

/** The trash: every deletion can be taken back as a whole. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server, { title: 'Museum', lang: 'en' });
});
afterAll(() => server.stop());

/** Tables in which a deletion and its restore leave traces on purpose. */
const logs = new Set([
  ...['changes', 'commits', 'trash', 'trash_rows', 'trash_contents', 'outbox', 'log_positions'],
  ...['reference_backlog', 'replica_state'],
]);

/** All rows of all tables, by table. */
function readTables(): Record<string, unknown[]> {
  const db = new Connection<object>(contentFile(server.dataDir), { readonly: true });
  try {
    const names = db
      .statement("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .all([])
      .map(({ name }) => String(name))
      .filter((name) => !logs.has(name));
    return Object.fromEntries(
      names.map((name) => [
        name,
        db
          .statement(`SELECT * FROM "${name}"`)
          .all([])
          .map((row) => JSON.stringify(row))
          .sort(),
      ]),
    );
  } finally {
    db.close();
  }
}

interface Case {
  readonly kind: string;
  readonly path: string;
  readonly id: number;
}

const makers: Readonly<Record<string, () => Promise<Case>>> = {
  async page() {
    const asset = await createAsset(server);
    const id = await createPage(server, site, { title: 'Visit', assets: [{ asset_id: asset }], lang: 'en' });
    const below = await createPage(server, id, { published: true, html: '<a href="/x">x</a>' });
    await callOk(server, 'PUT', `/pages/${below}`, { title: 'Changed' });
    const german = await createPage(server, site, { lang: 'de' });
    await call(server, 'POST', `/pages/${id}/translations`, { body: { page_id: german } });
    await callOk(server, 'POST', `/pages/${id}/preview-links`, {});
    await callOk(server, 'PUT', `/pages/${site}`, { notfound_page_id: below });
    return { kind: 'page', path: `/pages/${id}`, id };
  },
  async site() {
    const id = await createSite(server, { title: 'Other', domains: 'other.example' });
    await callOk(server, 'PUT', `/pages/${id}`, { default_site: true });
    await createRedirect(server, id);
    await createPage(server, await createPage(server, id));
    return { kind: 'page', path: `/pages/${id}`, id };
  },
  async snippet() {
    const asset = await createAsset(server);
    const id = await createSnippet(server, { content: '<b>1</b>', assets: [{ asset_id: asset }] });
    await callOk(server, 'PUT', `/snippets/${id}`, { content: '<b>2</b>' });
    return { kind: 'snippet', path: `/snippets/${id}`, id };
  },
  async asset() {
    const id = await createAsset(server, { content: 'a{}' });
    const other = await createAsset(server);
    await createPage(server, site, { assets: [{ asset_id: other }, { asset_id: id, inherit: true }] });
    await createSnippet(server, { assets: [{ asset_id: id }] });
    return { kind: 'asset', path: `/assets/${id}`, id };
  },
  async global_block() {
    const id = await createGlobalBlock(server);
    return { kind: 'global_block', path: `/global-blocks/${id}`, id };
  },
  async collection() {
    const fields = [{ name: 'title', type: 'text' }];
    const id = await createCollection(server, { fields, lang: 'en' });
    const german = await createCollection(server, { fields, lang: 'de' });
    const [entry, other] = [
      await createItem(server, id, { title: 'Lamp' }),
      await createItem(server, german, { title: 'Lampe' }),
    ];
    await createItem(server, id, { title: 'Chair' });
    await call(server, 'POST', `/collections/${id}/items/${entry}/translations`, {
      body: { collection: german, item_id: other },
    });
    return { kind: 'collection', path: `/collections/${id}`, id };
  },
  async item() {
    const collection = await createCollection(server, { fields: [{ name: 'title', type: 'text' }] });
    const id = await createItem(server, collection, { title: 'Lamp' });
    await callOk(server, 'PUT', `/collections/${collection}/items/${id}`, { data: { title: 'Lamp 2' } });
    return { kind: 'item', path: `/collections/${collection}/items/${id}`, id };
  },
  async redirect() {
    const id = await createRedirect(server, site);
    return { kind: 'redirect', path: `/redirects/${id}`, id };
  },
  async source() {
    const body = { slug: 'weather', url: 'https://example.org/', headers: { 'X-Key': 'secret' } };
    const id = idOf(await callOk(server, 'POST', '/sources', body));
    return { kind: 'source', path: `/sources/${id}`, id };
  },
  async workflow() {
    const id = idOf(await callOk(server, 'POST', '/workflows', { name: 'Hook', flow: inputFlow('/hook') }));
    await callOk(server, 'PUT', `/workflows/${id}`, { description: 'changed' });
    return { kind: 'workflow', path: `/workflows/${id}`, id };
  },
  async flow_node() {
    const id = idOf(await callOk(server, 'POST', '/flow-nodes', { name: 'Twice', code: 'return msg;' }));
    return { kind: 'flow_node', path: `/flow-nodes/${id}`, id };
  },
  async folder() {
    const id = idOf(await callOk(server, 'POST', '/folders', { name: 'Pictures' }));
    await callOk(server, 'POST', '/folders', { name: 'Old', parent_id: id });
    await uploadOne(server, 'in-folder.txt', 'text', { folder_id: String(id) });
    return { kind: 'folder', path: `/folders/${id}`, id };
  },
  async file() {
    const file = asRecord(await uploadOne(server, 'notes.txt', 'text'));
    const id = idOf(file);
    await callOk(server, 'PUT', `/files/${id}`, { alt: 'Notes', focus_x: 1 / 3 });
    await createPage(server, site, { html: `<a href="${file['url']}">notes</a>` });
    return { kind: 'file', path: `/files/${id}`, id };
  },
};

describe('a deletion and its restore', () => {
  it.each(Object.entries(makers))('of a %s leave all tables as they were', async (_name, make) => {
    const { kind, path, id } = await make();
    const before = readTables();
    expect((await call(server, 'DELETE', path)).status).toBe(204);
    expect(readTables()).not.toEqual(before);
    const entry = await findTrashed(server, kind, id);
    expect(entry).toMatchObject({ kind, object_id: id, deleted_by: 'Master-Token' });
    const { status, body } = await restore(server, entry.id);
    expect({ status, body }).toMatchObject({ status: 200, body: { restored: [{ kind, id }] } });
    expect(readTables()).toEqual(before);
    expect(await listTrash(server, `?kind=${kind}`)).toEqual([]);
  });
});
