/** Requests to another instance, with the token of its connection. */
import type { Readable } from 'node:stream';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { type ApiError, apiError } from '../../base/errors.ts';
import { readForeignJson } from '../../http/json/json.ts';
import { type OutgoingAnswer, readBytes } from '../../http/outgoing/answer.ts';
import type { Outgoing, OutgoingRequest } from '../../http/outgoing/client.ts';
import { OutgoingError } from '../../http/outgoing/errors.ts';
import { BundleInfo } from '../bundle/model.ts';

const maxJsonBytes = 16 * 2 ** 20;
const maxErrorCharacters = 500;
/** An import there may take long before its answer begins. */
const importMs = 3_600_000;

const Imported = Type.Object({ backup: Type.String() });

export class RemoteInstance {
  readonly #outgoing: Outgoing;
  readonly #url: string;
  readonly #token: string;
  readonly #signal: AbortSignal;

  /** @param signal ends all requests */
  constructor(outgoing: Outgoing, url: string, token: string, signal: AbortSignal) {
    this.#outgoing = outgoing;
    this.#url = url;
    this.#token = token;
    this.#signal = signal;
  }

  /** @throws ApiError 502 `connection.failed` */
  async info(): Promise<BundleInfo> {
    return this.#json(BundleInfo, await this.#send({ url: '/api/v1/bundle/info' }));
  }

  /** GET /bundle without media. @throws ApiError 502 `connection.failed` */
  async bundle(): Promise<Readable> {
    return (await this.#send({ url: '/api/v1/bundle?media=0' })).body;
  }

  /** The bytes of a file. @param path below `/media/`. @throws ApiError 502 `connection.failed` */
  async medium(path: string): Promise<Readable> {
    return (await this.#send({ url: `/media/${path}` })).body;
  }

  /** POST /bundle. @param author who pushes. @throws ApiError 502 `connection.failed` */
  async import(archive: Readable, author: string): Promise<string> {
    const answer = await this.#send({
      method: 'POST',
      url: '/api/v1/bundle',
      headers: { 'content-type': 'application/zip', 'x-ic-on-behalf-of': encodeURIComponent(author) },
      body: archive,
      timeouts: { headersMs: importMs },
    });
    return (await this.#json(Imported, answer)).backup;
  }

  async #send({ url, headers = {}, timeouts = {}, ...request }: OutgoingRequest & { readonly url: string }) {
    const answer = await this.#guarded(() =>
      this.#outgoing.send({
        ...request,
        url: `${this.#url}${url}`,
        headers: { authorization: `Bearer ${this.#token}`, ...headers },
        timeouts: { totalMs: Number.POSITIVE_INFINITY, ...timeouts },
        decode: false,
        signal: this.#signal,
      }),
    );
    if (answer.status === 200) return answer;
    throw failed(await this.#errorIn(answer));
  }

  async #json<Schema extends typeof BundleInfo | typeof Imported>(schema: Schema, answer: OutgoingAnswer) {
    const { bytes } = await this.#guarded(() => readBytes(answer, maxJsonBytes));
    try {
      return Value.Parse(schema, await readForeignJson(bytes));
    } catch {
      throw failed('its answer is not that of an instance');
    }
  }

  /** What the other side says of a refusal. */
  async #errorIn(answer: OutgoingAnswer): Promise<string> {
    const { bytes } = await this.#guarded(() => readBytes(answer, maxJsonBytes, 'truncate'));
    let error: unknown;
    try {
      error = Object(await readForeignJson(bytes)).error;
    } catch {
      // Not an answer of the API.
    }
    return typeof error === 'string' ? `${answer.status} ${error}` : `it answers ${answer.status}`;
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof OutgoingError ? failed(error.message) : error;
    }
  }
}

/** @param error what is wrong, as far as known */
export function failed(error: string): ApiError {
  return apiError('connection.failed', { error: error.slice(0, maxErrorCharacters) });
}
