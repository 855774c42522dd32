/** Reads of content as a change set would make it. */
import type { OverlaidReads } from '../../api/parameters/overlaid-reads.ts';
import { ContentOverlay, withContentOverlay } from '../../base/content-overlay.ts';
import { apiError } from '../../base/errors.ts';
import { changesSince } from '../../changes/change-log.ts';
import { readOverlay } from '../../changes/overlay.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import { writeOverlayFile } from '../../db/overlay-file.ts';
import { readAs } from '../../db/readable-rows.ts';
import type { SharedServices } from '../../feature.ts';
import type { Staging } from '../../storage/staging.ts';
import { applyPlan } from './apply.ts';
import { loadItems } from './items.ts';
import { changeSetLimits } from './model.ts';
import { planItems } from './plan.ts';
import { requireSet } from './service.ts';

export interface OverlaidReadsDeps extends Pick<SharedServices, 'changes' | 'reader' | 'version'> {
  readonly kinds: KindsByName;
  readonly staging: Staging;
}

/** A file with the rows of a change set. */
interface OverlayFile {
  /** What the rows depend on: the change set and the content. */
  readonly state: string;
  readonly overlay: Promise<ContentOverlay>;
  /** Requests that read it now. */
  users: number;
}

/** Change sets of which a file is kept. */
const maxFiles = 8;

/**
 * Lays change sets over what requests read.
 *
 * The change set is applied, the rows that it touches are read, and it is taken back. What the request reads then comes
 * from the committed content with these rows in their places. A file with the rows serves all requests until the change
 * set or the content changes.
 */
export class CachedOverlays implements OverlaidReads {
  readonly #deps: OverlaidReadsDeps;
  /** By ID of the change set; the one that was used last comes last. */
  readonly #files = new Map<number, OverlayFile>();

  constructor(deps: OverlaidReadsDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError `common.notFound`, 413 `changeset.tooLarge` */
  async run<Result>(
    actor: Parameters<OverlaidReads['run']>[0],
    changeSetId: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { reader, version } = this.#deps;
    const { updated_at: updatedAt } = await readAs(actor.grants, () =>
      requireSet(reader, actor, changeSetId),
    );
    const file = this.#take(actor, changeSetId, `${updatedAt} ${version.current()}`);
    file.users += 1;
    try {
      return await withContentOverlay(await file.overlay, work);
    } finally {
      file.users -= 1;
      this.#releaseUnused(changeSetId, file);
    }
  }

  /** Lets go of all files. */
  close(): void {
    for (const [id, file] of this.#files) {
      this.#files.delete(id);
      this.#releaseUnused(id, file);
    }
  }

  #take(actor: Parameters<OverlaidReads['run']>[0], id: number, state: string): OverlayFile {
    const known = this.#files.get(id);
    const file = known?.state === state ? known : { state, overlay: this.#write(actor, id), users: 0 };
    this.#files.delete(id);
    this.#files.set(id, file);
    if (known !== undefined && known !== file) this.#releaseUnused(id, known);
    for (const [other, old] of this.#files) {
      if (this.#files.size <= maxFiles) break;
      this.#files.delete(other);
      this.#releaseUnused(other, old);
    }
    return file;
  }

  /** Deletes a file that nobody reads and that no request gets any more. */
  #releaseUnused(id: number, file: OverlayFile): void {
    if (file.users > 0 || this.#files.get(id) === file) return;
    void file.overlay.then(
      (overlay) => {
        overlay.close();
        return overlay.file === undefined ? undefined : this.#deps.staging.release(overlay.file);
      },
      () => {},
    );
  }

  async #write(actor: Parameters<OverlaidReads['run']>[0], id: number): Promise<ContentOverlay> {
    const { changes, version, kinds, staging } = this.#deps;
    try {
      const overlay = await changes.changeUnversioned(actor, async (change) => {
        await requireSet(change.tx, actor, id);
        const planned = await planItems(change.tx, await loadItems(change.tx, id, kinds));
        return change.rehearse(async (inner) => {
          await applyPlan(inner, planned);
          return readOverlay(inner.tx, await changesSince(inner.tx, version.current()));
        }, 'settled');
      });
      if (overlay === undefined) throw apiError('changeset.tooLarge', { max: changeSetLimits.bytes });
      const path = staging.reserve();
      writeOverlayFile(path, overlay.tables);
      return new ContentOverlay(path);
    } catch (error) {
      // The next request tries again.
      this.#files.delete(id);
      throw error;
    }
  }
}
