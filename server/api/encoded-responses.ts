import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from '../../runtime/tasks/encode.ts';
import type { Log } from '../base/log.ts';
import type { ApiResponse } from '../http/api-exchange.ts';
import type { CompressedBody } from '../http/body/compressed-body.ts';
import { codingsFor } from '../http/negotiate.ts';
import { CachedBody } from '../http/responses/cached-body.ts';
import { contentEncoding, varyByEncoding } from '../http/responses/cached-response.ts';
import { type BodyEncoder, Compression } from '../http/responses/compression.ts';
import { matchesIfNoneMatch } from '../http/responses/conditions.ts';

/** Shorter bodies gain nothing; longer ones would take the threads of the system too long. */
const limits = { min: 1024, max: 4 * 2 ** 20 } as const;

type Headers = ApiResponse['headers'];
type HeadersByEncoding = { [Name in Encoding | 'identity']?: Headers };

/**
 * Gives responses to GET and HEAD as their clients want them: a 304, or the coding that a client prefers.
 *
 * Only fixed bytes, and those of the caches that are sent a second time, are compressed. Their representations
 * live as long as the bytes. Long lists are compressed already.
 */
export class EncodedResponses {
  /** Undefined: the bytes have been sent once. */
  readonly #bodies = new WeakMap<Uint8Array, CachedBody | undefined>();
  readonly #headers = new WeakMap<Headers, HeadersByEncoding>();
  readonly #compression: Compression;

  constructor(log: Log) {
    this.#compression = new Compression(systemThreads, log);
  }

  /** @returns a promise if a representation must be made first. @param ifNoneMatch empty when absent */
  respond(
    response: ApiResponse,
    ifNoneMatch: string,
    acceptEncoding: string,
  ): ApiResponse | Promise<ApiResponse> {
    if (isUnchanged(response, ifNoneMatch)) {
      response.stream?.discard();
      return { status: 304, headers: response.headers, body: undefined };
    }
    if (response.compressed !== undefined) return this.#unpack(response, response.compressed, acceptEncoding);
    if (!isCompressible(response)) return response;
    const [encoding] = codingsFor(acceptEncoding);
    const body = encoding === undefined ? undefined : this.#findBody(response.body, response.isFixed);
    if (encoding === undefined || body === undefined) return this.#encode(response, undefined, response.body);
    const made = body.findRepresentation(encoding);
    if (made !== undefined) return this.#encode(response, encoding, made.bytes);
    return this.#compression
      .complete(body, encoding, () => {})
      .then(() => {
        const bytes = body.findRepresentation(encoding)?.bytes;
        return this.#encode(response, bytes && encoding, bytes ?? response.body);
      });
  }

  #unpack(response: ApiResponse, body: CompressedBody, acceptEncoding: string): ApiResponse {
    const encoding = codingsFor(acceptEncoding).find((accepted) => accepted === 'gzip');
    const headers = this.#chooseHeaders(response.headers, encoding);
    return encoding === undefined
      ? { status: response.status, headers, body: undefined, stream: body.identity() }
      : { status: response.status, headers, body: body.gzip };
  }

  /** Undefined if these bytes are sent for the first time and may be for the last. */
  #findBody(identity: Uint8Array, isFixed = false): CachedBody | undefined {
    const existing = this.#bodies.get(identity);
    if (existing !== undefined) return existing;
    const body =
      isFixed || this.#bodies.has(identity)
        ? new CachedBody({ identity, encoded: {}, isCompressible: true, tag: '' })
        : undefined;
    this.#bodies.set(identity, body);
    return body;
  }

  #encode(response: ApiResponse, encoding: Encoding | undefined, body: Uint8Array): ApiResponse {
    return { ...response, headers: this.#chooseHeaders(response.headers, encoding), body };
  }

  /** The same list of headers each time, because their text is cached for the list. */
  #chooseHeaders(headers: Headers, encoding: Encoding | undefined): Headers {
    const lists = this.#headersByEncoding(headers);
    lists[encoding ?? 'identity'] ??= [
      ...headers.map((header) => (header[0] === 'ETag' ? toTag(header[1], encoding) : header)),
      ...contentEncoding(encoding),
      varyByEncoding,
    ];
    return lists[encoding ?? 'identity'] ?? headers;
  }

  #headersByEncoding(headers: Headers): HeadersByEncoding {
    const existing = this.#headers.get(headers);
    if (existing !== undefined) return existing;
    const lists: HeadersByEncoding = {};
    this.#headers.set(headers, lists);
    return lists;
  }
}

/** Different bytes have different strong tags. */
function toTag(tag: string, encoding: Encoding | undefined): readonly [string, string] {
  return ['ETag', encoding === undefined ? tag : tag.replace(/"$/, `-${encoding}"`)];
}

/** Whether the client has the content already, in whatever coding. */
function isUnchanged({ headers }: ApiResponse, ifNoneMatch: string): boolean {
  if (ifNoneMatch === '') return false;
  const [, tag] = headers.find(([name]) => name === 'ETag') ?? [];
  if (tag === undefined) return false;
  return matchesIfNoneMatch(ifNoneMatch, tag, (other) => other.replace(/-(?:br|gzip)"$/, '"') === tag);
}

function isCompressible(response: ApiResponse): response is ApiResponse & { readonly body: Uint8Array } {
  const { status, body, headers } = response;
  if (status !== 200 || !(body instanceof Uint8Array)) return false;
  if (body.length < limits.min || body.length > limits.max) return false;
  return headers.some(
    ([name, value]) => name === 'Content-Type' && /^(?:text\/|application\/json)/.test(value),
  );
}

const gzipped = promisify(gzip);
const brotli = promisify(brotliCompress);

/** Compresses in threads of the system, which has room for every request. */
const systemThreads: BodyEncoder = {
  hasRoom: () => true,
  encode: (bytes, encoding) =>
    encoding === 'gzip'
      ? gzipped(bytes, { level: 6 })
      : brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
};
