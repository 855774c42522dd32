import type { PublicResponse } from '../public-exchange.ts';
import type { SharedResponse } from '../shared-responses.ts';
import { type HeaderList, withoutContentType } from './cached-response.ts';
import { type Conditions, evaluateConditions, type SelectedRange, type Validators } from './conditions.ts';

/** A file that is sent as it is, whole or in part. */
export interface FileSource {
  readonly validators: Validators;
  readonly sizeBytes: number;
  /** Headers of the 200, with those of the validators. */
  readonly headers: HeaderList;
  /** The whole file, if it is in memory. */
  readonly bytes?: Uint8Array;
  /** Set if threads of the front may give its responses on their own. */
  readonly shared?: SharedResponse;
}

/** A response whose body is not in memory has a `range` to read. */
export type RangedResponse = PublicResponse & { readonly range?: SelectedRange };

/** The responses with one file. Those without a range are made once, because the text of their headers is cached. */
export class FileResponse {
  readonly shared: SharedResponse | undefined;
  readonly #source: FileSource;
  readonly #whole: PublicResponse;
  readonly #unchanged: PublicResponse;

  constructor(source: FileSource) {
    const { headers, bytes, shared } = source;
    this.shared = shared;
    this.#source = source;
    this.#whole = { status: '200 OK', headers, body: bytes, shared };
    const remaining = withoutContentType(headers);
    this.#unchanged = { status: '304 Not Modified', headers: remaining, body: undefined, shared };
  }

  respond(conditions: Conditions, isHead: boolean): RangedResponse {
    const { validators, sizeBytes } = this.#source;
    const selection = evaluateConditions(conditions, validators, sizeBytes);
    if (selection === 'unchanged') return this.#unchanged;
    if (selection === 'unsatisfiable') return this.#createUnsatisfiable();
    return selection === 'whole' ? this.#respondWhole(isHead) : this.#createPart(selection);
  }

  /** An empty file has no byte to read. A HEAD gets the length as a header, because it has no body. */
  #respondWhole(isHead: boolean): RangedResponse {
    const { bytes, sizeBytes, headers } = this.#source;
    if (bytes !== undefined) return this.#whole;
    if (isHead) return { ...this.#whole, headers: [...headers, ['Content-Length', String(sizeBytes)]] };
    if (sizeBytes === 0) return { ...this.#whole, body: '' };
    return { ...this.#whole, range: { start: 0, end: sizeBytes - 1 } };
  }

  #createPart(range: SelectedRange): RangedResponse {
    const { headers, bytes, sizeBytes } = this.#source;
    const { start, end } = range;
    const response = {
      status: '206 Partial Content',
      headers: [...headers, ['Content-Range', `bytes ${start}-${end}/${sizeBytes}`] as const],
      body: bytes?.subarray(start, end + 1),
    };
    return bytes === undefined ? { ...response, range } : response;
  }

  #createUnsatisfiable(): PublicResponse {
    const { headers, sizeBytes } = this.#source;
    return {
      status: '416 Range Not Satisfiable',
      headers: [...withoutContentType(headers), ['Content-Range', `bytes */${sizeBytes}`]],
      body: '',
    };
  }
}
