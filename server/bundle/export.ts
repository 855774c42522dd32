/**
 * A bundle as a ZIP archive that is made while it is sent. All rows are read first, from one state, into temporary
 * files; then nothing of the database is held. Media are read one after the other while the archive is sent, and not
 * deleted meanwhile.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ContentSnapshots } from '../db/tables.ts';
import type { MediaContents } from '../media/contents.ts';
import type { StagedFile, StagedWriter, Staging } from '../storage/staging.ts';
import { type ContentFacts, readContent } from './content.ts';
import type { Manifest } from './model.ts';
import type { Row, TableRows } from './rows.ts';

export interface ExportDeps {
  readonly snapshots: ContentSnapshots;
  readonly contents: MediaContents;
  readonly staging: Staging;
  readonly tables: readonly TableRows[];
}

export interface ExportOptions {
  /** Whether `media/` gets the bytes of a file. */
  hasMedia(sha256: string): boolean;
  /** @param facts of the content that the archive has */
  manifest(facts: ContentFacts): Manifest;
}

export interface BundleArchive extends ContentFacts {
  /** The archive. It must be read to its end or destroyed. */
  readonly stream: Readable;
  /** Bytes of all media in it. */
  readonly mediaBytes: number;
}

interface MediaEntry {
  readonly path: string;
  readonly content: string;
  readonly size: number;
}

/** Rows whose texts are written at once, in characters. */
const charactersPerWrite = 256 * 2 ** 10;

/** @throws UnknownHash */
export async function openBundle(
  { snapshots, contents, staging, tables }: ExportDeps,
  { hasMedia, manifest }: ExportOptions,
): Promise<BundleArchive> {
  const release = contents.hold();
  const files: StagedTable[] = [];
  const media: MediaEntry[] = [];
  const close = async (): Promise<void> => {
    release();
    for (const { staged } of files) await staged.discard();
  };
  try {
    const sink = new TableFiles(staging, files);
    const facts = await snapshots
      .read((db) =>
        readContent(db, tables, {
          async row(rows, row, sha256) {
            if (sha256 !== undefined && hasMedia(sha256))
              media.push({
                path: String(row['path']),
                content: String(row['content']),
                size: Number(row['size']),
              });
            await sink.add(rows, row, sha256);
          },
          end: (rows) => sink.end(rows),
        }),
      )
      .catch(async (error: unknown) => {
        await sink.discard();
        throw error;
      });
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(JSON.stringify(manifest(facts), null, 2)), 'manifest.json');
    const stream = new ArchiveStream(zip, close);
    for (const { name, staged } of files)
      stream.add(`data/${name}.ndjson`, true, async () => createReadStream(staged.path));
    for (const { path, content, size } of media)
      stream.add(`media/${path}`, false, async () => await openContent(contents, content, path), size);
    zip.end();
    return { ...facts, stream: stream.output, mediaBytes: media.reduce((sum, { size }) => sum + size, 0) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openContent(contents: MediaContents, content: string, path: string): Promise<Readable> {
  const opened = await contents.open(content);
  if (opened === undefined) throw new Error(`the bytes of ${path} are not in the media storage`);
  return opened.body;
}

interface StagedTable {
  readonly name: string;
  readonly staged: StagedFile;
}

/** Writes the rows of each table into a temporary file, a line of JSON for each row. */
class TableFiles {
  readonly #staging: Staging;
  readonly #files: StagedTable[];
  #writer: StagedWriter | undefined;
  #text = '';

  constructor(staging: Staging, files: StagedTable[]) {
    this.#staging = staging;
    this.#files = files;
  }

  async add({ table }: TableRows, row: Row, sha256: string | undefined): Promise<void> {
    const values = table.carried.map((column) => [column, row[column]]);
    if (sha256 !== undefined) values.push(['sha256', sha256]);
    this.#text += `${JSON.stringify(Object.fromEntries(values))}\n`;
    if (this.#text.length >= charactersPerWrite) await this.#flush();
  }

  async end({ table }: TableRows): Promise<void> {
    const writer = await this.#flush();
    this.#writer = undefined;
    this.#files.push({ name: table.name, staged: await writer.finish() });
  }

  async discard(): Promise<void> {
    await this.#writer?.discard();
  }

  async #flush(): Promise<StagedWriter> {
    this.#writer ??= await this.#staging.create();
    const text = this.#text;
    this.#text = '';
    await this.#writer.write(Buffer.from(text));
    return this.#writer;
  }
}

/** The output of an archive. If an entry cannot be read, the output fails; if the reader goes, so does the entry. */
class ArchiveStream {
  readonly output: Readable;
  readonly #zip: ZipFile;
  #open: Readable | undefined;

  /** @param onClose called once, however it ends */
  constructor(zip: ZipFile, onClose: () => Promise<void>) {
    this.#zip = zip;
    // Type boundary: yazl's output is a PassThrough.
    this.output = zip.outputStream as Readable;
    zip.on('error', (error: Error) => this.output.destroy(error));
    this.output.once('close', () => {
      this.#open?.destroy();
      void onClose();
    });
  }

  /** @param size in bytes, if it is known */
  add(path: string, isCompressed: boolean, open: () => Promise<Readable>, size?: number): void {
    const options = {
      compress: isCompressed,
      mtime: archiveTime,
      mode: 0o100644,
      ...(size === undefined ? {} : { size }),
    };
    this.#zip.addReadStreamLazy(path, options, (give) => {
      open().then(
        (source) => {
          this.#open = source;
          if (this.output.destroyed) source.destroy();
          source.on('error', (error) => this.output.destroy(error));
          give(undefined, source);
        },
        (error: unknown) => this.output.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    });
  }
}

/** The same for all entries, so that equal content gives equal archives. */
const archiveTime = new Date(Date.UTC(2000, 0, 1));
