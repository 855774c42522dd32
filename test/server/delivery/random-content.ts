import type Database from 'better-sqlite3';
import type { Address } from './expected-answer.ts';
import type { Random } from './random.ts';
import { RandomBlocks } from './random-blocks.ts';
import { RandomEntries } from './random-entries.ts';

const domainLists = ['one.test', 'two.test', 'three.test', 'one.test\ntwo.test', 'three.test\none.test', ''];
const words = ['T1', 'T2', 's1', 's2'];
/** So many that the languages of a website change often. */
const langs = ['', '', '', '', 'en', 'fr', 'it', 'es', 'pl', 'nl'];
const groups = ['', 'g', 'h'];
const snippetNames = ['s1', 's2', 's3', 's4', 'm1', 'l1', 'l2'];

/** A title shows templates of snippets without their assets. */
const metaTitles = ['', 'M', '{{ site.title }}', '{% include "s1" %}', '{% include ["s2", "s4"] %}'];

/** Random content, and random changes of its rows. */
export class RandomContent {
  readonly #random: Random;
  readonly #entries: RandomEntries;
  readonly #blocks: RandomBlocks;
  /** The catch-all page that an address was below, lately. */
  #catchAllId: unknown;

  constructor(random: Random) {
    this.#random = random;
    this.#entries = new RandomEntries(random);
    this.#blocks = new RandomBlocks(random);
  }

  fill(db: Database.Database): void {
    for (const name of snippetNames) this.#insertSnippet(db, name);
    for (let asset = 0; asset < 4; asset++) this.#attempt(db, this.#actions['insertAsset']);
    for (const domain of ['one.test', 'two.test']) {
      const id = this.#insertPage(db, { parent_id: null, root_id: 0, slug: '', path: '/', domains: domain });
      db.prepare('UPDATE pages SET root_id = id WHERE id = ?').run(id);
    }
    for (let page = 0; page < 16; page++) this.#attempt(db, this.#actions['insertPage']);
    const { insertCollection, insertItem } = this.#entries.actions;
    for (let collection = 0; collection < 3; collection++) this.#attempt(db, insertCollection);
    for (let item = 0; item < 12; item++) this.#attempt(db, insertItem);
    this.#blocks.fill(db);
  }

  changeSomething(db: Database.Database): void {
    const kinds = [this.#entries.actions, this.#blocks.actions, this.#actions, this.#actions, this.#actions];
    this.#attempt(db, this.#random.one(Object.values(this.#random.one(kinds) ?? {})));
  }

  /** Logs all changes after `seq` as one of unknown extent. */
  hideExtent(db: Database.Database, seq: number): void {
    db.prepare('DELETE FROM changes WHERE seq > ?').run(seq);
    db.exec("INSERT INTO changes (kind, id, action) VALUES ('all', 0, 'updated')");
  }

  /** The sitemap of a website. */
  sitemap(db: Database.Database): Address {
    const [domains = ''] = this.#row(db, 'SELECT domains FROM pages WHERE id = ?', this.#rootId(db));
    return { host: String(domains).split('\n')[0] || 'other.test', target: '/sitemap.xml' };
  }

  /** An address of a page or file, or one below a page. */
  address(db: Database.Database): Address {
    const [path = '/', domains = '', catchAll, id] = this.#row(
      db,
      `SELECT p.path, r.domains, p.catch_all, p.id FROM pages p JOIN pages r ON r.id = p.root_id WHERE p.id = ?`,
      this.#pageId(db),
    );
    const below = `${path}/below`;
    const [asset = 1, kind = 'css'] = this.#row(
      db,
      'SELECT id, kind FROM assets WHERE id = ?',
      this.#assetId(db),
    );
    const files = ['/robots.txt', `/_assets/${kind}/${asset}.${kind}`];
    const forms = [path, path, path, path, path, path, path, `${path}?q=1`, '/nowhere', below];
    if (catchAll === 1) forms.push(below, below, below, below, below, below);
    const target = this.#random.one(this.#random.below(6) === 0 ? files : forms);
    if (target === below && catchAll === 1) this.#catchAllId = id;
    return {
      host: String(domains).split('\n')[0] || 'other.test',
      target: String(target).replace('//', '/'),
    };
  }

  #attempt(db: Database.Database, action: ((db: Database.Database) => unknown) | undefined): void {
    db.exec('SAVEPOINT random_change');
    try {
      action?.(db);
    } catch (error) {
      // A random value may break a rule of the tables; then nothing happens.
      if (!String(error).includes('constraint failed')) throw error;
      db.exec('ROLLBACK TO random_change');
    }
    db.exec('RELEASE random_change');
  }

  readonly #actions: Readonly<Record<string, (db: Database.Database) => unknown>> = {
    pageText: (db) => this.#setOfPage(db, 'html', this.#pageTemplate(db)),
    pageHead: (db) => this.#setOfPage(db, 'head', this.#fragment(db)),
    pageTitle: (db) => this.#setOfPage(db, 'title', this.#random.one(words)),
    pageMeta: (db) => this.#setOfPage(db, 'meta_title', this.#random.one(metaTitles)),
    pageDescription: (db) =>
      this.#setOfPage(db, 'description', this.#random.one(['', 'D', '{{ page.title }}'])),
    pageLang: (db) => this.#setOfPage(db, 'lang', this.#random.one(langs)),
    pageGroup: (db) => this.#setOfPage(db, 'translation_group', this.#random.one(groups)),
    pagePublished: (db) => this.#setOfPage(db, 'published', Number(this.#random.below(4) > 0)),
    pageCatchAll: (db) => this.#setOfPage(db, 'catch_all', Number(this.#random.below(3) > 0)),
    pageBelowCatchAll: (db) => this.#togglePageBelow(db),
    langOfSection: (db) =>
      db
        .prepare(
          `UPDATE pages SET lang = ? WHERE parent_id IS NOT NULL AND translation_group = ''
             AND id IN (SELECT parent_id FROM pages WHERE id = ?)`,
        )
        .run(this.#random.one(langs), this.#pageId(db)),
    robotsText: (db) =>
      db
        .prepare('UPDATE pages SET robots_txt = ? WHERE id = ?')
        .run(this.#random.one(['', 'User-agent: a']), this.#rootId(db)),
    sitemapExclude: (db) => this.#setOfPage(db, 'sitemap_exclude', this.#random.below(2)),
    pageNoCache: (db) => this.#setOfPage(db, 'no_cache', Number(this.#random.below(6) === 0)),
    pageNoindex: (db) => this.#setOfPage(db, 'noindex', this.#random.below(2)),
    pageHidden: (db) => this.#setOfPage(db, 'hide_in_nav', this.#random.below(2)),
    pageSort: (db) => this.#setOfPage(db, 'sort', this.#random.below(5)),
    pageUpdated: (db) =>
      db.prepare('UPDATE pages SET updated_at = updated_at + 1 WHERE id = ?').run(this.#pageId(db)),
    pageAttributes: (db) => this.#setOfPage(db, 'body_attrs', this.#random.one(['', 'class="a"'])),
    notFoundPage: (db) =>
      db
        .prepare('UPDATE pages SET notfound_page_id = ? WHERE parent_id IS NULL AND id = ?')
        .run(this.#pageId(db), this.#rootId(db)),
    domains: (db) => this.#random.below(3) === 0 && this.#giveDomains(db),
    defaultSite: (db) =>
      this.#random.below(4) === 0 &&
      db
        .prepare('UPDATE pages SET default_site = ? WHERE id = ?')
        .run(this.#random.below(2), this.#rootId(db)),
    insertPage: (db) => {
      const parent = this.#row(db, 'SELECT id, root_id, path FROM pages WHERE id = ?', this.#pageId(db));
      const slug = this.#random.one(['a', 'b', 'c', 'below', 'below', '404', 'nowhere']);
      const above = parent[2] === '/' ? '' : parent[2];
      this.#insertPage(db, { parent_id: parent[0], root_id: parent[1], slug, path: `${above}/${slug}` });
    },
    deletePage: (db) =>
      db
        .prepare(
          'DELETE FROM pages WHERE id = ? AND parent_id IS NOT NULL AND id NOT IN (SELECT parent_id FROM pages WHERE parent_id IS NOT NULL)',
        )
        .run(this.#pageId(db)),
    movePage: (db) => this.#movePage(db),
    snippetText: (db) => {
      const name = this.#random.one(snippetNames) ?? '';
      db.prepare('UPDATE snippets SET content = ? WHERE name = ?').run(this.#snippetTemplate(db, name), name);
    },
    renameSnippet: (db) =>
      db
        .prepare('UPDATE snippets SET name = ? WHERE name = ?')
        .run(this.#random.one(snippetNames), this.#random.one(snippetNames)),
    deleteSnippet: (db) =>
      db.prepare('DELETE FROM snippets WHERE name = ?').run(this.#random.one(snippetNames)),
    insertSnippet: (db) => this.#insertMissingSnippet(db),
    insertSnippetAgain: (db) => this.#insertMissingSnippet(db),
    assetText: (db) =>
      db
        .prepare('UPDATE assets SET content = ?, updated_at = updated_at + 1 WHERE id = ?')
        .run(this.#random.one(['a{}', 'export let x', 'let x']), this.#assetId(db)),
    insertAsset: (db) =>
      db
        .prepare(
          `INSERT INTO assets (name, kind, content, created_at, updated_at) VALUES ('x', ?, 'a', 1, 1)`,
        )
        .run(this.#random.one(['css', 'js'])),
    deleteAsset: (db) => db.prepare('DELETE FROM assets WHERE id = ?').run(this.#assetId(db)),
    assignToPage: (db) =>
      db
        .prepare('INSERT INTO page_assets (page_id, asset_id, position, inherit) VALUES (?, ?, ?, ?)')
        .run(this.#pageId(db), this.#assetId(db), this.#random.below(4), this.#random.below(2)),
    changeAssignment: (db) =>
      db
        .prepare('UPDATE page_assets SET position = ?, inherit = ? WHERE page_id = ?')
        .run(this.#random.below(4), this.#random.below(2), this.#pageId(db)),
    unassign: (db) => db.prepare('DELETE FROM page_assets WHERE page_id = ?').run(this.#pageId(db)),
    assignToSnippet: (db) =>
      db
        .prepare(
          'INSERT INTO snippet_assets (snippet_id, asset_id, position) SELECT id, ?, ? FROM snippets WHERE name = ?',
        )
        .run(this.#assetId(db), this.#random.below(4), this.#random.one(snippetNames)),
    insertRedirect: (db) =>
      db
        .prepare(
          `INSERT INTO redirects (root_id, source, target, target_path, status, auto, created_at)
           VALUES (?, '/nowhere', ?, '', 301, 0, 1)`,
        )
        .run(this.#rootId(db), this.#random.one(['/a', '/b'])),
    deleteRedirects: (db) => db.prepare('DELETE FROM redirects WHERE root_id = ?').run(this.#rootId(db)),
  };

  /** A domain belongs to at most one website. */
  #giveDomains(db: Database.Database): void {
    const domains = this.#random.one(domainLists) ?? '';
    for (const domain of domains.split('\n').filter(Boolean))
      db.prepare("UPDATE pages SET domains = '' WHERE parent_id IS NULL AND domains LIKE ?").run(
        `%${domain}%`,
      );
    db.prepare('UPDATE pages SET domains = ? WHERE id = ?').run(domains, this.#rootId(db));
  }

  /** A page where a catch-all page has answered so far, or its deletion. */
  #togglePageBelow(db: Database.Database): void {
    const [parent, root, path] = this.#row(
      db,
      'SELECT id, root_id, path FROM pages WHERE id = ?',
      this.#catchAllId ?? 0,
    );
    if (parent === undefined) return;
    const { changes } = db.prepare("DELETE FROM pages WHERE parent_id = ? AND slug = 'below'").run(parent);
    if (changes > 0) return;
    const above = path === '/' ? '' : path;
    this.#insertPage(db, { parent_id: parent, root_id: root, slug: 'below', path: `${above}/below` });
  }

  /** Pages that name a missing snippet mostly fail, which proves nothing. */
  #insertMissingSnippet(db: Database.Database): void {
    const present = new Set(db.prepare('SELECT name FROM snippets').pluck().all());
    const name = this.#random.one(snippetNames.filter((known) => !present.has(known)));
    if (name !== undefined) this.#insertSnippet(db, name);
  }

  #movePage(db: Database.Database): void {
    const [id, root, path] = this.#row(
      db,
      'SELECT id, root_id, path FROM pages WHERE id = ?',
      this.#pageId(db),
    );
    const [parent, newRoot, above] = this.#row(
      db,
      'SELECT id, root_id, path FROM pages WHERE id = ?',
      this.#pageId(db),
    );
    if (path === '/' || (root === newRoot && `${above}/`.startsWith(`${path}/`))) return;
    const slug = this.#random.one(['a', 'b', 'c', 'd']);
    const newPath = `${above === '/' ? '' : above}/${slug}`;
    db.prepare('UPDATE pages SET parent_id = ?, slug = ? WHERE id = ?').run(parent, slug, id);
    db.prepare(
      `UPDATE pages SET root_id = ?, path = ? || substr(path, ?)
       WHERE root_id = ? AND (path = ? OR path LIKE ? || '/%')`,
    ).run(newRoot, newPath, String(path).length + 1, root, path, path);
  }

  #setOfPage(db: Database.Database, column: string, value: unknown): void {
    db.prepare(`UPDATE pages SET ${column} = ? WHERE id = ?`).run(value, this.#pageId(db));
  }

  #insertPage(db: Database.Database, columns: Record<string, unknown>): number {
    const all: Record<string, unknown> = {
      title: this.#random.one(words),
      html: this.#pageTemplate(db),
      meta_title: this.#random.one(metaTitles),
      lang: this.#random.one(langs),
      translation_group: this.#random.one(groups),
      sort: this.#random.below(4),
      published: 1,
      created_at: 1,
      updated_at: 1,
      ...columns,
    };
    const names = Object.keys(all);
    const marks = names.map(() => '?').join(', ');
    return Number(
      db.prepare(`INSERT INTO pages (${names.join(', ')}) VALUES (${marks})`).run(...Object.values(all))
        .lastInsertRowid,
    );
  }

  #insertSnippet(db: Database.Database, name: string): void {
    db.prepare('INSERT INTO snippets (name, content, created_at, updated_at) VALUES (?, ?, 1, 1)').run(
      name,
      this.#snippetTemplate(db, name),
    );
  }

  #pageTemplate(db: Database.Database): string {
    const text = `${this.#fragment(db)} ${this.#fragment(db)}`;
    return this.#random.below(2) === 0
      ? text
      : `{% extends "${this.#random.one(['l1', 'l2'])}" %}{% block a %}${text}{{ block.super }}{% endblock %}`;
  }

  /** Snippets include only those after them, so that there are no circles. */
  #snippetTemplate(db: Database.Database, name: string): string {
    const version = this.#random.below(100);
    switch (name) {
      case 'l1':
        return `l1v${version}[{% block a %}${this.#fragment(db)}{% endblock %}]`;
      case 'l2':
        return `{% extends "l1" %}{% block a %}v${version}{{ block.super }}{% endblock %}`;
      case 'm1':
        return `{% macro x(a) %}{{ a }}v${version}{% endmacro %}`;
      case 's1':
        return `s1v${version}{% include "s3" %}`;
      case 's2':
        return `s2v${version}{% include ["none", "s4"] %}`;
      default:
        return `${name}v${version}{{ page.title }}{% slot %}-{% endslot %}`;
    }
  }

  #fragment(db: Database.Database): string {
    if (this.#random.below(4) === 0) return this.#random.one(this.#blocks.fragments) ?? '';
    if (this.#random.below(4) === 0) return this.#random.one(this.#entries.fragments(db)) ?? '';
    const page = this.#pageId(db) ?? 1;
    return (
      this.#random.one([
        '{{ page.title }}|{{ page.path }}|{{ page.updated_at }}',
        '{{ page.parent.title }}',
        '{{ page.parent.updated_at }}{{ page.parent.parent.description }}',
        '{{ site.languages|join:"," }}{% for t in page.translations %}{{ t.lang }}{{ t.title }}{{ t.url }}{% endfor %}',
        '{{ site.languages|join:"," }}',
        '{{ page.assets|json }}{{ page.sitemap_source|json }}',
        '{{ page.effective_lang }}{{ site.title }}{{ site.url }}{{ site.lang }}{{ site.domain }}',
        '{% for n in nav() %}[{{ n.title }}{{ n.lang }}{% for c in n.children %}({{ c.url }}{{ c.active }}){% endfor %}]{% endfor %}',
        '{% for n in nav(true) %}{{ n.slug }}{{ n.current }}{% endfor %}',
        '{{ nav()|json }}',
        '{% for c in children() %}{{ c.title }}{{ c.lang }},{% endfor %}',
        `{% for c in children(${page}) %}{{ c.url }}{{ c.children|length }}{% endfor %}`,
        '{% include "s1" %}',
        '{% include "s2" with a=1 only %}',
        '{% include [page.title, "s4"] %}',
        '{% include ["s1", "s2", "s3"] %}',
        '{% for t in page.translations %}{{ t.lang }}{{ t.url }}{% endfor %}',
        '{% for t in page.translations %}{{ t.lang }}{{ t.title }}{% endfor %}',
        '{% include s4 %}',
        '{% if page.title == "T1" %}{% include "s2" %}{% endif %}',
        '{% component "s3" %}{{ page.title }}{% endcomponent %}',
        '{% import "m1" x %}{{ x(page.title) }}',
        `{{ asset_url(${this.#random.below(6)}) }}`,
        '{{ route.path }}{{ route.query.q }}{{ route.slug }}',
        '{% now "Y" %}{{ today }}',
        '{{ now|date:"H:i" }}',
        '{% if route.slug == "below" %}{{ not_found() }}{% endif %}',
      ]) ?? ''
    );
  }

  #pageId(db: Database.Database): unknown {
    return this.#idFrom(db, 'SELECT id FROM pages ORDER BY id');
  }

  #rootId(db: Database.Database): unknown {
    return this.#idFrom(db, 'SELECT id FROM pages WHERE parent_id IS NULL ORDER BY id');
  }

  #assetId(db: Database.Database): unknown {
    return this.#idFrom(db, 'SELECT id FROM assets ORDER BY id') ?? 1;
  }

  #idFrom(db: Database.Database, sql: string): unknown {
    return this.#random.one(db.prepare(sql).pluck().all());
  }

  #row(db: Database.Database, sql: string, ...values: unknown[]): readonly unknown[] {
    const row: unknown = db
      .prepare(sql)
      .raw()
      .get(...values);
    return Array.isArray(row) ? row : [];
  }
}
