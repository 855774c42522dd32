import { type ApiError, apiError } from '../errors.ts';

/**
 * The body of one request while it arrives. Bytes are kept from the first moment, because the transport delivers
 * them before anyone could ask, and dropped once the answer is known without them.
 */
export class BodyCollector {
  /** True when the last byte has come; at once for a request that announces none. */
  complete: boolean;
  readonly #announced: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #discarded = false;
  #reading: { maxBytes: number; resolve(body: Uint8Array): void; reject(error: ApiError): void } | undefined;

  /** @param headers the framing ones have been checked by the parser */
  constructor(headers: ReadonlyMap<string, string>) {
    this.#announced = Number(headers.get('content-length') ?? 0);
    this.complete = this.#announced === 0 && !headers.has('transfer-encoding');
  }

  /** Takes a chunk that is valid only during this call. */
  add(chunk: ArrayBuffer, isLast: boolean): void {
    this.complete = isLast;
    if (this.#discarded) return;
    if (chunk.byteLength > 0) this.#chunks.push(Buffer.from(new Uint8Array(chunk)));
    this.#size += chunk.byteLength;
    const reading = this.#reading;
    if (reading === undefined) return;
    if (this.#size > reading.maxBytes) {
      this.discard();
      reading.reject(apiError('common.tooLarge', { max: reading.maxBytes }));
    } else if (isLast) {
      reading.resolve(this.#take());
    }
  }

  /** @throws ApiError `common.tooLarge`, at once when the announced length says so; `common.aborted` */
  async read(maxBytes: number): Promise<Uint8Array> {
    if (this.#announced > maxBytes || this.#size > maxBytes) {
      this.discard();
      throw apiError('common.tooLarge', { max: maxBytes });
    }
    if (this.complete) return this.#take();
    if (this.#discarded) throw apiError('common.aborted', {});
    return new Promise((resolve, reject) => {
      this.#reading = { maxBytes, resolve, reject };
    });
  }

  /** The client is gone: whoever waits for the body is told. */
  abort(): void {
    this.discard();
    this.#reading?.reject(apiError('common.aborted', {}));
  }

  /** Nobody needs the body any more; what still arrives is dropped. */
  discard(): void {
    this.#discarded = true;
    this.#chunks = [];
  }

  #take(): Uint8Array {
    const [first] = this.#chunks;
    const body =
      this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#size);
    this.#chunks = [];
    return body;
  }
}
