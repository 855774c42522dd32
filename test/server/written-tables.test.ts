import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Cluster } from '../../server/cluster/index.ts';
import { type TableNames, WrittenTables } from '../../server/db/written-tables.ts';
import { call, callOk } from '../support/api.ts';
import { createCollection, createItem, createPage, createSite, createSnippet } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { upload } from '../support/media.ts';
import { postgresFolder, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { logIn, setUp, withSession } from '../support/session.ts';

/**
 * The tables that prepared queries say they have written, compared with those of which triggers have noted rows. A
 * table that is missing would leave what follows it as it was.
 */
describe.skipIf(postgresFolder === undefined)('the tables that a change has written', () => {
  const commits: { readonly written: TableNames; readonly noted: ReadonlySet<string> }[] = [];
  let postgres: TestPostgres;
  let server: InProcessServer;

  beforeAll(async () => {
    postgres = await startPostgres();
    vi.stubEnv('IC_TEST_POSTGRES', postgres.url);
    noteCommits(commits);
    server = await startInProcess();
  });
  afterAll(async () => {
    await server?.stop();
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    await postgres?.remove();
  });

  it('are those of which rows have changed, also by triggers and references', async () => {
    await changeEverything(server);
    for (const { written, noted } of commits)
      expect(written === 'all' ? [] : [...noted].filter((table) => !written.has(table))).toEqual([]);
    const all = new Set(commits.flatMap(({ noted }) => [...noted]));
    expect([...followed].filter((table) => !all.has(table))).toEqual([]);
  });

  it('are few for a small change', async () => {
    const page = await createPage(server, await createSite(server, { title: 'Small' }), { slug: 'small' });
    await callOk(server, 'PUT', `/pages/${page}`, { title: 'Other' });
    const written = commits.at(-1)?.written ?? 'all';
    expect([...written].filter((table) => followed.has(table)).sort()).toEqual(['commits', 'pages']);
  });
});

/** Tables that something is held of in memory, and some that only triggers and references change. */
const followed: ReadonlySet<string> = new Set([
  ...['assets', 'collections', 'commits', 'extdb_connections', 'files', 'flow_nodes', 'object_references'],
  ...['page_assets', 'pages', 'redirects', 'roles', 'settings', 'snippets', 'sources', 'tokens', 'users'],
  ...['webhooks', 'workflow_secrets', 'workflows'],
]);

function noteCommits(commits: { readonly written: TableNames; readonly noted: ReadonlySet<string> }[]): void {
  let noted: ReadonlySet<string> = new Set();
  const { commit } = Cluster.prototype;
  vi.spyOn(Cluster.prototype, 'commit').mockImplementation(function (this: Cluster) {
    noted = this.content.capture.changedTables();
    return commit.call(this);
  });
  const { take } = WrittenTables.prototype;
  vi.spyOn(WrittenTables.prototype, 'take').mockImplementation(function (this: WrittenTables) {
    const written = take.call(this);
    commits.push({ written, noted });
    return written;
  });
}

/** Writes rows of every table that something follows, and deletes what others refer to. */
async function changeEverything(server: InProcessServer): Promise<void> {
  const put = (path: string, body: object) => callOk(server, 'PUT', path, body);
  const post = (path: string, body: object) => callOk(server, 'POST', path, body);
  const home = await createSite(server, { title: 'Home' });
  const asset = await post('/assets', { name: 'base', kind: 'css', content: 'a{}' });
  await createSnippet(server, { name: 'part', content: 'part' });
  const page = await createPage(server, home, { slug: 'page', html: '{% include "part" %}' });
  await put(`/pages/${page}`, { assets: [{ asset_id: asset['id'], inherit: false }] });
  await put(`/pages/${page}`, { slug: 'moved' });
  for (const notfound_page_id of [page, 0]) await put(`/pages/${home}`, { notfound_page_id });
  await post('/redirects', { root_id: home, source: '/a', target: '/moved' });
  await createCollection(server, { slug: 'news', fields: [{ name: 'title', type: 'text' }] });
  const item = await createItem(server, 'news', { title: 'Tide' });
  await put(`/collections/news/items/${item}`, { title: 'Wave' });
  await post('/sources', { slug: 'list', name: 'List', url: 'https://example.com/' });
  await setUp(server);
  const session = await logIn(server);
  await call(server, 'POST', '/roles', withSession(session, { name: 'role' }));
  await call(server, 'POST', '/tokens', withSession(session, { name: 'token', can_write: false }));
  await put('/system/mail', { host: 'mail.example.com' });
  await put('/extdb', [{ name: 'db', url: 'https://db.example.com/', token: 't' }]);
  await post('/webhooks', { url: 'https://hook.example.com/', events: ['content.changed'] });
  await put('/workflow-secrets/KEY', { value: 'secret' });
  await post('/flow-nodes', { key: 'shout', name: 'Shout', code: 'return msg' });
  const workflow = await post('/workflows', { name: 'Flow', enabled: true, flow: { nodes: [], wires: [] } });
  await callOk(server, 'DELETE', `/workflows/${workflow['id']}`);
  await upload(server, [{ name: 'text.txt', bytes: 'text' }]);
  await callOk(server, 'DELETE', `/assets/${asset['id']}`);
  await callOk(server, 'DELETE', `/pages/${home}`);
  await callOk(server, 'DELETE', '/collections/news');
}
