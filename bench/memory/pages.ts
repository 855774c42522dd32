/** `pages.ts <sections of the layout> <pages>`, with `--expose-gc`: prints figures of the pages, as JSON. */
import { Engine } from '../../runtime/engine.ts';
import type { PageFigures } from './figures.ts';
import { heapBytes } from './heap.ts';

const [sectionsText = '', countText = ''] = process.argv.slice(2);
console.log(JSON.stringify(figuresOf(Number(sectionsText), Number(countText))));

function figuresOf(sections: number, count: number): PageFigures {
  const snippets = new Map([
    ['layout', layoutOf(sections)],
    [
      'navigation',
      '<nav>{% for entry in entries %}<a href="{{ entry.url }}">{{ entry.title }}</a>{% endfor %}</nav>',
    ],
    ['footer', '<footer>{{ site }}</footer>'],
  ]);
  const engine = new Engine({ load: (name) => snippets.get(name) });
  const pages = Array.from({ length: count }, (_, index) => pageOf(index));
  const context = {
    site: 'Museum',
    entries: [{ url: '/', title: 'Start' }],
    cards: [{ title: 'Lamp', url: '/lamp' }],
  };
  const renderAll = () => {
    const before = engine.counts.emitted;
    for (const [index, page] of pages.entries()) engine.renderSource(page, `/page-${index}`, context);
    return engine.counts.emitted - before;
  };
  const save = (name: string, source: string) => {
    snippets.set(name, source);
    engine.invalidate();
    return renderAll();
  };
  // Compiles the layout and makes everything that an engine needs once, before the heap is measured.
  engine.renderSource(pageOf(-1), '/first', context);
  const before = heapBytes();
  const emitted = renderAll();
  const bytesPerPage = (heapBytes() - before) / count;
  return {
    layoutBytes: Buffer.byteLength(snippets.get('layout') ?? ''),
    pageBytes: Buffer.byteLength(pageOf(count - 1)),
    bytesPerPage,
    emitted,
    emittedAfterText: save('footer', '<footer>About {{ site }}</footer>'),
    emittedAfterVariable: save('footer', '<footer>{{ site }} {{ year }}</footer>'),
  };
}

function layoutOf(sections: number): string {
  const middle = Array.from(
    { length: sections },
    (_, index) =>
      `<section class="s${index}">{% if section == ${index} %}<h2>{{ site|upper }}</h2>{% block s${index} %}{% endblock %}{% endif %}</section>\n`,
  ).join('');
  return `<title>{% block title %}{{ site }}{% endblock %}</title>{% include "navigation" %}
${middle}<main>{% block main %}{% endblock %}</main>{% include "footer" %}`;
}

function pageOf(index: number): string {
  return `{% extends "layout" %}
{% block title %}Page ${index} - {{ site }}{% endblock %}
{% block main %}<h1>Page ${index}</h1>
<ul>{% for card in cards %}<li><a href="{{ card.url }}">{{ card.title|upper }}</a></li>{% endfor %}</ul>{% endblock %}`;
}
