/**
 * Forms with files of any size: `multipart/form-data` whose files go to their writers while they arrive. Nothing
 * but one part of a file is in memory, and the client is held back while a writer is busy.
 */
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BusboyInstance } from '@fastify/busboy';
import { ApiError, apiError } from '../../base/errors.ts';
import { isDiskFull } from '../../base/file-system.ts';
import type { ApiRequest } from '../../http/api-exchange.ts';
import { createFormParser, formType } from './multipart.ts';

export interface UploadLimits {
  /** Largest size of one file, in bytes. */
  readonly maxFileBytes: number;
  readonly maxFiles: number;
}

/** Something kept for the handler that must not stay behind if the request fails. */
export interface Discardable {
  discard(): Promise<void>;
}

/** Receives one file. */
export interface FileWriter<Kept extends Discardable> extends Discardable {
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<Kept>;
}

export interface UploadedFile<Kept extends Discardable> {
  /** Name of the form's field. */
  readonly field: string;
  /** Name of the file as the client sent it, without folders. It is only a text and never a path. */
  readonly filename: string;
  readonly kept: Kept;
}

/** A form. Field names are keys of a Map, so any name is safe. */
export interface Upload<Kept extends Discardable> {
  readonly fields: ReadonlyMap<string, string>;
  /** In the order of the form. An input without a chosen file is left out. */
  readonly files: readonly UploadedFile<Kept>[];
}

/**
 * Reads the form of a request.
 *
 * @param createWriter is called for each file
 * @throws ApiError 413 `file.tooLarge`, `common.invalidForm`, `common.aborted`, and the errors of the writers. Then
 *   everything that was kept has been discarded.
 */
export type ReceiveUpload = <Kept extends Discardable>(
  limits: UploadLimits,
  createWriter: () => Promise<FileWriter<Kept>>,
) => Promise<Upload<Kept>>;

/**
 * How a handler reads the form of a request; undefined if the request is no form.
 *
 * @param fileTypes content types of a body that is one file: it is read as a form with the field `file` would be
 */
export function findUpload(
  request: ApiRequest,
  fileTypes: readonly string[] = [],
): ReceiveUpload | undefined {
  const sent = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (fileTypes.includes(sent)) return (limits, createWriter) => receiveFile(request, limits, createWriter);
  const type = formType(request);
  if (type === undefined) return undefined;
  return async (limits, createWriter) => {
    const announced = Number(request.headers.get('content-length') ?? 0);
    if (announced > limits.maxFiles * limits.maxFileBytes + formBytes) throw tooLarge(limits);
    const parser = createFormParser({ 'content-type': type }, limits.maxFiles, limits.maxFileBytes);
    if (typeof parser === 'string') throw apiError('common.invalidForm', { reason: parser });
    const headers = limitPartHeaders(boundaryIn(type) ?? '');
    return new UploadReader(parser, limits, createWriter).read(request.stream(), headers);
  };
}

/** A body that is one file. */
async function receiveFile<Kept extends Discardable>(
  request: ApiRequest,
  limits: UploadLimits,
  createWriter: () => Promise<FileWriter<Kept>>,
): Promise<Upload<Kept>> {
  if (Number(request.headers.get('content-length') ?? 0) > limits.maxFileBytes) throw tooLarge(limits);
  const writer = await createWriter();
  let size = 0;
  try {
    for await (const part of request.stream()) {
      const bytes: Uint8Array = part;
      size += bytes.length;
      if (size > limits.maxFileBytes) throw tooLarge(limits);
      await writer.write(bytes);
    }
    return { fields: new Map(), files: [{ field: 'file', filename: '', kept: await writer.finish() }] };
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** Everything in a form besides its files. */
const formBytes = 2 ** 20;

class UploadReader<Kept extends Discardable> {
  readonly #parser: BusboyInstance;
  readonly #limits: UploadLimits;
  readonly #createWriter: () => Promise<FileWriter<Kept>>;
  readonly #fields = new Map<string, string>();
  readonly #files: Promise<UploadedFile<Kept> | undefined>[] = [];
  readonly #open = new Set<Readable>();
  #failure: unknown;

  constructor(parser: BusboyInstance, limits: UploadLimits, createWriter: () => Promise<FileWriter<Kept>>) {
    this.#parser = parser;
    this.#limits = limits;
    this.#createWriter = createWriter;
  }

  async read(body: Readable, headers: Transform): Promise<Upload<Kept>> {
    const parser = this.#parser;
    parser.on('file', (field, stream, filename) => this.#files.push(this.#keep(field, stream, filename)));
    parser.on('field', (name, value, nameCut, valueCut) => {
      if (nameCut || valueCut) this.#fail(invalidForm('a field is too large'));
      else this.#fields.set(name, value);
    });
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      parser.on(limit, () => this.#fail(invalidForm('there are too many parts')));
    try {
      await pipeline(body, headers, parser);
    } catch (error) {
      this.#fail(error instanceof ApiError || isDiskFull(error) ? error : invalidForm(reasonOf(error)));
    }
    const settled = await Promise.allSettled(this.#files);
    const kept = settled.flatMap((file) => (file.status === 'fulfilled' && file.value ? [file.value] : []));
    if (this.#failure === undefined) return { fields: this.#fields, files: kept };
    await Promise.allSettled(kept.map((file) => file.kept.discard()));
    throw this.#failure;
  }

  async #keep(
    field: string,
    stream: Readable & { truncated?: boolean },
    filename: string | undefined,
  ): Promise<UploadedFile<Kept> | undefined> {
    this.#open.add(stream);
    // The reader below hears of a failure only once it reads.
    stream.on('error', ignore);
    stream.on('limit', () => this.#fail(tooLarge(this.#limits)));
    let writer: FileWriter<Kept> | undefined;
    try {
      writer = await this.#createWriter();
      let size = 0;
      for await (const part of stream) {
        await writer.write(part);
        size += part.length;
      }
      if (this.#failure !== undefined) throw this.#failure;
      if (size > 0 || (filename ?? '') !== '') {
        return { field, filename: filename ?? '', kept: await writer.finish() };
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#open.delete(stream);
    }
    await writer?.discard();
    return undefined;
  }

  /** The first failure counts. It ends the parser and all parts, so that nobody waits for the rest. */
  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    const ended = new Error('the form was refused');
    for (const stream of this.#open) stream.destroy(ended);
    this.#parser.destroy(ended);
  }
}

function ignore(): void {}

function tooLarge({ maxFileBytes }: UploadLimits): ApiError {
  return apiError('file.tooLarge', { max: maxFileBytes });
}

function invalidForm(reason: string): ApiError {
  return apiError('common.invalidForm', { reason });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it is malformed';
}

/** Largest header of one part of a form, in bytes. */
const maxHeaderBytes = 8 * 2 ** 10;
const headerEnd = Buffer.from('\r\n\r\n');

/**
 * Passes the bytes of a form on and fails at a part whose header is too long: the parser would only leave out the
 * rest of it.
 *
 * @param boundary as the content type names it
 */
function limitPartHeaders(boundary: string): Transform {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  /** The last bytes before, in which a delimiter or the end of a header may have begun. */
  let tail: Buffer = Buffer.from('\r\n');
  let isHeader = false;
  let headerBytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      while (from < chunk.length) {
        const wanted = isHeader ? headerEnd : delimiter;
        const end = endOf(wanted, tail, chunk, from);
        if (isHeader) headerBytes += (end ?? chunk.length) - from;
        if (headerBytes > maxHeaderBytes) {
          done(apiError('common.invalidForm', { reason: 'the header of a part is too long' }));
          return;
        }
        if (end === undefined) break;
        from = end;
        tail = none;
        isHeader = !isHeader;
        headerBytes = 0;
      }
      const seen = chunk.subarray(from);
      const kept = (isHeader ? headerEnd : delimiter).length - 1;
      tail = Buffer.concat([tail, seen.subarray(-kept)]).subarray(-kept);
      done(null, chunk);
    },
  });
}

const none = Buffer.alloc(0);

/** Where the wanted bytes end in a chunk, also if they begin in the bytes before it; undefined if they are not there. */
function endOf(wanted: Buffer, tail: Buffer, chunk: Buffer, from: number): number | undefined {
  if (tail.length > 0) {
    const seam = Buffer.concat([tail, chunk.subarray(from, from + wanted.length - 1)]);
    const at = seam.indexOf(wanted);
    if (at >= 0) return from + at + wanted.length - tail.length;
  }
  const at = chunk.indexOf(wanted, from);
  return at < 0 ? undefined : at + wanted.length;
}

/** The boundary in a content type; undefined if there is none. */
function boundaryIn(contentType: string): string | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? [];
  return quoted ?? bare;
}
