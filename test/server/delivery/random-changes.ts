import type Database from 'better-sqlite3';
import { RenderWorker } from '../../../runtime/tasks/context.ts';
import { renderPageTask } from '../../../runtime/tasks/render-page.ts';
import { type Received, SiteFixture } from './site-fixture.ts';

/** What a check of random changes has seen. */
export interface StaleReport {
  readonly rounds: number;
  readonly compared: number;
  /** Answers of the cache after a change, made before that change. */
  readonly reused: number;
  readonly rendered: number;
  /** Answers that differ from a render that starts from nothing. */
  readonly stale: readonly string[];
}

/**
 * Changes random rows of a random website, one transaction a round, and after each compares answers of the
 * page cache with a render by a new worker, which keeps nothing. Same seed, same rounds.
 */
export async function checkRandomChanges(options: {
  readonly seed: number;
  readonly rounds: number;
  /** Addresses compared per round. */
  readonly visits?: number;
}): Promise<StaleReport> {
  const site = new SiteFixture({ workers: 1 });
  try {
    return await new RandomChanges(site, options.seed).run(options.rounds, options.visits ?? 4);
  } finally {
    await site.close();
  }
}

const hosts = ['one.test', 'two.test', 'other.test'];
const words = ['T1', 'T2', 's1', 's2'];
const langs = ['', '', 'en', 'fr'];
const groups = ['', 'g', 'h'];
const collections = ['c1', 'c2', 'c3'];
const topics = ['x', 'y', ''];
const snippetNames = ['s1', 's2', 's3', 's4', 'm1', 'l1', 'l2'];

class RandomChanges {
  readonly #site: SiteFixture;
  readonly #stale: string[] = [];
  readonly #seed: number;
  #state: number;
  /** Addresses asked for lately. Half of all requests ask for one of them again. */
  #recent: Address[] = [];
  #compared = 0;
  #reused = 0;
  #rendered = 0;

  constructor(site: SiteFixture, seed: number) {
    this.#site = site;
    this.#seed = seed;
    this.#state = (seed % 2147483646) + 1;
  }

  async run(rounds: number, visits: number): Promise<StaleReport> {
    this.#site.change((db) => this.#fill(db));
    for (let round = 0; round < rounds && this.#stale.length < 5; round++) {
      this.#change(1 + this.#below(3));
      const addresses = Array.from({ length: visits }, () => this.#address());
      const answers = addresses.map((address) => this.#visit(address));
      if (this.#below(4) === 0) {
        // A change while pages are rendered: answers to requests after it must show it.
        this.#change(1);
        await this.#compare(
          round,
          addresses,
          addresses.map((address) => this.#visit(address)),
        );
        await Promise.all(answers);
      } else {
        await this.#compare(round, addresses, answers);
      }
    }
    return {
      rounds,
      compared: this.#compared,
      reused: this.#reused,
      rendered: this.#rendered,
      stale: this.#stale,
    };
  }

  #change(count: number): void {
    const { version, cache } = this.#site;
    const before = version.current();
    this.#site.change((db) => {
      for (let left = count; left > 0; left--) this.#changeSomething(db);
    });
    const { entries } = cache.stats();
    if (version.current() > before && entries > 0) this.#note(`${entries} entries after a change`);
  }

  async #visit({ host, target }: Address): Promise<Received> {
    const answer = await this.#site.get(target, { host });
    if (answer.headers.get('x-cache') === 'MISS') {
      if (answer.sync) this.#reused += 1;
      else this.#rendered += 1;
    }
    return answer;
  }

  async #compare(
    round: number,
    addresses: readonly Address[],
    answers: readonly Promise<Received>[],
  ): Promise<void> {
    for (const [index, address] of addresses.entries()) {
      const answer = await answers[index];
      const expected = await this.#renderedAnew(address);
      this.#compared += 1;
      const text = answer === undefined || answer.status >= 500 ? '' : answer.text;
      const found = `${answer?.status} ${answer?.headers.get('location') ?? ''}${text}`;
      if (found === expected) continue;
      this.#note(`round ${round}, ${address.host}${address.target}: ${found} instead of ${expected}`);
    }
  }

  #note(problem: string): void {
    this.#stale.push(`seed ${this.#seed}, ${problem}`);
  }

  async #renderedAnew({ host, target }: Address): Promise<string> {
    const [path = '', query = ''] = target.split('?');
    const worker = new RenderWorker({
      databaseFile: this.#site.databaseFile,
      cacheDir: `${this.#site.dir}/anew`,
      scheme: 'http',
      signingKeyFile: '',
    });
    try {
      const now = this.#site.nowMs;
      const task = { kind: 'page', host, scheme: 'http', path, query, now, gzip: false } as const;
      const { outcome } = await renderPageTask(worker.contextFor(), task);
      switch (outcome.kind) {
        case 'page':
          return `200 ${new TextDecoder().decode(outcome.body.identity)}`;
        case 'missing':
          return `404 ${new TextDecoder().decode(outcome.body.identity)}`;
        case 'redirect':
          return `301 ${outcome.location}`;
        case 'moved':
          return `${outcome.status} ${outcome.location}`;
        case 'failed':
          return '500 ';
      }
    } finally {
      worker.close();
    }
  }

  #address(): Address {
    const again = this.#below(2) === 0 ? this.#one(this.#recent) : undefined;
    if (again !== undefined) return again;
    const address = this.#newAddress();
    this.#recent = [address, ...this.#recent.slice(0, 7)];
    return address;
  }

  #newAddress(): Address {
    const { db } = this.#site;
    const [path, domains] = this.#row(
      db,
      'SELECT p.path, r.domains FROM pages p JOIN pages r ON r.id = p.root_id WHERE p.id = ?',
      this.#pageId(db),
    ).map(String);
    const forms = [path, path, path, path, `${path}?q=${this.#below(2)}`, '/nowhere', `${path}/below`];
    const [domain = ''] = domains?.split('\n') ?? [];
    return { host: domain || 'other.test', target: (this.#one(forms) ?? '/').replace('//', '/') };
  }

  #fill(db: Database.Database): void {
    for (const name of snippetNames) this.#insertSnippet(db, name);
    for (let asset = 0; asset < 4; asset++) this.#attempt(db, this.#actions['insertAsset']);
    for (const domain of ['one.test', '']) {
      const id = this.#insertPage(db, { parent_id: null, root_id: 0, slug: '', path: '/', domains: domain });
      db.prepare('UPDATE pages SET root_id = id WHERE id = ?').run(id);
    }
    for (let page = 0; page < 16; page++) this.#attempt(db, this.#actions['insertPage']);
    for (let collection = 0; collection < 3; collection++)
      this.#attempt(db, this.#actions['insertCollection']);
    for (let item = 0; item < 12; item++) this.#attempt(db, this.#actions['insertItem']);
  }

  #changeSomething(db: Database.Database): void {
    this.#attempt(db, this.#one(Object.values(this.#actions)));
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
    pageTitle: (db) => this.#setOfPage(db, 'title', this.#one(words)),
    pageMeta: (db) =>
      this.#setOfPage(db, 'meta_title', this.#one(['', 'M', '{{ site.title }}', '{% include "s1" %}'])),
    pageDescription: (db) => this.#setOfPage(db, 'description', this.#one(['', 'D', '{{ page.title }}'])),
    pageLang: (db) => this.#setOfPage(db, 'lang', this.#one(langs)),
    pageGroup: (db) => this.#setOfPage(db, 'translation_group', this.#one(groups)),
    pagePublished: (db) => this.#setOfPage(db, 'published', Number(this.#below(4) > 0)),
    pageCatchAll: (db) => this.#setOfPage(db, 'catch_all', Number(this.#below(4) === 0)),
    pageNoCache: (db) => this.#setOfPage(db, 'no_cache', Number(this.#below(6) === 0)),
    pageNoindex: (db) => this.#setOfPage(db, 'noindex', this.#below(2)),
    pageHidden: (db) => this.#setOfPage(db, 'hide_in_nav', this.#below(2)),
    pageSort: (db) => this.#setOfPage(db, 'sort', this.#below(5)),
    pageUpdated: (db) =>
      db.prepare('UPDATE pages SET updated_at = updated_at + 1 WHERE id = ?').run(this.#pageId(db)),
    pageAttributes: (db) => this.#setOfPage(db, 'body_attrs', this.#one(['', 'class="a"'])),
    notFoundPage: (db) =>
      db
        .prepare('UPDATE pages SET notfound_page_id = ? WHERE parent_id IS NULL AND id = ?')
        .run(this.#pageId(db), this.#rootId(db)),
    domains: (db) =>
      this.#below(4) === 0 &&
      db
        .prepare('UPDATE pages SET domains = ? WHERE parent_id IS NULL AND id = ?')
        .run(this.#one([...hosts, '', 'one.test\ntwo.test']), this.#rootId(db)),
    defaultSite: (db) =>
      this.#below(4) === 0 &&
      db.prepare('UPDATE pages SET default_site = ? WHERE id = ?').run(this.#below(2), this.#rootId(db)),
    insertPage: (db) => {
      const parent = this.#row(db, 'SELECT id, root_id, path FROM pages WHERE id = ?', this.#pageId(db));
      const slug = this.#one(['a', 'b', 'c', 'below', 'below', '404', 'nowhere']);
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
      const name = this.#one(snippetNames) ?? '';
      db.prepare('UPDATE snippets SET content = ? WHERE name = ?').run(this.#snippetTemplate(db, name), name);
    },
    renameSnippet: (db) =>
      db
        .prepare('UPDATE snippets SET name = ? WHERE name = ?')
        .run(this.#one(snippetNames), this.#one(snippetNames)),
    deleteSnippet: (db) => db.prepare('DELETE FROM snippets WHERE name = ?').run(this.#one(snippetNames)),
    insertSnippet: (db) => this.#insertSnippet(db, this.#one(snippetNames) ?? ''),
    insertSnippetAgain: (db) => this.#insertSnippet(db, this.#one(snippetNames) ?? ''),
    assetText: (db) =>
      db
        .prepare('UPDATE assets SET content = ?, updated_at = updated_at + 1 WHERE id = ?')
        .run(this.#one(['a{}', 'export let x', 'let x']), this.#assetId(db)),
    insertAsset: (db) =>
      db
        .prepare(
          `INSERT INTO assets (name, kind, content, created_at, updated_at) VALUES ('x', ?, 'a', 1, 1)`,
        )
        .run(this.#one(['css', 'js'])),
    deleteAsset: (db) => db.prepare('DELETE FROM assets WHERE id = ?').run(this.#assetId(db)),
    assignToPage: (db) =>
      db
        .prepare('INSERT INTO page_assets (page_id, asset_id, position, inherit) VALUES (?, ?, ?, ?)')
        .run(this.#pageId(db), this.#assetId(db), this.#below(4), this.#below(2)),
    changeAssignment: (db) =>
      db
        .prepare('UPDATE page_assets SET position = ?, inherit = ? WHERE page_id = ?')
        .run(this.#below(4), this.#below(2), this.#pageId(db)),
    unassign: (db) => db.prepare('DELETE FROM page_assets WHERE page_id = ?').run(this.#pageId(db)),
    assignToSnippet: (db) =>
      db
        .prepare(
          'INSERT INTO snippet_assets (snippet_id, asset_id, position) SELECT id, ?, ? FROM snippets WHERE name = ?',
        )
        .run(this.#assetId(db), this.#below(4), this.#one(snippetNames)),
    insertRedirect: (db) =>
      db
        .prepare(
          `INSERT INTO redirects (root_id, source, target, target_path, status, auto, created_at)
           VALUES (?, '/nowhere', ?, '', 301, 0, 1)`,
        )
        .run(this.#rootId(db), this.#one(['/a', '/b'])),
    insertCollection: (db) =>
      db
        .prepare(
          `INSERT INTO collections (slug, name, fields, singleton, detail_page_id, created_at, updated_at)
           VALUES (?, ?, ?, ?, ?, 1, 1)`,
        )
        .run(
          this.#one(collections),
          this.#one(words),
          this.#fieldsOfCollection(db),
          Number(this.#below(6) === 0),
          this.#pageId(db),
        ),
    collectionFields: (db) =>
      db
        .prepare('UPDATE collections SET fields = ?, detail_page_id = ? WHERE id = ?')
        .run(this.#fieldsOfCollection(db), this.#pageId(db), this.#collectionId(db)),
    collectionSlug: (db) =>
      this.#below(4) === 0 &&
      db
        .prepare('UPDATE collections SET slug = ? WHERE id = ?')
        .run(this.#one(collections), this.#collectionId(db)),
    deleteCollection: (db) => {
      const id = this.#below(6) === 0 ? this.#collectionId(db) : 0;
      db.prepare('INSERT INTO bulk_items VALUES (?)').run(id);
      db.prepare('DELETE FROM items WHERE collection_id = ?').run(id);
      db.prepare('DELETE FROM bulk_items').run();
      db.prepare('DELETE FROM collections WHERE id = ?').run(id);
    },
    insertItem: (db) =>
      db
        .prepare(
          `INSERT INTO items (collection_id, sort, published, created_at, updated_at, data)
           VALUES (?, ?, ?, 1, 1, ?)`,
        )
        .run(this.#collectionId(db), this.#below(5), Number(this.#below(4) > 0), this.#itemData(db)),
    insertItemAgain: (db) => this.#actions['insertItem']?.(db),
    itemData: (db) =>
      db
        .prepare('UPDATE items SET data = ?, updated_at = updated_at + 1 WHERE id = ?')
        .run(this.#itemData(db), this.#itemId(db)),
    itemDataAgain: (db) => this.#actions['itemData']?.(db),
    itemSort: (db) =>
      db
        .prepare('UPDATE items SET sort = ?, published = ? WHERE id = ?')
        .run(this.#below(5), Number(this.#below(4) > 0), this.#itemId(db)),
    deleteItem: (db) => db.prepare('DELETE FROM items WHERE id = ?').run(this.#itemId(db)),
    bulkItems: (db) => {
      if (this.#below(3) > 0) return;
      const id = this.#collectionId(db);
      db.prepare('INSERT INTO bulk_items VALUES (?)').run(id);
      db.prepare('UPDATE items SET data = ? WHERE collection_id = ?').run(this.#itemData(db), id);
      db.prepare('DELETE FROM bulk_items').run();
    },
    deleteRedirects: (db) => db.prepare('DELETE FROM redirects WHERE root_id = ?').run(this.#rootId(db)),
  };

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
    const slug = this.#one(['a', 'b', 'c', 'd']);
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
      title: this.#one(words),
      html: this.#pageTemplate(db),
      lang: this.#one(langs),
      translation_group: this.#one(groups),
      sort: this.#below(4),
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
    return this.#below(2) === 0
      ? text
      : `{% extends "${this.#one(['l1', 'l2'])}" %}{% block a %}${text}{{ block.super }}{% endblock %}`;
  }

  /** Snippets include only those after them, so that there are no circles. */
  #snippetTemplate(db: Database.Database, name: string): string {
    const version = this.#below(100);
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
    if (this.#below(3) === 0) return this.#one(this.#dataFragments(db)) ?? '';
    const page = this.#pageId(db) ?? 1;
    return (
      this.#one([
        '{{ page.title }}|{{ page.path }}|{{ page.updated_at }}',
        '{{ page.parent.title }}',
        '{{ page.parent.updated_at }}{{ page.parent.parent.description }}',
        '{{ site.languages|join:"," }}{% for t in page.translations %}{{ t.lang }}{{ t.title }}{{ t.url }}{% endfor %}',
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
        '{% include s4 %}',
        '{% if page.title == "T1" %}{% include "s2" %}{% endif %}',
        '{% component "s3" %}{{ page.title }}{% endcomponent %}',
        '{% import "m1" x %}{{ x(page.title) }}',
        `{{ asset_url(${this.#below(6)}) }}`,
        '{{ route.path }}{{ route.query.q }}{{ route.slug }}',
        '{% now "Y" %}{{ today }}',
        '{{ now|date:"H:i" }}',
        '{% if route.slug == "below" %}{{ not_found() }}{% endif %}',
      ]) ?? ''
    );
  }

  #dataFragments(db: Database.Database): string[] {
    const slug = this.#one(collections);
    const topic = this.#one(topics);
    const id = this.#itemId(db) ?? 1;
    const show = '{{ e.id }}{{ e.t }}{{ e.topic }}{{ e._url }}{{ e._updated }}';
    return [
      `{% for e in data("${slug}") %}${show}{{ e.r.t }}{% for l in e.l %}{{ l.t }}{{ l.r }}{% endfor %},{% endfor %}`,
      `{% for e in data("${slug}", "topic", "${topic}", _sort="-t", _limit=2) %}${show}{{ e.l|length }},{% endfor %}`,
      `{% for e in data("${slug}", "topic__in", "x,y") %}${show},{% endfor %}`,
      `{% for e in data("${slug}", "n", ${this.#below(3)}) %}{{ e.r.t }}{{ e.r._url }},{% endfor %}`,
      `{% for e in data("${slug}", "f", ${this.#below(2)}) %}{{ e.id }}{{ e.f }},{% endfor %}`,
      `{% for e in data("${slug}", "l", ${id}) %}{{ e.t }},{% endfor %}`,
      `{% for e in data("${slug}", "topic__ne", "x", "t__isnull", false) %}{{ e.t }},{% endfor %}`,
      `{% with e=item("${slug}", "topic", "${topic}") %}${show}{{ e.r.topic }}{% endwith %}`,
      `{% with e=item("${slug}", "id", ${id}) %}${show}{{ e|json }}{% endwith %}`,
      `{{ item("${slug}", "t", route.slug).id }}`,
      `{{ data("${slug}", "_search", "t1")|length }}`,
    ];
  }

  #fieldsOfCollection(db: Database.Database): string {
    const linked = Number(this.#collectionId(db) ?? 1);
    const field = (name: string, type: string) => ({
      name,
      label: name,
      type,
      required: false,
      options: [],
      collection: name === 'r' || name === 'l' ? linked : null,
    });
    const fields = [
      field('t', this.#one(['text', 'number']) ?? ''),
      field('topic', 'select'),
      field('n', 'number'),
      field('f', 'boolean'),
      field('r', 'reference'),
      field('l', 'references'),
    ];
    return JSON.stringify(fields.filter(() => this.#below(40) > 0));
  }

  #itemData(db: Database.Database): string {
    const ids = [this.#itemId(db), this.#itemId(db)].filter((id) => id !== undefined);
    const data = {
      t: this.#one([...words, 'below', null, 5]),
      topic: this.#one(['x', 'y', null]),
      n: this.#one([0, 1, 2, 1.5, null]),
      f: this.#one([true, false]),
      r: this.#itemId(db) ?? null,
      l: this.#one([ids, null]),
    };
    return JSON.stringify(Object.fromEntries(Object.entries(data).filter(() => this.#below(12) > 0)));
  }

  #collectionId(db: Database.Database): unknown {
    return this.#idFrom(db, 'SELECT id FROM collections ORDER BY id');
  }

  #itemId(db: Database.Database): unknown {
    return this.#idFrom(db, 'SELECT id FROM items ORDER BY id');
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
    return this.#one(db.prepare(sql).pluck().all());
  }

  #row(db: Database.Database, sql: string, ...values: unknown[]): readonly unknown[] {
    const row: unknown = db
      .prepare(sql)
      .raw()
      .get(...values);
    return Array.isArray(row) ? row : [];
  }

  #one<T>(list: readonly T[]): T | undefined {
    return list[this.#below(list.length)];
  }

  #below(limit: number): number {
    this.#state = (this.#state * 48271) % 2147483647;
    return limit === 0 ? 0 : this.#state % limit;
  }
}

interface Address {
  readonly host: string;
  /** Raw path and query. */
  readonly target: string;
}
