/**
 * Content as some work sees it: with changes laid over it that are not committed, or only the rows that its caller may
 * read. Connections that read content, and tasks of render processes, ask here what the work sees.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { RowViews } from '../../runtime/content/overlay.ts';

/** The rows that a caller may read. */
export interface ReadLimits {
  /** Equal limits have equal keys. */
  readonly key: string;
  readonly views: RowViews;
  /** What renders see by the kind of their task; other tasks see everything. */
  readonly rendering: Readonly<Record<string, RowViews>>;
}

/** What lies over content, as long as the work runs. */
export class ContentOverlay {
  /** Path of the file with the changed rows; undefined if there are none. */
  readonly file: string | undefined;
  /** Undefined if everything may be read. */
  readonly limits: ReadLimits | undefined;
  readonly #opened = new Map<string, { close(): void }>();

  constructor(file: string | undefined, limits?: ReadLimits) {
    this.file = file;
    this.limits = limits;
  }

  /** What was opened under this key, or is opened now; `close` closes it. */
  open<Resource extends { close(): void }>(key: string, create: () => Resource): Resource {
    // Type boundary: each key belongs to one caller, which always opens the same.
    const known = this.#opened.get(key) as Resource | undefined;
    const resource = known ?? create();
    this.#opened.set(key, resource);
    return resource;
  }

  close(): void {
    for (const resource of this.#opened.values()) resource.close();
    this.#opened.clear();
  }
}

const storage = new AsyncLocalStorage<ContentOverlay | undefined>();
let running = 0;

/** What lies over content for the work that runs now. */
export function findContentOverlay(): ContentOverlay | undefined {
  return running === 0 ? undefined : storage.getStore();
}

/** Runs work that sees content with an overlay; several pieces of work may share one. */
export function withContentOverlay<Result>(
  overlay: ContentOverlay,
  work: () => Promise<Result>,
): Promise<Result> {
  const limits = findReadLimits();
  // What callers with limits open is theirs alone.
  return limits === undefined
    ? runWith(overlay, work)
    : runAlone(new ContentOverlay(overlay.file, limits), work);
}

/** Runs work that sees only rows within limits. */
export function withReadLimits<Result>(limits: ReadLimits, work: () => Promise<Result>): Promise<Result> {
  return runAlone(new ContentOverlay(findContentOverlay()?.file, limits), work);
}

/** Runs work that sees all rows, whoever has asked for it: it only answers what does not depend on the caller. */
export function withoutReadLimits<Result>(work: () => Promise<Result>): Promise<Result> {
  const overlay = findContentOverlay();
  if (overlay?.limits === undefined) return work();
  return overlay.file === undefined
    ? storage.run(undefined, work)
    : runAlone(new ContentOverlay(overlay.file), work);
}

/** Which rows the work that runs now may read; undefined if all. */
export function findReadLimits(): ReadLimits | undefined {
  return findContentOverlay()?.limits;
}

async function runAlone<Result>(overlay: ContentOverlay, work: () => Promise<Result>): Promise<Result> {
  try {
    return await runWith(overlay, work);
  } finally {
    overlay.close();
  }
}

async function runWith<Result>(overlay: ContentOverlay, work: () => Promise<Result>): Promise<Result> {
  running += 1;
  try {
    return await storage.run(overlay, work);
  } finally {
    running -= 1;
    // Otherwise every promise of the process would cost more from now on.
    if (running === 0) storage.disable();
  }
}
