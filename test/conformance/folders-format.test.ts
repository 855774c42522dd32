import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readFolder, renderFiles, writeFolder } from '../../server/features/folders/format/index.ts';
import { pageFile, siteFiles, TestFolder } from '../support/folders.ts';

/** The contract, "Format 1". No server is needed to read a folder. */

const folders: TestFolder[] = [];
afterAll(() => {
  for (const folder of folders) folder.remove();
});

function folderWith(files: Parameters<TestFolder['write']>[0]): TestFolder {
  const folder = new TestFolder().write({ ...siteFiles, ...files });
  folders.push(folder);
  return folder;
}

const read = async (files: Parameters<TestFolder['write']>[0]) => readFolder(folderWith(files).path);
const findingsIn = async (files: Parameters<TestFolder['write']>[0]) => (await read(files)).findings;

const collection = JSON.stringify({
  fields: [
    { name: 'title', type: 'text' },
    { name: 'order', type: 'number' },
    { name: 'author', type: 'reference', collection: 'people' },
    { name: 'body', type: 'markdown' },
  ],
});
const people = JSON.stringify({ fields: [{ name: 'name', type: 'text' }] });
const news = { 'collections/news/collection.json': collection, 'collections/people/collection.json': people };

describe('bad input', () => {
  it.each([
    [
      'broken front matter',
      { 'pages/a/index.html': '---\ntitle: [\n---\n' },
      'pages/a/index.html',
      3,
      'folder.syntax',
    ],
    [
      'front matter without end',
      { 'pages/a/index.html': '---\ntitle: A\n' },
      'pages/a/index.html',
      1,
      'folder.syntax',
    ],
    ['broken JSON', { 'sources/a.json': '{\n  "url": \n}' }, 'sources/a.json', 3, 'folder.syntax'],
    [
      'an unknown key',
      { 'pages/a/index.html': '---\ntitle: A\nnoidnex: true\n---\n' },
      'pages/a/index.html',
      3,
      'folder.unknownKey',
    ],
    [
      'a wrong type',
      { 'pages/a/index.html': '---\ntitle: 2024\n---\n' },
      'pages/a/index.html',
      2,
      'folder.wrongType',
    ],
    ['a missing key', { 'pages/a/index.html': 'text' }, 'pages/a/index.html', 1, 'folder.keyMissing'],
    [
      'two files for one entry',
      { ...news, 'collections/news/entries/a.md': '---\n---\nx', 'collections/news/entries/a.json': '{}' },
      'collections/news/entries/a.md',
      1,
      'folder.twice',
    ],
    [
      'two files for one page',
      { 'pages/a/index.html': pageFile('A', ''), 'pages/%a/index.html': pageFile('A', '') },
      'pages/a/index.html',
      1,
      'folder.twice',
    ],
    [
      'a reference to nothing',
      { 'pages/a/index.html': '---\nog_image_file_id: media/no.png\ntitle: A\n---\n' },
      'pages/a/index.html',
      1,
      'folder.referenceMissing',
    ],
    [
      'a call that names nothing',
      { 'pages/a/index.html': pageFile('A', '\n{{ image("media/no.png") }}') },
      'pages/a/index.html',
      5,
      'folder.referenceMissing',
    ],
    [
      'an ID in a template',
      { 'pages/a/index.html': pageFile('A', '{{ file(12) }}') },
      'pages/a/index.html',
      4,
      'folder.idReference',
    ],
    [
      'a name that Windows cannot hold',
      { 'pages/aux/index.html': pageFile('A', '') },
      'pages/aux',
      1,
      'folder.nameInvalid',
    ],
    [
      'names that differ in case',
      { 'snippets/Card.html': '', 'snippets/card.html': '' },
      'snippets/card.html',
      1,
      'folder.caseCollision',
    ],
    [
      'no UTF-8',
      { 'snippets/a.html': new Uint8Array([255, 254, 0]) },
      'snippets/a.html',
      1,
      'folder.notUtf8',
    ],
    [
      'a conflict mark',
      { 'snippets/a.html': 'x\n<<<<<<< mine\n' },
      'snippets/a.html',
      2,
      'folder.conflictMark',
    ],
    [
      'a page in no page',
      { 'pages/a/b/index.html': pageFile('B', '') },
      'pages/a/b/index.html',
      1,
      'folder.parentMissing',
    ],
    [
      'a slug that no address can have',
      { 'pages/A b/index.html': pageFile('B', '') },
      'pages/A b/index.html',
      1,
      'folder.slugInvalid',
    ],
    [
      'a bad redirect',
      { 'redirects.csv': 'source,target,status,auto\nold,/new,301,0\n' },
      'redirects.csv',
      2,
      'folder.csvRow',
    ],
    [
      'a file described that is missing',
      { 'media.json': '{"media/no.png": {}}' },
      'media.json',
      1,
      'folder.mediaMissing',
    ],
    [
      'an entry of no collection',
      { 'collections/x/entries/a.json': '{}' },
      'collections/x/entries/a.json',
      1,
      'folder.collectionMissing',
    ],
  ] as const)('%s is told with its place', async (_name, files, file, line, code) => {
    expect(await findingsIn(files)).toEqual(
      expect.arrayContaining([expect.objectContaining({ file, line, code })]),
    );
  });

  it('an unknown key is told with the nearest known name', async () => {
    const [finding] = await findingsIn({ 'pages/a/index.html': '---\ntitle: A\nnoidnex: true\n---\n' });
    expect(finding?.message).toContain('"noindex"');
    expect(finding).toMatchObject({ level: 'error', column: 1 });
  });

  it('another format is refused before anything is read', async () => {
    const { content, findings } = await read({ 'site.json': '{"format": 2}', 'snippets/a.html': '---\n[' });
    expect(findings).toMatchObject([{ file: 'site.json', code: 'folder.format' }]);
    expect(content.objects.size).toBe(0);
  });

  it('symbolic links are refused', async () => {
    const folder = folderWith({});
    symlinkSync('/etc/hostname', join(folder.path, 'media'));
    expect((await readFolder(folder.path)).findings).toMatchObject([
      { file: 'media', code: 'folder.symlink' },
    ]);
  });

  it('text files may have 16 MB', async () => {
    const folder = folderWith({ 'snippets/a.html': '' });
    truncateSync(join(folder.path, 'snippets/a.html'), 16 * 2 ** 20 + 1);
    expect((await readFolder(folder.path)).findings).toMatchObject([
      { file: 'snippets/a.html', code: 'folder.tooLarge' },
    ]);
  });

  it('CRLF is read as LF and told once', async () => {
    const { content, findings } = await read({
      'pages/a/index.html': '---\r\ntitle: A\r\n---\r\none\r\ntwo',
      'snippets/b.html': 'x\r\ny',
    });
    expect(findings).toMatchObject([{ code: 'folder.crlf', level: 'warning' }]);
    expect(content.objects.get('pages/a/index.html')?.fields['html']).toBe('one\ntwo');
  });

  it('files outside of the named folders are ignored', async () => {
    expect(await findingsIn({ 'README.md': '---', 'other/index.html': '---', 'package.json': '[' })).toEqual(
      [],
    );
  });

  it('names of objects that every object inherits reach no prototype', async () => {
    await read({
      'pages/a/index.html': '---\ntitle: A\n__proto__: {x: 1}\nconstructor: {}\n---\n',
      'media.json': '{"__proto__": {"alt": "x"}}',
    });
    expect(Reflect.get({}, 'x')).toBeUndefined();
    expect(Reflect.get({}, 'alt')).toBeUndefined();
  });
});

describe('what is read', () => {
  it('a missing key is the default, and published is true', async () => {
    const { content } = await read({ 'pages/a/index.html': pageFile('A', 'text') });
    expect(content.objects.get('pages/a/index.html')?.fields).toMatchObject({
      ...{ title: 'A', html: 'text', published: true, noindex: false, meta_title: '' },
      ...{ og_image_file_id: null, blocks: [], assets: [] },
    });
  });

  it('a page with the name of a file of the format lies in %<slug>', async () => {
    const { content, findings } = await read({ 'pages/%index.html/index.html': pageFile('A', '') });
    expect(findings).toEqual([]);
    expect([...content.objects.keys()]).toContain('pages/%index.html/index.html');
  });

  it('the body of an entry is its first field of type markdown', async () => {
    const { content, findings } = await read({
      ...news,
      'collections/people/entries/jo.json': '{"name": "Jo"}',
      'collections/news/entries/a.md':
        '---\nauthor: jo\ndata:\n  order: 7\norder: 10\ntitle: A\n---\n\n# A\n',
    });
    expect(findings).toEqual([]);
    expect(content.objects.get('collections/news/entries/a')?.fields).toMatchObject({
      ...{ 'data.title': 'A', 'data.body': '\n# A\n', 'data.order': 7, order: 10 },
      ...{ 'data.author': 'jo', published: true },
    });
  });

  it('entries of live collections are ignored', async () => {
    const { content, findings } = await read({
      'collections/log/collection.json': '{"live": true, "fields": []}',
      'collections/log/entries/a.json': '{}',
    });
    expect(findings).toMatchObject([{ code: 'folder.liveEntry', level: 'warning' }]);
    expect([...content.objects.keys()].filter((key) => key.includes('entries'))).toEqual([]);
  });

  it('references in block trees, schemas and regions are checked', async () => {
    const codes = await findingsIn({
      'snippets/figure.html': '---\nschema:\n  params:\n    - name: picture\n      type: image\n---\n',
      'pages/a/index.html': '---\nregions:\n  lead: text\n  logo:\n    image: media/no.png\ntitle: A\n---\n',
      'pages/a/blocks.json': JSON.stringify([
        { id: '1', type: 'figure', params: { picture: 'media/none.png' } },
        { id: '2', global: 'nothing' },
      ]),
    });
    expect(codes.map(({ message }) => message.match(/"[^"]+"/)?.[0]).toSorted()).toEqual([
      '"media/no.png"',
      '"media/none.png"',
      '"nothing"',
    ]);
  });
});

describe('what is written', () => {
  const canonical = {
    'assets/site/base.css': 'body { margin: 0 }\n',
    'assets/site/more.js': '/*---\nname: More of it\n---*/\nlet x;\n',
    'global-blocks/hours.json': '{\n  "name": "Hours!"\n}\n',
    'nodes/add_tax.js': 'return msg;\n',
    'nodes/add_tax.json': '{\n  "name": "Add tax"\n}\n',
    'pages/a/blocks.json': '[\n  {\n    "global": "hours",\n    "id": "1"\n  }\n]\n',
    'pages/a/index.html':
      '---\nassets:\n  - asset_id: assets/site/base.css\ntitle: "2024"\n---\n{{ asset_url("assets/site/more.js") }}\n---\n',
    'pens/clock.html': '<p>{{ now }}</p>',
    'pens/clock.json': '{\n  "public": true\n}\n',
    'redirects.csv': 'source,target,status,auto\n"/a,b",/new,302,1\n',
    'snippets/layout/base.html': '---\n---\n---\nnot front matter\n---\n',
    'sources/weather.json':
      '{\n  "headers": {\n    "X-Key": "{env.KEY}"\n  },\n  "url": "https://example.org/{city}"\n}\n',
    'workflows/contact.check.js': 'return msg;\n',
    'workflows/contact.json':
      '{\n  "flow": {\n    "nodes": [\n      {\n        "config": {\n          "code": {\n            "file": "contact.check.js"\n          }\n        },\n        "id": "check",\n        "type": "function"\n      }\n    ],\n    "wires": []\n  }\n}\n',
  };

  it('is what was read, byte by byte', async () => {
    const folder = folderWith(canonical);
    const { content, findings } = await readFolder(folder.path);
    expect(findings).toEqual([]);
    const target = new TestFolder();
    folders.push(target);
    await writeFolder(content, target.path);
    expect(target.files()).toEqual(folder.files());
  });

  it('of an entry that Markdown cannot keep is JSON', async () => {
    const { content } = await read({
      ...news,
      'collections/news/entries/a.json': '{"title": "A"}',
      'collections/news/entries/b.json': '{"body": "text", "title": "B"}',
    });
    const files = renderFiles(content);
    expect(files.get('collections/news/entries/a.json')).toBe('{\n  "title": "A"\n}\n');
    expect(files.get('collections/news/entries/b.md')).toBe('---\ntitle: B\n---\ntext');
  });
});
