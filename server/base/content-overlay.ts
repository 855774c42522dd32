/**
 * Content as some work sees it: with changes laid over it that are not committed. Connections that read content, and
 * tasks of render processes, ask here what lies over it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** What lies over content, as long as the work runs. */
export class ContentOverlay {
  /** Path of the file with the changed rows. */
  readonly file: string;
  readonly #opened = new Map<string, { close(): void }>();

  constructor(file: string) {
    this.file = file;
  }

  /** What the work has opened under this key, or opens now; it is closed when the work ends. */
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

const storage = new AsyncLocalStorage<ContentOverlay>();
let running = 0;

/** What lies over content for the work that runs now. */
export function findContentOverlay(): ContentOverlay | undefined {
  return running === 0 ? undefined : storage.getStore();
}

/** Runs work that sees content with the rows of a file laid over it. */
export async function withContentOverlay<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const overlay = new ContentOverlay(file);
  running += 1;
  try {
    return await storage.run(overlay, work);
  } finally {
    overlay.close();
    running -= 1;
    // Otherwise every promise of the process would cost more from now on.
    if (running === 0) storage.disable();
  }
}
