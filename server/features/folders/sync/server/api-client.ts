/** A small client of the API of a server. */
import { createWriteStream, openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isFields } from '../../format/text-file.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The server cannot be reached, or refuses. */
export class ServerError extends Error {
  readonly status: number;
  readonly code: string;
  readonly params: Json;

  constructor(message: string, status = 0, code = '', params: Json = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.params = params;
  }
}

/** Most requests at the same time. */
const maxParallel = 8;

export class ApiClient {
  readonly #url: string;
  readonly #token: string;

  /** @param url address of the server; a path after it is ignored. @throws ServerError for no address */
  constructor(url: string, token: string) {
    if (!URL.canParse(url)) throw new ServerError(`${JSON.stringify(url)} is no address of a server.`);
    const { protocol, origin } = new URL(url);
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new ServerError('The address of a server begins with http:// or https://.');
    this.#url = origin;
    this.#token = token;
  }

  /** @throws ServerError */
  async get(path: string): Promise<Json> {
    return toObject(await this.call('GET', path));
  }

  /** @throws ServerError */
  async list(path: string): Promise<readonly Json[]> {
    const answer = await this.call('GET', path);
    return Array.isArray(answer) ? answer.filter(isFields) : isFields(answer) ? [answer] : [];
  }

  /** @throws ServerError */
  async send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Json> {
    return toObject(await this.call(method, path, body));
  }

  /** Sends a file as a form. @throws ServerError */
  async upload(method: 'POST' | 'PUT', path: string, file: string, fields: Readonly<Record<string, string>>) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) if (name !== 'filename') form.set(name, value);
    form.set('file', await openAsBlob(file), fields['filename'] ?? 'file');
    return toObject(await this.#request(method, `/api/v1${path}`, { body: form }));
  }

  /** Writes what an address of the server answers into a file. @throws ServerError */
  async download(address: string, file: string): Promise<void> {
    const response = await this.#fetch(address, { method: 'GET' });
    if (!response.ok || response.body === null)
      throw new ServerError(`${address} cannot be read: status ${response.status}.`, response.status);
    await pipeline(Readable.fromWeb(response.body), createWriteStream(file));
  }

  /** @throws ServerError */
  call(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { 'Content-Type': 'application/json' };
    const init = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    return this.#request(method, `/api/v1${path}`, init);
  }

  async #request(method: string, address: string, init: RequestInit): Promise<unknown> {
    const response = await this.#fetch(address, { ...init, method });
    const text = await response.text();
    const parsed = parse(text);
    if (response.ok) return parsed;
    const { error, code, params } = isFields(parsed) ? parsed : {};
    const reason = typeof error === 'string' ? error : `status ${response.status}`;
    throw new ServerError(
      `The server refuses ${method} ${address}: ${reason}.`,
      response.status,
      typeof code === 'string' ? code : '',
      isFields(params) ? params : {},
    );
  }

  async #fetch(address: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${this.#token}`);
    try {
      return await fetch(this.#url + address, { ...init, headers, redirect: 'error' });
    } catch (error) {
      const cause =
        error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new ServerError(`${this.#url} cannot be reached: ${cause}.`);
    }
  }
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}

function toObject(value: unknown): Json {
  return isFields(value) ? value : {};
}

/** Calls `work` for all, some at a time; the results are in order. */
export async function mapParallel<T, R>(list: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < list.length; index = next++) {
      // Type boundary: `index` is below the length.
      results[index] = await work(list[index] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxParallel, list.length) }, worker));
  return results;
}
