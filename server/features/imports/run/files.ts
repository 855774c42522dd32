/** Takes over media files of the original into the library (Data, "Website import", rules 7 and 9). */
import { computeFileAddresses } from '../../../../runtime/files/file-object.ts';
import { ApiError } from '../../../base/errors.ts';
import type { Change } from '../../../changes/changes.ts';
import { CoalescedChanges } from '../../../changes/coalesced-changes.ts';
import { createObject, updateObject } from '../../../content/kinds/objects.ts';
import { ensureFolder } from '../../media/folders/service.ts';
import type { StoredFile } from '../../media/model.ts';
import type { FetchedContent } from '../loading/fetcher.ts';
import { formatLoadError } from '../loading/load-page.ts';
import { siteHost } from '../parsing/address.ts';
import type { TakenFile } from '../parsing/messages.ts';
import { fileSources, type ImportedObject } from '../store.ts';
import { suppressObjectEvents } from './suppress-object-events.ts';
import type { Counters, RunPlan, RunTools } from './tools.ts';

export class FileImport {
  readonly #tools: RunTools;
  readonly #plan: RunPlan;
  readonly #counters: Counters;
  readonly #rows: CoalescedChanges;
  /** Files that are taken over now, and those of them that wait for a commit. */
  #inWork = 0;
  #inCommit = 0;
  #folder: Promise<number> | undefined;

  constructor(tools: RunTools, plan: RunPlan, counters: Counters) {
    this.#tools = tools;
    this.#rows = new CoalescedChanges((work) => tools.changes.change({ kind: 'import' }, work));
    this.#plan = plan;
    this.#counters = counters;
  }

  /** Takes over a file; undefined, with a note in the log, if that is not possible. */
  take(url: string): Promise<TakenFile | undefined> {
    return this.#counted(() => this.#take(url));
  }

  /** Takes over a content that is there already. */
  takeContent(url: string, source: FetchedContent): Promise<TakenFile | undefined> {
    return this.#counted(() => this.#takeContent(url, source));
  }

  async #take(url: string): Promise<TakenFile | undefined> {
    const { reader, fetcher, maxFileBytes } = this.#tools;
    const { target, force } = this.#plan;
    const known = await fileSources.find(reader, target.rootId, url);
    const answer = await fetcher.fetch(url, {
      maxBytes: maxFileBytes,
      known: force ? undefined : known,
      isFile: true,
    });
    if (answer.kind === 'failed') return this.#refused(url, answer.reason);
    if (answer.kind === 'unchanged') return known === undefined ? undefined : this.#reuse(known);
    if (/^\s*(?:text\/html|application\/xhtml)/i.test(answer.contentType))
      return this.#refused(url, 'it is a page');
    if (known?.hash === answer.hash) return this.#reuse(known);
    return this.#takeContent(url, answer, known);
  }

  async #takeContent(
    url: string,
    source: FetchedContent,
    known?: ImportedObject,
  ): Promise<TakenFile | undefined> {
    const { workspace, progress } = this.#tools;
    const staged = await workspace.stage(source.file);
    try {
      const file = await this.#store(url, source, { staged, name: readFileName(url) }, known);
      progress.countFile();
      return takenFile(file);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'common.storageFull') throw error;
      return this.#refused(url, formatLoadError(error));
    } finally {
      await staged.discard();
    }
  }

  async #store(
    url: string,
    { hash, etag, last_modified }: FetchedContent,
    named: Parameters<RunTools['media']['uploads']['storeStaged']>[0],
    known: ImportedObject | undefined,
  ): Promise<StoredFile> {
    const { media } = this.#tools;
    const { rootId } = this.#plan.target;
    const state = { hash, etag, last_modified };
    if (known !== undefined) {
      this.#counters.files_updated += 1;
      return media.uploads.replaceStaged(named, (kind, content) =>
        this.#write(async (change) => {
          const file = await updateObject(suppressObjectEvents(change), kind, known.id, content);
          await change.writeUnversioned(() =>
            fileSources.save(change.tx, rootId, url, { id: file.id, ...state }),
          );
          return file;
        }),
      );
    }
    const folder_id = await this.#folderId();
    this.#counters.files += 1;
    return media.uploads.storeStaged(named, (file) =>
      this.#write(async (change) => {
        const fields = { ...file, folder_id, source_url: url };
        const stored = await createObject(suppressObjectEvents(change), media.kind, fields);
        await change.writeUnversioned(() =>
          fileSources.save(change.tx, rootId, url, { id: stored.id, ...state }),
        );
        return stored;
      }),
    );
  }

  /** Writes rows together with those of other files. */
  async #write<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const written = this.#rows.add(work);
    this.#inCommit += 1;
    this.#flushIfAllWait();
    try {
      return await written;
    } finally {
      this.#inCommit -= 1;
    }
  }

  async #counted<T>(work: () => Promise<T>): Promise<T> {
    this.#inWork += 1;
    try {
      return await work();
    } finally {
      this.#inWork -= 1;
      this.#flushIfAllWait();
    }
  }

  #flushIfAllWait(): void {
    if (this.#inCommit === this.#inWork) this.#rows.flush();
  }

  async #reuse(known: ImportedObject): Promise<TakenFile | undefined> {
    const file = await this.#tools.media.kind.find(this.#tools.reader, known.id);
    if (file === undefined) return undefined;
    this.#counters.files_reused += 1;
    this.#tools.progress.countFile();
    return takenFile(file);
  }

  #refused(url: string, reason: string): undefined {
    this.#tools.progress.note('warn', 'import.fileNotImported', { reason }, url);
  }

  /** The folder of all files of this website; made with the first file. */
  #folderId(): Promise<number> {
    this.#folder ??= this.#tools.changes.change({ kind: 'import' }, (change) =>
      ensureFolder(suppressObjectEvents(change), importFolder(this.#plan.base)),
    );
    return this.#folder;
  }
}

/** Name of the folder of files and assets. */
export function importFolder(base: URL): string {
  return `Import ${siteHost(base)}`;
}

function takenFile(file: StoredFile): TakenFile {
  const { url, srcset } = computeFileAddresses(file);
  return { url, srcset: file.width === null ? '' : srcset, width: file.width ?? 0 };
}

/** The name that a file had, from its address. */
export function readFileName(url: string): string {
  const segment = new URL(url).pathname.split('/').findLast((part) => part !== '') ?? 'file';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
