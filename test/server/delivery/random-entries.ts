import type Database from 'better-sqlite3';
import type { Random } from './random.ts';

const words = ['T1', 'T2', 's1', 's2'];
const collections = ['c1', 'c2', 'c3'];
const topics = ['x', 'y', ''];

/** Random collections and entries, random changes of them, and templates that read them. */
export class RandomEntries {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  readonly actions: Readonly<Record<string, (db: Database.Database) => unknown>> = {
    insertCollection: (db) =>
      db
        .prepare(
          `INSERT INTO collections (slug, name, fields, singleton, detail_page_id, created_at, updated_at)
           VALUES (?, ?, ?, ?, ?, 1, 1)`,
        )
        .run(
          this.#random.one(collections),
          this.#random.one(words),
          this.#fieldsOfCollection(db),
          Number(this.#random.below(6) === 0),
          this.#pageId(db),
        ),
    collectionFields: (db) =>
      db
        .prepare('UPDATE collections SET fields = ?, detail_page_id = ? WHERE id = ?')
        .run(this.#fieldsOfCollection(db), this.#pageId(db), this.#collectionId(db)),
    collectionSlug: (db) =>
      this.#random.below(4) === 0 &&
      db
        .prepare('UPDATE collections SET slug = ? WHERE id = ?')
        .run(this.#random.one(collections), this.#collectionId(db)),
    deleteCollection: (db) => {
      const id = this.#random.below(6) === 0 ? this.#collectionId(db) : 0;
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
        .run(
          this.#collectionId(db),
          this.#random.below(5),
          Number(this.#random.below(4) > 0),
          this.#itemData(db),
        ),
    insertItemAgain: (db) => this.actions['insertItem']?.(db),
    itemData: (db) =>
      db
        .prepare('UPDATE items SET data = ?, updated_at = updated_at + 1 WHERE id = ?')
        .run(this.#itemData(db), this.#itemId(db)),
    itemDataAgain: (db) => this.actions['itemData']?.(db),
    itemSort: (db) =>
      db
        .prepare('UPDATE items SET sort = ?, published = ? WHERE id = ?')
        .run(this.#random.below(5), Number(this.#random.below(4) > 0), this.#itemId(db)),
    deleteItem: (db) => db.prepare('DELETE FROM items WHERE id = ?').run(this.#itemId(db)),
    bulkItems: (db) => {
      if (this.#random.below(3) > 0) return;
      const id = this.#collectionId(db);
      db.prepare('INSERT INTO bulk_items VALUES (?)').run(id);
      db.prepare('UPDATE items SET data = ? WHERE collection_id = ?').run(this.#itemData(db), id);
      db.prepare('DELETE FROM bulk_items').run();
    },
  };

  /** Parts of templates. */
  fragments(db: Database.Database): string[] {
    const slug = this.#random.one(collections);
    const topic = this.#random.one(topics);
    const id = this.#itemId(db) ?? 1;
    const show = '{{ e.id }}{{ e.t }}{{ e.topic }}{{ e._url }}{{ e._updated }}';
    return [
      `{% for e in data("${slug}") %}${show}{{ e.r.t }}{% for l in e.l %}{{ l.t }}{{ l.r }}{% endfor %},{% endfor %}`,
      `{% for e in data("${slug}", "topic", "${topic}", _sort="-t", _limit=2) %}${show}{{ e.l|length }},{% endfor %}`,
      `{% for e in data("${slug}", "topic__in", "x,y") %}${show},{% endfor %}`,
      `{% for e in data("${slug}", "n", ${this.#random.below(3)}) %}{{ e.r.t }}{{ e.r._url }},{% endfor %}`,
      `{% for e in data("${slug}", "f", ${this.#random.below(2)}) %}{{ e.id }}{{ e.f }},{% endfor %}`,
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
      field('t', this.#random.one(['text', 'number']) ?? ''),
      field('topic', 'select'),
      field('n', 'number'),
      field('f', 'boolean'),
      field('r', 'reference'),
      field('l', 'references'),
    ];
    return JSON.stringify(fields.filter(() => this.#random.below(40) > 0));
  }

  #itemData(db: Database.Database): string {
    const ids = [this.#itemId(db), this.#itemId(db)].filter((id) => id !== undefined);
    const data = {
      t: this.#random.one([...words, 'below', null, 5]),
      topic: this.#random.one(['x', 'y', null]),
      n: this.#random.one([0, 1, 2, 1.5, null]),
      f: this.#random.one([true, false]),
      r: this.#itemId(db) ?? null,
      l: this.#random.one([ids, null]),
    };
    return JSON.stringify(Object.fromEntries(Object.entries(data).filter(() => this.#random.below(12) > 0)));
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

  #idFrom(db: Database.Database, sql: string): unknown {
    return this.#random.one(db.prepare(sql).pluck().all());
  }
}
