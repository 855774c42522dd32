import type { BlockTree } from '../../runtime/blocks/tree.ts';
import { openDatabases } from '../../server/db/open.ts';

/** The block types of the measured page, with the functions that write their HTML by hand. */
const types = {
  section: {
    content:
      '<section class="section {{ tone }}">\n  <h2>{{ title }}</h2>\n  {% if lead %}<p class="lead">{{ lead }}</p>{% endif %}\n  <div class="grid">{% slot %}{% endslot %}</div>\n</section>\n',
    params: [
      { name: 'title', type: 'text' },
      { name: 'lead', type: 'text' },
      { name: 'tone', type: 'select', options: ['sand', 'sea'], default: 'sand' },
    ],
    slots: [{ name: 'default' }],
  },
  card: {
    content:
      '<article class="card">\n  {% if kicker %}<p class="kicker">{{ kicker }}</p>{% endif %}\n  <h3><a href="{{ href }}">{{ title }}</a></h3>\n  <div class="text">{% slot %}{% endslot %}</div>\n</article>\n',
    params: [
      { name: 'kicker', type: 'text' },
      { name: 'title', type: 'text' },
      { name: 'href', type: 'url' },
    ],
    slots: [{ name: 'default' }],
  },
  text: {
    content: '<p class="{{ size }}">{{ text }}</p>\n',
    params: [
      { name: 'text', type: 'textarea' },
      { name: 'size', type: 'select', options: ['small', 'large'], default: 'small' },
    ],
    slots: [],
  },
} as const;

const sentence = 'A lamp of brass & glass, made by hand, stands in the room where the ships were measured. ';

/** 6 sections with 3 cards each, with 2 texts each: 60 blocks in three levels. */
export function benchTree(): BlockTree {
  let number = 0;
  const id = () => `b${++number}`;
  const list = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index));
  return list(6, (section) => ({
    id: id(),
    type: 'section',
    params: { title: `Section ${section}`, lead: sentence },
    slots: {
      default: list(3, (card) => ({
        id: id(),
        type: 'card',
        params: { kicker: `Card ${card}`, title: `The ${card}th "lamp"`, href: `/lamps/${section}/${card}` },
        slots: { default: list(2, () => ({ id: id(), type: 'text', params: { text: sentence.repeat(2) } })) },
      })),
    },
  }));
}

const layout = '<header>{{ site.title }}</header><main>{% block main %}{% endblock %}</main>\n';
const pageWith = (main: string) => `{% extends "layout" %}{% block main %}${main}{% endblock %}`;

/** The pages `/blocks`, `/by-hand` and `/with-values` of a website in an empty data directory. */
export function createBlocksSite(dataDir: string, byHand: string): void {
  const databases = openDatabases(dataDir, 5000);
  const db = databases.content.writer;
  try {
    db.execute('BEGIN');
    const insertSnippet = db.statement(
      'INSERT INTO snippets (name, content, schema, created_at, updated_at) VALUES (?, ?, ?, 1, 1)',
    );
    insertSnippet.run(['layout', layout, null]);
    for (const [name, { content, params, slots }] of Object.entries(types))
      insertSnippet.run([name, content, JSON.stringify({ block: true, params, slots })]);
    const insertPage = db.statement(
      `INSERT INTO pages (id, parent_id, root_id, slug, path, sort, title, html, blocks, published, created_at, updated_at)
       VALUES (?, ?, 1, ?, ?, 0, 'Page', ?, ?, 1, 1, 1)`,
    );
    insertPage.run([1, null, '', '/', '', '[]']);
    const tree = JSON.stringify(benchTree());
    insertPage.run([2, 1, 'blocks', '/blocks', pageWith('{% blocks page.blocks %}'), tree]);
    insertPage.run([3, 1, 'by-hand', '/by-hand', pageWith(byHand), '[]']);
    insertPage.run([4, 1, 'with-values', '/with-values', pageWith(withValues), tree]);
    db.execute('COMMIT');
  } finally {
    databases.close();
  }
}

/** One template that reads the same values. */
const withValues = `{% for s in page.blocks %}<section class="section {{ s.params.tone|default:"sand" }}">
  <h2>{{ s.params.title }}</h2>
  {% if s.params.lead %}<p class="lead">{{ s.params.lead }}</p>{% endif %}
  <div class="grid">{% for c in s.slots.default %}<article class="card">
  {% if c.params.kicker %}<p class="kicker">{{ c.params.kicker }}</p>{% endif %}
  <h3><a href="{{ c.params.href }}">{{ c.params.title }}</a></h3>
  <div class="text">{% for t in c.slots.default %}<p class="{{ t.params.size|default:"small" }}">{{ t.params.text }}</p>
{% endfor %}</div>
</article>
{% endfor %}</div>
</section>
{% endfor %}`;
