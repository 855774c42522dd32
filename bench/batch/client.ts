import { Pool } from 'undici';

/** Sends requests with a token; throws for an answer that is not a success. */
export class ApiClient {
  readonly #pool: Pool;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, token: string, connections: number) {
    this.#pool = new Pool(url, { connections });
    this.#headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  }

  /** @param body JSON that was written before, so that writing it is not measured */
  async send(method: 'GET' | 'POST' | 'PUT', path: string, body: string): Promise<unknown> {
    const sent = method === 'GET' ? {} : { body };
    const answer = await this.#pool.request({
      ...{ method, path: `/api/v1${path}`, headers: this.#headers },
      ...sent,
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Reads an answer of any form as a whole. */
  async read(path: string): Promise<void> {
    const { body, statusCode } = await this.#pool.request({
      ...{ method: 'GET', path: `/api/v1${path}`, headers: this.#headers },
    });
    const text = await body.text();
    if (statusCode >= 300) throw new Error(`GET ${path} answered ${statusCode}: ${text}`);
  }

  /** Sends a request and resolves with the ID in its answer. */
  async create(path: string, body: object): Promise<number> {
    return idOf(await this.send('POST', path, JSON.stringify(body)));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

export function idOf(answer: unknown): number {
  const id: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'id') : undefined;
  if (typeof id !== 'number') throw new Error(`an answer has no ID: ${JSON.stringify(answer)}`);
  return id;
}
