import { join } from 'node:path';
import { ContentCache } from '../content/content-cache.ts';
import type { ReadSet } from '../content/dependency-recorder.ts';
import type { RowViews } from '../content/overlay.ts';
import type { ContentReader } from '../content/reader.ts';
import { type OutsideAnswer, SourceData } from '../content/source-data.ts';
import { openSqliteContent } from '../content/sqlite.ts';
import { SiteTree } from '../content/tree.ts';
import { Engine } from '../engine.ts';
import { readSigningKey, type SigningKey } from '../files/signature.ts';
import { pageGlobals, templateFunctions } from '../functions/index.ts';
import { ModuleDetector } from '../page/assets.ts';
import { EntryValues } from '../page/entries.ts';
import type { RenderTools } from '../page/render.ts';

/** What a task shows in place of content as it is. */
export interface TaskOverlay {
  /** Changes that are not committed. */
  readonly overlayFile?: string | undefined;
  /** The rows that may be shown. */
  readonly views?: RowViews | undefined;
}

/** The settings of a worker at its start. */
export interface WorkerSettings extends TaskOverlay {
  /** Path of content.db. */
  readonly databaseFile: string;
  /** Folder for compiled templates and minified assets; its subfolders are made as needed. */
  readonly cacheDir: string;
  /** Scheme of absolute URLs. */
  readonly scheme: 'http' | 'https';
  /** Path of the key that signs addresses of private files; read when it is needed first. */
  readonly signingKeyFile: string;
  /** Whether the renders of other processes go first. Default: no. */
  readonly yields?: boolean;
  /** Whether it hardly ever renders a page a second time, so that little is kept of what was rendered. Default: no. */
  readonly rendersOnce?: boolean;
}

/** A worker's connection, memo and engines; tasks run one at a time. */
export interface TaskContext {
  readonly tools: RenderTools;
  /** All reads of content go through it, so that they are recorded. */
  readonly memo: ContentCache;
  readonly cacheDir: string;
  readonly databaseFile: string;
  /**
   * An engine that reads these snippets in place of the stored ones, by name.
   *
   * @param marked whether values may have marks around them, as in previews of blocks
   */
  engineWith(snippets: ReadonlyMap<string, string>, marked?: boolean): Engine;
  /**
   * Runs a task's work on one snapshot of the content.
   *
   * @param nowMs current time for templates, Unix milliseconds
   */
  onSnapshot<T>(nowMs: number, work: () => T | Promise<T>): Promise<SnapshotResult<T>>;
}

/** The result of work on a snapshot, and what the work has read. */
export interface SnapshotResult<T> {
  readonly value: T;
  readonly reads: ReadSet;
}

/** The state that one worker keeps as long as it lives. */
export class RenderWorker {
  readonly #settings: WorkerSettings;
  readonly #reader: ContentReader;
  readonly #memo: ContentCache;
  readonly #tree: SiteTree;
  readonly #entries: EntryValues;
  readonly #engine: Engine;
  readonly #textEngine: Engine;
  #markedEngine: Engine | undefined;
  readonly #modules: ModuleDetector;
  #now = new Date(0);
  #signingKey: SigningKey | undefined;
  /** The worker that shows what was asked for last. */
  #overlaid: { readonly key: string; readonly worker: RenderWorker } | undefined;
  /** Version of the content that memo and engines have followed to; undefined before the first task. */
  #seq: number | undefined;

  /** @param makeMemo default: the memo that records what is read; a benchmark compares it with another one */
  constructor(settings: WorkerSettings, makeMemo = (reader: ContentReader) => new ContentCache(reader)) {
    this.#settings = settings;
    this.#reader = openSqliteContent(settings.databaseFile, settings);
    this.#memo = makeMemo(this.#reader);
    this.#tree = new SiteTree(this.#memo);
    this.#entries = new EntryValues(this.#memo);
    this.#engine = this.#openEngine(true);
    this.#textEngine = this.#openEngine(false);
    this.#modules = new ModuleDetector(this.#reader);
  }

  /**
   * The context of a task.
   *
   * @param scheme of absolute URLs; default: the scheme of the settings
   * @param sources answers of REST sources
   * @param opener whom signed addresses end with
   */
  contextFor(
    scheme = this.#settings.scheme,
    sources: readonly OutsideAnswer[] = [],
    opener = '',
  ): TaskContext {
    return {
      tools: {
        sources: new SourceData(sources),
        memo: this.#memo,
        tree: this.#tree,
        entries: this.#entries,
        engine: this.#engine,
        markedEngine: () => {
          this.#markedEngine ??= this.#openEngine(true, true);
          return this.#markedEngine;
        },
        textEngine: this.#textEngine,
        isModule: (asset) => this.#modules.isModule(asset),
        scheme,
        signingKey: () => {
          this.#signingKey ??= readSigningKey(this.#settings.signingKeyFile);
          return this.#signingKey;
        },
        opener,
      },
      memo: this.#memo,
      cacheDir: this.#settings.cacheDir,
      databaseFile: this.#settings.databaseFile,
      engineWith: (snippets, marked = false) => this.#openEngine(true, marked, snippets),
      onSnapshot: (nowMs, work) => this.#onSnapshot(nowMs, work),
    };
  }

  /** A worker whose tasks show content otherwise. It counts until the next call. */
  withOverlay(overlay: TaskOverlay): RenderWorker {
    const key = JSON.stringify(overlay);
    if (this.#overlaid?.key === key) return this.#overlaid.worker;
    this.#overlaid?.worker.close();
    const worker = new RenderWorker({ ...this.#settings, ...overlay, rendersOnce: true });
    this.#overlaid = { key, worker };
    return worker;
  }

  close(): void {
    this.#overlaid?.worker.close();
    this.#reader.close();
  }

  #onSnapshot<T>(nowMs: number, work: () => T | Promise<T>): Promise<SnapshotResult<T>> {
    this.#now = new Date(nowMs);
    return this.#reader.snapshot(async (seq) => {
      if (seq !== this.#seq) this.#followTo(seq);
      const { reads } = this.#memo;
      reads.start();
      const value = await work();
      return { value, reads: reads.taken(seq) };
    });
  }

  /** Drops what has changed since the snapshot before. */
  #followTo(seq: number): void {
    const changes = this.#seq === undefined ? [] : this.#reader.changesSince(this.#seq);
    if (changes === undefined) this.#memo.forget();
    else this.#memo.applyChanges(changes);
    if (changes === undefined || changes.some(({ kind }) => kind === 'snippet' || kind === 'all')) {
      this.#engine.invalidate();
      this.#textEngine.invalidate();
      this.#markedEngine?.invalidate();
    }
    this.#seq = seq;
  }

  #openEngine(autoescape: boolean, marked = false, snippets?: ReadonlyMap<string, string>): Engine {
    return new Engine({
      load: (name) => snippets?.get(name) ?? this.#reader.snippet(name)?.content,
      autoescape,
      marked,
      now: (precision) => {
        if (precision === 'moment') this.#memo.reads.markUncacheable();
        return this.#now;
      },
      functions: templateFunctions,
      globals: pageGlobals,
      cacheDir: join(this.#settings.cacheDir, 'templates'),
      cacheKeeping: this.#settings.rendersOnce === true ? 'named' : 'all',
    });
  }
}
