import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { asRecord } from '../support/api.ts';
import { spawnProgram } from '../support/program.ts';

/** `incipit lsp` with a real client (Beyond, "The program"). */

let folder: string;
let client: Client;

const files: Readonly<Record<string, string>> = {
  'site.json': '{\n  "format": 1,\n  "title": "Site"\n}\n',
  'pages/index.html':
    '---\nassets:\n  - asset_id: assets/main.css\n---\n{% extends "layout" %}\n{% block content %}\n{% include "card" %}\n{% for post in data("news") %}{{ post.title }} {{ post.author.name }}{% endfor %}\n{{ image("media/harbour.svg") }}\n{% endblock %}\n',
  'pages/about/index.html':
    '---\ntitle: About\n---\n{% extends "layout" %}{% block content %}{% include "card" %}{% endblock %}\n',
  'snippets/layout.html': '<main>\n{% block content %}{% endblock %}\n</main>\n',
  'snippets/card.html':
    '---\ndescription: A card with a title.\nschema:\n  block: true\n  params:\n    - label: Heading\n      name: heading\n      type: text\n---\n<p>{{ heading|upper }}</p>\n',
  'assets/main.css': 'p { color: red; }\n',
  'media/harbour.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'collections/people/collection.json': '{"fields":[{"name":"name","type":"text"}]}\n',
  'collections/news/collection.json':
    '{"fields":[{"name":"title","label":"Headline","type":"text"},{"name":"author","type":"reference","collection":"people"}]}\n',
};

/** A client of the protocol: the library of editors. */
class Client {
  readonly connection: MessageConnection;
  readonly child = spawnProgram(['lsp', '--stdio']);
  readonly published = new Map<string, { version: number; diagnostics: Record<string, unknown>[] }>();
  readonly #versions = new Map<string, number>();
  #waiting: (() => void)[] = [];
  #version = 0;

  constructor() {
    this.connection = createMessageConnection(
      new StreamMessageReader(this.child.stdout),
      new StreamMessageWriter(this.child.stdin),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', ({ uri, version, diagnostics }) => {
      this.published.set(uri, { version, diagnostics });
      for (const wake of this.#waiting.splice(0)) wake();
    });
    this.connection.listen();
  }

  /** Resolves when what was published about the newest text of a file fits. */
  async diagnostics(path: string, fits: (list: Record<string, unknown>[]) => boolean = () => true) {
    for (;;) {
      const { version, diagnostics: list } = this.published.get(uriOf(path)) ?? {
        version: 0,
        diagnostics: [],
      };
      if (version === this.#versions.get(path) && fits(list)) return list;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  open(path: string, text = readFileSync(join(folder, path), 'utf8')): Promise<void> {
    const textDocument = { uri: uriOf(path), languageId: 'incipit', version: this.#next(path), text };
    return this.connection.sendNotification('textDocument/didOpen', { textDocument });
  }

  change(path: string, text: string): Promise<void> {
    return this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: uriOf(path), version: this.#next(path) },
      contentChanges: [{ text }],
    });
  }

  #next(path: string): number {
    this.#versions.set(path, ++this.#version);
    return this.#version;
  }

  /** Asks about the place right after a text in a file. */
  ask<Answer>(method: string, path: string, text: string, after: string, more: object = {}): Promise<Answer> {
    const before = text.slice(0, text.indexOf(after) + after.length).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    return this.connection.sendRequest(`textDocument/${method}`, {
      textDocument: { uri: uriOf(path) },
      position,
      ...more,
    });
  }

  async complete(path: string, text: string, after: string): Promise<string[]> {
    await this.change(path, text);
    const items = await this.ask<{ label: string }[]>('completion', path, text, after);
    return items.map(({ label }) => label);
  }
}

const uriOf = (path: string) => pathToFileURL(join(folder, path)).href;
const home = 'pages/index.html';
const homeText = String(files[home]);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'incipit-lsp-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  client = new Client();
  const { capabilities } = await client.connection.sendRequest<{ capabilities: Record<string, unknown> }>(
    'initialize',
    {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: {},
    },
  );
  expect(capabilities).toMatchObject({
    positionEncoding: 'utf-16',
    completionProvider: {},
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    renameProvider: true,
    documentFormattingProvider: true,
    diagnosticProvider: {},
  });
  await client.connection.sendNotification('initialized', {});
  await client.open(home);
  await client.open('snippets/card.html');
});
afterAll(async () => {
  const ended = once(client.child, 'exit');
  await client.connection.sendRequest('shutdown');
  await client.connection.sendNotification('exit');
  expect((await ended)[0]).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

describe('diagnostics', () => {
  it('are published while somebody types, and pulled', async () => {
    expect(await client.diagnostics(home)).toEqual([]);
    await client.change(home, homeText.replace('post.title', 'post.titel').replace('"card"', '"crad"'));
    const found = await client.diagnostics(home);
    expect(found).toEqual([
      {
        range: { start: { line: 6, character: 0 }, end: { line: 6, character: 10 } },
        severity: 1,
        code: 'template.unknownSnippet',
        source: 'incipit',
        message: expect.stringContaining('card'),
      },
      expect.objectContaining({ severity: 2, code: 'template.unknownField' }),
    ]);
    const pulled = await client.connection.sendRequest('textDocument/diagnostic', {
      textDocument: { uri: uriOf(home) },
    });
    expect(pulled).toEqual({ kind: 'full', items: found });
    await client.change(home, homeText);
    expect(await client.diagnostics(home)).toEqual([]);
  });

  it('count positions in UTF-16 units, after front matter', async () => {
    await client.change(
      home,
      homeText.replace('{% block content %}\n', '{% block content %}\n😀é {{ page.titel }}\n'),
    );
    const [found] = await client.diagnostics(home);
    expect(asRecord(found?.['range'])['start']).toEqual({ line: 6, character: 12 });
    await client.change(home, homeText);
  });

  it('name a mistake of syntax, and one of the front matter', async () => {
    await client.change('snippets/card.html', '{% if heading %}\n');
    expect(await client.diagnostics('snippets/card.html')).toMatchObject([
      { code: 'template.syntax', severity: 1 },
    ]);
    await client.change('snippets/card.html', '---\ndescription: [\n---\nx\n');
    expect(await client.diagnostics('snippets/card.html')).toMatchObject([
      { code: 'folder.syntax', severity: 1 },
    ]);
    await client.change('snippets/card.html', String(files['snippets/card.html']));
    expect(await client.diagnostics('snippets/card.html')).toEqual([]);
  });

  it('follow a snippet that another editor is writing', async () => {
    await client.change(home, homeText.replace('"card"', '"fresh"'));
    await client.diagnostics(home, (list) => list.length === 1);
    await client.open('snippets/fresh.html', '<p>new</p>\n');
    expect(await client.diagnostics(home, (list) => list.length === 0)).toEqual([]);
    await client.connection.sendNotification('textDocument/didClose', {
      textDocument: { uri: uriOf('snippets/fresh.html') },
    });
    await client.change(home, homeText);
  });

  it('are told for style sheets', async () => {
    await client.open('assets/main.css', 'p { color: red;\n');
    expect(await client.diagnostics('assets/main.css')).toMatchObject([{ code: 'asset.syntax' }]);
  });
});

describe('completion', () => {
  it.each<[what: string, typed: string, after: string, expected: string[]]>([
    ['snippets', '{% include "ca" %}', '"ca', ['card', 'layout']],
    ['tags', '{% incl %}', '{% incl', ['include', 'extends', 'for']],
    ['filters', '{{ page.title|up }}', '|up', ['upper', 'truncatechars']],
    ['collections', '{{ data("n") }}', 'data("n', ['news', 'people']],
    ['files', '{{ image("me") }}', 'image("me', ['media/harbour.svg']],
    ['assets', '{{ asset_url("a") }}', 'asset_url("a', ['assets/main.css']],
    ['pages', '{{ children("/") }}', 'children("/', ['/', '/about']],
    ['fields of the page', '{{ page. }}', 'page.', ['title', 'meta_title', 'parent']],
    [
      'fields of entries',
      '{% for post in data("news") %}{{ post. }}{% endfor %}',
      'post.',
      ['title', 'author', '_url'],
    ],
    [
      'fields of linked entries',
      '{% for post in data("news") %}{{ post.author. }}{% endfor %}',
      'author.',
      ['name', 'id'],
    ],
    ['fields of the menu', '{% for entry in nav() %}{{ entry. }}{% endfor %}', 'entry.', ['url', 'current']],
    [
      'fields of the loop',
      '{% for entry in nav() %}{{ forloop. }}{% endfor %}',
      'forloop.',
      ['counter', 'last'],
    ],
    [
      'variables and functions',
      '{% set total = 1 %}{{ t }}',
      '{{ t',
      ['total', 'page', 'site', 'data', 'image'],
    ],
  ])('offers %s', async (_, typed, after, expected) => {
    const text = `---\n---\n${typed}\n`;
    expect(await client.complete(home, text, after)).toEqual(expect.arrayContaining(expected));
  });

  it('offers blocks of the layout, and params of a block type', async () => {
    expect(await client.complete(home, '{% extends "layout" %}{% block c %}', 'block c')).toEqual([
      'content',
    ]);
    const card = String(files['snippets/card.html']).replace('{{ heading|upper }}', '{{ h }}');
    expect(await client.complete('snippets/card.html', card, '{{ h')).toContain('heading');
    await client.change('snippets/card.html', String(files['snippets/card.html']));
  });

  it('offers nothing in text and in front matter', async () => {
    expect(await client.complete(home, '<p>pa</p>\n', 'pa')).toEqual([]);
    expect(await client.complete(home, '---\ntitle: pa\n---\n', 'pa')).toEqual([]);
  });

  it('tells what an offer does, and what it replaces', async () => {
    const text = '{{ page.title|tru }}\n';
    await client.change(home, text);
    const items = await client.ask<Record<string, unknown>[]>('completion', home, text, '|tru');
    expect(items.find(({ label }) => label === 'truncatechars')).toMatchObject({
      documentation: { kind: 'markdown', value: expect.stringContaining('At most so many characters') },
      textEdit: {
        range: { start: { line: 0, character: 14 }, end: { line: 0, character: 17 } },
        newText: 'truncatechars',
      },
    });
    await client.change(home, homeText);
  });
});

describe('what stands at a place', () => {
  it.each<[what: string, path: string, after: string, told: string]>([
    ['a filter', 'snippets/card.html', 'heading|up', 'In capitals'],
    ['a tag', home, '{% inclu', 'Shows a snippet'],
    ['a snippet with its params', home, '"car', 'A card with a title'],
    ['a param', 'snippets/card.html', '{{ head', 'Heading'],
    ['a field of an entry', home, 'post.tit', 'Headline'],
    ['a collection', home, 'data("ne', 'Headline'],
    ['a function', home, '{{ ima', 'image'],
  ])('is explained: %s', async (_, path, after, told) => {
    const answer = await client.ask<Record<string, unknown>>('hover', path, String(files[path]), after);
    expect(JSON.stringify(answer['contents'])).toContain(told);
  });

  it('has a definition', async () => {
    const find = async (after: string) => {
      const list = await client.ask<{ uri: string; range: { start: object } }[]>(
        'definition',
        home,
        homeText,
        after,
      );
      return list.map(({ uri, range }) => [uri, range.start]);
    };
    const top = { line: 0, character: 0 };
    expect(await find('"card')).toEqual([[uriOf('snippets/card.html'), top]]);
    expect(await find('extends "lay')).toEqual([[uriOf('snippets/layout.html'), top]]);
    expect(await find('data("ne')).toEqual([[uriOf('collections/news/collection.json'), top]]);
    expect(await find('image("media')).toEqual([[uriOf('media/harbour.svg'), top]]);
    expect(await find('block cont')).toEqual([[uriOf('snippets/layout.html'), { line: 1, character: 9 }]]);
    expect(await find('<')).toEqual([]);
  });

  it('has references in all files', async () => {
    const find = async (after: string) =>
      (
        await client.ask<{ uri: string; range: object }[]>('references', home, homeText, after, {
          context: { includeDeclaration: true },
        })
      )
        .map(({ uri }) => uri)
        .sort();
    expect(await find('"card')).toEqual([uriOf('pages/about/index.html'), uriOf(home)].sort());
    expect(await find('block cont')).toEqual(
      [uriOf('pages/about/index.html'), uriOf(home), uriOf('snippets/layout.html')].sort(),
    );
  });

  it('is renamed everywhere, with the file of a snippet', async () => {
    const plan = await client.ask<Record<string, unknown>>('rename', home, homeText, '"card', {
      newName: 'cards/small',
    });
    expect(plan['documentChanges']).toEqual([
      {
        textDocument: { uri: uriOf('pages/about/index.html'), version: null },
        edits: [
          {
            newText: 'cards/small',
            range: { start: { line: 3, character: 53 }, end: { line: 3, character: 57 } },
          },
        ],
      },
      {
        textDocument: { uri: uriOf(home), version: expect.any(Number) },
        edits: [
          {
            newText: 'cards/small',
            range: { start: { line: 6, character: 12 }, end: { line: 6, character: 16 } },
          },
        ],
      },
      { kind: 'rename', oldUri: uriOf('snippets/card.html'), newUri: uriOf('snippets/cards/small.html') },
    ]);
  });

  it.each([
    ['"card', 'layout', 'already'],
    ['"card', 'a b', 'cannot be the name'],
    ['data("ne', 'x', 'can be renamed'],
  ])('cannot be renamed: %s to %s', async (after, newName, told) => {
    await expect(client.ask('rename', home, homeText, after, { newName })).rejects.toThrow(told);
  });

  it('is formatted in the canonical form', async () => {
    const text = '---\ntitle:   "About"\npublished: true\n---\n<p>x</p>\n';
    await client.open('pages/about/index.html', text);
    const options = {
      options: { tabSize: 2, insertSpaces: true },
      textDocument: { uri: uriOf('pages/about/index.html') },
    };
    expect(await client.connection.sendRequest('textDocument/formatting', options)).toMatchObject([
      { newText: '---\ntitle: About\n---\n<p>x</p>\n', range: { start: { line: 0, character: 0 } } },
    ]);
    await client.change('pages/about/index.html', '---\ntitle: About\n---\n<p>x</p>\n');
    expect(await client.connection.sendRequest('textDocument/formatting', options)).toEqual([]);
    await client.change('pages/about/index.html', '---\ntitle: About\nunknown: 1\n---\n<p>x</p>\n');
    expect(await client.connection.sendRequest('textDocument/formatting', options)).toEqual([]);
  });
});
