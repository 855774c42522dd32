/** When templates are compiled. The tests count parsed and emitted templates and those from the disk cache. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { Linker } from '../../compiler/link/linker.ts';
import { Engine, type EngineOptions, type TemplateFunction } from '../../runtime/engine.ts';

describe('one engine', () => {
  test('a template is compiled at its first render only', () => {
    const { engine } = site({ a: '{{ x }}' });
    expect(engine.counts).toEqual({ parsed: 0, emitted: 0, restored: 0 });
    engine.render('a', { x: 1 });
    engine.render('a', { x: 2 });
    expect(engine.counts).toEqual({ parsed: 1, emitted: 1, restored: 0 });
  });

  test('two hundred pages compile their layout and its parts once', () => {
    const { engine } = site({
      base: '<main>{% include "head" %}{% block content %}{% endblock %}</main>',
      head: '<h1>{{ title }}</h1>',
    });
    for (let page = 0; page < 200; page += 1) {
      const source = `{% extends "base" %}{% block content %}page ${page}{% endblock %}`;
      expect(engine.renderSource(source, `/page-${page}`, { title: page })).toBe(
        `<main><h1>${page}</h1>page ${page}</main>`,
      );
    }
    expect(engine.counts).toEqual({ parsed: 202, emitted: 202, restored: 0 });
  });

  test('pages with the same text are compiled once', () => {
    const { engine } = site({});
    for (let page = 0; page < 10; page += 1) engine.renderSource('{{ x }}', `/page-${page}`, { x: page });
    expect(engine.counts.emitted).toBe(1);
  });

  test('an include in a branch that is not rendered is not compiled', () => {
    const { engine } = site({ a: '{% if x %}{% include "b" %}{% endif %}', b: 'b' });
    expect(engine.render('a', {})).toBe('');
    expect(engine.counts.emitted).toBe(1);
    expect(engine.render('a', { x: 1 })).toBe('b');
    expect(engine.counts.emitted).toBe(2);
  });

  test('a template is compiled once for each set of passed names that it reads', () => {
    const { engine } = site({
      a: '{% for i in l %}{% include "b" %}{% include "b" with y=1 %}{% include "b" with z=2 %}{% endfor %}{% include "b" %}',
      b: '{{ i }}{{ y }}',
    });
    expect(engine.render('a', { l: [1, 2] })).toBe('11112212');
    // Template a, and b with i, with i and y, and with no name. b does not read z.
    expect(engine.counts.emitted).toBe(4);
  });

  test('many block.supers with variables of their own do not multiply', () => {
    const names = Array.from({ length: 30 }, (_, index) => `x${index}`);
    const supers = names.map((name) => `{% with ${name}=1 %}{{ block.super }}{% endwith %}`);
    const { engine } = site({
      page: `{% extends "middle" %}{% block a %}${supers.join('')}{% endblock %}`,
      middle: '{% extends "base" %}{% block a %}{% with y=2 %}{{ block.super }}{% endwith %}{% endblock %}',
      base: '{% block a %}{{ x3 }}{{ y }}{% endblock %}',
    });
    expect(engine.render('page', {})).toBe(`${'2'.repeat(3)}12${'2'.repeat(26)}`);
    // The page once; each layout alone, and again with the outlets of each template below it.
    expect(engine.counts.emitted).toBe(6);
  });

  const chainOf = (supers: (level: number) => string) =>
    Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => [
        `level${level}`,
        level === 0
          ? '{% block a %}{{ x1 }}-{{ x29 }}{% endblock %}'
          : `{% extends "level${level - 1}" %}{% block a %}${supers(level)}{% endblock %}`,
      ]),
    );

  test('thirty levels of block.super, each with a variable, are compiled in bounded steps', () => {
    const chain = chainOf((level) => `{% with x${level}=${level} %}{{ block.super }}{% endwith %}`);
    const { engine } = site(chain);
    expect(engine.render('level29', {})).toBe('1-29');
    // Each level once for each outlet that a level below adds.
    expect(engine.counts.emitted).toBeLessThanOrEqual((30 * 31) / 2);
  });

  test('thirty levels with two block.supers each are refused before their outlets double without end', () => {
    const chain = chainOf(
      (level) =>
        `{% with x${level}=1 %}{{ block.super }}{% endwith %}{% with y${level}=1 %}{{ block.super }}{% endwith %}`,
    );
    const { engine } = site(chain);
    expect(() => engine.render('level29', {})).toThrow('in too many ways');
    expect(engine.counts.emitted).toBeLessThan(2_000);
  });
});

describe('a template that changes', () => {
  test('shows its new text after invalidate and not before', () => {
    const { engine, templates } = site({ a: '{% include "b" %}', b: 'old' });
    engine.render('a', {});
    templates.set('b', 'new');
    expect(engine.render('a', {})).toBe('old');
    engine.invalidate();
    expect(engine.render('a', {})).toBe('new');
  });

  test('is the one that its function renders, also if there was none before', () => {
    const { engine, templates } = site({ a: '{{ x }}', b: 'b' });
    const [a, later] = [engine.template('a'), engine.template('later')];
    expect([a({ x: 1 }), a({ x: 2 })]).toEqual(['1', '2']);
    expect(() => later({})).toThrow('there is no template "later"');
    templates.set('a', '{{ x }}{% include "b" %}');
    templates.set('later', 'l');
    expect(a({ x: 1 })).toBe('1');
    engine.invalidate();
    expect([a({ x: 1 }), later({})]).toEqual(['1b', 'l']);
    templates.set('b', '{% if %}');
    engine.invalidate();
    expect(() => a({ x: 1 })).toThrow('b:1:7: unexpected "%}", expected a value');
    templates.delete('a');
    engine.invalidate();
    expect(() => a({ x: 1 })).toThrow('there is no template "a"');
  });

  test('is compiled again, and templates that include it are not', () => {
    const { engine, templates } = site({ a: '{% include "b" %}{% include "c" %}', b: 'old', c: 'c' });
    engine.render('a', {});
    templates.set('b', 'new');
    engine.invalidate();
    expect(engine.render('a', {})).toBe('newc');
    expect(engine.counts).toMatchObject({ parsed: 4, emitted: 4 });
  });

  test('may read other names than before', () => {
    const { engine, templates } = site({
      a: '{% with x=1 y=2 %}{% include "b" %}{% endwith %}',
      b: '{{ x }}',
    });
    expect(engine.render('a', {})).toBe('1');
    templates.set('b', '{{ y }}');
    engine.invalidate();
    expect(engine.render('a', {})).toBe('2');
  });

  test('as a layout changes the blocks of its pages', () => {
    const page = '{% extends "base" %}{% block b %}p{{ x }}{% endblock %}';
    const { engine, templates } = site({ base: '[{% block b %}{% endblock %}]' });
    expect(engine.renderSource(page, 'page', { x: 'c' })).toBe('[pc]');
    templates.set('base', '{% for x in "ab" %}({% block b %}{% endblock %}){% endfor %}');
    engine.invalidate();
    expect(engine.renderSource(page, 'page', { x: 'c' })).toBe('(pa)(pb)');
  });

  test('as a library of macros changes their parameters', () => {
    const { engine, templates } = site({
      a: '{% import "lib" m %}{{ m(x=1) }}',
      lib: '{% macro m(x) %}{{ x }}{% endmacro %}',
    });
    expect(engine.render('a', {})).toBe('1');
    templates.set('lib', '{% macro m(y, x) %}{{ x }}{{ y }}!{% endmacro %}');
    engine.invalidate();
    expect(engine.render('a', {})).toBe('1!');
  });

  test('may have an error and lose it again', () => {
    const { engine, templates } = site({ a: 'a{% include "b" %}', b: 'b' });
    expect(engine.render('a', {})).toBe('ab');
    templates.set('b', '{% if %}');
    engine.invalidate();
    expect(() => engine.render('a', {})).toThrow('b:1:7: unexpected "%}", expected a value');
    templates.set('b', 'b');
    engine.invalidate();
    expect(engine.render('a', {})).toBe('ab');
  });

  test('is not compiled again when no text has changed', () => {
    const { engine } = site({ a: '{% include "b" %}', b: 'b' });
    engine.render('a', {});
    engine.invalidate();
    engine.render('a', {});
    expect(engine.counts.emitted).toBe(2);
  });
});

describe('code in memory', () => {
  test.each([
    ['that fits in is used for new links', 1_000_000, 3],
    ['that does not fit in is dropped, least recently used first, and emitted again', 6_000, 4],
    ['is kept for the last template alone, if that is too much', 1, 5],
  ])('%s', (_, maxBytes, emitted) => {
    const sources = new Map(['a', 'b', 'c', 'unused'].map((name) => [name, name]));
    const linker = new Linker({
      filters: new Map(),
      functions: new Map(),
      globals: new Set(),
      maxOutputLength: 1_000,
      load: (name) => sources.get(name),
      autoescape: true,
      onLink: () => {},
      helpers: {},
      maxBytes,
    });
    const linkAll = (...names: string[]) => {
      for (const name of names) {
        const loaded = linker.named(name);
        if (loaded !== undefined && name !== 'unused') linker.root(loaded);
      }
    };
    linkAll('unused', 'a', 'b', 'c');
    expect(linker.counts.emitted).toBe(3);
    sources.set('unused', 'another text, so that links are made anew');
    linker.refresh();
    linkAll('c', 'b', 'a');
    expect(linker.counts.emitted).toBe(emitted);
  });

  test('is dropped with a text that will hardly be rendered again', () => {
    const { engine } = site({ a: 'a' });
    const render = (text: string) => engine.renderSource(text, '/', {});
    expect([render('b{% include "a" %}'), render('c')]).toEqual(['ba', 'c']);
    engine.forgetSource('b{% include "a" %}');
    engine.forgetSource('unknown');
    expect(['b{% include "a" %}', 'c'].map((text) => engine.keepsSource(text))).toEqual([false, true]);
    expect([render('b{% include "a" %}'), render('c')]).toEqual(['ba', 'c']);
    expect(engine.counts.emitted).toBe(4);
  });

  test('keeps no tree: another variant parses the template again', () => {
    const { engine } = site({ a: '{% include "b" %}{% include "b" with x=1 %}', b: '{{ x }}' });
    expect(engine.render('a', { x: 0 })).toBe('01');
    expect(engine.counts).toMatchObject({ parsed: 3, emitted: 3 });
  });
});

describe('a template that is missing', () => {
  const appearing: readonly (readonly [string, string])[] = [
    ['include', '{% include "b" %}'],
    ['include by a bare word', '{% include b %}'],
    ['include by a computed name', '{% include "B"|lower %}'],
    ['extends', '{% extends "b" %}'],
    ['component', '{% component "b" / %}'],
    ['component by a bare word', '{% component b / %}'],
  ];

  test.each(appearing)('%s: an error before it exists and after it is deleted', (_, source) => {
    const { engine, templates } = site({});
    const render = () => engine.renderSource(source, 'page', {});
    expect(render).toThrow('page:1:1: there is no snippet "b"');
    templates.set('b', 'here');
    engine.invalidate();
    expect(render()).toBe('here');
    templates.delete('b');
    engine.invalidate();
    expect(render).toThrow('page:1:1: there is no snippet "b"');
  });

  test('import: an error before it exists', () => {
    const { engine, templates } = site({});
    const render = () => engine.renderSource('{% import "b" m %}{{ m() }}', 'page', {});
    expect(render).toThrow('there is no snippet "b"');
    templates.set('b', '{% macro m() %}here{% endmacro %}');
    engine.invalidate();
    expect(render()).toBe('here');
  });

  test('rendered by name: an error too', () => {
    const { engine } = site({});
    expect(() => engine.render('b', {})).toThrow('b:1:1: there is no template "b"');
  });
});

describe('the disk cache', () => {
  const templates = {
    a: '{% extends "b" %}{% block x %}{% include "c" with v=1 %}{% endblock %}',
    b: '[{% block x %}{% endblock %}]',
    c: '{{ v }}',
  };

  test('saves a second engine from compiling', async () => {
    const cacheDir = newFolder();
    expect(site(templates, { cacheDir }).engine.render('a', {})).toBe('[1]');
    await filesWritten();
    const { engine } = site(templates, { cacheDir });
    expect(engine.render('a', {})).toBe('[1]');
    expect(engine.counts).toEqual({ parsed: 0, emitted: 0, restored: 3 });
  });

  test('stops no render when it cannot be written', async () => {
    const cacheDir = join(newFolder(), 'file');
    writeFileSync(cacheDir, 'in the way');
    const { engine } = site(templates, { cacheDir });
    expect(engine.render('a', {})).toBe('[1]');
    await filesWritten();
    expect(engine.counts).toMatchObject({ emitted: 3, restored: 0 });
  });

  test('has no entry for another text, another name or other functions', async () => {
    const cacheDir = newFolder();
    const functions = new Map<string, TemplateFunction>([['f', { call: () => 'f' }]]);
    site({ a: '{{ x }}' }, { cacheDir }).engine.render('a', {});
    await filesWritten();
    const others: readonly [Engine, string][] = [
      [site({ a: '{{ y }}' }, { cacheDir }).engine, 'a'],
      [site({ b: '{{ x }}' }, { cacheDir }).engine, 'b'],
      [site({ a: '{{ x }}' }, { cacheDir, functions }).engine, 'a'],
    ];
    for (const [engine, name] of others) {
      engine.render(name, {});
      expect(engine.counts).toMatchObject({ emitted: 1, restored: 0 });
      await filesWritten();
    }
  });

  test('has the positions of errors', async () => {
    const cacheDir = newFolder();
    for (const emitted of [1, 0]) {
      const { engine } = site({ a: 'x\n{{ 1 / n }}' }, { cacheDir });
      expect(() => engine.render('a', { n: 0 })).toThrow('a:2:4: division by zero');
      expect(engine.counts.emitted).toBe(emitted);
      await filesWritten();
    }
  });

  test.each([
    ['cut off', (text: Buffer) => text.subarray(0, text.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['changed', (text: Buffer) => Buffer.from(text.toString().replaceAll('v', 'w'))],
    ['not text', () => Buffer.from([0, 255, 1, 254])],
  ])('is written again when its files are %s', async (_, damage) => {
    const cacheDir = newFolder();
    site(templates, { cacheDir }).engine.render('a', {});
    await filesWritten();
    for (const file of filesIn(cacheDir)) writeFileSync(file, damage(readFileSync(file)));
    const damaged = site(templates, { cacheDir }).engine;
    expect(damaged.render('a', {})).toBe('[1]');
    expect(damaged.counts).toEqual({ parsed: 3, emitted: 3, restored: 0 });
    await filesWritten();
    const next = site(templates, { cacheDir }).engine;
    expect(next.render('a', {})).toBe('[1]');
    expect(next.counts).toEqual({ parsed: 0, emitted: 0, restored: 3 });
  });

  test('has no entry for a template with an error', async () => {
    const cacheDir = newFolder();
    for (let engines = 0; engines < 2; engines += 1) {
      const { engine } = site({ a: '{{ x|nonsense }}' }, { cacheDir });
      expect(() => engine.render('a', {})).toThrow('a:1:6: unknown filter "nonsense"');
      expect(engine.counts.restored).toBe(0);
      await filesWritten();
    }
  });

  test('has files of templates with a name only, if it is told so', async () => {
    const cacheDir = newFolder();
    for (const restored of [0, 1]) {
      const { engine } = site({ a: 'A' }, { cacheDir, cacheKeeping: 'named' });
      expect(engine.renderSource('{% include "a" %}!', 'page', {})).toBe('A!');
      expect(engine.counts).toMatchObject({ emitted: 2 - restored, restored });
      await filesWritten();
    }
  });
});

/** Nobody waits for files: they are written in the next turn of the event loop. */
const filesWritten = nextTurn;

function site(sources: Readonly<Record<string, string>>, options: Partial<EngineOptions> = {}) {
  const templates = new Map(Object.entries(sources));
  return { templates, engine: new Engine({ load: (name) => templates.get(name), ...options }) };
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-compiler-'));
  folders.push(folder);
  return folder;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
}
