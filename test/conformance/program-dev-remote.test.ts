import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { type Dev, startDev } from '../support/dev.ts';
import { pageFile, TestFolder } from '../support/folders.ts';
import { runProgram } from '../support/program.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** `incipit dev --remote` (Beyond, "The program"). */

let server: TestServer;
let page: number;
const domain = 'remote.test';
const running: Dev[] = [];
const folders: TestFolder[] = [];

beforeAll(async () => {
  server = await startServer();
  const site = await createSite(server, { domains: domain });
  await createPage(server, site, {
    slug: 'other',
    title: 'Other',
    html: 'only on the server',
    published: true,
  });
  page = await createPage(server, site, { slug: 'visit', title: 'Visit', html: 'live', published: true });
});
afterEach(async () => {
  for (const dev of running.splice(0)) await dev.stop();
});
afterAll(async () => {
  for (const folder of folders) folder.remove();
  await server.stop();
});

/** A developer with a token and a folder that was pulled. */
async function newDeveloper(name: string): Promise<{ token: string; folder: TestFolder }> {
  const token = await addToken(server, `${name}-${folders.length}`, true);
  const folder = new TestFolder();
  folders.push(folder);
  expect(await folder.pull(server, { token, site: domain })).toMatchObject({ exitCode: 0 });
  return { token, folder };
}

async function show({ token, folder }: { token: string; folder: TestFolder }): Promise<Dev> {
  const args = ['--port', '0', '--remote', server.url, '--site', domain];
  const dev = await startDev(folder.path, args, { env: { INCIPIT_TOKEN: token } });
  running.push(dev);
  return dev;
}

const setsOf = async (token: string) => {
  const { body } = await call(server, 'GET', '/change-sets?purpose=dev', { token });
  return (Array.isArray(body) ? body : []).map(asRecord);
};
const live = async () => (await callOk(server, 'GET', `/pages/${page}`))['html'];

describe('incipit dev --remote', () => {
  it('shows the folder over the content of the server, for each developer alone', async () => {
    const [one, two] = [await newDeveloper('one'), await newDeveloper('two')];
    one.folder.write({ 'pages/visit/index.html': pageFile('Visit', 'of one') });
    two.folder.write({
      'pages/visit/index.html': pageFile('Visit', 'of two {{ file("media/new.txt").url }}'),
      'media/new.txt': 'new bytes',
    });
    const before = [one.folder.files(), two.folder.files()];
    const [first, second] = [await show(one), await show(two)];
    expect(await first.page('/visit')).toContain('of one');
    expect(await first.page('/other')).toContain('only on the server');
    expect(await second.page('/visit')).toContain('of two /media/new.txt');
    expect(await second.page('/media/new.txt')).toBe('new bytes');
    expect(await live()).toBe('live');
    for (const { token } of [one, two])
      expect(await setsOf(token)).toMatchObject([{ purpose: 'dev', state: 'open' }]);
    expect(await callList(server, '/change-sets')).toEqual([]);

    const { version } = await first.state(() => true);
    one.folder.write({ 'pages/visit/index.html': pageFile('Visit', 'saved again') });
    await first.state((state) => state.version > version);
    await expect.poll(() => first.page('/visit'), { timeout: 20_000 }).toContain('saved again');
    expect(await second.page('/visit')).toContain('of two');
    one.folder.write({ 'pages/visit/index.html': pageFile('Visit', '{% if %}') });
    await first.state((state) => state.findings.some(({ code }) => code === 'template.syntax'));
    one.folder.write({ 'pages/visit/index.html': before[0]?.['pages/visit/index.html'] });

    expect(await first.stop()).toBe(0);
    expect(await second.stop()).toBe(0);
    for (const { token } of [one, two])
      expect((await setsOf(token)).filter(({ state }) => state === 'open')).toEqual([]);
    expect(await callList(server, '/files')).toEqual([]);
    expect(await live()).toBe('live');
    expect([one.folder.files(), two.folder.files()]).toEqual(before);
  });

  it('discards with its next start what a kill has left', async () => {
    const developer = await newDeveloper('killed');
    developer.folder.write({ 'pages/visit/index.html': pageFile('Visit', 'killed') });
    await (await show(developer)).kill();
    const [left] = await setsOf(developer.token);
    expect(left).toMatchObject({ state: 'open' });
    const again = await show(developer);
    expect(await again.page('/visit')).toContain('killed');
    const sets = await setsOf(developer.token);
    expect(sets.find(({ id }) => id === left?.['id'])).toMatchObject({ state: 'discarded' });
    expect(sets.filter(({ state }) => state === 'open')).toHaveLength(1);
  });

  it.each([
    [4, ['--remote', 'http://127.0.0.1:9', '--token', 'x']],
    [4, ['--remote', 'SERVER', '--token', 'ic_wrong']],
    [2, ['--remote', 'SERVER']],
    [2, ['--remote', 'ftp://x', '--token', 'x']],
  ])('exits with %d for %j', async (code, args) => {
    const cwd = (await newDeveloper('wrong')).folder.path;
    const given = args.map((arg) => (arg === 'SERVER' ? server.url : arg));
    expect(await runProgram(['dev', ...given], { cwd })).toMatchObject({ code, stdout: '' });
  });
});
