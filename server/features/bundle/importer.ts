/**
 * An archive as the content of an instance.
 *
 * An import reads everything into a database of its own first (`staged.ts`), completes that to the state which the
 * target shall have (`live.ts`, `files.ts`), and checks it (`check.ts`). Then a backup is written, new media are
 * stored, and one change writes the rows that differ (`apply.ts`). Until that change is committed nothing has
 * changed; whatever ends the process before leaves only temporary files and media without a row, which the next
 * start deletes.
 */
import type { Actor } from '../../base/actor.ts';
import { apiError } from '../../base/errors.ts';
import { isDiskFull } from '../../base/file-system.ts';
import { warnOfTaken } from '../../content/kinds/broken-rules.ts';
import type { ReferenceBacklog } from '../../content/kinds/reference-backlog.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { SharedServices } from '../../feature.ts';
import type { StagedFile, Staging } from '../../storage/staging.ts';
import type { MediaContents } from '../media/contents.ts';
import { applyContent, countDifferences, type ImportCounts } from './apply.ts';
import { Archive, invalidBundle } from './archive.ts';
import { ObjectChecks } from './check.ts';
import { readContent } from './content.ts';
import { diffContents } from './diff.ts';
import { FileSource, keepFiles, matchFiles, setContent, type WantedFile } from './files.ts';
import type { ContentHashes } from './hashes.ts';
import { alignWithTarget } from './live/align.ts';
import { listLiveFiles } from './live/files.ts';
import type { Backup, ImportReport, KindDiff } from './model.ts';
import type { TableRows } from './rows.ts';
import { newestSchema, StagedContent, toRefusal } from './staged.ts';
import { saveMeasure } from './store.ts';

export interface ImporterDeps extends Pick<SharedServices, 'reader' | 'snapshots' | 'changes' | 'config'> {
  readonly backlog: ReferenceBacklog;
  readonly contents: MediaContents;
  readonly staging: Staging;
  readonly tables: readonly TableRows[];
  readonly hashes: ContentHashes;
}

/** Bytes of files by their paths. */
export type GivenMedia = ReadonlyMap<string, StagedFile> | undefined;

export interface ImportOptions {
  /** Of all entries of the archive together. */
  readonly maxBytes: number;
  /** Bytes of files, by path, that are there besides those in the archive; without media in it none are missing. */
  readonly media?: GivenMedia;
  /** Keeps the state before; called once, before anything is changed. */
  backUp(): Promise<Backup>;
}

/** How often an import starts again because files were stored meanwhile. */
const attempts = 10;

/** What an import would do, in rows and in objects. */
interface DryRun extends ImportCounts, Pick<ImportReport, 'warnings'> {
  readonly kinds: Record<string, KindDiff>;
}

/** A file was changed between the comparison and the change. */
class FilesChanged extends Error {}

/** What is known of a bundle that could be imported. */
interface Prepared {
  /** Files whose bytes the target does not have. */
  readonly wanted: readonly WantedFile[];
  readonly warnings: Pick<ImportReport, 'warnings'>;
}

/** What an import needs to write. */
interface PreparedImport {
  readonly archive: Archive;
  readonly staged: StagedContent;
  readonly wanted: readonly WantedFile[];
  /** The bytes of `wanted`. */
  readonly files: readonly StagedFile[];
  readonly media: GivenMedia;
}

export class Importer {
  readonly #deps: ImporterDeps;
  readonly #checks = new ObjectChecks();

  constructor(deps: ImporterDeps) {
    this.#deps = deps;
  }

  /** Makes the content that of an archive. @throws ApiError `bundle.invalid`, `bundle.tooLarge`; nothing is changed */
  async import(
    actor: Actor,
    path: string,
    { maxBytes, backUp, media }: ImportOptions,
  ): Promise<ImportReport> {
    try {
      return await this.open(path, maxBytes, async (archive, staged) => {
        await this.#check(archive, staged);
        let backup: Backup | undefined;
        for (let attempt = 1; ; attempt++) {
          const { wanted, warnings } = await this.#prepare(archive, staged, media);
          const files = await this.#stageFiles(archive, wanted, media);
          try {
            backup ??= await backUp();
            const counts = await this.#apply(actor, { archive, staged, wanted, files, media });
            return { ...counts, ...warnings, backup: backup.name };
          } catch (error) {
            if (!(error instanceof FilesChanged) || attempt === attempts) throw error;
          } finally {
            for (const file of files) await file.discard();
          }
        }
      });
    } catch (error) {
      throw isDiskFull(error) ? apiError('common.storageFull', {}, { cause: error }) : toRefusal(error);
    }
  }

  /** What an import would do. @throws ApiError as `import` */
  dryRun(path: string, maxBytes: number): Promise<DryRun> {
    return this.open(path, maxBytes, async (archive, staged) => {
      await this.#check(archive, staged);
      const { wanted, warnings } = await this.#prepare(archive, staged);
      const source = this.#source(archive, this.#deps.reader);
      for (const file of wanted) await source.verify(file);
      const tables = this.#tablesOf(staged);
      return this.#deps.snapshots.read(async (db) => ({
        ...warnings,
        ...(await countDifferences(tables, db, staged.db)),
        kinds: await diffContents(
          tables,
          db,
          staged.db,
          new Set([...(await listLiveFiles(db)), ...staged.liveFiles]),
        ),
      }));
    });
  }

  /** Reads an archive into a database of its own for as long as `use` runs. @throws ApiError as `import` */
  async open<T>(
    path: string,
    maxBytes: number,
    use: (archive: Archive, staged: StagedContent) => Promise<T>,
  ): Promise<T> {
    const archive = await Archive.open(path, maxBytes);
    try {
      const tables = this.#deps.tables.map(({ table }) => table);
      const staged = await StagedContent.read(archive, tables, this.#deps.staging);
      try {
        return await use(archive, staged);
      } finally {
        await staged.close();
      }
    } finally {
      archive.close();
    }
  }

  /** Completes and checks the content of a bundle. */
  async #prepare(archive: Archive, staged: StagedContent, media?: GivenMedia): Promise<Prepared> {
    await this.#deps.hashes.complete();
    return this.#deps.snapshots.read(async (db) => {
      const wanted = await this.#complete(archive, staged, db, media);
      await this.#source(archive, db, media).refuseMissing(wanted);
      const warnings = warnOfTaken(await this.#review(staged, db));
      return { wanted, warnings: warnings.length === 0 ? {} : { warnings } };
    });
  }

  /** Number of objects that break rules which a save would ask of them. @throws ApiError of the kinds */
  async #review(staged: StagedContent, target: ContentDb): Promise<number> {
    let broken = 0;
    for (const kind of new Set(this.#tablesOf(staged).map(({ table }) => table.kind)))
      broken += (await kind.bundle?.review?.(staged.db, target)) ?? 0;
    return broken;
  }

  #check(archive: Archive, staged: StagedContent): Promise<void> {
    return this.#deps.snapshots.read((db) => this.#refuseFaults(archive, staged, db));
  }

  /** Refuses content that the API could not have stored, or that is not what the bundle says. Nothing has moved yet. */
  async #refuseFaults({ manifest }: Archive, staged: StagedContent, target: ContentDb): Promise<void> {
    await this.#checks.refuseFaults(staged.db, target, this.#tablesOf(staged));
    // The hash of an older schema leaves out what has been added since.
    if (manifest.schema !== newestSchema()) return;
    const { hash } = await readContent(staged.db, this.#deps.tables, staged.liveFiles);
    if (hash !== manifest.hash)
      throw invalidBundle(`the hash of its manifest is not that of its content, ${hash}`);
  }

  /** Lets content of a bundle have the IDs that it has, or would get, on this instance. */
  async align(archive: Archive, staged: StagedContent, target: ContentDb): Promise<void> {
    await this.#refuseFaults(archive, staged, target);
    await alignWithTarget(staged, target, this.#tablesOf(staged), false);
  }

  /** Stores new contents and writes all rows, in one change. @throws FilesChanged */
  #apply(actor: Actor, { archive, staged, wanted, files, media }: PreparedImport): Promise<ImportCounts> {
    const { changes, contents, config, backlog, reader } = this.#deps;
    const { db } = staged;
    return contents.store(files, (stored) =>
      changes.changeInOwnTransaction(actor, async (change) => {
        // Content may have changed since it was compared.
        const missing = await this.#complete(archive, staged, change.tx, media);
        const known = new Set(wanted.map(({ id }) => id));
        if (missing.some(({ id }) => !known.has(id))) throw new FilesChanged();
        const still = new Set(missing.map(({ id }) => id));
        for (const [index, file] of wanted.entries()) {
          const content = stored[index];
          if (content === undefined || !still.has(file.id)) continue;
          await setContent(db, file, content, config.avif);
          await saveMeasure(change.tx, { content, sha256: file.sha256, size: file.size });
        }
        const counts = await applyContent(change, this.#tablesOf(staged), staged, contents);
        change.record({ kind: 'bundle', action: 'imported', id: 0 });
        change.after(() => {
          backlog.again();
          void contents.makeVariants(reader, [...still]);
        });
        return counts;
      }),
    );
  }

  /**
   * Completes the content of a bundle to the state that the target shall have.
   *
   * @returns files whose bytes the target does not have
   */
  async #complete(
    archive: Archive,
    staged: StagedContent,
    target: ContentDb,
    media: GivenMedia,
  ): Promise<WantedFile[]> {
    const keepsFiles = archive.manifest.media === false && media === undefined;
    await alignWithTarget(staged, target, this.#tablesOf(staged), keepsFiles);
    if (keepsFiles) {
      await keepFiles(
        staged.db,
        target,
        this.#deps.tables.filter(({ table }) => table.kind.name === 'folder' || table.kind.name === 'file'),
      );
      return [];
    }
    const rows = this.#deps.tables.find(({ table }) => table.name === 'files');
    return rows === undefined ? [] : matchFiles(staged, target, rows);
  }

  async #stageFiles(
    archive: Archive,
    wanted: readonly WantedFile[],
    media: GivenMedia,
  ): Promise<StagedFile[]> {
    const source = this.#source(archive, this.#deps.reader, media);
    const staged: StagedFile[] = [];
    try {
      for (const file of wanted) staged.push(await source.stage(file));
      return staged;
    } catch (error) {
      for (const file of staged) await file.discard();
      throw error;
    }
  }

  #source(archive: Archive, target: ContentDb, media?: GivenMedia): FileSource {
    return new FileSource({ ...this.#deps, archive, target, media });
  }

  #tablesOf({ unknown }: StagedContent): readonly TableRows[] {
    return this.#deps.tables.filter(({ table }) => !unknown.has(table.name));
  }
}
