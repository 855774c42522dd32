/**
 * Contents of files in the media storage, and which of them belong to nobody.
 *
 * A content is stored before the row that names it, and deleted after the row is gone. So a row always has its
 * bytes, and what a crash leaves behind is an object without a row, which `sweep` finds.
 */

import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { StartTimer } from '../../base/timers.ts';
import type { ContentDb } from '../../db/tables.ts';
import { type ContentId, getContentId, newContentId } from '../../storage/media-key.ts';
import type { StagedFile } from '../../storage/staging.ts';
import type { MediaStorage } from '../../storage/storage.ts';
import { cropKey, type FileObjects, listMediaKeys, originalKey } from './objects.ts';
import { isContentUsed, listCrops } from './store.ts';

export interface MediaLibraryDeps {
  readonly storage: MediaStorage;
  readonly reader: ContentDb;
  readonly log: Log;
  /** Whether other nodes use the same object storage. */
  readonly isShared: boolean;
  readonly clock: Clock;
  /** Whether another process reads all contents that rows named a moment ago. */
  readonly isBeingBackedUp: () => boolean;
  readonly later: StartTimer;
}

/** Objects of other nodes that are younger may not be named by a row yet, in milliseconds. */
const storingMs = 24 * 3_600_000;
/** How long a deletion waits before it looks again whether a backup has ended, in milliseconds. */
const backupRetryMs = 10_000;

export class MediaLibrary {
  readonly #deps: MediaLibraryDeps;
  /** Contents that are stored but not yet named by a row, or no longer. */
  readonly #unnamed = new Set<string>();
  #holds = 0;
  /** Deletions that wait for the end of the last hold, or of a backup. */
  readonly #postponed: (() => Promise<void>)[] = [];
  #cancelRetry: (() => void) | undefined;

  constructor(deps: MediaLibraryDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a new content while `use` decides about it. If `use` fails, nothing stays behind.
   *
   * @param use makes the rows that name the contents; called when they are safe. A content without a row is deleted
   */
  async store<T>(
    staged: readonly StagedFile[],
    use: (contents: readonly ContentId[]) => Promise<T>,
  ): Promise<T> {
    const contents = staged.map(newContentId);
    for (const content of contents) this.#unnamed.add(content);
    try {
      for (const [index, content] of contents.entries()) {
        const file = staged[index];
        if (file !== undefined) await this.#deps.storage.put(originalKey({ content }), file);
      }
      const result = await use(contents);
      for (const content of contents)
        if (!(await isContentUsed(this.#deps.reader, content))) await this.#forget(content);
      return result;
    } catch (error) {
      for (const content of contents) await this.#forget(content);
      throw error;
    } finally {
      for (const content of contents) this.#unnamed.delete(content);
    }
  }

  async #forget(content: ContentId): Promise<void> {
    const { storage, log } = this.#deps;
    await storage.remove(originalKey({ content })).catch((error: unknown) => {
      log.error({ err: error, content }, 'a refused upload could not be deleted');
    });
  }

  /**
   * Delays deletions while a caller reads many files. Call the returned function to release the hold. The next sweep
   * deletes what a crash leaves behind.
   */
  hold(): () => void {
    this.#holds += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      if (this.#holds === 0) this.#runPostponed();
    };
  }

  /** Deletions that still wait are left to the sweep of the next start. */
  close(): void {
    this.#cancelRetry?.();
  }

  #mustWait(): boolean {
    const { later, isBeingBackedUp } = this.#deps;
    if (this.#holds > 0) return true;
    if (!isBeingBackedUp()) return false;
    this.#cancelRetry ??= later(backupRetryMs, () => {
      this.#cancelRetry = undefined;
      this.#runPostponed();
    });
    return true;
  }

  #runPostponed(): void {
    for (const work of this.#postponed.splice(0)) void work();
  }

  /** Deletes all objects of a content that no row names any more. A failure is logged; the next sweep deletes them. */
  async drop(file: FileObjects, crops: readonly { readonly name: string }[]): Promise<void> {
    const { storage, log } = this.#deps;
    try {
      if (this.#mustWait()) {
        this.#postponed.push(() => this.drop(file, crops));
        return;
      }
      for (const { name } of crops) await storage.remove(cropKey(file, name));
      for (const key of [...listMediaKeys(file)].reverse()) await storage.remove(key);
    } catch (error) {
      log.error({ err: error, path: file.path }, 'objects of a deleted file could not be deleted');
    }
  }

  /** Deletes crops that show a part that nobody asks for any more. */
  async dropCrops(file: FileObjects, crops: readonly { readonly name: string }[]): Promise<void> {
    try {
      for (const { name } of crops) await this.#deps.storage.remove(cropKey(file, name));
    } catch (error) {
      this.#deps.log.error({ err: error, path: file.path }, 'crops of an image could not be deleted');
    }
  }

  /** The crops of a file that are stored now. */
  crops(
    db: ContentDb,
    { content }: Pick<FileObjects, 'content'>,
  ): Promise<readonly { readonly name: string }[]> {
    return listCrops(db, content);
  }

  /**
   * Deletes objects whose content no row names: what a crash has left behind. Only names that the service itself
   * makes are looked at, whatever else lies in the storage. It ends when a backup runs, because a row of the backup may
   * still name the object; the next start goes on. Objects that other nodes may be storing now stay.
   *
   * @param isOpen called before each object; ends the sweep when false
   * @returns number of deleted objects
   */
  async sweep(isOpen: () => boolean): Promise<number> {
    const { storage, reader, log, isShared, clock, isBeingBackedUp } = this.#deps;
    const sharesObjects = isShared && storage.type === 's3';
    if (!sharesObjects) await this.#removeUnfinished();
    const newest = sharesObjects ? clock() - storingMs : Number.POSITIVE_INFINITY;
    let deleted = 0;
    for await (const { key, modifiedAt } of storage.list()) {
      if (!isOpen()) break;
      if (modifiedAt > newest) continue;
      const content = getContentId(key);
      // In this order: a content leaves the set only after its row is committed.
      if (this.#unnamed.has(content) || (await isContentUsed(reader, content))) continue;
      if (isBeingBackedUp()) break;
      await storage.remove(key);
      deleted += 1;
    }
    if (deleted > 0) log.info({ objects: deleted }, 'media objects that belong to no file were deleted');
    return deleted;
  }

  /** Not every object storage can list them, and not every key may. */
  async #removeUnfinished(): Promise<void> {
    const { storage, log } = this.#deps;
    try {
      const uploads = await storage.removeUnfinished();
      if (uploads > 0) log.info({ uploads }, 'interrupted uploads to the media storage were deleted');
    } catch (error) {
      log.warn({ err: error }, 'interrupted uploads to the media storage could not be looked for');
    }
  }
}
