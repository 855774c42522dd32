/** Many pages with few layouts: which templates are compiled, and which ones again after a snippet is saved. */
import { expect, test } from 'vitest';
import { Engine } from '../../runtime/engine.ts';

const pageCount = 300;

test('pages compile their layout and its parts once', () => {
  const site = newSite();
  site.renderAll();
  // Every page, two layouts, header, footer and card.
  expect(site.emitted()).toBe(pageCount + 5);
  site.renderAll();
  expect(site.emitted()).toBe(0);
});

test('every page shows its own text in its own layout', () => {
  const site = newSite();
  expect(site.render(0)).toBe('<header>Museum</header><h1>Page 0</h1>(lamp)<footer>1</footer>');
  expect(site.render(1)).toBe('<aside>Page 1</aside><header>Museum</header>');
  expect(site.render(298)).toBe('<header>Museum</header><h1>Page 298</h1>(lamp)<footer>1</footer>');
});

const texts: readonly (readonly [name: string, source: string, shown: string])[] = [
  ['footer', '<footer>year {{ year }}</footer>', '<footer>year 1</footer>'],
  ['header', '<header>The {{ site }}</header>', '<header>The Museum</header>'],
  ['card', '[{{ name }}]', '[lamp]'],
  [
    'article',
    '{% block aside %}(side){% endblock %}{% include "header" %}{% block main %}{% endblock %}',
    '(side)<header>Museum</header><h1>Page 0</h1>',
  ],
  [
    'article',
    '{% include "header" %}<h2>{% block main %}{% endblock %}</h2>{% include "footer" %}',
    '<h2><h1>Page 0</h1>',
  ],
];

test.each(texts)('a new text of %s compiles only that snippet', (name, source, shown) => {
  const site = newSite();
  site.renderAll();
  site.emitted();
  site.save(name, source);
  site.renderAll();
  expect(site.emitted()).toBe(1);
  expect(site.render(0)).toContain(shown);
});

test('a new text of a page compiles only that page', () => {
  const site = newSite();
  site.renderAll();
  site.emitted();
  site.savePage(7, '{% extends "plain" %}{% block main %}new{% endblock %}');
  site.renderAll();
  expect(site.emitted()).toBe(1);
  expect(site.render(7)).toBe('<aside>new</aside><header>Museum</header>');
});

test('a snippet that reads another variable compiles no page that does not use it', () => {
  const site = newSite();
  site.renderAll();
  site.emitted();
  site.save('footer', '<footer>{{ year }} {{ place }}</footer>');
  site.renderAll((page) => isPlain(page));
  expect(site.emitted()).toBe(0);
  expect(site.render(0)).toContain('<footer>1 here</footer>');
});

test('a snippet that reads another variable compiles itself and its includer, and no page', () => {
  const site = newSite();
  site.renderAll();
  site.emitted();
  site.save('footer', '<footer>{{ year }} {{ place }}</footer>');
  site.renderAll();
  // The footer, and the layout, which passes the new variable to it.
  expect(site.emitted()).toBe(2);
});

test('a saved snippet that no template names compiles nothing', () => {
  const site = newSite();
  site.renderAll();
  site.emitted();
  site.save('unused', '{{ x }}');
  site.renderAll();
  expect(site.emitted()).toBe(0);
});

/** Half of the pages extend `article`, the others `plain`. */
function newSite() {
  const snippets = new Map([
    ['article', '{% include "header" %}{% block main %}{% endblock %}{% include "footer" %}'],
    ['plain', '<aside>{% block main %}{% endblock %}</aside>{% include "header" %}'],
    ['header', '<header>{{ site }}</header>'],
    ['footer', '<footer>{{ year }}</footer>'],
    ['card', '({{ name }})'],
  ]);
  const pages = Array.from({ length: pageCount }, (_, index) =>
    isPlain(index)
      ? `{% extends "plain" %}{% block main %}Page ${index}{% endblock %}`
      : `{% extends "article" %}{% block main %}<h1>Page ${index}</h1>{% include "card" %}{% endblock %}`,
  );
  const context = { site: 'Museum', year: 1, name: 'lamp', place: 'here' };
  const engine = new Engine({ load: (name) => snippets.get(name) });
  let seen = 0;
  const render = (index: number) => engine.renderSource(pages[index] ?? '', `/page-${index}`, context);
  return {
    render,
    renderAll(chosen: (index: number) => boolean = () => true) {
      for (const index of pages.keys()) if (chosen(index)) render(index);
    },
    save(name: string, source: string) {
      snippets.set(name, source);
      engine.invalidate();
    },
    savePage(index: number, source: string) {
      pages[index] = source;
    },
    /** The number of templates emitted since the last call. */
    emitted() {
      const { emitted } = engine.counts;
      const added = emitted - seen;
      seen = emitted;
      return added;
    },
  };
}

function isPlain(index: number): boolean {
  return index % 2 === 1;
}
