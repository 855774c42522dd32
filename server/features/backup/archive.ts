import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Value } from 'typebox/value';
import { newestVersion } from '../../db/migrate.ts';
import { ArchiveError, ArchiveReader, type ArchiveRules, type Entry } from '../../storage/archives/reader.ts';
import {
  backupFormat,
  databaseNames,
  isBackupFolder,
  isBackupName,
  isMediaName,
  Manifest,
  manifestName,
  sumsName,
} from './model.ts';

const rules: ArchiveRules = {
  what: 'a backup',
  maxEntries: 5_000_000,
  isFile: isBackupName,
  isFolder: isBackupFolder,
  isBulky: isMediaName,
  // What does not fit on the disk is refused before anything is written.
  checkSize: () => {},
};

const maxManifestBytes = 2 ** 20;
/** Of a line of the list of hashes, more than any has. */
const maxLineBytes = 256;

/** A backup whose list of files is what it says of itself. */
export class BackupArchive {
  readonly manifest: Manifest;
  /** Of all files, unpacked. */
  readonly bytes: number;
  readonly #reader: ArchiveReader;
  readonly #hashes: ReadonlyMap<string, string>;

  private constructor(reader: ArchiveReader, manifest: Manifest, hashes: ReadonlyMap<string, string>) {
    this.#reader = reader;
    this.manifest = manifest;
    this.#hashes = hashes;
    this.bytes = [...reader.files.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  }

  /** @throws ArchiveError */
  static async open(path: string): Promise<BackupArchive> {
    const reader = await ArchiveReader.open(path, rules);
    try {
      const manifest = await readManifest(reader);
      return new BackupArchive(reader, manifest, await readHashes(reader, manifest));
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  /** Number of objects of the media storage. */
  get mediaCount(): number {
    return [...this.#hashes.keys()].filter(isMediaName).length;
  }

  has(name: string): boolean {
    return this.#hashes.has(name);
  }

  /** SHA-256 of a file. */
  hashOf(name: string): string | undefined {
    return this.#hashes.get(name);
  }

  /** The bytes of a file. @throws ArchiveError, at the end too, if they are not what its hash says */
  async *read(name: string): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    for await (const part of this.#reader.read(requireEntry(this.#reader, name))) {
      hash.update(part);
      yield part;
    }
    if (hash.digest('hex') !== this.#hashes.get(name)) throw new ArchiveError(`${name} has another hash`);
  }

  /** Reads a file that is not needed. @throws ArchiveError as `read` */
  async verify(name: string): Promise<void> {
    for await (const _part of this.read(name));
  }

  /** Writes a file to a path where there is none, and syncs it. @throws ArchiveError as `read` */
  async unpack(name: string, path: string): Promise<void> {
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const part of this.read(name)) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  close(): void {
    this.#reader.close();
  }
}

function requireEntry(reader: ArchiveReader, name: string): Entry {
  const entry = reader.files.get(name);
  if (entry === undefined) throw new ArchiveError(`${name} is missing`);
  return entry;
}

async function readManifest(reader: ArchiveReader): Promise<Manifest> {
  const bytes = await reader.readWhole(requireEntry(reader, manifestName), maxManifestBytes);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new ArchiveError(`${manifestName} is no JSON`);
  }
  const format: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'format') : undefined;
  if (typeof format === 'number' && format !== backupFormat)
    throw new ArchiveError(`its format is ${format}, this version knows ${backupFormat}`);
  if (!Value.Check(Manifest, value)) throw new ArchiveError(`${manifestName} lacks fields or has wrong ones`);
  for (const name of databaseNames) {
    const [schema, newest] = [value.schema[name], newestVersion(name)];
    if (schema > newest)
      throw new ArchiveError(
        `it comes from a newer version (schema ${schema} of ${name}.db, this version knows ${newest})`,
      );
  }
  return value;
}

/** The hashes of all files by name; of exactly those that are there. */
async function readHashes(reader: ArchiveReader, { sums }: Manifest): Promise<Map<string, string>> {
  const { files } = reader;
  const bytes = await reader.readWhole(requireEntry(reader, sumsName), files.size * maxLineBytes);
  if (createHash('sha256').update(bytes).digest('hex') !== sums)
    throw new ArchiveError(`${sumsName} has another hash`);
  const hashes = new Map<string, string>();
  for (const line of bytes.toString('utf8').split('\n').slice(0, -1)) {
    const [, hash, name] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
    if (hash === undefined || name === undefined || hashes.has(name))
      throw new ArchiveError(`${sumsName} has a line that is none`);
    hashes.set(name, hash);
  }
  const listed = [...files.keys()].filter((name) => name !== manifestName && name !== sumsName);
  const missing = [...hashes.keys()].find((name) => !files.has(name));
  if (missing !== undefined) throw new ArchiveError(`${missing} is missing`);
  if (listed.length !== hashes.size) throw new ArchiveError(`it has files that are not in ${sumsName}`);
  return hashes;
}
