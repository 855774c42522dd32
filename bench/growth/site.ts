import { openDatabases } from '../../server/db/open.ts';

/** Pages below one section, so that lists of children have the same length on sites of every size. */
const pagesPerSection = 100;
/** Sections that the navigation shows; all others are hidden in it. */
const shownSections = 12;

/** As many as an import may have. */
const redirectCount = 20_000;

/** Paths of pages of one website for the measurements. */
export interface GrowthSite {
  readonly pageCount: number;
  /** Pages whose templates read only themselves and their layout. */
  readonly plain: readonly string[];
  /** A page with `nav()`, and the ID of a page in that navigation. */
  readonly navigation: { readonly path: string; readonly relatedId: number };
  /** A page with `children()`, and the ID of one of these children. */
  readonly listing: { readonly path: string; readonly relatedId: number };
  /** A page that none of the others reads. */
  readonly unrelatedId: number;
}

const layout = `<header>{{ site.title }}</header><main>{% block main %}{% endblock %}</main>
<footer>{% include "footer" %}</footer>`;
const footer = '<p>© {% now "Y" %} {{ site.title }}</p>';
const plainPage = `{% extends "layout" %}{% block main %}<h1>{{ page.title }}</h1>
${'<p>A lamp of brass and glass, made by hand for {{ page.title }}.</p>\n'.repeat(40)}{% endblock %}`;
const navigationPage = `{% extends "layout" %}{% block main %}<nav>{% for entry in nav() %}<a href="{{ entry.url }}">{{ entry.title }}</a>{% endfor %}</nav>{% endblock %}`;
const listingPage = `{% extends "layout" %}{% block main %}<ul>{% for entry in children() %}<li><a href="{{ entry.url }}">{{ entry.title }}</a></li>{% endfor %}</ul>{% endblock %}`;

/** Makes a website of `pageCount` pages in an empty data directory. */
export function createGrowthSite(dataDir: string, pageCount: number): GrowthSite {
  const databases = openDatabases(dataDir, 5000);
  const db = databases.content.writer;
  try {
    db.execute('BEGIN');
    const insertSnippet = db.statement(
      'INSERT INTO snippets (name, content, created_at, updated_at) VALUES (?, ?, 1, 1)',
    );
    insertSnippet.run(['layout', layout]);
    insertSnippet.run(['footer', footer]);
    const insertPage = db.statement(
      `INSERT INTO pages (id, parent_id, root_id, slug, path, sort, title, html, published, hide_in_nav,
         created_at, updated_at)
       VALUES (?, ?, 1, ?, ?, ?, ?, ?, 1, ?, 1, 1)`,
    );
    insertPage.run([1, null, '', '/', 0, 'Growth', plainPage, 0]);
    const plain: string[] = [];
    let section = { id: 1, path: '', number: 0 };
    for (let id = 2; id <= pageCount; id++) {
      const place = (id - 2) % (pagesPerSection + 1);
      if (place === 0) {
        section = { id, path: `/section-${id}`, number: section.number + 1 };
        const html = section.number === 1 ? navigationPage : listingPage;
        const isHidden = Number(section.number > shownSections);
        insertPage.run([id, 1, `section-${id}`, section.path, id, `Section ${id}`, html, isHidden]);
      } else {
        const path = `${section.path}/page-${id}`;
        insertPage.run([id, section.id, `page-${id}`, path, place, `Page ${id}`, plainPage, 0]);
        plain.push(path);
      }
    }
    const insertRedirect = db.statement(
      `INSERT INTO redirects (root_id, source, target, target_path, status, auto, created_at)
       VALUES (1, ?, ?, ?, 301, 0, 1)`,
    );
    for (let number = 0; number < redirectCount; number++) {
      const target = plain[(number * 13) % plain.length] ?? '/';
      insertRedirect.run([`/old/${number}`, target, target]);
    }
    db.execute('COMMIT');
    const second = 2 + pagesPerSection + 1;
    return {
      pageCount,
      plain,
      navigation: { path: '/section-2', relatedId: second },
      listing: { path: `/section-${second}`, relatedId: second + 1 },
      unrelatedId: second + 2 * (pagesPerSection + 1) + 1,
    };
  } finally {
    databases.close();
  }
}
