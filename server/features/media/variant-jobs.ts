/**
 * Writes the variants of images in the image processes, each once however many ask for it.
 *
 * A file is `pending` from its upload until its variants are in the storage. So what a crash interrupts is found at
 * the next start. Whoever asks for a variant of a pending file waits for this file, ahead of all that nobody has
 * asked for yet.
 */
import { LRUCache } from 'lru-cache';
import type { ImageOutput, MakeVariantsTask } from '../../../runtime/images/messages.ts';
import type { Log } from '../../base/log.ts';
import type { Changes } from '../../changes/changes.ts';
import { CoalescedChanges } from '../../changes/coalesced-changes.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { ImagePool } from '../../processes/index.ts';
import { PoolBusyError } from '../../processes/pool.ts';
import { WorkerLostError } from '../../processes/pool-worker.ts';
import type { MediaKey } from '../../storage/media-key.ts';
import type { Staging } from '../../storage/staging.ts';
import type { MediaStorage } from '../../storage/storage.ts';
import type { StoredFile } from './model.ts';
import { cropKey, cropName, listVariants, originalKey, variantKey } from './objects.ts';
import { insertCrop, isContentUsed, isPending, listCrops, saveVariantState } from './store.ts';

export interface VariantJobsDeps {
  readonly images: ImagePool;
  readonly storage: MediaStorage;
  readonly staging: Staging;
  readonly changes: Changes;
  readonly reader: ContentDb;
  readonly log: Log;
}

/** Work that is done once for all who ask for it. */
interface RunningJob {
  /** Resolves when the objects are in the storage, or cannot be made. */
  readonly written: Promise<void>;
  /** Resolves when the row of the file says so too. */
  readonly ended: Promise<void>;
}

/** Different crops of one file; further ones get the nearest of these. */
const maxCrops = 50;

export class VariantJobs {
  readonly #deps: VariantJobsDeps;
  /** Running jobs by content, or by the key of a crop. */
  readonly #running = new Map<string, RunningJob>();
  readonly #states: CoalescedChanges;
  /** Keys of crops that could not be made. They are not tried again before the next start of the server. */
  readonly #impossible = new LRUCache<MediaKey, true>({ max: 10_000 });
  readonly #queue: StoredFile[] = [];
  #working = false;
  #closed = false;

  constructor(deps: VariantJobsDeps) {
    this.#deps = deps;
    this.#states = new CoalescedChanges((work) => deps.changes.changeUnversioned({ kind: 'none' }, work));
  }

  /** Writes the variants of files in the background, one file after the other. */
  enqueue(files: readonly StoredFile[]): void {
    this.#queue.push(...files);
    if (!this.#working) this.#work();
  }

  /**
   * Resolves when the variants of a file are written or are known to be impossible.
   *
   * @throws PoolBusyError
   */
  async ready(file: StoredFile): Promise<void> {
    if (file.variants !== 'pending') return;
    const { written, ended } = this.#make(file);
    await written;
    this.#states.flush();
    await ended;
  }

  /**
   * The key of a crop of exactly this size, made if necessary. If the file has too many sizes already, that of the
   * nearest one. Undefined if the file cannot be cropped, or not to this size.
   *
   * @throws PoolBusyError
   */
  async crop(file: StoredFile, width: number, height: number): Promise<MediaKey | undefined> {
    if (file.format === '' || file.variants === 'none' || file.variants === 'failed') return undefined;
    const name = cropName(file, width, height);
    const key = cropKey(file, name);
    if (this.#impossible.has(key)) return undefined;
    const known = await listCrops(this.#deps.reader, file.content);
    if (known.some((crop) => crop.name === name)) {
      if ((await this.#deps.storage.stat(key)) !== undefined) return key;
    } else if (known.length >= maxCrops) {
      const area = (crop: { width: number; height: number }) =>
        Math.abs(crop.width - width) + Math.abs(crop.height - height);
      const nearest = known.toSorted((left, right) => area(left) - area(right))[0];
      return nearest === undefined ? undefined : cropKey(file, nearest.name);
    }
    await this.#once(key, () => withoutState(this.#makeCrop(file, { name, width, height }))).ended;
    return this.#impossible.has(key) ? undefined : key;
  }

  /** Ends the image processes and the background work. What is interrupted stays pending for the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#deps.images.close();
    this.#states.close();
    await Promise.allSettled([...this.#running.values()].map((job) => job.ended));
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let file = this.#queue.shift(); file !== undefined && !this.#closed; file = this.#queue.shift()) {
      try {
        if (file.variants === 'pending') await this.#make(file).written;
      } catch (error) {
        if (error instanceof PoolBusyError) this.#queue.push(file);
        else if (!this.#closed)
          this.#deps.log.error(
            { err: error, path: file.path },
            'the variants of an image could not be stored',
          );
      }
    }
    this.#working = false;
  }

  #once(name: string, begin: () => RunningJob): RunningJob {
    const known = this.#running.get(name);
    if (known !== undefined) return known;
    const job = begin();
    this.#running.set(name, job);
    const forget = (): boolean => this.#running.delete(name);
    job.ended.then(forget, forget);
    return job;
  }

  #make(file: StoredFile): RunningJob {
    return this.#once(file.content, () => {
      const state = this.#makeVariants(file);
      const ended = state.then((made) => (made === undefined ? undefined : this.#saveState(file, made)));
      return { written: state.then(() => {}), ended };
    });
  }

  /** Undefined if nothing was to be made. */
  async #makeVariants(file: StoredFile): Promise<'done' | 'failed' | undefined> {
    // The caller's row may be older than a job that has just ended.
    if (!(await isPending(this.#deps.reader, file.content))) return undefined;
    const state = await this.#write(file, outputsOf(file));
    return state === 'gone' ? undefined : state;
  }

  /** Nobody waits for it when images are worked off, so it shares a commit with others. */
  async #saveState(file: StoredFile, state: 'done' | 'failed'): Promise<void> {
    const { reader, storage, log } = this.#deps;
    try {
      await this.#states.add(({ tx }) => saveVariantState(tx, file.content, state));
      // A file that was deleted or replaced meanwhile takes its original along, but only variants that were there.
      if (!(await isContentUsed(reader, file.content)))
        for (const { key } of outputsOf(file)) await storage.remove(key);
    } catch (error) {
      log.error({ err: error, path: file.path }, 'the state of the variants of an image could not be stored');
      throw error;
    }
  }

  async #makeCrop(
    file: StoredFile,
    crop: { readonly name: string; readonly width: number; readonly height: number },
  ): Promise<void> {
    const { changes, reader, storage } = this.#deps;
    const key = cropKey(file, crop.name);
    const { height, width } = crop;
    if (file.format === '') return;
    await changes.changeUnversioned({ kind: 'none' }, ({ tx }) => insertCrop(tx, file.content, crop));
    const around = { height, focusX: file.focus_x, focusY: file.focus_y };
    const state = await this.#write(file, [{ key, format: file.format, width, crop: around }]);
    if (state === 'failed') this.#impossible.set(key, true);
    if (!(await isContentUsed(reader, file.content))) await storage.remove(key);
  }

  /** `failed`: the image processes cannot make them. `gone`: there is no original any more. */
  async #write(
    file: StoredFile,
    outputs: readonly (Omit<ImageOutput, 'path'> & { readonly key: MediaKey })[],
  ): Promise<'done' | 'failed' | 'gone'> {
    const { images, storage, staging, log } = this.#deps;
    const source = await storage.localCopy(originalKey(file));
    if (source === undefined) return 'gone';
    const staged = outputs.map(({ key, ...output }) => ({
      key,
      output: { ...output, path: staging.reserve() },
    }));
    const task = {
      kind: 'make-variants',
      file: source,
      animated: file.animated,
      outputs: staged.map(({ output }) => output),
    } as const;
    try {
      // A process can also be lost through no fault of the image.
      if (outputs.length > 0) await images.run(task).catch((error: unknown) => this.#again(task, error));
    } catch (error) {
      for (const { output } of staged) await staging.release(output.path);
      if (error instanceof PoolBusyError || this.#closed) throw error;
      log.error({ err: error, path: file.path }, 'the variants of an image could not be made');
      return 'failed';
    }
    for (const { key, output } of staged) await storage.put(key, await staging.adopt(output.path));
    return 'done';
  }

  /** Tries a task once more if its process was lost. */
  async #again(task: MakeVariantsTask, error: unknown): Promise<unknown> {
    if (!(error instanceof WorkerLostError) || this.#closed) throw error;
    return this.#deps.images.run(task);
  }
}

/** A job that changes nothing in the row of the file. */
function withoutState(work: Promise<void>): RunningJob {
  return { written: work, ended: work };
}

function outputsOf(file: StoredFile) {
  const variants = listVariants({ ...file, variants: 'done' });
  return variants.map((variant) => ({ ...variant, key: variantKey(file, variant) }));
}
