import type { Log } from '../../base/log.ts';
import type { Changes } from '../../changes/changes.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { ObjectKey } from './kind.ts';
import { saveReferences } from './references.ts';
import type { KindRegistry } from './registry.ts';
import { listBacklog, removeFromBacklog, removeReferences } from './store.ts';

export interface ReferenceBacklogDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly log: Log;
  readonly registry: KindRegistry;
}

/** Objects per change, so that other changes have their turn in between. */
const objectsPerChange = 10;

/**
 * Finds the references of objects that were stored without them: before references were kept, or from a bundle.
 * Until then nothing can be said to be unused.
 */
export class ReferenceBacklog {
  readonly #deps: ReferenceBacklogDeps;
  #work: Promise<void> | undefined;
  #closed = false;

  constructor(deps: ReferenceBacklogDeps) {
    this.#deps = deps;
  }

  /** Resolves when the references of all objects are known. After a failure the next call tries again. */
  done(): Promise<void> {
    this.#work ??= this.#run().catch((error: unknown) => {
      this.#work = undefined;
      throw error;
    });
    return this.#work;
  }

  /** To be called when objects have been added to the backlog; `done` then waits for them too. */
  again(): void {
    this.#work = (this.#work ?? Promise.resolve()).then(
      () => this.#run(),
      () => this.#run(),
    );
    this.start();
  }

  /** Starts the work without waiting for it; a failure is logged. */
  start(): void {
    this.done().catch((error: unknown) => {
      this.#deps.log.error({ err: error }, 'the references of stored objects could not be found');
    });
  }

  /** Ends the work after its current step; the next start of the server goes on. */
  close(): void {
    this.#closed = true;
  }

  async #run(): Promise<void> {
    const { reader } = this.#deps;
    let objects = await listBacklog(reader, objectsPerChange);
    while (objects.length > 0 && !this.#closed) {
      await this.#fill(objects);
      objects = await listBacklog(reader, objectsPerChange);
    }
  }

  #fill(objects: readonly ObjectKey[]): Promise<void> {
    const { changes, registry } = this.#deps;
    return changes.changeUnversioned({ kind: 'none' }, async (change) => {
      for (const object of objects) {
        const kind = registry.byName.get(object.kind);
        const state = await kind?.find(change.tx, object.id);
        if (kind !== undefined && state !== undefined) {
          await removeReferences(change.tx, object);
          await saveReferences(change, kind, state);
          await kind.keepReferences?.(change, state);
        }
        await removeFromBacklog(change.tx, object);
      }
    });
  }
}
