import { setTimeout as pause } from 'node:timers/promises';
import type { Actor } from '../../base/actor.ts';
import { ApiError, apiError } from '../../base/errors.ts';
import type { Change, Changes } from '../../changes/changes.ts';
import type { ContentDb } from '../../db/tables.ts';
import { readStorage, type StoredStorage, saveStorage } from '../../storage/store.ts';

type StorageType = StoredStorage['type'];

/** How often the outcome of a commit is asked for, in milliseconds. */
const outcomeRetryMs = 500;

/** Saves settings of the storage. Fields that are not given stay as the last node has saved them. */
export class StorageSaver {
  readonly #changes: Changes;
  #isClosed = false;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /**
   * @param type where media were when the caller decided
   * @throws ApiError `storage.migrationRunning` if they have moved since
   */
  save(actor: Actor, type: StorageType, fields: Partial<StoredStorage>): Promise<void> {
    return this.#changes.changeUnversioned(actor, ({ tx }) => merge(tx, type, fields));
  }

  /**
   * Saves another storage as a change of content, so that the page cache is purged. When it resolves or rejects, it is
   * known whether the storage was saved, unless this was closed.
   *
   * @param type as in `save`
   * @param check inside the change, when no other node can commit or begin to serve
   */
  async saveType(
    actor: Actor,
    type: StorageType,
    fields: Pick<StoredStorage, 'type'> & Partial<StoredStorage>,
    check: () => Promise<void>,
  ): Promise<void> {
    try {
      await this.#changes.change(actor, async ({ tx }) => {
        await check();
        await merge(tx, type, fields);
      });
    } catch (error) {
      if (!(await this.#wasSaved(error, fields.type))) throw error;
    }
  }

  /** Ends waiting for the outcome of a commit. */
  close(): void {
    this.#isClosed = true;
  }

  /** A node that loses the database during a commit learns the outcome with its next change. */
  async #wasSaved(error: unknown, type: StorageType): Promise<boolean> {
    if (!(error instanceof ApiError) || error.code !== 'common.outcomeUnknown') return false;
    const readType = async ({ tx }: Change): Promise<StorageType> => (await readStorage(tx)).type;
    while (!this.#isClosed) {
      try {
        return (await this.#changes.changeUnversioned({ kind: 'none' }, readType)) === type;
      } catch (again) {
        if (!isBusy(again)) throw again;
        await pause(outcomeRetryMs);
      }
    }
    return false;
  }
}

async function merge(db: ContentDb, type: StorageType, fields: Partial<StoredStorage>): Promise<void> {
  const stored = await readStorage(db);
  if (stored.type !== type) throw apiError('storage.migrationRunning', {});
  await saveStorage(db, { ...stored, ...fields });
}

function isBusy(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'common.busy';
}
