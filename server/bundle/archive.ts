/**
 * Reads an archive that anyone may have made. Everything that can be known without reading an entry is checked before
 * the first is read. No name of an entry is ever a path of the file system.
 */
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { Value } from 'typebox/value';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type ApiError, apiError } from '../errors.ts';
import { bundleFormat, Manifest } from './model.ts';

const archiveLimits = {
  entries: 200_000,
  manifestBytes: 2 ** 20,
  /** How many times larger a medium may be than its compressed form, if it is large. */
  mediaRatio: 200,
  largeBytes: 10 * 2 ** 20,
} as const;

/** @param reason in English, for the caller */
export function invalidBundle(reason: string): ApiError {
  return apiError('bundle.invalid', { reason });
}

export class Archive {
  readonly manifest: Manifest;
  /** Entries of tables by the name of the table. */
  readonly tables: ReadonlyMap<string, Entry>;
  /** Entries of media by the path of the file. */
  readonly media: ReadonlyMap<string, Entry>;
  readonly #zip: ZipFile;

  private constructor(zip: ZipFile, manifest: Manifest, entries: Entries) {
    this.#zip = zip;
    this.manifest = manifest;
    this.tables = entries.tables;
    this.media = entries.media;
  }

  /**
   * @param maxBytes of all entries together
   * @throws ApiError `bundle.invalid`, `bundle.tooLarge`
   */
  static async open(path: string, maxBytes: number): Promise<Archive> {
    const zip = await refusing('it is no ZIP archive', () =>
      openPromise(path, {
        lazyEntries: true,
        autoClose: false,
        strictFileNames: true,
        validateEntrySizes: true,
      }),
    );
    try {
      if (zip.entryCount > archiveLimits.entries)
        throw invalidBundle(`it has more than ${archiveLimits.entries} entries`);
      const entries = await refusing('its list of entries is damaged', () => readEntries(zip, maxBytes));
      if (entries.manifest === undefined) throw invalidBundle('manifest.json is missing');
      return new Archive(zip, await readManifest(zip, entries.manifest), entries);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  /** The bytes of an entry. @throws ApiError `bundle.invalid` if they are not what the archive says of them */
  read(entry: Entry): AsyncGenerator<Buffer> {
    return readEntry(this.#zip, entry);
  }

  close(): void {
    this.#zip.close();
  }
}

interface Entries {
  readonly manifest: Entry | undefined;
  readonly tables: ReadonlyMap<string, Entry>;
  readonly media: ReadonlyMap<string, Entry>;
}

async function readEntries(zip: ZipFile, maxBytes: number): Promise<Entries> {
  const names = new Set<string>();
  const found = {
    manifest: new Map<string, Entry>(),
    tables: new Map<string, Entry>(),
    media: new Map<string, Entry>(),
  };
  const ranges: (readonly [number, number])[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    checkEntry(entry);
    const folded = name.normalize('NFC').toLowerCase();
    if (names.has(folded)) throw invalidBundle(`two entries are called ${quoted(name)}`);
    names.add(folded);
    total += entry.uncompressedSize;
    if (total > maxBytes) throw apiError('bundle.tooLarge', { max: maxBytes });
    const start = entry.relativeOffsetOfLocalHeader;
    ranges.push([start, start + localHeaderBytes + entry.fileNameLength + entry.compressedSize]);
    if (name.endsWith('/')) continue;
    const [, table, medium] = namePattern.exec(name) ?? [];
    if (name === 'manifest.json') found.manifest.set(name, entry);
    else if (table !== undefined) found.tables.set(table, entry);
    else if (medium !== undefined) found.media.set(medium, entry);
    else throw invalidBundle(`${quoted(name)} is no name in a bundle`);
  }
  refuseOverlap(ranges);
  return { manifest: found.manifest.get('manifest.json'), tables: found.tables, media: found.media };
}

/** Without the name and the extra fields. */
const localHeaderBytes = 30;
const namePattern = /^(?:data\/([a-z][a-z0-9_]{0,60})\.ndjson|media\/([a-z0-9_][a-z0-9_.-]{0,200}))$/;
const folderPattern = /^(?:data|media)\/$/;

/** @throws ApiError `bundle.invalid` */
function checkEntry(entry: Entry): void {
  const { fileName: name, uncompressedSize: size, compressedSize, compressionMethod: method } = entry;
  const type = (entry.externalFileAttributes >>> 16) & 0o170000;
  const isFolder = name.endsWith('/');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\x00-\x1f\x7f\\]/.test(name)) throw invalidBundle(`${quoted(name)} is no name in a bundle`);
  if (isFolder && !(folderPattern.test(name) && size === 0))
    throw invalidBundle(`${quoted(name)} is no folder of a bundle`);
  if (type !== 0 && type !== (isFolder ? 0o040000 : 0o100000))
    throw invalidBundle(`${quoted(name)} is no plain file`);
  if (entry.isEncrypted()) throw invalidBundle(`${quoted(name)} is encrypted`);
  if (method !== 0 && method !== 8)
    throw invalidBundle(`${quoted(name)} is compressed in a way that is not known`);
  if (method === 0 && size !== compressedSize) throw invalidBundle(`${quoted(name)} has two different sizes`);
  const isBomb = size > archiveLimits.largeBytes && size > compressedSize * archiveLimits.mediaRatio;
  if (isBomb && name.startsWith('media/')) throw invalidBundle(`${quoted(name)} is compressed too much`);
}

/** Entries that share bytes make a small archive large. */
function refuseOverlap(ranges: (readonly [number, number])[]): void {
  let end = 0;
  for (const [start, stop] of ranges.sort(([left], [right]) => left - right)) {
    if (start < end) throw invalidBundle('its entries overlap');
    end = stop;
  }
}

async function readManifest(zip: ZipFile, entry: Entry): Promise<Manifest> {
  if (entry.uncompressedSize > archiveLimits.manifestBytes) throw invalidBundle('manifest.json is too large');
  const parts: Buffer[] = [];
  for await (const part of readEntry(zip, entry)) parts.push(part);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw invalidBundle('manifest.json is no JSON');
  }
  const format: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'format') : undefined;
  if (typeof format === 'number' && format !== bundleFormat)
    throw invalidBundle(`its format ${format} is not ${bundleFormat}`);
  if (!Value.Check(Manifest, value)) throw invalidBundle('manifest.json lacks fields or has wrong ones');
  return value;
}

async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const stream: Readable = await refusing(`${quoted(entry.fileName)} cannot be read`, () =>
    zip.openReadStreamPromise(entry),
  );
  let sum = 0;
  try {
    for await (const part of stream) {
      const bytes: Buffer = part;
      sum = crc32(bytes, sum);
      yield bytes;
    }
  } catch (error) {
    throw invalidBundle(`${quoted(entry.fileName)} is damaged: ${messageOf(error)}`);
  } finally {
    stream.destroy();
  }
  if (sum !== entry.crc32) throw invalidBundle(`${quoted(entry.fileName)} is damaged: its checksum is wrong`);
}

/** Runs `work`; its errors that are not ours become a refusal. */
async function refusing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === 'ApiError') throw error;
    throw invalidBundle(`${what}: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
