import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { createPage, createSite, idOf } from '../support/content.ts';
import { pageFile, siteFiles, TestFolder } from '../support/folders.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** The contract, "The program": `pull`, `push` and `diff`. */

const folders: TestFolder[] = [];
const servers: TestServer[] = [];
const newFolder = () => {
  const folder = new TestFolder();
  folders.push(folder);
  return folder;
};
const newServer = async () => {
  const server = await startServer();
  servers.push(server);
  return server;
};

let server: TestServer;
beforeAll(async () => {
  server = await newServer();
});
afterAll(async () => {
  for (const folder of folders) folder.remove();
  for (const one of servers) await one.stop();
});

/** A server with a website, and a folder that has it. */
async function pulled(): Promise<{
  site: number;
  folder: TestFolder;
  domain: string;
  get: (path: string) => Promise<Record<string, unknown>>;
}> {
  const domain = `d${folders.length}-${Date.now()}.test`;
  const site = await createSite(server, { title: 'Site', domains: domain });
  await createPage(server, site, {
    slug: 'visit',
    title: 'Visit',
    html: 'one\ntwo\nthree\nfour\n',
    published: true,
  });
  const folder = newFolder();
  expect(await folder.pull(server, { site: domain })).toMatchObject({ exitCode: 0, conflicts: [] });
  const get = async (path: string) => {
    const pages = await callList(server, '/pages');
    const page = pages.find((one) => one['root_id'] === site && one['path'] === path);
    return callOk(server, 'GET', `/pages/${page?.['id']}`);
  };
  return { site, folder, domain, get };
}

describe('the server', () => {
  it('says which formats it knows', async () => {
    expect(await callOk(server, 'GET', '/bundle/info')).toMatchObject({ folder_formats: [1] });
  });

  it('that cannot be reached, and one that refuses, is exit code 4', async () => {
    const folder = newFolder().write(siteFiles);
    expect(await folder.pull({ url: 'http://127.0.0.1:9' })).toMatchObject({ exitCode: 4 });
    expect(await folder.push(server, { token: 'ic_wrong' })).toMatchObject({ exitCode: 4 });
    expect(await folder.push(server, { token: undefined })).toMatchObject({ exitCode: 2 });
  });

  it('with several websites must be told which one', async () => {
    const { folder, domain } = await pulled();
    await createSite(server, { title: 'Other' });
    const other = newFolder();
    expect(await other.pull(server)).toMatchObject({ exitCode: 2 });
    expect(await other.pull(server, { site: 'nowhere.test' })).toMatchObject({ exitCode: 2 });
    expect(other.files()).toEqual({});
    expect(await other.pull(server, { site: domain })).toMatchObject({ exitCode: 0 });
    // The base says which website it is.
    expect(await folder.pull(server)).toMatchObject({ exitCode: 0, changes: [] });
  });
});

describe('a first push', () => {
  it('makes the website, and a pull elsewhere gives the same bytes', async () => {
    const target = await newServer();
    const folder = newFolder().write({
      ...siteFiles,
      'pages/about/index.html': pageFile('About', '<p>{{ image("media/Pictures/a.svg") }}</p>\n'),
      'pages/about/team/index.html': pageFile('Team', 'Team'),
      'media/Pictures/a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
      'redirects.csv': 'source,target,status,auto\n/old,/about,301,1\n/older,/about,302,0\n',
    });
    expect(await folder.push(target)).toMatchObject({ exitCode: 0, conflicts: [], findings: [] });
    const files = await callList(target, '/files');
    const pages = await callList(target, '/pages');
    const about = pages.find(({ path }) => path === '/about');
    expect(await callOk(target, 'GET', `/pages/${about?.['id']}`)).toMatchObject({
      title: 'About',
      published: true,
      html: `<p>{{ image(${files[0]?.['id']}) }}</p>\n`,
    });
    const redirects = await callList(target, `/redirects?root_id=${pages[0]?.['root_id']}`);
    expect(redirects.map(({ source, status, auto }) => [source, status, auto])).toEqual([
      ['/old', 301, true],
      ['/older', 302, false],
    ]);
    const copy = newFolder();
    expect(await copy.pull(target)).toMatchObject({ exitCode: 0 });
    expect(copy.files()).toEqual(folder.files());
    expect(await folder.push(target)).toMatchObject({ exitCode: 0, changes: [], changeSet: null });
    expect(await folder.diff(target)).toMatchObject({ exitCode: 0, changes: [] });
    const sets = await callList(target, '/change-sets');
    expect(sets).toMatchObject([{ purpose: 'push', state: 'published' }]);
  });

  it('that the server refuses leaves nothing behind', async () => {
    const target = await newServer();
    const folder = newFolder().write({
      ...siteFiles,
      'sources/bad.json': '{ "url": "ftp://example.org" }\n',
      'media/a.txt': 'text',
    });
    const outcome = await folder.push(target);
    expect(outcome).toMatchObject({ exitCode: 1 });
    expect(outcome.findings).toMatchObject([
      { file: 'sources/bad.json', level: 'error', code: 'common.invalid' },
    ]);
    expect(await callList(target, '/pages')).toEqual([]);
    expect(await callList(target, '/files')).toEqual([]);
  });
});

describe('a first push of collections', () => {
  it('keeps the values of entries whose collection waits for another one and for its page', async () => {
    const field = (name: string, more: object = {}) => ({ name, type: 'text', ...more });
    const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
    const target = await newServer();
    const folder = newFolder().write({
      ...siteFiles,
      'pages/news/index.html': pageFile('News', '<h1>News</h1>\n').replace(
        'title:',
        'catch_all: true\ntitle:',
      ),
      'collections/articles/collection.json': json({
        detail_page_id: '/news',
        fields: [
          field('title'),
          field('slug'),
          field('section', { type: 'reference', collection: 'sections' }),
        ],
      }),
      'collections/articles/entries/plum.json': json({ section: 'kitchen', slug: 'plum', title: 'Plum' }),
      'collections/sections/collection.json': json({ fields: [field('title')] }),
      'collections/sections/entries/kitchen.json': json({ title: 'Kitchen' }),
    });
    expect(await folder.push(target)).toMatchObject({ findings: [], conflicts: [], exitCode: 0 });
    const [kitchen] = await callList(target, '/collections/sections/items');
    const articles = await callList(target, '/collections/articles/items');
    expect(articles).toMatchObject([{ data: { title: 'Plum', slug: 'plum', section: kitchen?.['id'] } }]);
    expect(await folder.push(target)).toMatchObject({ changes: [], exitCode: 0 });
  });
});

describe('merging', () => {
  it('keeps what both sides have changed, line by line and field by field', async () => {
    const { folder, get } = await pulled();
    const { id } = await get('/visit');
    await callOk(server, 'PUT', `/pages/${id}`, { html: 'ONE\ntwo\nthree\nfour\n', description: 'live' });
    folder.write({ 'pages/visit/index.html': pageFile('Mine', 'one\ntwo\nthree\nFOUR\n') });
    expect(await folder.push(server)).toMatchObject({ exitCode: 0, conflicts: [] });
    expect(await get('/visit')).toMatchObject({
      html: 'ONE\ntwo\nthree\nFOUR\n',
      description: 'live',
      title: 'Mine',
    });
    // The folder is left as it is, and the next pull brings the rest.
    expect(folder.read('pages/visit/index.html')).toBe(pageFile('Mine', 'one\ntwo\nthree\nFOUR\n'));
    expect(await folder.push(server)).toMatchObject({ changes: [], changeSet: null });
    expect(await folder.pull(server)).toMatchObject({ exitCode: 0 });
    expect(folder.read('pages/visit/index.html')).toBe(
      '---\ndescription: live\ntitle: Mine\n---\nONE\ntwo\nthree\nFOUR\n',
    );
  });

  it('lists conflicts and writes nothing', async () => {
    const { folder, get } = await pulled();
    const { id } = await get('/visit');
    await callOk(server, 'PUT', `/pages/${id}`, { title: 'Live' });
    folder.write({ 'pages/visit/index.html': pageFile('Mine', 'other') });
    const before = folder.files();
    for (const outcome of [await folder.push(server), await folder.pull(server), await folder.push(server)])
      expect(outcome).toMatchObject({
        exitCode: 1,
        conflicts: [
          { file: 'pages/visit/index.html', field: 'title', base: 'Visit', mine: 'Mine', live: 'Live' },
        ],
      });
    expect(folder.files()).toEqual(before);
    expect(await get('/visit')).toMatchObject({ title: 'Live', html: 'one\ntwo\nthree\nfour\n' });
  });

  it('marks conflicts only if it is told to, and refuses marks', async () => {
    const { folder, get } = await pulled();
    const { id } = await get('/visit');
    await callOk(server, 'PUT', `/pages/${id}`, { title: 'Live' });
    folder.write({ 'pages/visit/index.html': pageFile('Mine', 'one\ntwo\nthree\nfour\n') });
    expect(await folder.pull(server, { mark: true })).toMatchObject({ exitCode: 1 });
    expect(folder.read('pages/visit/index.html')).toBe(
      '---\n<<<<<<< mine\ntitle: Mine\n=======\ntitle: Live\n>>>>>>> live\n---\none\ntwo\nthree\nfour\n',
    );
    expect(await folder.push(server)).toMatchObject({
      exitCode: 1,
      findings: [{ file: 'pages/visit/index.html', line: 2, code: 'folder.conflictMark' }],
    });
    folder.write({ 'pages/visit/index.html': pageFile('Both', 'one\ntwo\nthree\nfour\n') });
    expect(await folder.push(server)).toMatchObject({ exitCode: 0 });
    expect(await get('/visit')).toMatchObject({ title: 'Both' });
  });

  it('lists files that nobody pulled as conflicts and writes nothing', async () => {
    const { domain } = await pulled();
    const folder = newFolder().write({ 'site.json': '{"format": 1, "title": "Another"}' });
    const outcome = await folder.pull(server, { site: domain });
    expect(outcome).toMatchObject({ exitCode: 1 });
    expect(outcome.conflicts.map(({ field }) => field)).toContain('title');
    expect(Object.keys(folder.files())).toEqual(['site.json']);
  });
});

describe('deletions', () => {
  it('need --yes or an answer', async () => {
    const { folder, site } = await pulled();
    const count = async () =>
      (await callList(server, '/pages')).filter((page) => page['root_id'] === site).length;
    folder.write({ 'pages/visit': undefined });
    const deletion = { file: 'pages/visit/index.html', op: 'delete' };
    expect(await folder.push(server)).toMatchObject({ exitCode: 3, changes: [deletion] });
    expect(await folder.push(server, { confirm: async () => false })).toMatchObject({ exitCode: 3 });
    expect(await count()).toBe(2);
    expect(await folder.push(server, { yes: true })).toMatchObject({ exitCode: 0, changes: [deletion] });
    expect(await count()).toBe(1);
  });

  it('of what somebody has changed are conflicts, on both sides', async () => {
    const { folder, site, get } = await pulled();
    const visit = await get('/visit');
    const other = await createPage(server, site, { slug: 'other', html: 'x' });
    await folder.pull(server);
    folder.write({ 'pages/visit': undefined, 'pages/other/index.html': pageFile('Changed', 'x') });
    await callOk(server, 'PUT', `/pages/${visit['id']}`, { html: 'changed' });
    await callOk(server, 'DELETE', `/pages/${other}`);
    const outcome = await folder.push(server, { yes: true });
    expect(outcome.conflicts.map(({ file, field }) => [file, field]).toSorted()).toEqual([
      ['pages/other/index.html', 'deleted'],
      ['pages/visit/index.html', 'changed'],
    ]);
  });

  it('never hit what only this folder lacks', async () => {
    const { folder } = await pulled();
    const snippet = await callOk(server, 'POST', '/snippets', { name: `kept-${Date.now()}` });
    expect(await folder.push(server, { yes: true })).toMatchObject({ exitCode: 0, changes: [] });
    expect(await call(server, 'GET', `/snippets/${idOf(snippet)}`)).toMatchObject({ status: 200 });
  });

  it('of a page into which an editor has put another one are conflicts', async () => {
    const { folder, get } = await pulled();
    const visit = await get('/visit');
    await createPage(server, Number(visit['id']), { slug: 'new', html: 'new' });
    folder.write({ 'pages/visit': undefined });
    const outcome = await folder.push(server, { yes: true });
    expect(outcome).toMatchObject({
      exitCode: 1,
      conflicts: [{ file: 'pages/visit/index.html', field: 'changed' }],
    });
  });
});

describe('moves', () => {
  it('keep the page, its versions, and make a redirect', async () => {
    const { folder, get, site } = await pulled();
    const before = await get('/visit');
    const text = folder.read('pages/visit/index.html');
    folder.write({ 'pages/visit': undefined, 'pages/plan/index.html': text.replace('four', 'five') });
    expect(await folder.push(server)).toMatchObject({
      exitCode: 0,
      changes: [{ file: 'pages/plan/index.html', op: 'move' }],
    });
    expect(await get('/plan')).toMatchObject({ id: before['id'], html: 'one\ntwo\nthree\nfive\n' });
    const redirects = await callList(server, `/redirects?root_id=${site}`);
    expect(redirects).toMatchObject([{ source: '/visit', target: '/plan', auto: true }]);
    await folder.pull(server);
    expect(folder.read('redirects.csv')).toBe('source,target,status,auto\n/visit,/plan,301,1\n');
  });

  it('of what is hardly alike are a deletion and a creation', async () => {
    const { folder } = await pulled();
    folder.write({ 'pages/visit': undefined, 'pages/plan/index.html': pageFile('Quite', 'something else') });
    const outcome = await folder.push(server, { yes: true });
    expect(outcome.changes.map(({ op }) => op).toSorted()).toEqual(['create', 'delete']);
  });

  it('on the server come with the next pull', async () => {
    const { folder, get } = await pulled();
    const { id } = await get('/visit');
    folder.write({ 'pages/visit/new/index.html': pageFile('New', 'below') });
    await callOk(server, 'PUT', `/pages/${id}`, { slug: 'moved' });
    expect(await folder.push(server)).toMatchObject({ exitCode: 0 });
    expect(await get('/moved/new')).toMatchObject({ title: 'New' });
    expect(await folder.pull(server)).toMatchObject({ exitCode: 0 });
    expect(Object.keys(folder.files())).toEqual(
      expect.arrayContaining(['pages/moved/index.html', 'pages/moved/new/index.html']),
    );
    expect(Object.keys(folder.files())).not.toContain('pages/visit/index.html');
  });

  it('follow the order of the folder', async () => {
    const { folder, site } = await pulled();
    const page = (order: number) => `---\norder: ${order}\ntitle: x\n---\nx`;
    folder.write({
      'pages/a/index.html': page(3),
      'pages/b/index.html': page(1),
      'pages/c/index.html': page(2),
    });
    await folder.push(server);
    const order = async () =>
      (await callList(server, '/pages'))
        .filter((one) => one['parent_id'] === site)
        .toSorted((left, right) => Number(left['sort']) - Number(right['sort']))
        .map(({ slug }) => slug);
    expect(await order()).toEqual(['b', 'c', 'a', 'visit']);
    folder.write({ 'pages/a/index.html': page(0) });
    await folder.push(server);
    expect(await order()).toEqual(['a', 'b', 'c', 'visit']);
    expect(await folder.pull(server)).toMatchObject({ changes: [] });
    expect(folder.read('pages/a/index.html')).toBe(page(0));
  });
});

describe('a release', () => {
  it('is left for others, and the base stays', async () => {
    const { folder, get } = await pulled();
    folder.write({ 'pages/visit/index.html': pageFile('Mine', 'mine') });
    const outcome = await folder.push(server, { release: 'Summer' });
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(await callOk(server, 'GET', `/change-sets/${outcome.changeSet}`)).toMatchObject({
      name: 'Summer',
      purpose: 'release',
      state: 'open',
    });
    expect(await get('/visit')).toMatchObject({ title: 'Visit' });
    expect((await folder.push(server)).changes).toHaveLength(1);
    expect(await get('/visit')).toMatchObject({ title: 'Mine' });
  });
});

describe('new bytes of a file', () => {
  const media = async (folder: TestFolder) => {
    const name = `photo-${folders.length}-${Date.now()}.txt`;
    folder.write({ [`media/${name}`]: 'old' });
    expect(await folder.push(server)).toMatchObject({ exitCode: 0 });
    const [file] = (await callList(server, '/files')).filter((one) => one['name'] === name);
    return { path: `media/${name}`, id: Number(file?.['id']), url: `${server.url}${file?.['url']}` };
  };
  const text = async (url: string) => (await fetch(url)).text();

  it('are part of the change set, and the address stays', async () => {
    const { folder } = await pulled();
    const { path, id, url } = await media(folder);
    folder.write({ [path]: 'new bytes', 'pages/visit/index.html': pageFile('Mine', 'x') });
    const outcome = await folder.push(server);
    expect(outcome).toMatchObject({ exitCode: 0, findings: [], conflicts: [] });
    expect(await text(url)).toBe('new bytes');
    const items = await callList(server, `/change-sets/${outcome.changeSet}/items`);
    expect(items.find(({ kind }) => kind === 'file')).toMatchObject({ id, fields: ['content'] });
    expect((await callList(server, '/files')).filter(({ name }) => path.endsWith(String(name)))).toHaveLength(
      1,
    );
    expect(await folder.push(server)).toMatchObject({ exitCode: 0, changes: [], changeSet: null });
    expect(await folder.pull(server)).toMatchObject({ exitCode: 0, changes: [] });
    expect(folder.read(path)).toBe('new bytes');
  });

  it('do not count as changed on the server because of their size, also when the file is deleted', async () => {
    const { folder } = await pulled();
    const { path, id } = await media(folder);
    folder.write({ [path]: undefined });
    expect(await folder.push(server, { yes: true })).toMatchObject({ exitCode: 0, conflicts: [] });
    expect((await call(server, 'GET', `/files/${id}`)).status).toBe(404);
  });

  it('stay away from the server if anything else is refused', async () => {
    const { folder } = await pulled();
    const { path, url } = await media(folder);
    const before = await callList(server, '/files');
    folder.write({ [path]: 'new bytes', 'sources/bad.json': '{ "url": "ftp://example.org" }\n' });
    expect(await folder.push(server)).toMatchObject({ exitCode: 1, changeSet: null });
    expect(await text(url)).toBe('old');
    expect(await callList(server, '/files')).toEqual(before);
    expect(folder.read(path)).toBe('new bytes');
    folder.write({ 'sources/bad.json': undefined });
    expect(await folder.push(server)).toMatchObject({ exitCode: 0 });
    expect(await text(url)).toBe('new bytes');
  });

  it('that both sides have are a conflict, and nothing is written', async () => {
    const { folder } = await pulled();
    const { path, id, url } = await media(folder);
    const form = new FormData();
    form.set('file', new Blob(['live']), 'x.txt');
    const headers = { Authorization: `Bearer ${masterToken}` };
    await fetch(`${server.url}/api/v1/files/${id}`, { method: 'PUT', headers, body: form });
    folder.write({ [path]: 'mine' });
    for (const outcome of [await folder.push(server), await folder.pull(server)])
      expect(outcome).toMatchObject({ exitCode: 1, conflicts: [{ file: path }] });
    expect([await text(url), folder.read(path)]).toEqual(['live', 'mine']);
  });
});

describe('a pen', () => {
  it('that the server refuses stays in the folder, and is sent when it is right', async () => {
    const { folder, get } = await pulled();
    const name = `pens/pen-${Date.now()}.json`;
    folder.write({
      [name]: JSON.stringify({ title: 'x'.repeat(5000) }),
      'pages/visit/index.html': pageFile('Mine', 'x'),
    });
    expect(await folder.push(server)).toMatchObject({ exitCode: 4 });
    expect(await get('/visit')).toMatchObject({ title: 'Mine' });
    const title = `Right ${name}`;
    for (const run of [() => folder.pull(server), () => folder.push(server, { yes: true })]) {
      await run();
      expect(Object.keys(folder.files())).toContain(name);
    }
    folder.write({ [name]: JSON.stringify({ title }) });
    expect(await folder.push(server)).toMatchObject({ exitCode: 0 });
    expect((await callList(server, '/pens')).filter((pen) => pen['title'] === title)).toHaveLength(1);
    expect(await folder.push(server)).toMatchObject({ exitCode: 0, changes: [] });
    expect(await folder.pull(server)).toMatchObject({ exitCode: 0, changes: [] });
  });
});

describe('private files', () => {
  it('come with a pull, unless they are left out', async () => {
    const { folder, domain } = await pulled();
    folder.write({ 'media/secret.txt': 'secret', 'media.json': '{"media/secret.txt": {"private": true}}' });
    await folder.push(server);
    const [file] = (await callList(server, '/files')).filter(({ name }) => name === 'secret.txt');
    expect(file).toMatchObject({ private: true });
    const [all, without] = [newFolder(), newFolder()];
    await all.pull(server, { site: domain });
    await without.pull(server, { site: domain, noPrivate: true });
    expect(all.files()).toMatchObject({ 'media/secret.txt': 'secret' });
    expect(Object.keys(without.files())).not.toContain('media/secret.txt');
    expect(await without.push(server, { yes: true })).toMatchObject({ changes: [] });
  });
});

describe('a base', () => {
  const git = (folder: TestFolder, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: folder.path,
    });

  it('that is lost is the commit that was noted, if git has it', async () => {
    const { folder, domain, get } = await pulled();
    git(folder, 'init', '-q');
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'pulled');
    expect(folder.read('.gitignore')).toBe('.incipit/\n');
    await folder.push(server);
    const state = `.incipit/${new URL(server.url).host.replace(':', '_')}`;
    folder.write({ [`${state}/base.json`]: undefined });
    const { id } = await get('/visit');
    await callOk(server, 'PUT', `/pages/${id}`, { description: 'live' });
    folder.write({ 'pages/visit/index.html': pageFile('Mine', 'one\ntwo\nthree\nfour\n') });
    expect(await folder.pull(server, { site: domain })).toMatchObject({ exitCode: 0, conflicts: [] });
    expect(folder.read('pages/visit/index.html')).toContain('description: live\ntitle: Mine');
  });
});

describe('files that cannot be read', () => {
  it('are no deletions', async () => {
    const { folder, get } = await pulled();
    folder.write({ 'pages/visit/index.html': '---\ntitle: [\n---\n' });
    expect(await folder.push(server, { yes: true, force: true })).toMatchObject({ changes: [] });
    expect(await get('/visit')).toMatchObject({ title: 'Visit' });
    expect(await folder.pull(server)).toMatchObject({ exitCode: 1 });
    expect(folder.read('pages/visit/index.html')).toBe('---\ntitle: [\n---\n');
  });

  it('stop a push in changed files only, unless it is forced', async () => {
    const { folder, get } = await pulled();
    folder.write({ 'pages/visit/index.html': pageFile('Mine', '{{ image("media/none.png") }}') });
    const finding = { file: 'pages/visit/index.html', line: 4, code: 'folder.referenceMissing' };
    expect(await folder.push(server)).toMatchObject({ exitCode: 1, findings: [finding] });
    expect(await get('/visit')).toMatchObject({ title: 'Visit' });
    expect(await folder.push(server, { force: true })).toMatchObject({ exitCode: 0 });
    expect(await get('/visit')).toMatchObject({ title: 'Mine' });
    expect(await folder.push(server)).toMatchObject({ exitCode: 0, changes: [] });
  });
});
