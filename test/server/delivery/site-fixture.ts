import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { ContentReader } from '../../../runtime/content/reader.ts';
import { openSqliteContent } from '../../../runtime/content/sqlite.ts';
import type { WorkerSettings } from '../../../runtime/tasks/context.ts';
import type { CheckTemplateTask } from '../../../runtime/tasks/messages/checks.ts';
import type { Log } from '../../../server/base/log.ts';
import { ContentVersion } from '../../../server/changes/content-version.ts';
import { Followers } from '../../../server/changes/followers.ts';
import { readConfig } from '../../../server/config/config.ts';
import { type Databases, openDatabases } from '../../../server/db/open.ts';
import {
  collectAddresses,
  deliveryFeature,
  type PageCacheControl,
  publicHandler,
} from '../../../server/delivery/index.ts';
import { StreamedBody } from '../../../server/http/body/streamed.ts';
import type { PublicHandler, PublicResponse } from '../../../server/http/public-exchange.ts';
import { Pool } from '../../../server/processes/pool.ts';
import { entryFiles } from '../../support/entry-files.ts';

type Columns = Readonly<Record<string, string | number | null>>;

/** The parts of a request that a test may change. */
export interface RequestOptions {
  readonly method?: 'GET' | 'HEAD';
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer with its headers in a map (names in lower case) and its text. */
export interface Received {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Whether the handler answered without a promise. */
  readonly sync: boolean;
}

const noonMs = new Date(2024, 4, 6, 12, 0, 0).getTime();

/** A real database, real workers and the public handler, without HTTP. */
export class SiteFixture {
  readonly dir = mkdtempSync(join(tmpdir(), 'incipit-site-'));
  readonly databaseFile: string;
  readonly version = new ContentVersion();
  readonly errors: object[] = [];
  readonly db: Database.Database;
  readonly pool: Pool;
  readonly cache: PageCacheControl;
  readonly #databases: Databases;
  readonly #reader: ContentReader;
  readonly #followers: Followers;
  readonly #handle: PublicHandler;
  nowMs = noonMs;

  constructor(options: { cacheMb?: number; workers?: number } = {}) {
    this.#databases = openDatabases(this.dir, 100);
    const { file, reader } = this.#databases.content;
    this.databaseFile = file;
    this.db = new Database(file);
    this.#reader = openSqliteContent(file);
    const note = (fields: object) => {
      this.errors.push(fields);
    };
    const log: Log = { error: note, warn: note, info: () => {}, debug: () => {} };
    const { cacheMb = 8, workers = 1 } = options;
    const settings: WorkerSettings = {
      databaseFile: file,
      cacheDir: join(this.dir, 'cache'),
      scheme: 'http',
      signingKeyFile: '',
    };
    this.pool = new Pool({ filename: entryFiles.worker, settings, workers, log });
    const config = { ...readConfig([], {}), cacheMb };
    const { pool, version } = this;
    const clock = () => this.nowMs;
    const visits = { missed: () => {}, redirected: () => {}, downloaded: () => {}, rendered() {} };
    const delivery = deliveryFeature(
      { config, reader, pool, version, clock, roughClock: clock, log, sharing: undefined, visits },
      {
        findPreviewScope: async () => undefined,
        findSetPreview: async () => undefined,
        hasAdminAt: () => false,
      },
    );
    this.#followers = new Followers(version, log);
    this.#followers.add(...(delivery.followers ?? []));
    this.cache = delivery.cache;
    this.#handle = publicHandler(delivery.pages, collectAddresses([delivery]), delivery.previews);
  }

  async close(): Promise<void> {
    await this.pool.close();
    this.#databases.close();
    this.db.close();
    this.#reader.close();
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** Removes all content and sets the clock to noon. */
  reset(): void {
    this.nowMs = noonMs;
    this.errors.length = 0;
    this.change((db) => {
      db.pragma('defer_foreign_keys = 1');
      for (const table of ['pages', 'assets', 'snippets', 'sqlite_sequence']) db.exec(`DELETE FROM ${table}`);
    });
  }

  /** Commits a change, then moves the version. */
  change(write: (db: Database.Database) => void): void {
    this.db.transaction(() => write(this.db))();
    const changes = this.#reader.changesSince(this.version.current()) ?? [];
    void this.#followers.refresh({ changes, tables: new Set(), isOwn: true });
  }

  /** Adds a website and returns its id. */
  addSite(columns: Columns = {}): number {
    let id = 0;
    this.change((db) => {
      id = insertPage(db, { parent_id: null, path: '/', slug: '', title: 'Home', html: 'home', ...columns });
      db.prepare('UPDATE pages SET root_id = id WHERE id = ?').run(id);
    });
    return id;
  }

  addPage(parentId: number, slug: string, columns: Columns = {}): number {
    let id = 0;
    this.change((db) => {
      const parent = db.prepare('SELECT root_id, path FROM pages WHERE id = ?').raw().get(parentId);
      if (!Array.isArray(parent)) throw new Error(`no page ${parentId}`);
      const path = parent[1] === '/' ? `/${slug}` : `${parent[1]}/${slug}`;
      id = insertPage(db, { parent_id: parentId, root_id: parent[0], slug, path, title: slug, ...columns });
    });
    return id;
  }

  addSnippet(name: string, content: string): number {
    let id = 0;
    this.change((db) => {
      id = Number(
        db
          .prepare('INSERT INTO snippets (name, content, created_at, updated_at) VALUES (?, ?, 1, 1)')
          .run(name, content).lastInsertRowid,
      );
    });
    return id;
  }

  addAsset(kind: 'css' | 'js', content: string, updatedAt = 1000): number {
    let id = 0;
    this.change((db) => {
      id = Number(
        db
          .prepare('INSERT INTO assets (name, kind, content, created_at, updated_at) VALUES (?, ?, ?, 1, ?)')
          .run('asset', kind, content, updatedAt).lastInsertRowid,
      );
    });
    return id;
  }

  /** The reports of a worker on templates, which need not be stored. */
  reportOn(templates: readonly Omit<CheckTemplateTask, 'kind'>[]) {
    return Promise.all(templates.map((template) => this.pool.run({ kind: 'check-template', ...template })));
  }

  async get(target: string, options: RequestOptions = {}): Promise<Received> {
    const [path = '', ...query] = target.split('?');
    const answer = this.#handle({
      method: options.method ?? 'GET',
      host: options.host ?? 'localhost:8080',
      scheme: 'http',
      path,
      query: query.join('?'),
      acceptEncoding: options.headers?.['accept-encoding'] ?? '',
      ifNoneMatch: options.headers?.['if-none-match'] ?? '',
      cookie: options.headers?.['cookie'] ?? '',
      peer: () => '127.0.0.1',
      header: (name) => options.headers?.[name] ?? '',
    });
    return received(await answer, !(answer instanceof Promise));
  }
}

function received(response: PublicResponse, sync: boolean): Received {
  const { body } = response;
  if (body instanceof StreamedBody) throw new Error('a page is never streamed');
  const bytes = body === undefined || typeof body === 'string' ? new TextEncoder().encode(body ?? '') : body;
  return {
    status: Number(response.status.slice(0, 3)),
    headers: new Map(response.headers.map(([name, value]) => [name.toLowerCase(), value])),
    bytes,
    text: new TextDecoder().decode(bytes),
    sync,
  };
}

function insertPage(db: Database.Database, columns: Columns): number {
  const all: Columns = {
    root_id: 0,
    sort: 0,
    published: 1,
    created_at: 1,
    updated_at: 1_700_000_000,
    ...columns,
  };
  const names = Object.keys(all);
  const sql = `INSERT INTO pages (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  return Number(db.prepare(sql).run(...Object.values(all)).lastInsertRowid);
}
