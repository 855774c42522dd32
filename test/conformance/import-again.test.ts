/** Importing a website again (Data, Automation and Operations, "Website import", the text after the rules). */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { draw } from '../support/media.ts';
import { endOf, logOf, Origin, type OriginAnswer, runJob } from '../support/origin.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let origin: Origin;
let target: number;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
afterEach(() => origin.close());

/** Answers with an ETag, and with 304 to whoever knows it. */
const tagged =
  (body: string | Uint8Array): OriginAnswer =>
  ({ headers }) => {
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    return headers['if-none-match'] === etag ? { status: 304 } : { body, headers: { ETag: etag } };
  };

async function begin(pages: Readonly<Record<string, OriginAnswer>>, options: object = {}) {
  origin = await new Origin(pages).listen();
  target = await createSite(server);
  return importAgain({ overwrite: true, publish: true, ...options });
}

async function importAgain(options: object = {}) {
  origin.takeRequests();
  const urls = [...origin.pages.keys()].filter((path) => !path.includes('.')).map((path) => origin.url(path));
  const body = { base: origin.url(), urls, target_page_id: target, ...options };
  return outcomeOfRun(await runJob(server, '/import/run', body));
}

function outcomeOfRun(job: Record<string, unknown>) {
  expect(job).toMatchObject({ status: 'done', error: '' });
  const result = asRecord(job['result']);
  const pages = (Array.isArray(result['pages']) ? result['pages'] : []).map(asRecord);
  const actions = Object.fromEntries(
    pages.map(({ source, action }) => [new URL(String(source)).pathname, action]),
  );
  return { job, result, pages, actions };
}

async function pageAt(path: string): Promise<Record<string, unknown>> {
  const pages = await callList(server, '/pages');
  const found = pages.find((page) => page['root_id'] === target && page['path'] === path);
  return callOk(server, 'GET', `/pages/${found?.['id']}`);
}

describe('pages', () => {
  it.each<[string, object, string[]]>([
    ['without flags', {}, ['unchanged', 'skipped', 'skipped', 'created']],
    ['overwrite', { overwrite: true }, ['unchanged', 'updated', 'modified', 'created']],
    [
      'overwrite, overwrite_modified',
      { overwrite: true, overwrite_modified: true },
      ['unchanged', 'updated', 'updated', 'created'],
    ],
    ['force', { force: true }, ['skipped', 'skipped', 'skipped', 'created']],
    ['force, overwrite', { force: true, overwrite: true }, ['updated', 'updated', 'modified', 'created']],
  ])('%s', async (_name, flags, [same, changed, edited, fresh]) => {
    await begin({ '/': 'home', '/same': 'same', '/changed': 'one', '/edited': 'one' });
    const { id } = await pageAt('/edited');
    await callOk(server, 'PUT', `/pages/${id}`, { html: 'mine' });
    for (const path of ['/changed', '/edited', '/new']) origin.pages.set(path, 'two');
    const { actions } = await importAgain(flags);
    expect(actions).toEqual({
      '/': same,
      '/same': same,
      '/changed': changed,
      '/edited': edited,
      '/new': fresh,
    });
    expect(await pageAt('/changed')).toMatchObject({
      html: changed === 'updated' ? 'two' : 'one',
      local_modified: false,
    });
    expect(await pageAt('/edited')).toMatchObject({
      html: edited === 'updated' ? 'two' : 'mine',
      local_modified: edited !== 'updated',
    });
  });

  it('are found by their origin, even if they were moved and renamed', async () => {
    await begin({ '/': 'home', '/a': 'a', '/a/b': 'b' });
    const { id } = await pageAt('/a/b');
    const parent = await createPage(server, target, { slug: 'elsewhere' });
    await callOk(server, 'PUT', `/pages/${id}`, { slug: 'renamed' });
    await call(server, 'POST', `/pages/${id}/move`, { body: { parent_id: parent } });
    origin.pages.set('/a/b', 'new b');
    origin.pages.set('/a', '<a href="/a/b">b</a>');
    const { pages } = await importAgain({ overwrite: true });
    expect(pages).toContainEqual(
      expect.objectContaining({ id, path: '/elsewhere/renamed', action: 'updated' }),
    );
    expect(await pageAt('/elsewhere/renamed')).toMatchObject({ html: 'new b' });
    expect(await pageAt('/a')).toMatchObject({ html: '<a href="/elsewhere/renamed">b</a>' });
  });

  it('are found by their path if they were never imported, and never if they are from elsewhere', async () => {
    await begin({ '/': 'home', '/theirs': 'theirs' });
    const first = origin;
    origin = await new Origin({ '/': 'other home', '/theirs': 'other', '/own': 'imported' }).listen();
    const own = await createPage(server, target, { slug: 'own', html: 'own' });
    const { actions, job } = await importAgain({ overwrite: true, overwrite_modified: true, force: true });
    expect(actions).toEqual({ '/': 'foreign', '/theirs': 'foreign', '/own': 'updated' });
    expect(logOf(job)).toEqual(
      expect.arrayContaining(['import.pageForeign /', 'import.pageForeign /theirs']),
    );
    expect(await pageAt('/own')).toMatchObject({ id: own, html: 'imported', source_url: origin.url('/own') });
    await first.close();
  });

  it('keep the status of publication, and fill levels that an import has made', async () => {
    await begin({ '/': 'home', '/level/page': 'page' });
    const { id } = await pageAt('/level/page');
    await callOk(server, 'PUT', `/pages/${id}`, { published: false });
    origin.pages.set('/level', 'level');
    origin.pages.set('/level/page', 'new page');
    const { actions } = await importAgain({ overwrite: true, overwrite_modified: true, publish: true });
    expect(actions).toMatchObject({ '/level': 'updated', '/level/page': 'updated' });
    expect(await pageAt('/level/page')).toMatchObject({ html: 'new page', published: false });
    expect(await pageAt('/level')).toMatchObject({ html: 'level', published: true });
  });

  it('are asked for with the ETag of the last time', async () => {
    await begin({
      '/': tagged('home'),
      '/a': tagged('a <img src=/a.png>'),
      '/a.png': await draw({ width: 4, height: 4 }),
    });
    const { actions, result } = await importAgain({ overwrite: true });
    expect(actions).toEqual({ '/': 'unchanged', '/a': 'unchanged' });
    expect(result).toMatchObject({ files: 0, files_reused: 0 });
    expect(origin.takeRequests()).not.toContain('/a.png');
  });

  it('that lead elsewhere make no second page', async () => {
    await begin({
      '/': '<a href="/old">old</a><a href="/away">away</a>',
      '/old': { status: 301, headers: { Location: '/new' } },
      '/new': 'new',
      '/away': { status: 302, headers: { Location: 'http://127.0.0.1:1/' } },
      '/gone': { status: 404 },
      '/image': { type: 'image/png', body: 'x' },
    });
    const { actions, job } = await importAgain({ overwrite: true, force: true });
    expect(actions).toEqual({
      '/': 'updated',
      '/old': 'skipped',
      '/new': 'updated',
      '/away': 'failed',
      '/gone': 'failed',
      '/image': 'skipped',
    });
    expect(await pageAt('/')).toMatchObject({
      html: `<a href="/new">old</a><a href="${origin.url('/away')}">away</a>`,
    });
    expect(logOf(job).sort()).toEqual([
      'import.pageNotHtml /image',
      'import.pageNotLoaded /away',
      'import.pageNotLoaded /gone',
      ...Array(4).fill('import.pageQuirks /').slice(0, 1),
      'import.pageQuirks /new',
      'import.pageRedirected /old',
    ]);
  });
});

describe('files and assets', () => {
  it('are changed in place, and kept if they were edited here', async () => {
    const html = (text: string) =>
      `<link rel=stylesheet href=/a.css><link rel=stylesheet href=/b.css><p>${text}<img src=/i.png>`;
    await begin({
      '/': html('one'),
      '/a.css': tagged('a{}'),
      '/b.css': 'b{}',
      '/i.png': tagged(await draw({ width: 10, height: 4 })),
    });
    const [file] = await callList(server, '/files?limit=1');
    const assets = (await callList(server, '/assets')).filter(
      ({ folder }) => folder === `Import ${origin.host}`,
    );
    expect(assets.map(({ name }) => name)).toEqual(['a.css', 'b.css']);
    origin.pages.set('/', html('two'));
    const unchanged = await importAgain({ overwrite: true });
    expect(unchanged.result).toMatchObject({
      files_reused: 1,
      assets_reused: 2,
      files: 0,
      assets: 0,
      files_updated: 0,
    });

    await callOk(server, 'PUT', `/assets/${assets[1]?.['id']}`, { content: 'mine{}' });
    for (const [path, body] of [
      ['/a.css', 'a{color:red}'],
      ['/b.css', 'b{color:red}'],
      ['/', html('three')],
    ] as const)
      origin.pages.set(path, body);
    origin.pages.set('/i.png', tagged(await draw({ width: 20, height: 4 })));
    const changed = await importAgain({ overwrite: true });
    expect(changed.result).toMatchObject({
      files_updated: 1,
      assets_updated: 1,
      assets_kept: 1,
      files: 0,
      assets: 0,
    });
    expect(logOf(changed.job)).toContain('import.assetKept /b.css');
    const [now] = await callList(server, '/files?limit=1');
    expect(now).toMatchObject({ id: file?.['id'], url: file?.['url'], width: 20 });
    const contentOf = async (index: number) =>
      (await callOk(server, 'GET', `/assets/${assets[index]?.['id']}`))['content'];
    expect([await contentOf(0), await contentOf(1)]).toEqual(['a{color:red}', 'mine{}']);
    expect(await callList(server, `/revisions?kind=asset&id=${assets[0]?.['id']}`)).toMatchObject([
      { author: 'Import' },
    ]);

    origin.pages.set('/', html('four'));
    const forced = await importAgain({ overwrite: true, overwrite_modified: true });
    expect(forced.result).toMatchObject({ assets_updated: 1, assets_kept: 0 });
    expect(await contentOf(1)).toBe('b{color:red}');
  });

  it('that have changed are taken over though no page has changed', async () => {
    const head = '<link rel=stylesheet href=/a.css><script src=/a.js></script>';
    await begin({ '/': `${head}<p>home`, '/a.css': 'a{}', '/a.js': 'one()' });
    const names = ['a.css', 'a.js'];
    const contents = async () => {
      const assets = (await callList(server, '/assets')).filter(
        ({ folder }) => folder === `Import ${origin.host}`,
      );
      expect(assets.map(({ name }) => name).sort()).toEqual(names);
      const all = assets.map(({ id }) => callOk(server, 'GET', `/assets/${id}`));
      return (await Promise.all(all)).map(({ content }) => content).sort();
    };
    origin.pages.set('/a.css', 'a{color:red}');
    const again = await importAgain();
    expect(again.actions).toEqual({ '/': 'unchanged' });
    expect(again.result).toMatchObject({ assets: 0, assets_updated: 1 });
    expect(await contents()).toEqual(['a{color:red}', 'one()']);
    origin.pages.set('/a.js', 'two()');
    expect((await importAgain()).result).toMatchObject({ assets: 0, assets_updated: 1 });
    expect(await contents()).toEqual(['a{color:red}', 'two()']);
  });

  it('stay shared when only some pages have changed', async () => {
    const head = '<link rel=stylesheet href=/a.css>';
    await begin({ '/': `${head}<p>home`, '/a': `${head}<p>a`, '/b': `${head}<p>b`, '/a.css': 'a{}' });
    origin.pages.set('/a', `${head}<p>new a`);
    await importAgain({ overwrite: true });
    expect(await pageAt('/a')).toMatchObject({ head: '', assets: [], html: '<p>new a</p>' });
    expect(await pageAt('/')).toMatchObject({ assets: [{ name: 'a.css', inherit: true }] });
  });
});

describe('POST /pages/{id}/reimport', () => {
  it('uses the hosts of the last import, and overwrites unless the page was edited here', async () => {
    const other = await new Origin({ '/x.png': await draw({ width: 4, height: 4 }) }).listen();
    await begin({ '/': 'home', '/a': 'a' }, { download_hosts: [other.host] });
    const { id } = await pageAt('/a');
    origin.pages.set('/a', `<img src="${other.url('/x.png')}">`);
    const again = async (body?: object) =>
      outcomeOfRun(await runJob(server, `/pages/${id}/reimport`, body ?? {})).actions;
    expect(await again()).toEqual({ '/a': 'updated' });
    expect(await pageAt('/a')).toMatchObject({ html: expect.stringMatching(/^<img src="\/media\/x/) });
    expect(await again()).toEqual({ '/a': 'unchanged' });
    expect(await again({ force: true })).toEqual({ '/a': 'updated' });
    await callOk(server, 'PUT', `/pages/${id}`, { html: 'mine' });
    origin.pages.set('/a', 'later');
    expect(await again()).toEqual({ '/a': 'modified' });
    expect(await again({ overwrite_modified: true })).toEqual({ '/a': 'updated' });
    expect(await pageAt('/a')).toMatchObject({ html: 'later', local_modified: false });
    await other.close();
  });
});

it('fails when its target is deleted meanwhile, and writes nothing', async () => {
  const asked = new Promise<ServerResponse>((resolve) => {
    origin = new Origin({
      '/': '<img src=/late.png>',
      '/late.png': (_request, response) => {
        resolve(response);
        return undefined;
      },
    });
  });
  await origin.listen();
  target = await createSite(server);
  const child = await createPage(server, target, { title: 'Target', slug: 'target' });
  const body = { base: origin.url(), urls: [origin.url('/')], target_page_id: child, overwrite: true };
  const { id } = await callOk(server, 'POST', '/import/run', body);
  const response = await asked;
  await call(server, 'DELETE', `/pages/${child}`);
  response.writeHead(404).end();
  expect(await endOf(server, String(id))).toMatchObject({
    status: 'failed',
    error_code: 'import.targetGone',
  });
});

describe('a cancelled import', () => {
  it('leaves no page, and keeps the files that are there', async () => {
    origin = await new Origin({
      '/': '<img src=/a.png><img src=/never.png>',
      '/a.png': await draw({ width: 4, height: 4 }),
      '/never.png': () => undefined,
    }).listen();
    target = await createSite(server);
    const body = {
      base: origin.url(),
      urls: [origin.url('/'), origin.url('/b')],
      target_page_id: target,
      overwrite: true,
    };
    const { id } = await callOk(server, 'POST', '/import/run', body);
    const second = await call(server, 'POST', '/import/run', { body });
    expect(second).toMatchObject({ status: 409, body: { code: 'import.running' } });
    let job = await callOk(server, 'GET', `/import/jobs/${id}`);
    while (job['files'] !== 1) job = await callOk(server, 'GET', `/import/jobs/${id}`);
    expect(job).toMatchObject({ status: 'running', phase_code: 'import.phaseFiles', phase: 'Load files' });
    await call(server, 'DELETE', `/import/jobs/${id}`);
    expect(await endOf(server, String(id))).toMatchObject({ status: 'cancelled', files: 1 });
    expect(await callList(server, '/files?q=a.png')).not.toEqual([]);
    expect(await pageAt('/')).toMatchObject({ source_url: '' });
    while ((await call(server, 'POST', '/import/run', { body: { ...body, urls: ['x:'] } })).status === 409);
    await expect.poll(() => readdirSync(join(server.dataDir, 'media', '.staging'))).toEqual([]);
  });

  it('shows only the newest entries of the log when asked to', async () => {
    await begin({ '/': 'home' });
    const { job } = await importAgain({});
    const all = await callOk(server, 'GET', `/import/jobs/${job['id']}`);
    const rest = await callOk(server, 'GET', `/import/jobs/${job['id']}?log_since=1`);
    expect(rest['log']).toEqual(Array.isArray(all['log']) ? all['log'].slice(1) : []);
  });
});
