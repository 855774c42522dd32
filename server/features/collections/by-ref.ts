import type { Actor } from '../../base/actor.ts';
import { apiError } from '../../base/errors.ts';
import type { ContentVersion } from '../../changes/content-version.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { StoredCollection } from './model.ts';
import { findCollection } from './service.ts';

const maxKept = 1000;

/** The collections as readers ask for them, by ID or slug. Kept until content changes. */
export class ReadableCollections {
  readonly #db: ContentDb;
  readonly #version: ContentVersion;
  readonly #byRef = new Map<string, StoredCollection>();

  constructor(db: ContentDb, version: ContentVersion) {
    this.#db = db;
    this.#version = version;
    version.onMove(() => this.#byRef.clear());
  }

  /**
   * The collection for a caller who may read it: others are told that there is none.
   *
   * @throws ApiError `common.notFound`
   */
  async require(ref: string, actor: Actor): Promise<StoredCollection> {
    const collection = await this.find(ref);
    if (collection === undefined || (actor.kind === 'none' && !collection.public_api))
      throw apiError('common.notFound', {});
    return collection;
  }

  /** The collection with this ID or slug, whoever asks. */
  async find(ref: string): Promise<StoredCollection | undefined> {
    const known = this.#byRef.get(ref);
    if (known !== undefined) return known;
    const since = this.#version.current();
    const collection = await findCollection(this.#db, ref);
    if (this.#byRef.size >= maxKept) this.#byRef.clear();
    if (collection !== undefined && this.#version.current() === since) this.#byRef.set(ref, collection);
    return collection;
  }
}
