import { join } from 'node:path';
import { ContentMemo } from '../content/memo.ts';
import type { ContentReader } from '../content/reader.ts';
import { openSqliteContent } from '../content/sqlite.ts';
import { ContentVersion } from '../content/version.ts';
import { Engine } from '../engine.ts';
import { pageGlobals, templateFunctions } from '../functions/index.ts';
import { ModuleDetector } from '../page/assets.ts';
import type { RenderTools } from '../page/render.ts';

/** The settings of a worker at its start. */
export interface WorkerSettings {
  /** Path of content.db. */
  readonly databaseFile: string;
  /** Folder for compiled templates and minified assets; its subfolders are made as needed. */
  readonly cacheDir: string;
  /** The shared memory of a `ContentVersion`. */
  readonly contentVersion: SharedArrayBuffer;
  /** Scheme of absolute URLs. */
  readonly scheme: 'http' | 'https';
}

/** A worker's connection, memo and engines; tasks run one at a time. */
export interface TaskContext {
  readonly tools: RenderTools;
  readonly memo: ContentMemo;
  readonly reader: ContentReader;
  readonly cacheDir: string;
  /**
   * Runs a task's work on one snapshot of the content. `version` was read before the snapshot was opened, so
   * the content of the snapshot is at least that new.
   *
   * @param nowMs current time for templates, Unix milliseconds
   */
  onSnapshot<T>(nowMs: number, work: (version: number) => T | Promise<T>): Promise<T>;
}

/** The state that one worker keeps as long as it lives. */
export class RenderWorker {
  readonly #settings: WorkerSettings;
  readonly #reader: ContentReader;
  readonly #memo: ContentMemo;
  readonly #version: ContentVersion;
  readonly #engine: Engine;
  readonly #textEngine: Engine;
  readonly #modules: ModuleDetector;
  #now = new Date(0);
  /** The versions and revision at the last update of memo and engines. */
  #known = { current: -1, templates: -1, revision: -1 };

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
    this.#reader = openSqliteContent(settings.databaseFile);
    this.#memo = new ContentMemo(this.#reader);
    this.#version = new ContentVersion(settings.contentVersion);
    this.#engine = this.#openEngine(true);
    this.#textEngine = this.#openEngine(false);
    this.#modules = new ModuleDetector(this.#reader);
  }

  /** The context of a task. @param scheme of absolute URLs; default: the scheme of the settings */
  contextFor(scheme = this.#settings.scheme): TaskContext {
    return {
      tools: {
        memo: this.#memo,
        engine: this.#engine,
        textEngine: this.#textEngine,
        isModule: (asset) => this.#modules.isModule(asset),
        scheme,
      },
      memo: this.#memo,
      reader: this.#reader,
      cacheDir: this.#settings.cacheDir,
      onSnapshot: (nowMs, work) => this.#onSnapshot(nowMs, work),
    };
  }

  #onSnapshot<T>(nowMs: number, work: (version: number) => T | Promise<T>): Promise<T> {
    this.#now = new Date(nowMs);
    const current = this.#version.current();
    const templates = this.#version.templates();
    return this.#reader.snapshot((revision) => {
      // The revision also changes when another process commits, and in the time between a commit and the move
      // of the version. It is then not known what has changed.
      const isUnexplained = revision !== this.#known.revision && current === this.#known.current;
      this.#memo.enter(`${current}:${revision}`);
      if (isUnexplained || templates !== this.#known.templates) {
        this.#engine.invalidate();
        this.#textEngine.invalidate();
      }
      this.#known = { current, templates, revision };
      return work(current);
    });
  }

  #openEngine(autoescape: boolean): Engine {
    return new Engine({
      load: (name) => this.#reader.snippet(name)?.content,
      autoescape,
      now: () => this.#now,
      functions: templateFunctions,
      globals: pageGlobals,
      cacheDir: join(this.#settings.cacheDir, 'templates'),
    });
  }
}
