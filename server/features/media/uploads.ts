/** From an uploaded form to stored files. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ImageReport } from '../../../runtime/images/messages.ts';
import type { ReceiveUpload, Upload, UploadLimits } from '../../api/multipart/upload.ts';
import type { Actor } from '../../base/actor.ts';
import { apiError, busy, collectFaults, invalid, invalidFields } from '../../base/errors.ts';
import { isDiskFull } from '../../base/file-system.ts';
import type { Changes } from '../../changes/changes.ts';
import { fieldLimits } from '../../content/common-fields.ts';
import { createObject, requireObject, updateObject } from '../../content/kinds/objects.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { ImagePool } from '../../processes/index.ts';
import { PoolBusyError } from '../../processes/pool.ts';
import type { ContentId } from '../../storage/media-key.ts';
import type { StagedFile, Staging } from '../../storage/staging.ts';
import { requireFolder } from './folders/service.ts';
import type { MediaLibrary } from './library.ts';
import type { FileChange, NewFile, StoredFile } from './model.ts';
import { displayName } from './naming.ts';
import { type FileKind, withContent } from './service.ts';
import { svgSize } from './svg.ts';
import { detectType, headBytes, type MediaType } from './types.ts';

export interface UploadsDeps {
  readonly kind: FileKind;
  readonly library: MediaLibrary;
  readonly staging: Staging;
  readonly images: ImagePool;
  readonly changes: Changes;
  readonly reader: ContentDb;
  readonly limits: UploadLimits;
  /** Whether new images get AVIF variants. */
  readonly avif: boolean;
}

/** A temporary file with the name that it had. */
interface NamedFile {
  readonly staged: StagedFile;
  readonly name: string;
}

type ContentKind = ReturnType<typeof withContent>;

/** What is known of an uploaded file before it is stored. */
interface Examined {
  readonly staged: StagedFile;
  readonly filename: string;
  readonly type: MediaType;
  readonly facts: Pick<
    NewFile,
    | 'mime'
    | 'kind'
    | 'size'
    | 'width'
    | 'height'
    | 'placeholder'
    | 'format'
    | 'animated'
    | 'avif'
    | 'variants'
  >;
}

export class Uploads {
  readonly #deps: UploadsDeps;

  constructor(deps: UploadsDeps) {
    this.#deps = deps;
  }

  /**
   * Stores all files of a form, or none of them.
   *
   * @throws ApiError `common.contentType` if the request is no form, `file.missing`, `file.tooLarge`,
   *   `file.imageInvalid`, and `common.invalid` for the other fields
   */
  async create(actor: Actor, receive: ReceiveUpload | undefined): Promise<StoredFile[]> {
    const { kind, library, changes, reader } = this.#deps;
    return this.#withForm(receive, async (form) => {
      const fields = await readFields(reader, form.fields);
      const examined = await this.#examine(form);
      return library.store(stagedOf(examined), (contents) =>
        changes.change(actor, async (change) => {
          const stored: StoredFile[] = [];
          for (const [index, file] of examined.entries()) {
            stored.push(await createObject(change, kind, { ...newFile(file, contents[index]), ...fields }));
          }
          return stored;
        }),
      );
    });
  }

  /**
   * Replaces the content of a file. Its ID and address stay, its variants are made anew.
   *
   * @throws ApiError as `create`, and `common.notFound`
   */
  async replace(actor: Actor, id: number, receive: ReceiveUpload | undefined): Promise<StoredFile> {
    const { kind, library, changes, reader } = this.#deps;
    await requireObject(kind, reader, id);
    return this.#withForm(receive, async (form) => {
      if (form.files.length > 1)
        throw apiError('common.invalidForm', { reason: 'it has more than one file' });
      const examined = await this.#examine(form);
      return library.store(stagedOf(examined), (contents) =>
        changes.change(actor, (change) => {
          const [file] = examined;
          const content: FileChange = file === undefined ? {} : contentChange(file, contents[0]);
          return updateObject(change, withContent(kind), id, content);
        }),
      );
    });
  }

  /**
   * Stores files of this machine, such as those of the demonstration website.
   *
   * @param use makes the rows, in a change; if it fails, nothing stays behind
   * @throws ApiError `file.imageInvalid`, `common.busy`
   */
  async storeLocal<T>(
    files: readonly { readonly path: string; readonly name: string }[],
    use: (files: readonly NewFile[]) => Promise<T>,
  ): Promise<T> {
    const examined: Examined[] = [];
    try {
      for (const { path, name } of files) examined.push(await this.#examineOne(name, await this.#copy(path)));
      return await this.#deps.library.store(stagedOf(examined), (contents) =>
        use(examined.map((file, index) => newFile(file, contents[index]))),
      );
    } finally {
      for (const { staged } of examined) await staged.discard();
    }
  }

  /**
   * Stores a temporary file as a new file.
   *
   * @param use makes the row, in a change; if it fails, nothing stays behind
   * @throws ApiError `file.imageInvalid`, `common.busy`
   */
  async storeStaged<T>({ staged, name }: NamedFile, use: (file: NewFile) => Promise<T>): Promise<T> {
    const examined = await this.#examineOne(name, staged);
    return this.#deps.library.store([staged], ([content]) => use(newFile(examined, content)));
  }

  /**
   * Puts a temporary file in the place of the content of a file. Its ID and address stay.
   *
   * @param use changes the row, in a change
   * @throws ApiError `file.imageInvalid`, `common.busy`
   */
  async replaceStaged<T>(
    { staged, name }: NamedFile,
    use: (kind: ContentKind, content: FileChange) => Promise<T>,
  ): Promise<T> {
    const { kind, library } = this.#deps;
    const examined = await this.#examineOne(name, staged);
    return library.store([staged], ([content]) => use(withContent(kind), contentChange(examined, content)));
  }

  async #copy(path: string): Promise<StagedFile> {
    const writer = await this.#deps.staging.create();
    try {
      for await (const part of createReadStream(path)) await writer.write(part);
      return await writer.finish();
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  /** Reads a form; whatever of it is not stored in the end is deleted. */
  async #withForm<T>(
    receive: ReceiveUpload | undefined,
    use: (form: Upload<StagedFile>) => Promise<T>,
  ): Promise<T> {
    if (receive === undefined) throw apiError('common.contentType', { expected: 'multipart/form-data' });
    const { limits, staging } = this.#deps;
    try {
      const form = await receive(limits, () => staging.create());
      try {
        return await use(form);
      } finally {
        for (const { kept } of form.files) await kept.discard();
      }
    } catch (error) {
      throw isDiskFull(error) ? apiError('common.storageFull', {}, { cause: error }) : error;
    }
  }

  /** @throws ApiError `file.missing`, `file.imageInvalid`, `common.busy` */
  async #examine(form: Upload<StagedFile>): Promise<Examined[]> {
    const files = form.files.filter(({ field }) => field === 'file');
    if (files.length === 0) throw apiError('file.missing', {});
    return Promise.all(files.map(({ filename, kept }) => this.#examineOne(filename, kept)));
  }

  async #examineOne(filename: string, staged: StagedFile): Promise<Examined> {
    const head = await readHead(staged.path);
    const type = await detectType(head, filename);
    const { mime, kind, format } = type;
    const plain = { mime, kind, size: staged.size, placeholder: '', animated: false, avif: false } as const;
    if (format === '') {
      const { width, height } = svgSize(mime, head);
      return { staged, filename, type, facts: { ...plain, width, height, format, variants: 'none' } };
    }
    const report = await this.#inspect(staged.path);
    if (!report.usable) throw apiError('file.imageInvalid', { reason: report.reason });
    const { width, height, animated, placeholder, scalable } = report;
    const variants = scalable ? 'pending' : 'none';
    const avif = this.#deps.avif && format !== 'avif' && !animated;
    return {
      staged,
      filename,
      type,
      facts: { ...plain, width, height, animated, placeholder, format, variants, avif },
    };
  }

  /** @throws ApiError `common.busy` */
  async #inspect(file: string): Promise<ImageReport> {
    try {
      return await this.#deps.images.run({ kind: 'inspect-image', file });
    } catch (error) {
      if (error instanceof PoolBusyError) throw busy(error.retryAfterSeconds, error);
      return { usable: false, reason: 'it takes more time or memory than an image may' };
    }
  }
}

function stagedOf(examined: readonly Examined[]): StagedFile[] {
  return examined.map(({ staged }) => staged);
}

function newFile({ filename, type, facts }: Examined, content: ContentId | undefined): NewFile {
  return {
    ...facts,
    name: displayName(filename, type.extension),
    extension: type.extension,
    content: content ?? '',
    alt: '',
    folder_id: 0,
    private: false,
    source_url: '',
  };
}

function contentChange({ facts }: Examined, content: ContentId | undefined): FileChange {
  return { ...facts, content: content ?? '' };
}

/** The fields of a form besides its files. @throws ApiError `common.invalid` with all faults */
async function readFields(
  db: ContentDb,
  fields: ReadonlyMap<string, string>,
): Promise<Pick<NewFile, 'alt' | 'folder_id' | 'private' | 'path'>> {
  const alt = fields.get('alt') ?? '';
  const folder = fields.get('folder_id') ?? '0';
  const isPrivate = flags.get(fields.get('private') ?? '0');
  const url = fields.get('url') ?? '';
  const faults = await collectFaults([
    () => {
      if (alt.length > fieldLimits.title)
        throw invalid('alt', `must have at most ${fieldLimits.title} characters`);
    },
    () => {
      if (!/^(?:0|[1-9]\d{0,14})$/.test(folder)) throw invalid('folder_id', 'must be integer');
      return requireFolder(db, Number(folder));
    },
    () => {
      if (isPrivate === undefined) throw invalid('private', 'must be 1, true, 0 or false');
    },
  ]);
  if (faults.length > 0) throw invalidFields(faults);
  const path = url === '' ? {} : { path: url.replace(/^\/media\//, '') };
  return { alt, folder_id: Number(folder), private: isPrivate ?? false, ...path };
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
