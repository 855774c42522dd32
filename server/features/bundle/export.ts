/**
 * A bundle as a ZIP archive that is made while it is sent. All rows are read first, from one state, into temporary
 * files; then nothing of the database is held. Media are read one after the other while the archive is sent, and not
 * deleted meanwhile.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { ContentSnapshots } from '../../db/tables.ts';
import { ArchiveWriter } from '../../storage/archives/writer.ts';
import type { StagedFile, StagedWriter, Staging } from '../../storage/staging.ts';
import type { MediaContents } from '../media/contents.ts';
import { type BundleRowFacts, type ContentFacts, readContent } from './content.ts';
import { listLiveFiles } from './live/files.ts';
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
      .read(async (db) =>
        readContent(db, tables, await listLiveFiles(db), {
          async row(rows, row, facts) {
            const { sha256 } = facts;
            if (sha256 !== undefined && hasMedia(sha256))
              media.push({
                path: String(row['path']),
                content: String(row['content']),
                size: Number(row['size']),
              });
            await sink.add(rows, row, facts);
          },
          end: (rows) => sink.end(rows),
        }),
      )
      .catch(async (error: unknown) => {
        await sink.discard();
        throw error;
      });
    const archive = new ArchiveWriter(close);
    archive.addBytes('manifest.json', Buffer.from(JSON.stringify(manifest(facts), null, 2)));
    for (const { name, staged } of files)
      archive.add(`data/${name}.ndjson`, true, async () => createReadStream(staged.path));
    for (const { path, content, size } of media)
      archive.add(`media/${path}`, false, async () => await openContent(contents, content, path), size);
    archive.end();
    return { ...facts, stream: archive.output, mediaBytes: media.reduce((sum, { size }) => sum + size, 0) };
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

  async add({ table }: TableRows, row: Row, { sha256, origin, isLive }: BundleRowFacts): Promise<void> {
    const values = table.carried.map((column) => [column, row[column]]);
    if (sha256 !== undefined) values.push(['sha256', sha256]);
    if (origin !== undefined) values.push(['origin_id', origin.origin_id]);
    if (origin !== undefined && table.name === 'files') values.push(['origin_path', origin.origin_path]);
    if (isLive && table.name === 'files') values.push(['live', 1]);
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
