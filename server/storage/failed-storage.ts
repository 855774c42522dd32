import type { ApiError } from '../base/errors.ts';
import type { ListedObject, MediaStorage, OpenedObject, StoredObject } from './storage.ts';

/**
 * Stands in for object storage that does not work on a node of several. Local files would be missing on all others, so
 * every call fails instead.
 */
export class FailedStorage implements MediaStorage {
  readonly type = 's3';
  readonly #fault: ApiError;

  constructor(fault: ApiError) {
    this.#fault = fault;
  }

  async put(): Promise<void> {
    throw this.#fault;
  }

  async remove(): Promise<void> {
    throw this.#fault;
  }

  async stat(): Promise<StoredObject | undefined> {
    throw this.#fault;
  }

  async open(): Promise<OpenedObject | undefined> {
    throw this.#fault;
  }

  async localCopy(): Promise<string | undefined> {
    throw this.#fault;
  }

  list(): AsyncIterable<ListedObject> {
    return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(this.#fault) }) };
  }

  async removeUnfinished(): Promise<number> {
    throw this.#fault;
  }
}
