/**
 * Bundles (Data, Automation and Operations, "Bundles"): the content of an instance as an archive, its import, and
 * backups. One import runs at a time.
 */
import { randomUUID } from 'node:crypto';
import Type from 'typebox';
import type { Actor } from '../../base/actor.ts';
import { unixSeconds } from '../../base/clock.ts';
import type { AttachedTable } from '../../content/kinds/kind.ts';
import { readLastId } from '../../db/schema.ts';
import { defineSettings } from '../../db/settings.ts';
import type { SharedServices } from '../../feature.ts';
import type { Staging } from '../../storage/staging.ts';
import type { MediaContents } from '../media/contents.ts';
import type { Archive } from './archive.ts';
import { Backups } from './backups.ts';
import { type ContentFacts, readContent, UnknownHash } from './content.ts';
import { diffContents } from './diff.ts';
import { type BundleArchive, openBundle } from './export.ts';
import { listFiles, type WantedFile } from './files.ts';
import { ContentHashes } from './hashes.ts';
import { type GivenMedia, Importer } from './importer.ts';
import { listLiveFiles, mayHaveLiveFiles } from './live/files.ts';
import { type Backup, bundleFormat, type ImportReport, type KindDiff, type Manifest } from './model.ts';
import { TableRows } from './rows.ts';
import { newestSchema, type StagedContent } from './staged.ts';
import { newestCommitAt } from './store.ts';
import { describeTables } from './tables.ts';

export interface BundlesDeps
  extends Pick<
    SharedServices,
    | 'reader'
    | 'snapshots'
    | 'changes'
    | 'registry'
    | 'backlog'
    | 'version'
    | 'config'
    | 'build'
    | 'clock'
    | 'log'
  > {
  readonly attachedTables: readonly AttachedTable[];
  readonly contents: MediaContents;
  readonly staging: Staging;
}

/** How often a read starts again because files were stored meanwhile. */
const attempts = 10;
/** All entries of an archive together may be this many times larger than the largest bundle. */
const unpackedFactor = 4;

/** What is known of the content at a version. */
export interface ContentState extends ContentFacts {
  readonly schema: number;
  /** Unix seconds. */
  readonly updatedAt: number;
}

/** What would happen to the objects of each kind. */
export interface ContentDiff {
  /** Of the content that comes. */
  readonly hash: string;
  readonly kinds: Record<string, KindDiff>;
}

export type { WantedFile } from './files.ts';

export class Bundles {
  readonly backups: Backups;
  /** Largest archive that is taken, in bytes. */
  readonly maxBytes: number;
  readonly #deps: BundlesDeps;
  readonly #tables: readonly TableRows[];
  readonly #hashes: ContentHashes;
  readonly #importer: Importer;
  #state: { readonly version: number; readonly value: Promise<ContentState> } | undefined;
  #lastImport: Promise<unknown> = Promise.resolve();

  constructor(deps: BundlesDeps) {
    this.#deps = deps;
    const tables = describeTables(deps.reader, [...deps.registry.byName.values()], deps.attachedTables);
    this.#tables = tables.map((table) => new TableRows(table));
    this.#hashes = new ContentHashes(deps);
    this.#importer = new Importer({ ...deps, tables: this.#tables, hashes: this.#hashes });
    this.backups = new Backups(deps.config.dataDir, deps.clock);
    this.maxBytes = deps.config.maxBundleMb * 2 ** 20;
  }

  /** Number of the newest migration of the content. */
  get schema(): number {
    return newestSchema();
  }

  /** Hash and numbers of rows, kept until content changes. */
  async state(): Promise<ContentState> {
    const version = this.#deps.version.current();
    if (this.#state?.version !== version) this.#state = { version, value: this.#readState() };
    const { value } = this.#state;
    try {
      return await value;
    } catch (error) {
      if (this.#state?.value === value) this.#state = undefined;
      throw error;
    }
  }

  /**
   * A bundle of the content as it is now.
   *
   * @param hasMedia whether the bytes of files are in it: all, none, or those of some hashes
   */
  async export(hasMedia: boolean | ((sha256: string) => boolean)): Promise<BundleArchive> {
    const isWanted = typeof hasMedia === 'function' ? hasMedia : () => hasMedia;
    const instance = await this.#instance();
    return this.#withHashes(() =>
      openBundle(
        { ...this.#deps, tables: this.#tables },
        { hasMedia: isWanted, manifest: (facts) => this.#manifest(facts, instance, hasMedia !== false) },
      ),
    );
  }

  /** POST /bundle/backups */
  async backUp(inUse?: string): Promise<Backup> {
    const { stream } = await this.export(true);
    return this.backups.keep(stream, inUse);
  }

  /** POST /bundle/backups/{name}. @throws ApiError `common.notFound`, `bundle.invalid` */
  async restore(actor: Actor, name: string): Promise<ImportReport> {
    const path = await this.backups.find(name);
    const maxBytes = Number.POSITIVE_INFINITY;
    return this.#inTurn(() =>
      this.#importer.import(actor, path, { maxBytes, backUp: () => this.backUp(name) }),
    );
  }

  /**
   * Makes the content that of an archive.
   *
   * @param media bytes of files besides those in the archive
   * @throws ApiError `bundle.invalid`, `bundle.tooLarge`; nothing is changed
   */
  import(actor: Actor, path: string, media?: GivenMedia): Promise<ImportReport> {
    const options = { maxBytes: this.#maxUnpacked, backUp: () => this.backUp(), media };
    return this.#inTurn(() => this.#importer.import(actor, path, options));
  }

  /** What an import would do. @throws ApiError as `import` */
  async dryRun(path: string): Promise<ImportReport> {
    return { ...(await this.#importer.dryRun(path, this.#maxUnpacked)), backup: null };
  }

  /** What a restore would do. @throws ApiError as `restore` */
  async dryRestore(name: string): Promise<ImportReport> {
    const path = await this.backups.find(name);
    return { ...(await this.#importer.dryRun(path, Number.POSITIVE_INFINITY)), backup: null };
  }

  /**
   * What would happen, object by object, if the content of an archive became that of this instance, or the other way
   * round. @throws ApiError as `import`
   */
  diff(path: string, direction: 'fromHere' | 'toHere'): Promise<ContentDiff> {
    return this.#inspect(path, (archive, staged) =>
      this.#withHashes(() =>
        this.#deps.snapshots.read(async (ours) => {
          await this.#importer.align(archive, staged, ours);
          const { db: theirs, liveFiles } = staged;
          const isFromHere = direction === 'fromHere';
          const [from, to] = isFromHere ? [theirs, ours] : [ours, theirs];
          const live = await listLiveFiles(ours);
          const hash = isFromHere
            ? (await readContent(ours, this.#tables, live)).hash
            : archive.manifest.hash;
          const kinds = await diffContents(this.#tables, from, to, new Set([...live, ...liveFiles]));
          return { hash, kinds };
        }),
      ),
    );
  }

  /** The manifest of an archive, and its files. @throws ApiError as `import` */
  filesIn(path: string): Promise<{ readonly manifest: Manifest; readonly files: readonly WantedFile[] }> {
    return this.#inspect(path, async ({ manifest }, { db }) => ({
      manifest,
      files: await listFiles(db, this.#tables),
    }));
  }

  /** The files of this instance. */
  files(): Promise<readonly WantedFile[]> {
    return this.#withHashes(() => this.#deps.snapshots.read((db) => listFiles(db, this.#tables)));
  }

  async close(): Promise<void> {
    await this.#lastImport;
  }

  /** Lets `use` look at the content of an archive as it is. */
  #inspect<T>(path: string, use: (archive: Archive, staged: StagedContent) => Promise<T>): Promise<T> {
    return this.#importer.open(path, this.#maxUnpacked, use);
  }

  get #maxUnpacked(): number {
    return this.maxBytes * unpackedFactor;
  }

  #inTurn(work: () => Promise<ImportReport>): Promise<ImportReport> {
    const turn = this.#lastImport.then(work);
    this.#lastImport = turn.catch(() => {});
    return turn;
  }

  #readState(): Promise<ContentState> {
    return this.#withHashes(() =>
      this.#deps.snapshots.read(async (db) => ({
        ...(await readContent(db, this.#tables, await listLiveFiles(db))),
        schema: newestSchema(),
        updatedAt: await newestCommitAt(db),
      })),
    );
  }

  async #withHashes<T>(read: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      await this.#hashes.complete();
      if (await mayHaveLiveFiles(this.#deps.reader)) await this.#deps.backlog.done();
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof UnknownHash) || attempt === attempts) throw error;
      }
    }
  }

  #manifest({ hash, counts }: ContentFacts, instance: string, media: boolean): Manifest {
    const { build, clock, reader } = this.#deps;
    return {
      format: bundleFormat,
      version: build.version,
      schema: newestSchema(),
      created_at: unixSeconds(clock),
      instance,
      counts,
      hash,
      last_ids: { files: readLastId(reader, 'files'), items: readLastId(reader, 'items') },
      media,
    };
  }

  /** A random name of this instance, made at the first use. */
  async #instance(): Promise<string> {
    const { reader, changes } = this.#deps;
    const stored = await instanceSettings.read(reader);
    if (stored.id !== '') return stored.id;
    const { id } = await changes.changeUnversioned({ kind: 'none' }, ({ tx }) =>
      instanceSettings.update(tx, (before) => (before.id === '' ? { id: randomUUID() } : before)),
    );
    return id;
  }
}

/** The name of this instance; empty until its first use. */
const instanceSettings = defineSettings({
  name: 'instance',
  schema: Type.Object({ id: Type.String() }),
  defaults: { id: '' },
});

/** Type of an archive in answers. */
export const archiveType = 'application/zip';
