/**
 * A backup of the whole instance as one file (`-backup`), beside a running server or without one. What holds:
 *
 *  1. The databases are those of one moment: each is copied inside a transaction, and both transactions begin together.
 *  2. The media are those that the copied rows name. A server deletes none of them until the backup has ended, because it
 *     holds a lock that the server asks for (`lockForBackup`).
 *  3. The archive has its name only when it is complete and on disk. No existing file is replaced.
 *  4. No data are changed. The key of the stored secrets is not in the archive: whoever gets the
 *     archive gets no access to other systems.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { unixSeconds } from '../../base/clock.ts';
import { syncFolder } from '../../base/file-system.ts';
import { Secrets } from '../../base/secrets.ts';
import { StartupError } from '../../base/startup-error.ts';
import { readBuildInfo } from '../../config/build-info.ts';
import type { Config } from '../../config/config.ts';
import { Connection } from '../../db/connection.ts';
import { lockForBackup } from '../../db/lock.ts';
import { type DatabaseName, newestVersion, readVersion } from '../../db/migrate.ts';
import { isReplacementPending } from '../../db/replacement.ts';
import type { ContentTables } from '../../db/tables.ts';
import { Outgoing } from '../../http/outgoing/client.ts';
import { ArchiveWriter } from '../../storage/archives/writer.ts';
import { ObjectReader } from '../../storage/object-reader.ts';
import { listOriginals } from '../media/originals.ts';
import {
  backupFormat,
  databaseNames,
  type Manifest,
  manifestName,
  mediaKeyName,
  mediaName,
  sumsName,
} from './model.ts';

export interface BackupReport {
  /** Size of the archive in bytes. */
  readonly bytes: number;
  /** Number of media in it. */
  readonly media: number;
  /** Paths of files whose bytes are not in the media storage. */
  readonly missing: readonly string[];
  readonly secrets: Manifest['secrets'];
}

type BackupConfig = Pick<Config, 'dataDir' | 'encryptionKey' | 'outgoing'>;

/**
 * Writes a backup to a new file.
 *
 * @param signal ends the backup
 * @throws StartupError; nothing stays behind then
 */
export async function writeBackup(
  config: BackupConfig,
  file: string,
  signal?: AbortSignal,
): Promise<BackupReport> {
  const { dataDir } = config;
  if (!existsSync(join(dataDir, 'content.db')))
    throw new StartupError(`there is no database in the data directory ${dataDir}`);
  if (isReplacementPending(dataDir))
    throw new StartupError(
      `a restore into the data directory ${dataDir} was interrupted: start the server first`,
    );
  if (existsSync(file)) throw new StartupError(`there is a file ${file} already`);
  const lock = lockForBackup(dataDir);
  try {
    const folder = await mkdtemp(join(dirname(file), `.${basename(file)}-`)).catch((error: unknown) => {
      throw new StartupError(`cannot write to ${dirname(file)}: ${messageOf(error)}`);
    });
    try {
      return await new Backup(config, folder).write(file, signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`the backup failed: ${messageOf(error)}`, { cause: error });
  } finally {
    lock.release();
  }
}

class Backup {
  readonly #config: BackupConfig;
  /** For the copies of the databases and the unfinished archive. */
  readonly #folder: string;
  readonly #archive = new ArchiveWriter(async () => {});
  readonly #sums: string[] = [];
  readonly #missing: string[] = [];
  #media = 0;

  constructor(config: BackupConfig, folder: string) {
    this.#config = config;
    this.#folder = folder;
  }

  async write(file: string, signal: AbortSignal | undefined): Promise<BackupReport> {
    const { output } = this.#archive;
    const draft = join(this.#folder, 'archive');
    const schema = await copyDatabases(this.#config.dataDir, this.#folder);
    const secrets = secretsOf(this.#config);
    // If the archive cannot be written, filling it fails too; so the first error is the cause.
    const ends = await Promise.allSettled([
      pipeline(output, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), {
        ...(signal === undefined ? {} : { signal }),
      }),
      this.#fill({ schema, secrets }).catch((error: unknown) => {
        output.destroy(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }),
    ]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    const { size } = await stat(draft);
    await rename(draft, file);
    await syncFolder(dirname(file));
    return { bytes: size, media: this.#media, missing: this.#missing, secrets };
  }

  async #fill(facts: Pick<Manifest, 'schema' | 'secrets'>): Promise<void> {
    for (const name of databaseNames)
      await this.#add(`${name}.db`, true, createReadStream(join(this.#folder, `${name}.db`)));
    const key = join(this.#config.dataDir, mediaKeyName);
    if (existsSync(key)) await this.#add(mediaKeyName, true, createReadStream(key));
    await this.#addMedia();
    const sums = Buffer.from(this.#sums.join(''));
    this.#archive.addBytes(sumsName, sums);
    const manifest: Manifest = {
      format: backupFormat,
      version: readBuildInfo().version,
      created_at: unixSeconds(Date.now),
      ...facts,
      missing: this.#missing.length,
      sums: createHash('sha256').update(sums).digest('hex'),
    };
    this.#archive.addBytes(manifestName, Buffer.from(JSON.stringify(manifest, null, 2)));
    this.#archive.end();
  }

  async #addMedia(): Promise<void> {
    const { dataDir, encryptionKey, outgoing: rules } = this.#config;
    const outgoing = new Outgoing({ rules });
    const secrets = new Secrets(dataDir, encryptionKey);
    const db = new Connection<ContentTables>(join(dataDir, 'content.db'), { readonly: true });
    const copy = new Connection<ContentTables>(join(this.#folder, 'content.db'), { readonly: true });
    try {
      const objects = new ObjectReader({ dataDir, db, secrets, outgoing, clock: Date.now });
      for await (const { key, path } of listOriginals(copy)) {
        const bytes = await objects.open(key);
        if (bytes === undefined) this.#missing.push(path);
        else await this.#add(mediaName(key), false, bytes);
        if (bytes !== undefined) this.#media += 1;
      }
    } finally {
      copy.close();
      db.close();
      await outgoing.close();
    }
  }

  /** Resolves when the file is in the archive. */
  async #add(name: string, isCompressed: boolean, bytes: AsyncIterable<Buffer>): Promise<void> {
    const hash = createHash('sha256');
    const source = Readable.from(hashed(bytes, hash), { objectMode: false });
    this.#archive.add(name, isCompressed, async () => source);
    await finished(source);
    this.#sums.push(`${hash.digest('hex')}  ${name}\n`);
  }
}

async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const part of bytes) {
    hash.update(part);
    yield part;
  }
}

/** Copies both databases as they are at the same moment. @returns their versions */
async function copyDatabases(dataDir: string, folder: string): Promise<Manifest['schema']> {
  const opened = databaseNames.map((name) => ({
    name,
    db: new Connection<object>(join(dataDir, `${name}.db`), { readonly: true }),
  }));
  try {
    const versions = opened.map(({ name, db }) => {
      db.execute('BEGIN');
      // Reads, so that the transaction has its state from here on.
      return [name, requireNewest(name, readVersion(db))] as const;
    });
    for (const { name, db } of opened) await db.copyTo(join(folder, `${name}.db`));
    // Type boundary: the names of both databases.
    return Object.fromEntries(versions) as Manifest['schema'];
  } finally {
    for (const { db } of opened) db.close();
  }
}

/** @throws StartupError for databases that another version has written, because rows of files may differ */
function requireNewest(name: DatabaseName, version: number): number {
  const newest = newestVersion(name);
  if (version === newest) return version;
  throw new StartupError(
    `${name}.db was written by another version of Incipit (schema ${version}, this version has ${newest}): make the backup with that version`,
  );
}

function secretsOf({ dataDir, encryptionKey }: BackupConfig): Manifest['secrets'] {
  if (encryptionKey !== undefined) return 'variable';
  return existsSync(join(dataDir, 'secret.key')) ? 'file' : 'none';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
