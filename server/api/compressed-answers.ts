import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from '../../runtime/tasks/encode.ts';
import type { ApiResponse } from '../http/api-exchange.ts';
import { codingsFor } from '../http/negotiate.ts';

/** Shorter bodies gain nothing; longer ones would take the threads of the system too long. */
const limits = { min: 1024, max: 4 * 2 ** 20 } as const;

type Headers = ApiResponse['headers'];
type Forms = { [Name in Encoding]?: Promise<Uint8Array> | Uint8Array };

/**
 * Compressed forms of answers of the API whose bytes are kept: fixed ones, and those of the memo. Only the second
 * answer with the same bytes is compressed, so nothing is compressed that is sent once. Work happens in threads of
 * the system; the forms live as long as the bytes.
 */
export class CompressedAnswers {
  readonly #seen = new WeakMap<Uint8Array, Forms>();
  readonly #headers = new WeakMap<Headers, { [Name in Encoding | 'identity']?: Headers }>();

  /** The answer in the coding that the client prefers, if it is compressed at all. */
  async encode(response: ApiResponse, acceptEncoding: string): Promise<ApiResponse> {
    const { body } = response;
    if (!isCompressible(response) || !(body instanceof Uint8Array)) return response;
    const [coding] = codingsFor(acceptEncoding);
    const forms = this.#formsOf(body);
    if (coding === undefined || forms === undefined) return this.#identity(response);
    forms[coding] ??= compress[coding](body);
    const bytes = await forms[coding];
    forms[coding] = bytes;
    return this.#encoded(response, coding, bytes);
  }

  /** The same at once; undefined if the form is not at hand. */
  encodeAtOnce(response: ApiResponse, acceptEncoding: string): ApiResponse | undefined {
    const { body } = response;
    if (!isCompressible(response) || !(body instanceof Uint8Array)) return response;
    const [coding] = codingsFor(acceptEncoding);
    if (coding === undefined) return this.#identity(response);
    const form = this.#seen.get(body)?.[coding];
    return form instanceof Uint8Array ? this.#encoded(response, coding, form) : undefined;
  }

  /** Undefined if these bytes are sent for the first time. */
  #formsOf(body: Uint8Array): Forms | undefined {
    const forms = this.#seen.get(body);
    if (forms === undefined) this.#seen.set(body, {});
    return forms;
  }

  #identity(response: ApiResponse): ApiResponse {
    const known = this.#headersOf(response.headers);
    known.identity ??= [...response.headers, vary];
    return { ...response, headers: known.identity };
  }

  #encoded(response: ApiResponse, coding: Encoding, body: Uint8Array): ApiResponse {
    const known = this.#headersOf(response.headers);
    known[coding] ??= [
      ...response.headers.map((header) => (header[0] === 'ETag' ? tagOf(header[1], coding) : header)),
      ['Content-Encoding', coding],
      vary,
    ];
    return { ...response, headers: known[coding], body };
  }

  /** The same array each time, because the text of the headers is cached per array. */
  #headersOf(headers: Headers): { [Name in Encoding | 'identity']?: Headers } {
    const known = this.#headers.get(headers) ?? {};
    this.#headers.set(headers, known);
    return known;
  }
}

const vary = ['Vary', 'Accept-Encoding'] as const;

/** Different bytes have different strong tags. */
function tagOf(tag: string, coding: Encoding): readonly [string, string] {
  return ['ETag', tag.replace(/"$/, `-${coding}"`)];
}

/** The tag of the same content without a coding. */
export function withoutCoding(tag: string): string {
  return tag.replace(/-(?:br|gzip)"$/, '"');
}

function isCompressible({ status, body, headers }: ApiResponse): boolean {
  if (status !== 200 || !(body instanceof Uint8Array)) return false;
  if (body.length < limits.min || body.length > limits.max) return false;
  return headers.some(
    ([name, value]) => name === 'Content-Type' && /^(?:text\/|application\/json)/.test(value),
  );
}

const gzipped = promisify(gzip);
const brotli = promisify(brotliCompress);

const compress: Readonly<Record<Encoding, (body: Uint8Array) => Promise<Uint8Array>>> = {
  gzip: (body) => gzipped(body, { level: 6 }),
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
};
