import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord } from '../support/api.ts';
import { programFile, runProgram, spawnProgram } from '../support/program.ts';
import { mainCommand, masterToken, startServer, type TestServer } from '../support/server.ts';

/** `incipit init`, `check`, `start`, and the way to a server and back (Beyond, "The program"). */

let root: string;
let count = 0;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'incipit-program-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A new folder with these files. */
function makeFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = join(root, `folder-${count++}`);
  mkdirSync(folder);
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
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

async function runJson(args: readonly string[], cwd?: string) {
  const run = await runProgram([...args, '--json'], cwd === undefined ? {} : { cwd });
  return { code: run.code, document: asRecord(JSON.parse(run.stdout)), stderr: run.stderr };
}

const empty = { findings: [], conflicts: [], changes: [], change_set: null };
const site = '{\n  "format": 1,\n  "title": "Site"\n}\n';

describe('incipit init', () => {
  it('writes the blank website into a new folder, which has no findings', async () => {
    const folder = join(root, 'new', 'deep');
    const run = await runProgram(['init', folder]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(Object.keys(filesIn(folder))).toEqual(
      expect.arrayContaining(['.gitattributes', '.gitignore', 'pages/index.html', 'site.json']),
    );
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('.incipit/\n');
    expect(readFileSync(join(folder, '.gitattributes'), 'utf8')).toContain('eol=lf');
    expect(await runProgram(['check', folder])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await runJson(['check', folder])).toEqual({ code: 0, document: empty, stderr: '' });
    const before = filesIn(folder);
    expect(await runJson(['check', folder, '--fix'])).toMatchObject({ code: 0, document: empty });
    expect(filesIn(folder)).toEqual(before);
  });

  it('leaves .git, README and LICENSE as they are', async () => {
    const kept = { '.git/HEAD': 'ref', 'README.md': 'mine', LICENSE: 'mine too' };
    const folder = makeFolder(kept);
    const { code, document } = await runJson(['init', folder, '--starter', 'blank']);
    expect(code).toBe(0);
    expect(document['changes']).toContainEqual({ file: 'site.json', op: 'create', fields: [] });
    expect(filesIn(folder)).toMatchObject(kept);
    expect(existsSync(join(folder, 'site.json'))).toBe(true);
  });

  it.each(['notes.txt', '.gitignore', 'site.json', 'readme-not/x'])(
    'refuses a folder with %s',
    async (file) => {
      const folder = makeFolder({ [file]: 'x' });
      expect(await runProgram(['init', folder])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('not empty'),
      });
      expect(filesIn(folder)).toEqual({ [file]: 'x' });
    },
  );

  it.each([
    [['init'], 'needs a folder'],
    [['init', 'x', '--starter', 'nothing'], 'no starter "nothing"'],
    [['init', 'x', '--starter='], '--starter'],
  ])('exits with 2 for %j', async (args, told) => {
    const cwd = makeFolder();
    expect(await runProgram(args, { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining(told) });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('refuses a path that is a file', async () => {
    const folder = makeFolder({ file: 'x' });
    expect(await runProgram(['init', join(folder, 'file')])).toMatchObject({ code: 2 });
  });
});

describe('incipit --version', () => {
  it('prints the version of the package', async () => {
    const { version } = asRecord(
      JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')),
    );
    expect(await runProgram(['--version'])).toEqual({ code: 0, stdout: `${String(version)}\n`, stderr: '' });
  });
});

describe('incipit check', () => {
  const wrong = {
    'site.json': site,
    'pages/index.html':
      '---\nmeta_title: "{{ nothing }}"\n---\n<p>\n{% include "missng" %}\n{{ page.titel }}\n',
    'snippets/missing.html': '---\ndescription: x\n---\n{% if a %}\n',
    'assets/main.css': '/*---\nname: Main\n---*/\na { color: red;\n',
    'collections/news/collection.json': '{ "fields": [{ "name": "title", "type": "text" }], "slog": 1 }',
    'pages/about/index.html':
      '---\ntitle: About\n---\n{% for x in data("news") %}{{ x.titl }}{% endfor %}{{ image("media/no.png") }}\n',
    'ignored.txt': 'x',
  };

  it('tells file, line and column of what is wrong', async () => {
    const folder = makeFolder(wrong);
    const { code, document, stderr } = await runJson(['check'], folder);
    expect([code, stderr]).toEqual([1, '']);
    const findings = Array.isArray(document['findings']) ? document['findings'].map(asRecord) : [];
    const places = findings.map(({ file, line, column, level, code: name }) => [
      `${file}:${line}:${column}`,
      level,
      name,
    ]);
    expect(places).toEqual(
      expect.arrayContaining([
        ['pages/index.html:5:1', 'error', 'template.unknownSnippet'],
        ['pages/index.html:6:9', 'warning', 'template.unknownField'],
        ['pages/index.html:2:17', 'warning', 'template.unknownVariable'],
        ['snippets/missing.html:4:1', 'error', 'template.syntax'],
        ['collections/news/collection.json:1:52', 'error', 'folder.unknownKey'],
        ['pages/about/index.html:4:33', 'warning', 'template.unknownField'],
        ['pages/about/index.html:4:61', 'error', 'folder.referenceMissing'],
      ]),
    );
    expect(places.find(([place]) => String(place).startsWith('assets/main.css:'))).toMatchObject({
      1: 'error',
      2: 'asset.syntax',
    });
    expect(findings.find(({ code: name }) => name === 'template.unknownSnippet')?.['message']).toContain(
      'missing',
    );
    const text = await runProgram(['check', folder]);
    expect(text.code).toBe(1);
    expect(text.stdout).toMatch(/^pages\/index\.html:5:1: error: .*missng.*\(template\.unknownSnippet\)$/m);
    expect(text.stdout).not.toContain('\u001b');
    expect(filesIn(folder)).toEqual(wrong);
  });

  it('colours where it is asked to', async () => {
    const run = await runProgram(['check', makeFolder(wrong)], { env: { FORCE_COLOR: '1' } });
    expect(run.stdout).toContain('\u001b[31m');
  });

  it('writes the canonical form with --fix, and changes no file that it does not understand', async () => {
    const unknown = '{ "fields": [], "slog": 1 }';
    const folder = makeFolder({
      'site.json': '{"title":"Site","lang":"","format":1}',
      'pages/index.html': '---\n---\n<p>one</p>\r\n',
      'pages/blocks.json': '[]',
      'pages/about/index.html': '---\ntitle: "About"\npublished: true\norder: 1\n---\nA\n',
      'collections/news/collection.json': unknown,
      'notes.txt': 'mine\r\n',
    });
    const { code, document } = await runJson(['check', folder, '--fix']);
    expect(code).toBe(1);
    expect(filesIn(folder)).toEqual({
      'site.json': site,
      'pages/index.html': '<p>one</p>\n',
      'pages/about/index.html': '---\norder: 1\ntitle: About\n---\nA\n',
      'collections/news/collection.json': unknown,
      'notes.txt': 'mine\r\n',
    });
    expect(document['changes']).toEqual(
      expect.arrayContaining([
        { file: 'site.json', op: 'update', fields: [] },
        { file: 'pages/blocks.json', op: 'delete', fields: [] },
      ]),
    );
    expect((await runJson(['check', folder, '--fix'])).document['changes']).toEqual([]);
  });

  it('changes nothing in a folder of another format', async () => {
    const files = { 'site.json': '{"format":2}', 'pages/index.html': '---\n---\nx' };
    const folder = makeFolder(files);
    expect(await runJson(['check', folder, '--fix'])).toMatchObject({
      code: 1,
      document: { findings: [{ file: 'site.json', code: 'folder.format' }], changes: [] },
    });
    expect(filesIn(folder)).toEqual(files);
  });

  it('writes types of the collections of a folder, and none if one cannot be read', async () => {
    const collection = '{"fields":[{"name":"title","type":"text","required":true}]}';
    const folder = makeFolder({ 'site.json': site, 'collections/news/collection.json': collection });
    const run = await runProgram(['types'], { cwd: folder });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('readonly title: string;');
    writeFileSync(join(folder, 'collections/news/collection.json'), '{');
    expect(await runProgram(['types', folder])).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('a folder and a server', () => {
  let server: TestServer;
  const env = { INCIPIT_TOKEN: masterToken };

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it('push, diff and pull go through the program', async () => {
    const folder = join(root, 'there');
    await runProgram(['init', folder]);
    const json = async (args: string[]) => {
      const run = await runProgram([...args, '--json'], { env, cwd: folder });
      return { code: run.code, document: asRecord(JSON.parse(run.stdout)) };
    };
    const pushed = await json(['push', '--remote', server.url]);
    expect(pushed).toMatchObject({
      code: 0,
      document: { conflicts: [], findings: [], change_set: expect.any(Number) },
    });
    expect(await json(['diff'])).toEqual({ code: 0, document: empty });
    const file = join(folder, 'pages/about/index.html');
    writeFileSync(file, readFileSync(file, 'utf8').replace('<h1>About</h1>', '<h1>About us</h1>'));
    expect(await json(['diff'])).toMatchObject({
      code: 1,
      document: { changes: [{ file: 'pages/about/index.html', op: 'update', fields: ['html'] }] },
    });
    const back = join(root, 'back');
    mkdirSync(back);
    const pulled = await runProgram(['pull', back, '--remote', server.url], { env });
    expect(pulled).toMatchObject({ code: 0 });
    expect(Object.keys(filesIn(back))).toEqual(expect.arrayContaining(['site.json', 'assets/main.css']));
    expect((await json(['push'])).code).toBe(0);
    rmSync(dirname(file), { recursive: true });
    expect(await json(['push'])).toMatchObject({ code: 3, document: { change_set: null } });
    expect((await json(['push', '--yes'])).code).toBe(0);
    expect(JSON.stringify(filesIn(folder))).not.toContain(masterToken);
  });

  it.each([
    ['pull', 2, []],
    ['push', 2, []],
    ['diff', 2, []],
    ['diff', 2, ['--remote', 'ftp://x']],
    ['diff', 4, ['--remote', 'http://127.0.0.1:9', '--token', 'x']],
  ])('%s without the right address exits with %d', async (command, code, args) => {
    expect((await runProgram([command, makeFolder({ 'site.json': site }), ...args])).code).toBe(code);
  });
});

describe('a Node.js that is too old', () => {
  it.each([['check'], ['start']])(
    'is told in one line by %s, if the package has none of its own',
    async (command) => {
      // Nothing near the copy has the package `node`.
      const folder = makeFolder({ 'package.json': '{ "type": "module" }', 'server/program/incipit.js': '' });
      const copy = join(folder, 'server', 'program', 'incipit.js');
      writeFileSync(copy, readFileSync(programFile));
      const versions = "{ value: { ...process.versions, node: '20.18.1' } }";
      const asOld = `data:text/javascript,Object.defineProperty(process, 'versions', ${versions})`;
      expect(
        spawnSync(process.execPath, ['--import', asOld, copy, command], { encoding: 'utf8' }),
      ).toMatchObject({
        status: 2,
        stdout: '',
        stderr: 'incipit needs Node.js 22 or newer, and this is 20.18.1.\n',
      });
    },
  );
});

describe('incipit start', () => {
  it('runs the server with the flags of npm start', () => {
    const text = readFileSync(programFile, 'utf8');
    for (const flag of mainCommand.slice(1, -1)) expect(text).toContain(`'${flag}'`);
  });

  it('hands options, exit code and signals over', async () => {
    expect(await runProgram(['start', '-nothing'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unknown option -nothing'),
    });
    expect(await runProgram(['start', '-help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('-addr'),
    });
    const child = spawnProgram(['start', '-data', makeFolder(), '-addr', '127.0.0.1:0', '-no-country-sync']);
    let output = '';
    // The last line of a start comes when signals are listened to.
    const line = await new Promise<string>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('Admin: ')) resolve(output);
      });
    });
    expect(line).toMatch(/listening on http:\/\/127\.0\.0\.1:\d+/);
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
