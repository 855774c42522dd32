import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Dev, startDev as start } from '../support/dev.ts';
import { runProgram } from '../support/program.ts';

/** `incipit dev` (Beyond, "The program"). */

let root: string;
let count = 0;
const running: Dev[] = [];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'incipit-dev-test-'));
});
afterEach(async () => {
  for (const dev of running.splice(0)) await dev.stop();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const collection = {
  detail_page_id: '/news',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'slug', type: 'text' },
  ],
};

const files: Readonly<Record<string, string>> = {
  'site.json': '{\n  "format": 1,\n  "lang": "en",\n  "title": "Site"\n}\n',
  'pages/index.html':
    '---\nassets:\n  - asset_id: assets/main.css\n    inherit: true\n---\n{% include "greeting" %}<nav>{% for entry in nav() %}<a href="{{ entry.url }}">{{ entry.title }}</a>{% endfor %}</nav>\n',
  'pages/draft/index.html': '---\npublished: false\ntitle: Not yet\n---\n<h1>Not yet</h1>\n',
  'pages/news/index.html':
    '---\ncatch_all: true\ntitle: News\n---\n{% set one = item("news", "slug", route.slug) %}<h1>{{ one.title }}</h1>{% for entry in data("news") %}<a href="{{ entry._url }}">{{ entry.title }}</a>{% endfor %}\n',
  'snippets/greeting.html': '<p>Hello</p>\n',
  'assets/main.css': 'p { color: red; }\n',
  'collections/news/collection.json': `${JSON.stringify(collection)}\n`,
  'collections/news/entries/first.json': '{"data":{"title":"First","slug":"first"},"published":false}\n',
};

function makeFolder(): string {
  const folder = join(root, `site-${count++}`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

async function startDev(args?: readonly string[]): Promise<Dev> {
  const dev = await start(makeFolder(), args);
  running.push(dev);
  return dev;
}

describe('incipit dev', () => {
  it('shows the folder and what becomes of it, and leaves it as it is', async () => {
    const dev = await startDev();
    expect(await dev.page('/')).toMatch(
      /<p>Hello<\/p>[\s\S]*<script src="\/_incipit\/page\.js" defer><\/script><\/body>/,
    );
    expect(filesIn(dev.folder)).toEqual(files);

    const { version } = await dev.state(() => true);
    writeFileSync(join(dev.folder, 'snippets/greeting.html'), '<p>Good day</p>\n');
    expect(await dev.state((state) => state.version > version)).toMatchObject({
      styles: false,
      findings: [],
    });
    expect(await dev.page('/')).toContain('<p>Good day</p>');

    const before = await dev.state(() => true);
    mkdirSync(join(dev.folder, 'pages/new'));
    writeFileSync(join(dev.folder, 'pages/new/index.html'), '---\ntitle: New\n---\n<h1>New</h1>\n');
    await dev.state((state) => state.version > before.version);
    expect(await dev.page('/new')).toContain('<h1>New</h1>');
    expect(await dev.page('/')).toContain('>New</a>');

    const filled = await dev.state(() => true);
    rmSync(join(dev.folder, 'pages/new'), { recursive: true });
    await dev.state((state) => state.version > filled.version);
    expect((await fetch(`${dev.url}/new`)).status).toBe(404);
    expect(await dev.stop()).toBe(0);
  });

  it('tells browsers when only style sheets have changed', async () => {
    const dev = await startDev();
    const { version } = await dev.state(() => true);
    writeFileSync(join(dev.folder, 'assets/main.css'), 'p { color: green; }\n');
    expect(await dev.state((state) => state.version > version)).toMatchObject({ styles: true });
    const [, href = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(await dev.page('/')) ?? [];
    expect(await dev.page(href)).toMatch(/green/);
  });

  it('tells errors in the terminal and in the browser, and goes on', async () => {
    const dev = await startDev();
    writeFileSync(join(dev.folder, 'snippets/greeting.html'), '<p>\n{% if x %}\n');
    const { findings } = await dev.state((state) => state.findings.length > 0);
    expect(findings[0]).toMatchObject({
      file: 'snippets/greeting.html',
      line: 2,
      column: 1,
      code: 'template.syntax',
    });
    await expect.poll(() => dev.output()).toMatch(/^snippets\/greeting\.html:2:1: error: /m);
    writeFileSync(join(dev.folder, 'pages/draft/index.html'), '---\ntitle: [\n---\n');
    await dev.state((state) => state.findings.some(({ code }) => code === 'folder.syntax'));
    writeFileSync(join(dev.folder, 'snippets/greeting.html'), '<p>Again</p>\n');
    writeFileSync(join(dev.folder, 'pages/draft/index.html'), String(files['pages/draft/index.html']));
    await dev.state((state) => state.findings.length === 0);
    expect(await dev.page('/')).toContain('<p>Again</p>');
    await expect.poll(() => dev.output()).toContain('no findings');
  });

  it('shows drafts and unpublished entries with a mark', async () => {
    const dev = await startDev();
    expect(await dev.page('/draft')).toContain('<script src="/_incipit/page.js" data-draft defer>');
    expect(await dev.page('/')).not.toContain('data-draft ');
    expect(await dev.page('/news')).toMatch(/<a href="\/news\/first">First<\/a>/);
    expect(await dev.page('/news')).toContain('a[href="/news/first"]::after');
    expect(await dev.page('/news/first')).toMatch(/<h1>First<\/h1>[\s\S]* data-draft defer>/);
    expect(await dev.page('/')).toContain('data-ic-drafts');
  });

  it('keeps its session to itself', async () => {
    const dev = await startDev();
    const answer = await fetch(`${dev.url}/`);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect((await fetch(`${dev.url}/api/v1/pages`)).status).toBe(401);
    expect((await fetch(`${dev.url}/api/v1/pages?preview=1`)).status).toBe(401);
  });

  it('takes port 4400 or the next free one, and no other if one is named', async () => {
    const blocker = await new Promise<Server>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(server)).listen(4400, '127.0.0.1', () => resolve(server));
    });
    const dev = await startDev([]);
    const port = Number(new URL(dev.url).port);
    expect(port).toBeGreaterThan(4400);
    expect(port).toBeLessThan(5400);
    blocker.close();
    const run = await runProgram(['dev', dev.folder, '--port', String(port)]);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(String(port)) });
  });

  it.each([
    [['dev', '--port', 'x'], '--port'],
    [['dev', '--port', '70000'], '--port'],
    [['dev', '/nowhere-at-all'], 'no folder'],
    [['dev', '--nothing'], '--nothing'],
  ])('exits with 2 for %j', async (args, told) => {
    const run = await runProgram(args, { cwd: makeFolder() });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(told) });
  });
});
