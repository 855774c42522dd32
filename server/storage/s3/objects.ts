import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { apiError } from '../../base/errors.ts';
import { discard, type OutgoingAnswer } from '../../http/outgoing/answer.ts';
import { isMediaKey, type MediaKey } from '../media-key.ts';
import type { StagedFile } from '../staging.ts';
import type { ByteRange, ListedObject, ObjectStore, OpenedObject, StoredObject } from '../storage.ts';
import { readS3Fault, type S3Body, S3Client, type S3ClientOptions, textBody } from './client.ts';
import type { S3Config } from './config.ts';
import { errorOfFault, parseXml } from './errors.ts';
import { at, decodeName, escapeXml, textAt } from './xml.ts';

/** Objects up to this size are sent in one request, larger ones in parts of at least this size. */
const defaultPartBytes = 16 * 2 ** 20;
/** The most parts that S3 permits. */
const maxParts = 10_000;
/** Parts of one object that are sent at the same time. */
const parallelParts = 3;

/** The objects of a configured bucket. */
export function openObjects(config: S3Config, options: S3ClientOptions): S3Objects {
  return new S3Objects(new S3Client(config, options), config.prefix);
}

/** Media as objects of a bucket. */
export class S3Objects implements ObjectStore {
  readonly type = 's3';
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #partBytes: number;

  constructor(client: S3Client, prefix: string, partBytes = defaultPartBytes) {
    this.#client = client;
    this.#prefix = prefix;
    this.#partBytes = partBytes;
  }

  async put(key: MediaKey, file: StagedFile): Promise<void> {
    if (file.size <= this.#partBytes) await this.#putWhole(key, file);
    else await this.#putParts(key, file);
    await file.discard();
  }

  async stat(key: MediaKey): Promise<StoredObject | undefined> {
    const answer = await this.#client.send({ method: 'HEAD', key, expected: [404] });
    discard(answer.body);
    return answer.status === 404 ? undefined : describe(answer);
  }

  async open(key: MediaKey, range?: ByteRange): Promise<OpenedObject | undefined> {
    const headers: Record<string, string> =
      range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
    const answer = await this.#client.send({ method: 'GET', key, headers, expected: [404] });
    if (answer.status === 404) {
      const fault = await readS3Fault(answer);
      if (fault.name === 'NoSuchBucket') throw errorOfFault(fault);
      return undefined;
    }
    if (range !== undefined && answer.status !== 206) {
      answer.body.on('error', () => {}).destroy();
      throw apiError('storage.checkFailed', { error: 'it does not answer with a part of an object' });
    }
    return { ...describe(answer), body: answer.body };
  }

  async remove(key: MediaKey): Promise<void> {
    discard((await this.#client.send({ method: 'DELETE', key, expected: [404] })).body);
  }

  async *list(): AsyncGenerator<ListedObject> {
    let continuation: string | undefined;
    do {
      const query = {
        'list-type': '2',
        'encoding-type': 'url',
        prefix: this.#prefix,
        ...(continuation === undefined ? {} : { 'continuation-token': continuation }),
      };
      const page = readListing(await this.#client.sendForText({ method: 'GET', query }));
      for (const { name, ...found } of page.objects) {
        const key = name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : '';
        if (isMediaKey(key)) yield { key, ...found };
      }
      continuation = page.next;
    } while (continuation !== undefined);
  }

  async removeUnfinished(): Promise<number> {
    let removed = 0;
    for await (const { name, uploadId } of listUnfinished(this.#client, this.#prefix)) {
      const key = name.slice(this.#prefix.length);
      if (!name.startsWith(this.#prefix) || !isMediaKey(key) || beingSent.has(key)) continue;
      await this.#abort(key, uploadId);
      removed += 1;
    }
    return removed;
  }

  async #putWhole(key: MediaKey, file: StagedFile): Promise<void> {
    const body = await partOf(file, 0, file.size);
    discard((await this.#client.send({ method: 'PUT', key, headers: contentType, body })).body);
  }

  /** Sends the parts, and joins them at the end: until then the object is as before. */
  async #putParts(key: MediaKey, file: StagedFile): Promise<void> {
    beingSent.add(key);
    try {
      await this.#putInParts(key, file);
    } finally {
      beingSent.delete(key);
    }
  }

  async #putInParts(key: MediaKey, file: StagedFile): Promise<void> {
    const created = await this.#client.sendForText({
      method: 'POST',
      key,
      query: { uploads: '' },
      headers: contentType,
    });
    const uploadId = textAt(parseXml(created), 'InitiateMultipartUploadResult', 'UploadId');
    if (uploadId === undefined)
      throw apiError('storage.checkFailed', { error: 'an upload in parts has no ID' });
    try {
      const tags = await this.#sendParts(key, uploadId, file);
      const parts = tags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
      );
      const body = textBody(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
      const text = await this.#client.sendForText({ method: 'POST', key, query: { uploadId }, body });
      // A failure to join the parts comes with status 200, because the answer begins before the work is done.
      if (!text.includes('CompleteMultipartUploadResult'))
        throw apiError('storage.checkFailed', { error: 'the parts of an upload were not joined' });
    } catch (error) {
      await this.#abort(key, uploadId).catch(() => {});
      throw error;
    }
  }

  async #abort(key: MediaKey, uploadId: string): Promise<void> {
    await this.#client.sendForText({ method: 'DELETE', key, query: { uploadId }, expected: [404] });
  }

  async #sendParts(key: MediaKey, uploadId: string, file: StagedFile): Promise<string[]> {
    const partBytes = Math.max(this.#partBytes, Math.ceil(file.size / maxParts));
    const count = Math.ceil(file.size / partBytes);
    const tags: string[] = new Array(count);
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count) {
        const index = next++;
        const body = await partOf(file, index * partBytes, Math.min(file.size, (index + 1) * partBytes));
        const query = { partNumber: String(index + 1), uploadId };
        const answer = await this.#client.send({ method: 'PUT', key, query, body });
        discard(answer.body);
        const tag = answer.headers.get('etag');
        if (tag === undefined)
          throw apiError('storage.checkFailed', { error: 'a part of an upload has no ETag' });
        tags[index] = tag;
      }
    };
    const workers = await Promise.allSettled(Array.from({ length: parallelParts }, work));
    for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
    return tags;
  }
}

/** Keys of all objects that this process is sending in parts. A key contains random digits and is used once. */
const beingSent = new Set<MediaKey>();

/** Only the server reads the bucket, and it knows the types of its files. */
const contentType = { 'content-type': 'application/octet-stream' };

/** A part of a file as a body; `end` is not included. The file is read twice, once for its hash. */
async function partOf({ path }: StagedFile, start: number, end: number): Promise<S3Body> {
  const open = () =>
    end === start ? '' : createReadStream(path, { start, end: end - 1, highWaterMark: chunkBytes });
  const hash = createHash('sha256');
  for await (const chunk of open()) hash.update(chunk);
  return { size: end - start, sha256: hash.digest('hex'), open };
}

/** Hashing as much takes less than a millisecond. */
const chunkBytes = 256 * 2 ** 10;

/** Size and time of the whole object, also in an answer with a part of it. */
function describe({ headers, status }: OutgoingAnswer): StoredObject {
  const whole =
    status === 206 ? /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] : headers.get('content-length');
  const size = Number(whole ?? Number.NaN);
  const modifiedAt = Date.parse(headers.get('last-modified') ?? '');
  if (!Number.isSafeInteger(size) || Number.isNaN(modifiedAt))
    throw apiError('storage.checkFailed', { error: 'it does not tell size and time of an object' });
  return { size, modifiedAt };
}

interface Listing {
  readonly objects: readonly (StoredObject & { readonly name: string })[];
  /** Where the next listing begins; undefined at the end. */
  readonly next: string | undefined;
}

function readListing(xml: string): Listing {
  const result = at(parseXml(xml), 'ListBucketResult');
  const contents = at(result, 'Contents');
  const objects = (Array.isArray(contents) ? contents : []).map((entry) => ({
    name: decodeName(textAt(entry, 'Key') ?? ''),
    size: Number(textAt(entry, 'Size')),
    modifiedAt: Date.parse(textAt(entry, 'LastModified') ?? ''),
  }));
  if (result === undefined || objects.some(({ size, modifiedAt }) => Number.isNaN(size + modifiedAt)))
    throw apiError('storage.checkFailed', { error: 'it does not list its objects as S3 does' });
  const isCut = textAt(result, 'IsTruncated') === 'true';
  return { objects, next: isCut ? textAt(result, 'NextContinuationToken') : undefined };
}

/** Uploads in parts that were begun and neither completed nor aborted. They take room, and no listing shows them. */

export interface UnfinishedUpload {
  /** Name of the object, with the prefix. */
  readonly name: string;
  readonly uploadId: string;
}

/** All of the bucket whose names begin with a prefix. @throws ApiError as `S3Client.send` */
async function* listUnfinished(client: S3Client, prefix: string): AsyncGenerator<UnfinishedUpload> {
  let markers: Record<string, string> = {};
  for (let isCut = true; isCut; ) {
    const query = { uploads: '', 'encoding-type': 'url', prefix, ...markers };
    const result = at(
      parseXml(await client.sendForText({ method: 'GET', query })),
      'ListMultipartUploadsResult',
    );
    if (result === undefined)
      throw apiError('storage.checkFailed', { error: 'it does not list uploads in parts as S3 does' });
    const uploads = at(result, 'Upload');
    for (const upload of Array.isArray(uploads) ? uploads : [])
      yield { name: decodeName(textAt(upload, 'Key') ?? ''), uploadId: textAt(upload, 'UploadId') ?? '' };
    markers = {
      'key-marker': decodeName(textAt(result, 'NextKeyMarker') ?? ''),
      'upload-id-marker': textAt(result, 'NextUploadIdMarker') ?? '',
    };
    isCut = textAt(result, 'IsTruncated') === 'true' && markers['key-marker'] !== '';
  }
}
