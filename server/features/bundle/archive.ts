/** An archive that anyone may have made, as a bundle: what may be in it, and what it says of itself. */
import { Value } from 'typebox/value';
import { type ApiError, apiError } from '../../base/errors.ts';
import { readForeignJson } from '../../http/json/json.ts';
import { ArchiveError, ArchiveReader, type ArchiveRules, type Entry } from '../../storage/archives/reader.ts';
import { bundleFormat, Manifest } from './model.ts';

const maxEntries = 200_000;
const maxManifestBytes = 2 ** 20;

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
  readonly #reader: ArchiveReader;

  private constructor(reader: ArchiveReader, manifest: Manifest) {
    this.#reader = reader;
    this.manifest = manifest;
    const tables = new Map<string, Entry>();
    const media = new Map<string, Entry>();
    for (const [name, entry] of reader.files) {
      const [, table, medium] = namePattern.exec(name) ?? [];
      if (table !== undefined) tables.set(table, entry);
      if (medium !== undefined) media.set(medium, entry);
    }
    this.tables = tables;
    this.media = media;
  }

  /**
   * @param maxBytes of all entries together
   * @throws ApiError `bundle.invalid`, `bundle.tooLarge`
   */
  static async open(path: string, maxBytes: number): Promise<Archive> {
    const reader = await ArchiveReader.open(path, rulesOf(maxBytes)).catch(refuse);
    try {
      return new Archive(reader, await readManifest(reader));
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  /** The bytes of an entry. @throws ApiError `bundle.invalid` if they are not what the archive says of them */
  read(entry: Entry): AsyncGenerator<Buffer> {
    return readEntry(this.#reader, entry);
  }

  close(): void {
    this.#reader.close();
  }
}

const namePattern =
  /^(?:manifest\.json|data\/([a-z][a-z0-9_]{0,60})\.ndjson|media\/([a-z0-9_][a-z0-9_.-]{0,200}))$/;

function rulesOf(maxBytes: number): ArchiveRules {
  return {
    what: 'a bundle',
    maxEntries,
    isFile: (name) => namePattern.test(name),
    isFolder: (name) => name === 'data/' || name === 'media/',
    isBulky: (name) => name.startsWith('media/'),
    checkSize: (bytes) => {
      if (bytes > maxBytes) throw apiError('bundle.tooLarge', { max: maxBytes });
    },
  };
}

async function readManifest(reader: ArchiveReader): Promise<Manifest> {
  const entry = reader.files.get('manifest.json');
  if (entry === undefined) throw invalidBundle('manifest.json is missing');
  const bytes = await reader.readWhole(entry, maxManifestBytes).catch(refuse);
  let value: unknown;
  try {
    value = await readForeignJson(bytes);
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

async function* readEntry(reader: ArchiveReader, entry: Entry): AsyncGenerator<Buffer> {
  try {
    yield* reader.read(entry);
  } catch (error) {
    refuse(error);
  }
}

/** A fault of the archive becomes an answer. */
function refuse(error: unknown): never {
  throw error instanceof ArchiveError ? invalidBundle(error.message) : error;
}
