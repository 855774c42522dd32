import type Database from 'better-sqlite3';
import type { Random } from './random.ts';

const types = ['t1', 't2', 't3'];
const slots = ['default', 'a'];

/** Random block types, global blocks and trees of pages, random changes of them, and templates that show them. */
export class RandomBlocks {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  fill(db: Database.Database): void {
    for (const name of types) this.#insertType(db, name);
    for (let global = 0; global < 4; global++) this.actions['insertGlobal']?.(db);
    for (const id of db.prepare('SELECT id FROM pages').pluck().all()) this.#setTree(db, id);
  }

  readonly actions: Readonly<Record<string, (db: Database.Database) => unknown>> = {
    pageTree: (db) => this.#setTree(db, this.#idFrom(db, 'pages')),
    pageTreeAgain: (db) => this.#setTree(db, this.#idFrom(db, 'pages')),
    insertGlobal: (db) =>
      db
        .prepare("INSERT INTO global_blocks (name, created_at, updated_at, blocks) VALUES ('g', 1, 1, ?)")
        .run(this.#tree(db, 2)),
    globalTree: (db) =>
      db
        .prepare('UPDATE global_blocks SET blocks = ?, updated_at = updated_at + 1 WHERE id = ?')
        .run(this.#tree(db, 2), this.#idFrom(db, 'global_blocks')),
    deleteGlobal: (db) =>
      this.#random.below(3) === 0 &&
      db.prepare('DELETE FROM global_blocks WHERE id = ?').run(this.#idFrom(db, 'global_blocks')),
    typeContent: (db) => {
      const name = this.#random.one(types);
      db.prepare('UPDATE snippets SET content = ? WHERE name = ?').run(this.#content(name ?? ''), name);
    },
    typeSchema: (db) =>
      db
        .prepare('UPDATE snippets SET schema = ? WHERE name = ?')
        .run(this.#schema(db), this.#random.one(types)),
    deleteType: (db) =>
      this.#random.below(3) === 0 &&
      db.prepare('DELETE FROM snippets WHERE name = ?').run(this.#random.one(types)),
    insertType: (db) => {
      const present = new Set(db.prepare('SELECT name FROM snippets').pluck().all());
      const name = this.#random.one(types.filter((known) => !present.has(known)));
      if (name !== undefined) this.#insertType(db, name);
    },
  };

  /** Parts of templates. */
  readonly fragments: readonly string[] = [
    '{% blocks page.blocks %}',
    '{% blocks page.blocks %}{{ page.blocks|length }}',
    '{% blocks page.parent.blocks %}',
    '{% if page.title == "T1" %}{% blocks page.blocks %}{% endif %}',
  ];

  #insertType(db: Database.Database, name: string): void {
    db.prepare(
      'INSERT INTO snippets (name, content, schema, created_at, updated_at) VALUES (?, ?, ?, 1, 1)',
    ).run(name, this.#content(name), this.#schema(db));
  }

  #content(name: string): string {
    const include = this.#random.one(['{% include "s4" %}', '{% include [x, "s3"] %}', '']);
    return `${name}v${this.#random.below(100)}({{ x }}{{ r.t }}{{ r._url }}{{ page.title }}${include}{% slot %}-{% endslot %}{% if slots.a %}{% slot a %}{% endslot %}{% endif %})`;
  }

  #schema(db: Database.Database): string | null {
    if (this.#random.below(12) === 0) return this.#random.one([null, '{"block":false}']) ?? null;
    const collection = Number(this.#idFrom(db, 'collections') ?? 1);
    const params = [
      {
        name: 'x',
        type: this.#random.one(['text', 'number', 'markdown']),
        default: this.#random.one(['d', 5, null]),
      },
      { name: 'r', type: 'reference', collection },
    ];
    return JSON.stringify({ block: true, params, slots: slots.map((name) => ({ name })) });
  }

  #setTree(db: Database.Database, id: unknown): void {
    db.prepare('UPDATE pages SET blocks = ? WHERE id = ?').run(this.#tree(db, 3), id);
  }

  #tree(db: Database.Database, levels: number): string {
    return JSON.stringify(this.#list(db, levels));
  }

  #list(db: Database.Database, levels: number): object[] {
    const count = levels === 0 ? 0 : this.#random.below(4);
    return Array.from({ length: count }, (_, index) => this.#block(db, `b${levels}${index}`, levels));
  }

  #block(db: Database.Database, id: string, levels: number): object {
    if (this.#random.below(4) === 0) {
      const global = this.#idFrom(db, 'global_blocks') ?? 1;
      const overrides = { b20: { x: this.#random.one(['O', null]) } };
      return { id, global, ...(this.#random.below(2) === 0 ? { overrides } : {}) };
    }
    const params = {
      x: this.#random.one(['s1', 'x', 7, null]),
      r: this.#idFrom(db, 'items') ?? null,
    };
    const lists = slots.map((name) => [name, this.#list(db, levels - 1)] as const);
    return { id, type: this.#random.one(types), params, slots: Object.fromEntries(lists) };
  }

  #idFrom(db: Database.Database, table: string): unknown {
    return this.#random.one(db.prepare(`SELECT id FROM ${table} ORDER BY id`).pluck().all());
  }
}
