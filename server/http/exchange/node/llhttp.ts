/**
 * llhttp, the HTTP parser of Node.js, as WebAssembly. The binary comes with undici, whose maintainers build it from
 * llhttp's own sources; this file is the only one that knows where it lies. Its functions are those that llhttp
 * documents. In its memory a fault of the parser cannot touch anything else.
 *
 * Node.js has llhttp built in, but offers it to others only through `node:http`, whose objects for each request cost
 * more than all the rest.
 */

/** Where a text lies in the bytes that are parsed. */
export interface ParserEvents {
  onMessageBegin(): number;
  onUrl(at: number, length: number): number;
  onHeaderName(at: number, length: number): number;
  onHeaderValue(at: number, length: number): number;
  /** @param keepAlive whether the client lets the connection stay open */
  onHeadersComplete(keepAlive: boolean): number;
  onBody(at: number, length: number): number;
  onMessageComplete(): number;
}

/** What an event answers, and what parsing ends with. */
export const parserCodes = { ok: 0, error: -1, paused: 21, pausedForUpgrade: 22 } as const;

/** Largest number of bytes that are parsed in one call. */
export const maxParsedBytes = 64 * 2 ** 10;

/** The functions of llhttp that are used; a pointer is a number. */
interface LlhttpExports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(bytes: number): number;
  llhttp_alloc(type: number): number;
  llhttp_free(parser: number): void;
  llhttp_execute(parser: number, data: number, length: number): number;
  llhttp_get_error_pos(parser: number): number;
  llhttp_get_method(parser: number): number;
  /** Address of a text that ends with 0. */
  llhttp_method_name(method: number): number;
  llhttp_get_http_major(parser: number): number;
  llhttp_get_http_minor(parser: number): number;
  llhttp_resume(parser: number): void;
  llhttp_resume_after_upgrade(parser: number): void;
}

/** `HTTP_REQUEST` of llhttp. */
const requestType = 1;

/** One instance of the module; it parses one piece of one connection at a time. */
export class Llhttp {
  readonly #exports: LlhttpExports;
  readonly #input: number;
  #view = new Uint8Array();
  #events: ParserEvents = noEvents;
  /** By llhttp's numbers. */
  readonly #methods: string[] = [];

  constructor(module: WebAssembly.Module) {
    const start = (at: number): number => at - this.#input;
    const env = {
      wasm_on_message_begin: () => this.#events.onMessageBegin(),
      wasm_on_url: (_: number, at: number, length: number) => this.#events.onUrl(start(at), length),
      wasm_on_status: () => parserCodes.ok,
      wasm_on_header_field: (_: number, at: number, length: number) =>
        this.#events.onHeaderName(start(at), length),
      wasm_on_header_value: (_: number, at: number, length: number) =>
        this.#events.onHeaderValue(start(at), length),
      wasm_on_headers_complete: (_: number, _status: number, _upgrade: number, keepAlive: number) =>
        this.#events.onHeadersComplete(keepAlive !== 0),
      wasm_on_body: (_: number, at: number, length: number) => this.#events.onBody(start(at), length),
      wasm_on_message_complete: () => this.#events.onMessageComplete(),
    };
    // Type boundary: these are the exports of the module that undici ships; a test calls all of them.
    this.#exports = new WebAssembly.Instance(module, { env }).exports as unknown as LlhttpExports;
    this.#exports._initialize();
    this.#input = this.#exports.malloc(maxParsedBytes);
  }

  /** A parser of the requests of one connection; must be freed. */
  create(): number {
    return this.#exports.llhttp_alloc(requestType);
  }

  /** Must not be called while the parser works. */
  free(parser: number): void {
    this.#exports.llhttp_free(parser);
  }

  /**
   * Parses at most `maxParsedBytes`. Positions in the events count from the start of `bytes`.
   *
   * @returns one of `parserCodes`, or another number for an error
   */
  execute(parser: number, bytes: Uint8Array, events: ParserEvents): number {
    if (this.#events !== noEvents) throw new Error('the parser of another connection is at work');
    // The memory is another one after it has grown.
    if (this.#view.length === 0)
      this.#view = new Uint8Array(this.#exports.memory.buffer, this.#input, maxParsedBytes);
    this.#view.set(bytes);
    this.#events = events;
    try {
      return this.#exports.llhttp_execute(parser, this.#input, bytes.length);
    } finally {
      this.#events = noEvents;
    }
  }

  /** Where a paused parser goes on. */
  stoppedAt(parser: number): number {
    return this.#exports.llhttp_get_error_pos(parser) - this.#input;
  }

  resume(parser: number): void {
    this.#exports.llhttp_resume(parser);
  }

  resumeAfterUpgrade(parser: number): void {
    this.#exports.llhttp_resume_after_upgrade(parser);
  }

  /** The method of the request that is being parsed, as it was sent. */
  methodOf(parser: number): string {
    const method = this.#exports.llhttp_get_method(parser);
    this.#methods[method] ??= this.#textAt(this.#exports.llhttp_method_name(method));
    return this.#methods[method];
  }

  /** Ten times the major version and the minor one: 11 for HTTP/1.1. */
  versionOf(parser: number): number {
    return this.#exports.llhttp_get_http_major(parser) * 10 + this.#exports.llhttp_get_http_minor(parser);
  }

  #textAt(address: number): string {
    const memory = Buffer.from(this.#exports.memory.buffer);
    return memory.toString('latin1', address, memory.indexOf(0, address));
  }
}

const fail = (): number => parserCodes.error;
const noEvents: ParserEvents = {
  onMessageBegin: fail,
  onUrl: fail,
  onHeaderName: fail,
  onHeaderValue: fail,
  onHeadersComplete: fail,
  onBody: fail,
  onMessageComplete: fail,
};

/** Loads the module; most processors have the instructions for the faster one. */
export async function loadLlhttp(): Promise<Llhttp> {
  const { default: fast } = await import('undici/lib/llhttp/llhttp_simd-wasm.js');
  if (WebAssembly.validate(fast)) return new Llhttp(new WebAssembly.Module(fast));
  const { default: plain } = await import('undici/lib/llhttp/llhttp-wasm.js');
  return new Llhttp(new WebAssembly.Module(plain));
}
