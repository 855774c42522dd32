import { join } from 'node:path';
import type { ContentReader } from '../content.ts';
import { ContentMemo } from '../content-memo.ts';
import { openSqliteContent } from '../content-sqlite.ts';
import { createEngine, type Engine } from '../engine.ts';
import { pageGlobals, templateFunctions } from '../functions/index.ts';
import { createModuleDetector } from '../page/assets.ts';
import type { RenderTools } from '../page/render.ts';

/** What a worker is started with. */
export interface WorkerSettings {
  /** Path of content.db. */
  readonly databaseFile: string;
  /** Folder for compiled templates and minified assets; its subfolders are made as needed. */
  readonly cacheDir: string;
  /** One 32-bit cell: the content version. */
  readonly contentVersion: SharedArrayBuffer;
  /** Of absolute URLs. */
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
   * what the work reads is at least that new.
   *
   * @param nowMs what the templates take for the current time, Unix milliseconds.
   */
  onSnapshot<T>(nowMs: number, work: (version: number) => T | Promise<T>): Promise<T>;
}

export function createTaskContext(settings: WorkerSettings): TaskContext {
  const reader = openSqliteContent(settings.databaseFile);
  const memo = new ContentMemo(reader);
  const version = new Int32Array(settings.contentVersion);
  let now = new Date(0);
  const engineOf = (autoescape: boolean): Engine =>
    createEngine({
      load: (name) => reader.snippet(name)?.content,
      autoescape,
      now: () => now,
      functions: templateFunctions,
      globals: pageGlobals,
      cacheDir: join(settings.cacheDir, 'templates'),
    });
  const engine = engineOf(true);
  const textEngine = engineOf(false);

  return {
    tools: { memo, engine, textEngine, isModule: createModuleDetector(reader), scheme: settings.scheme },
    memo,
    reader,
    cacheDir: settings.cacheDir,
    onSnapshot(nowMs, work) {
      now = new Date(nowMs);
      const current = Atomics.load(version, 0);
      return reader.snapshot((revision) => {
        // The revision also moves for changes by another process, and between a commit and its new version.
        if (memo.enter(`${current}:${revision}`)) {
          engine.invalidate();
          textEngine.invalidate();
        }
        return work(current);
      });
    },
  };
}
