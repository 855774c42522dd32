/**
 * Files of a bundle beside those of the target. A content of the target that has the same bytes is kept with its
 * variants; other bytes come from the archive, or from another file of the target.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { ContentId } from '../../storage/media-key.ts';
import type { StagedFile, Staging } from '../../storage/staging.ts';
import type { MediaContents } from '../media/contents.ts';
import { detectType, headBytes } from '../media/types.ts';
import { type Archive, invalidBundle } from './archive.ts';
import type { Row, TableRows } from './rows.ts';
import type { StagedContent } from './staged.ts';
import { findContent, findHash, saveHash } from './store.ts';

/** A file of a bundle whose bytes the target does not have under its ID. */
export interface WantedFile {
  readonly id: number;
  /** In the bundle. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly format: string;
  readonly animated: boolean;
}

/**
 * Takes over what the target has of the files of a bundle, into the content of the bundle.
 *
 * @returns the other files
 */
export async function matchFiles(
  { db: staged, archivePaths }: Pick<StagedContent, 'db' | 'archivePaths'>,
  target: ContentDb,
  rows: TableRows,
): Promise<WantedFile[]> {
  const wanted: WantedFile[] = [];
  for await (const row of rows.all(staged)) {
    const known = await rows.find(target, row);
    const sha256 = (await findHash(staged, String(row['content']))) ?? '';
    const before = known === undefined ? undefined : await findHash(target, String(known['content']));
    const isSame = known !== undefined && before === sha256;
    if (isSame && known['size'] !== row['size']) throw otherBytes(wantedOf(row, sha256));
    if (isSame) await setOwnColumns(staged, row, known, sha256);
    else
      wanted.push({
        ...wantedOf(row, sha256),
        path: archivePaths.get(Number(row['id'])) ?? String(row['path']),
      });
  }
  return wanted;
}

/** All files with their hashes. */
export async function listFiles(db: ContentDb, tables: readonly TableRows[]): Promise<WantedFile[]> {
  const files: WantedFile[] = [];
  for (const rows of tables.filter(({ table }) => table.name === 'files'))
    for await (const row of rows.all(db))
      files.push(wantedOf(row, (await findHash(db, String(row['content']))) ?? ''));
  return files;
}

/** Files and folders of the target stay as they are. */
export async function keepFiles(
  staged: ContentDb,
  target: ContentDb,
  tables: readonly TableRows[],
): Promise<void> {
  for (const rows of tables) {
    for await (const row of rows.all(staged)) await rows.remove(staged, row);
    for await (const row of rows.all(target)) await rows.insert(staged, row);
  }
}

/** A new content for a file, with the own columns that go with it. */
export async function setContent(
  staged: ContentDb,
  { id, sha256, format, animated }: WantedFile,
  content: ContentId,
  avif: boolean,
): Promise<void> {
  const row = {
    id,
    content,
    variants: format === '' ? 'none' : 'pending',
    avif: Number(avif && format !== '' && format !== 'avif' && !animated),
  };
  await updateOwn.run(staged, row);
  await saveHash(staged, { content, sha256 });
}

async function setOwnColumns(
  staged: ContentDb,
  { id }: Row,
  { content, variants, avif }: Row,
  sha256: string,
): Promise<void> {
  await updateOwn.run(staged, {
    id: Number(id),
    content: String(content),
    variants: String(variants),
    avif: Number(avif),
  });
  // It is looked up again, by its content, when the rows are written.
  await saveHash(staged, { content: String(content), sha256 });
}

function wantedOf(row: Row, sha256: string): WantedFile {
  return {
    id: Number(row['id']),
    path: String(row['path']),
    size: Number(row['size']),
    sha256,
    format: String(row['format']),
    animated: row['animated'] === 1,
  };
}

function otherBytes({ path }: WantedFile) {
  return invalidBundle(`media/${path} has other bytes than its file`);
}

export interface FileSourceDeps {
  readonly archive: Archive;
  readonly contents: MediaContents;
  readonly target: ContentDb;
  readonly staging: Staging;
  /** Bytes besides those of the archive, by path. */
  readonly media: ReadonlyMap<string, StagedFile> | undefined;
}

/** Where the bytes of files come from. */
export class FileSource {
  readonly #deps: FileSourceDeps;

  constructor(deps: FileSourceDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError `bundle.invalid` if the bytes of a file are nowhere */
  async refuseMissing(files: readonly WantedFile[]): Promise<void> {
    const { archive, media, target } = this.#deps;
    for (const { path, sha256 } of files) {
      if (media?.has(path) === true || archive.media.has(path)) continue;
      if ((await findContent(target, sha256)) !== undefined) continue;
      throw invalidBundle(`media/${path} is missing`);
    }
  }

  /** The bytes of a file in a temporary file. @throws ApiError `bundle.invalid` if they are not those of the file */
  async stage(file: WantedFile): Promise<StagedFile> {
    const writer = await this.#deps.staging.create();
    try {
      await this.verify(file, (part) => writer.write(part));
      return await writer.finish();
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  /** Reads the bytes of a file. @throws ApiError as `stage` */
  async verify(file: WantedFile, take: (part: Buffer) => Promise<void> = () => nextTurn()): Promise<void> {
    const hash = createHash('sha256');
    const head: Buffer[] = [];
    let size = 0;
    for await (const part of await this.#open(file)) {
      if (size < headBytes) head.push(part.subarray(0, headBytes - size));
      hash.update(part);
      size += part.length;
      await take(part);
    }
    if (hash.digest('hex') !== file.sha256 || size !== file.size) throw otherBytes(file);
    const { format } = await detectType(Buffer.concat(head), file.path);
    if (format !== file.format) throw invalidBundle(`media/${file.path} has another format than its file`);
  }

  async #open({ path, sha256 }: WantedFile): Promise<AsyncIterable<Buffer>> {
    const { archive, media, target, contents } = this.#deps;
    const given = media?.get(path);
    if (given !== undefined) return createReadStream(given.path);
    const entry = archive.media.get(path);
    if (entry !== undefined) return archive.read(entry);
    const content = await findContent(target, sha256);
    const opened = content === undefined ? undefined : await contents.open(content);
    if (opened === undefined) throw invalidBundle(`media/${path} is missing`);
    return opened.body;
  }
}

const updateOwn = contentQuery((db, p: { id: number; content: string; variants: string; avif: number }) =>
  db
    .updateTable('files')
    // Type boundary: `variants` is copied, or one of the two words above.
    .set({ content: p.content, variants: p.variants as 'none', avif: p.avif })
    .where('id', '=', p.id),
);
