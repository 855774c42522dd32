/** The demonstration website is consistent: everything that `site.json` and the templates name exists and is used. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from '../../grammar/parse.ts';
import {
  assets,
  collections,
  contentRoot,
  entries,
  entriesOf,
  files,
  globalBlocks,
  pages,
  parentPath,
  readContent,
  snippets,
  workflows,
  works,
} from './demo-content/site.ts';

const paths = new Set(pages.map((page) => page.path));
const snippetNames = new Set(snippets.map((snippet) => snippet.name));

test('entries have all fields of their language versions', () => {
  for (const { slug, fields, translates } of collections) {
    const names = new Set(fields.map(({ name }) => name));
    const own = entriesOf(slug);
    for (const { data } of own) expect(Object.keys(data).filter((name) => !names.has(name))).toEqual([]);
    if (translates === undefined) continue;
    const given = (list: typeof own) => list.map(({ data }) => Object.keys(data).sort());
    expect(given(own)).toEqual(given(entriesOf(translates)));
  }
});

/** Every template of the website with its name in error messages. */
const templates: readonly (readonly [name: string, source: string])[] = [
  ...snippets.map((snippet) => [snippet.name, readContent(snippet.file)] as const),
  ...entries.map(({ path, data }) => [path, String(data['body'] ?? '')] as const),
  ...pages.flatMap((page) => [
    [page.path, readContent(page.html)] as const,
    [`${page.path} (head)`, readContent(page.head)] as const,
    [`${page.path} (meta_title)`, page.meta_title] as const,
    [`${page.path} (description)`, page.description] as const,
  ]),
];

/** Every block tree of the website, as JSON. */
const trees: readonly string[] = [...pages, ...globalBlocks].flatMap(({ blocks }) =>
  blocks === undefined ? [] : [readContent(blocks)],
);

function duplicates(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(contentRoot, join(entry.parentPath, entry.name)));
}

/** The matches of the first group of a pattern in all templates for which `wrong` is true, as `template: match`. */
function findings(pattern: RegExp, wrong: (hit: string) => boolean): string[] {
  return templates.flatMap(([name, source]) =>
    [...source.matchAll(pattern)]
      .map((match) => match[1] ?? '')
      .filter(wrong)
      .map((hit) => `${name}: ${hit}`),
  );
}

/** The files with the code of the function nodes of a flow. */
function codeFilesIn(flow: string): string[] {
  return [...readContent(flow).matchAll(/"code": "([^"]+)"/g)].map(([, file = '']) => file);
}

describe('site.json', () => {
  test('names all files, and no others', () => {
    const named = [
      'site.json',
      'README.md',
      ...files.map(({ file }) => `files/${file}`),
      ...assets.map((asset) => asset.file),
      ...snippets.map((snippet) => snippet.file),
      ...snippets.flatMap(({ schema = [] }) => schema),
      ...globalBlocks.map(({ blocks }) => blocks),
      ...pages.flatMap(({ html, head, blocks = [] }) => [html, head, blocks].flat()),
      ...collections.flatMap((collection) => collection.entries ?? []),
      ...workflows.flatMap(({ flow }) => [flow, ...codeFilesIn(flow)]),
    ];
    expect(filesBelow(contentRoot).sort()).toEqual([...new Set(named)].sort());
  });

  test('uses each asset key, snippet name and path once', () => {
    expect(duplicates(assets.map((asset) => asset.key))).toEqual([]);
    expect(duplicates(snippets.map((snippet) => snippet.name))).toEqual([]);
    expect(duplicates([...paths, ...entries.map(({ path }) => path)])).toEqual([]);
  });

  test('assigns every asset, and no others', () => {
    const assigned = [
      ...pages.flatMap((page) => (page.assets ?? []).map((asset) => asset.key)),
      ...snippets.flatMap((snippet) => snippet.assets ?? []),
    ];
    expect([...new Set(assigned)].sort()).toEqual(assets.map((asset) => asset.key).sort());
  });

  test('lists parents before their subpages', () => {
    const orphans = pages.slice(1).filter((page, index) => {
      return !pages.slice(0, index + 1).some((earlier) => earlier.path === parentPath(page.path));
    });
    expect(orphans.map((page) => page.path)).toEqual([]);
  });

  test('uses no reserved slugs', () => {
    for (const reserved of ['/cms-admin', '/api', '/media', '/_assets', '/sitemap.xml']) {
      expect(paths).not.toContain(reserved);
    }
  });

  test('has a 404 page outside navigation and sitemap', () => {
    expect(pages.find((page) => page.path === '/404')).toMatchObject({
      hide_in_nav: true,
      sitemap_exclude: true,
    });
  });

  test('has the size that tests and benchmarks need', () => {
    expect(pages.length).toBeGreaterThanOrEqual(24);
    expect(works.length).toBeGreaterThanOrEqual(18);
    expect(pages.filter((page) => page.path.startsWith('/de')).length).toBeGreaterThanOrEqual(10);
  });
});

describe('templates', () => {
  test.each(templates)('%s is free of syntax errors', (name, source) => {
    expect(parse(source, name).name).toBe(name);
  });

  test('name only snippets that exist', () => {
    const named = /\{%\s*(?:include|extends|component|import)\s+"([^"]+)"/g;
    expect(findings(named, (name) => !snippetNames.has(name))).toEqual([]);
    expect(entries.map(({ art }) => art).filter((name) => !snippetNames.has(name))).toEqual([]);
  });

  test('use every snippet', () => {
    const everything = [...templates.map(([, source]) => source), ...trees].join('\n');
    const unused = snippets.filter((snippet) => {
      const drawing = snippet.name.replace(/^art\//, '');
      return !everything.includes(`"${snippet.name}"`) && !works.includes(drawing);
    });
    expect(unused.map((snippet) => snippet.name)).toEqual([]);
  });

  test('show blocks of at least eight types on three pages', () => {
    const types = new Set(
      trees.flatMap((tree) => [...tree.matchAll(/"type": "([^"]+)"/g)].map(([, name]) => name)),
    );
    expect(types.size).toBeGreaterThanOrEqual(8);
    expect(pages.filter(({ blocks }) => blocks !== undefined).map(({ path }) => path)).toEqual([
      '/',
      '/visit',
      '/about',
    ]);
    expect(trees.join()).toContain('"overrides"');
  });

  test('link only to pages and works that exist', () => {
    const targets = new Set([...paths, ...entries.map(({ path }) => path)]);
    const link = /(?:href"?\s*[:=]\s*|button\()"(\/[^"{#?]*)"/g;
    expect(findings(link, (href) => !targets.has(href))).toEqual([]);
    expect(findings(link, () => true).length).toBeGreaterThan(50);
  });

  test('show only pictures that exist, and each of them', () => {
    const pictures = entries.flatMap(({ data }) => data['picture'] ?? []);
    const shown = findings(/\b(?:image|file)\((\d+)/g, () => true).map((hit) =>
      Number(/\d+$/.exec(hit)?.[0]),
    );
    const last = files.findIndex(({ file }) => file === 'mark.png') + 1;
    expect(new Set([...shown, ...pictures, last])).toEqual(new Set(files.map((_, index) => index + 1)));
  });

  test('load nothing from another host', () => {
    const foreign = /(?:src|href|srcset|action)="?((?:https?:)?\/\/[^"\s>]+)/g;
    expect(findings(foreign, () => true)).toEqual([]);
    for (const asset of assets) expect(readContent(asset.file)).not.toMatch(/url\(|@import|https?:/);
  });
});
