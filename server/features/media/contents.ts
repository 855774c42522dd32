import type { ContentDb } from '../../db/tables.ts';
import { isContentId } from '../../storage/media-key.ts';
import type { MediaStorage, OpenedObject } from '../../storage/storage.ts';
import type { MediaLibrary } from './library.ts';
import type { StoredFile } from './model.ts';
import { originalKey } from './objects.ts';
import { files } from './store.ts';
import type { VariantJobs } from './variant-jobs.ts';

interface MediaContentsDeps {
  readonly storage: MediaStorage;
  readonly library: MediaLibrary;
  readonly jobs: VariantJobs;
}

/** Contents of files, for features that move whole files between instances. */
export class MediaContents {
  readonly #deps: MediaContentsDeps;
  /** See `MediaLibrary.store`. */
  readonly store: MediaLibrary['store'];

  constructor(deps: MediaContentsDeps) {
    this.#deps = deps;
    this.store = (staged, use) => deps.library.store(staged, use);
  }

  /** Opens the bytes of a content; undefined if they are not there. */
  async open(content: string): Promise<OpenedObject | undefined> {
    return isContentId(content) ? this.#deps.storage.open(originalKey({ content })) : undefined;
  }

  /** Bytes of a content; undefined if they are not there. */
  async findSize(content: string): Promise<number | undefined> {
    return isContentId(content) ? (await this.#deps.storage.stat(originalKey({ content })))?.size : undefined;
  }

  /** As long as a hold is not released, no content is deleted. */
  hold(): () => void {
    return this.#deps.library.hold();
  }

  /**
   * To be called inside a change before a file is deleted or gets another content. Resolves with what is to be
   * called after the commit.
   */
  async takeAway(db: ContentDb, id: number): Promise<() => void> {
    const { library } = this.#deps;
    const file = await files.find(db, id);
    if (file === undefined) return () => {};
    const crops = await library.crops(db, file);
    return () => void library.drop(file, crops);
  }

  /** Writes the variants of new files in the background. */
  async makeVariants(db: ContentDb, ids: readonly number[]): Promise<void> {
    const found: StoredFile[] = [];
    for (const id of ids) {
      const file = await files.find(db, id);
      if (file?.variants === 'pending') found.push(file);
    }
    this.#deps.jobs.enqueue(found);
  }
}
