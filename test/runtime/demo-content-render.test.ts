/** Every page of the demonstration website, rendered by the tasks of the render pool from a real database. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'parse5';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkTemplateTask } from '../../runtime/tasks/check-template.ts';
import { RenderWorker, type TaskContext } from '../../runtime/tasks/context.ts';
import type { PageOutcome } from '../../runtime/tasks/messages/delivery.ts';
import { renderPageTask } from '../../runtime/tasks/render-page.ts';
import { installInto, installSourcesInto } from './demo-content/database.ts';
import { entries, entriesOf, pages, readContent, snippets, works } from './demo-content/site.ts';

/** A Thursday at noon, local time: the day on which the museum is open late. */
const thursday = new Date(2026, 5, 4, 12).getTime();
/** The Monday after, on which it is closed. */
const monday = new Date(2026, 5, 8, 12).getTime();

const dir = mkdtempSync(join(tmpdir(), 'incipit-demo-'));
const databaseFile = join(dir, 'content.db');
let worker: RenderWorker;
let context: TaskContext;

beforeAll(() => {
  installInto(databaseFile);
  worker = openWorker(databaseFile);
  context = worker.contextFor();
});

afterAll(() => {
  worker.close();
  rmSync(dir, { recursive: true });
});

function openWorker(file: string): RenderWorker {
  return new RenderWorker({
    databaseFile: file,
    cacheDir: join(dir, 'cache'),
    scheme: 'http',
    signingKeyFile: '',
  });
}

async function get(path: string, now = thursday): Promise<{ kind: PageOutcome['kind']; html: string }> {
  const { outcome } = await renderPageTask(context, {
    kind: 'page',
    host: 'museum.example',
    scheme: 'http',
    path,
    query: '',
    now,
  });
  if (outcome.kind === 'failed') throw new Error(outcome.error.message);
  return {
    kind: outcome.kind,
    html: 'body' in outcome ? new TextDecoder().decode(outcome.body.identity) : outcome.location,
  };
}

/** Group 1 of the first match, or an empty text. */
function first(html: string, pattern: RegExp): string {
  return pattern.exec(html)?.[1] ?? '';
}

const entryPaths = entries.map(({ path }) => path);

describe('each page', () => {
  test.each([...pages.map((page) => page.path), ...entryPaths])('%s is a complete document', async (path) => {
    const { kind, html } = await get(path);
    expect(kind).toBe('page');
    expect(html.match(/<h1[\s>]/g)).toHaveLength(1);
    expect(html.match(/<main[\s>]/g)).toHaveLength(1);
    expect(first(html, /<html[^>]* lang="([^"]+)"/)).toBe(
      path === '/de' || path.startsWith('/de/') ? 'de' : 'en',
    );
    expect(first(html, /<title>([^<]+)<\/title>/)).toMatch(/Weigh House|Alte Waage/);
    expect(first(html, /<meta name="description" content="([^"]+)"/)).not.toBe('');
    expect(html).not.toMatch(/\b(?:None|undefined|\[object Object\])\b/);
  });

  test.each([...pages.map((page) => page.path), ...entryPaths, '/nothing', '/de/nothing'])(
    '%s is parsed without an error',
    async (path) => {
      const { html } = await get(path);
      const errors: string[] = [];
      parse(html, { onParseError: ({ code, startLine }) => errors.push(`${code} in line ${startLine}`) });
      expect(errors).toEqual([]);
    },
  );

  test('shows template code only on the page about templates', async () => {
    const showing: string[] = [];
    for (const { path } of pages) if (/\{[{%#]/.test((await get(path)).html)) showing.push(path);
    expect(showing).toEqual(['/about/how-this-page-is-made']);
  });

  test('closes every structural element that it opens', async () => {
    for (const { path } of pages) {
      const { html } = await get(path);
      for (const name of [
        'div',
        'section',
        'article',
        'ul',
        'ol',
        'li',
        'a',
        'p',
        'table',
        'tr',
        'svg',
        'figure',
      ]) {
        const opened = html.match(new RegExp(`<${name}[\\s>]`, 'g'))?.length ?? 0;
        const closed = html.match(new RegExp(`</${name}>`, 'g'))?.length ?? 0;
        expect(`${path} ${name} ${closed}`).toBe(`${path} ${name} ${opened}`);
      }
    }
  });
});

describe('navigation', () => {
  test('links only to pages that exist', async () => {
    const links = new Map<string, string>();
    for (const path of [...pages.map((page) => page.path), ...entryPaths]) {
      for (const [, href = ''] of (await get(path)).html.matchAll(/<a [^>]*href="(\/[^"#]*)"/g))
        links.set(href, path);
    }
    const linked = [...pages.map(({ path }) => path), ...entryPaths].filter((path) => path !== '/404');
    expect([...links.keys()].sort()).toEqual(linked.sort());
    for (const [href, from] of links)
      expect(`${from} > ${href} ${(await get(href)).kind}`).toBe(`${from} > ${href} page`);
  });

  test('shows the sections of one language and marks the current one', async () => {
    const { html } = await get('/visit/cafe');
    const menu = first(html, /<ul class="navigation__list">([\s\S]*?)<\/ul>/);
    expect([...menu.matchAll(/href="([^"]+)"/g)].map((match) => match[1])).toEqual([
      '/visit',
      '/exhibitions',
      '/collection',
      '/journal',
      '/about',
    ]);
    expect(menu).toContain('<a href="/visit" aria-current="true">');
    expect(html).toContain('<a href="/visit/cafe" aria-current="page">');
  });

  test('shows the German sections on German pages', async () => {
    const menu = first((await get('/de/haus')).html, /<ul class="navigation__list">([\s\S]*?)<\/ul>/);
    expect(menu).toContain('<a href="/de/haus" aria-current="page">Das Haus</a>');
    expect(menu).not.toContain('"/visit"');
  });

  test('shows the path from the home page to the page', async () => {
    const crumbs = first((await get('/visit/cafe')).html, /<nav class="crumbs[^>]*>([\s\S]*?)<\/nav>/);
    expect(
      crumbs
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ).toBe('The Weigh House Visit Café Pound');
  });

  test('links to the same page in the other language and back', async () => {
    expect(first((await get('/visit')).html, /class="language" href="([^"]+)"/)).toBe('/de/besuch');
    expect(first((await get('/de/besuch')).html, /class="language" href="([^"]+)"/)).toBe('/visit');
    expect(first((await get('/collection/gate-ell')).html, /class="language" href="([^"]+)"/)).toBe(
      '/de/sammlung/gate-ell',
    );
  });
});

describe('the collection', () => {
  test('shows the object of the address', async () => {
    const { html } = await get('/collection/tide-gauge');
    expect(first(html, /<h1>([^<]+)/)).toBe('The Harbour Tide Gauge');
    expect(first(html, /<title>([^<]+)/)).toBe('The Harbour Tide Gauge · The Weigh House');
    expect(html).toContain('<link rel="stylesheet" href="/_assets/css/');
    expect([...html.matchAll(/rel="(prev|next)"/g)].map((match) => match[1])).toEqual(['prev', 'next']);
  });

  test('an entry is called the same in its heading and in the path to it', async () => {
    for (const { path, title } of entries) {
      const { html } = await get(path);
      expect(first(html, /<h1>([^<]+)/)).toBe(title);
      expect(first(html, /<li aria-current="page">([^<]+)/)).toBe(title);
    }
  });

  test('has no link before the first object and none after the last', async () => {
    expect((await get(`/collection/${works[0]}`)).html).not.toContain('rel="prev"');
    expect((await get(`/collection/${works.at(-1)}`)).html).not.toContain('rel="next"');
  });

  test('lists every object and loads the script that filters them', async () => {
    const { html } = await get('/collection');
    expect(html.match(/class="work-tile /g)).toHaveLength(works.length);
    expect(html).toContain('<script type="module"');
  });

  test.each(['/collection/nothing', '/collection/tide-gauge/more', '/collection/x,y', '/de/sammlung/nichts'])(
    '%s answers with the 404 page',
    async (path) => {
      const { kind, html } = await get(path);
      expect(kind).toBe('missing');
      expect(html).toContain(path.startsWith('/de/') ? 'Um Haaresbreite daneben' : 'Off by a hair');
    },
  );
});

describe('search engines', () => {
  const origin = 'http://museum.example';
  const versions = (html: string) =>
    [...html.matchAll(/<link rel="alternate" hreflang="(\w+)" href="([^"]+)">/g)].map(
      ([, lang, href]) => `${lang} ${href}`,
    );

  test.each(pages.map((page) => page.path))('find the one address and the versions of %s', async (path) => {
    const { html } = await get(path);
    const canonical = [...html.matchAll(/<link rel="canonical" href="([^"]+)">/g)].map(([, href]) => href);
    expect(canonical).toEqual(path === '/404' ? [] : [origin + path]);
    const page = pages.find((entry) => entry.path === path);
    const english = page?.translates ?? path;
    const german = pages.find(({ translates }) => translates === english)?.path;
    expect(versions(html)).toEqual(
      german === undefined ? [] : [`de ${origin}${german}`, `en ${origin}${english}`],
    );
  });

  test('find the versions of every entry', async () => {
    for (const [english, german] of [['objects', 'objekte'] as const, ['articles', 'artikel'] as const]) {
      const others = entriesOf(german);
      for (const [index, { path }] of entriesOf(english).entries()) {
        const expected = [`de ${origin}${others[index]?.path}`, `en ${origin}${path}`];
        expect(versions((await get(path)).html)).toEqual(expected);
        expect(versions((await get(others[index]?.path ?? '')).html)).toEqual(expected);
      }
    }
  });
});

describe('the 404 page', () => {
  test.each([
    ['/nothing', 'en', '<a href="/visit">', 'Not found · The Weigh House'],
    ['/de/nichts', 'de', '<a href="/de/besuch">', 'Nicht gefunden · Die Alte Waage'],
  ])('%s is in one language from head to foot', async (path, lang, link, title) => {
    const { html } = await get(path);
    expect(html.match(/<html[^>]*>/g)).toEqual([`<html lang="${lang}">`]);
    expect(html).toContain(link);
    expect(first(html, /<title>([^<]+)/)).toBe(title);
    expect(html.match(/<(?:head|body|meta charset="utf-8")>/g)).toHaveLength(3);
  });
});

test('the footer lists pages of every section', async () => {
  for (const path of ['/', '/de']) {
    const footer = first((await get(path)).html, /<nav class="site-footer__map[^>]*>([\s\S]*?)<\/nav>/);
    const sections = footer.split('<div>').slice(1);
    expect(sections.length).toBeGreaterThan(3);
    for (const section of sections) expect(section).toMatch(/<li><a href="[^"]+">[^<]+<\/a><\/li>/);
  }
});

describe('texts that depend on the day', () => {
  test.each([
    ['/', thursday, 'Open today, 10 am to 9 pm'],
    ['/', monday, 'Closed today'],
    ['/de', thursday, 'Heute geöffnet 10 bis 21 Uhr'],
    ['/de', monday, 'Heute geschlossen'],
  ])('%s at %d says "%s"', async (path, now, text) => {
    expect((await get(path, now)).html).toContain(text);
  });

  test('exhibitions are coming, running or past', async () => {
    const states = async (now: number) =>
      [...(await get('/exhibitions', now)).html.matchAll(/<p class="status">([^<]+)</g)].map(
        (match) => match[1],
      );
    expect(await states(thursday)).toEqual(['On now', 'On now', 'Coming up']);
    expect(await states(new Date(2027, 5, 1).getTime())).toEqual(['Past', 'On now', 'On now']);
  });

  test('names of months are in the language of the page', async () => {
    expect((await get('/de')).html).toContain('Donnerstag, 4. Juni');
    expect((await get('/')).html).toContain('Thursday, 4 June');
  });
});

test('snippets and pages have no findings', async () => {
  const withSources = join(dir, 'with-sources.db');
  copyFileSync(databaseFile, withSources);
  installSourcesInto(withSources);
  const checking = openWorker(withSources);
  const texts = [
    ...snippets.map(({ name, file }) => ({ name, source: readContent(file) })),
    ...pages.flatMap(({ path, html, head }) =>
      [html, head].map((file) => ({ name: path, source: readContent(file) })),
    ),
  ];
  const errors: string[] = [];
  // One after the other: a worker has one task at a time.
  for (const text of texts) {
    const { warnings } = await checkTemplateTask(checking.contextFor(), { kind: 'check-template', ...text });
    errors.push(...warnings.map(({ error }) => error));
  }
  checking.close();
  expect(errors).toEqual([]);
});
