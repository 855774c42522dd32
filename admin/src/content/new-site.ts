/** A new website that can be edited at once: a layout, a type of blocks, and a home page made of blocks. */
import { api, requireData } from '../api/client.ts';
import type { SavedPage, Snippet } from '../api/generated/schema.ts';
import { currentLanguage, t } from '../base/i18n/index.ts';
import { pagesChanged } from './pages.ts';

/** Creates it in the language of the admin. Resolves with its home page. */
export async function createWebsite(site: { title: string; domains?: string }): Promise<SavedPage> {
  const body = { ...site, lang: currentLanguage() };
  const home = await requireData(api.POST('/sites', { body }));
  await fill(home.id);
  await pagesChanged();
  return home;
}

async function fill(home: number): Promise<void> {
  const snippets = await requireData(api.GET('/snippets'));
  const layout = nameFor('layout/page', layoutTemplate, snippets);
  const block = nameFor('blocks/text', blockTemplate, snippets);
  const css = await requireData(
    api.POST('/assets', { body: { name: 'site.css', kind: 'css', content: stylesheet } }),
  );
  const created = [
    {
      name: layout.name,
      content: layoutTemplate,
      page_layout: { label: t('starter.layout'), description: t('starter.layoutHelp'), default: true },
    },
    { name: block.name, content: blockTemplate, schema: blockSchema() },
  ].filter(({ name }) => name === (layout.isNew && layout.name) || name === (block.isNew && block.name));
  const params = { heading: t('starter.heading'), text: t('starter.text') };
  const data = {
    html: `{% extends "${layout.name}" %}\n`,
    blocks: [{ type: block.name, params }],
    assets: [{ asset_id: css.id, inherit: true }],
  };
  const ops = [
    ...created.map((snippet) => ({ op: 'create' as const, kind: 'snippet', data: snippet })),
    { op: 'update' as const, kind: 'page', id: home, data },
  ];
  await requireData(api.POST('/batch', { body: { ops } }));
}

/** A name that is free, or that of the same snippet of an earlier website. */
function nameFor(wanted: string, content: string, snippets: readonly Pick<Snippet, 'name' | 'content'>[]) {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    const existing = snippets.find((snippet) => snippet.name === name);
    if (existing === undefined) return { name, isNew: true };
    if (existing.content === content) return { name, isNew: false };
  }
}

function blockSchema() {
  const params = [
    { name: 'heading', label: t('starter.headingLabel'), type: 'text' as const },
    { name: 'text', label: t('starter.textLabel'), type: 'markdown' as const },
  ];
  return { block: true, label: t('starter.block'), params };
}

const layoutTemplate = `<header class="site-header">
  <a href="/">{{ site.title }}</a>
  <nav>{% for entry in nav() %}<a href="{{ entry.url }}">{{ entry.title }}</a>{% endfor %}</nav>
</header>
<main>
  {% block content %}
  <h1>{{ page.title }}</h1>
  {% blocks page.blocks %}
  {% endblock %}
</main>
`;

const blockTemplate = `<section>
  {% if heading %}<h2>{{ heading }}</h2>{% endif %}
  {{ text|markdown }}
</section>
`;

const stylesheet = `:root { color-scheme: light dark; }
body { margin: 0; font: 1.1rem/1.6 system-ui, sans-serif; }
.site-header, main { max-width: 44rem; margin: 0 auto; padding: 1rem; }
.site-header { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; }
.site-header nav { display: flex; flex-wrap: wrap; gap: 1rem; }
h1, h2 { line-height: 1.2; }
img { max-width: 100%; height: auto; }
`;
