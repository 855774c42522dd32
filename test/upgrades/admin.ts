import { type ApiAnswer, asRecord, call } from '../support/api.ts';
import { idOf } from '../support/content.ts';
import type { TestServer } from '../support/server.ts';
import { withSession } from '../support/session.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Nobody listens there, so that a state asks no other program. */
export const nobody = 'http://127.0.0.1:9';

/** Calls of one administrator. */
export class Admin {
  readonly server: TestServer;
  readonly #session: string;

  constructor(server: TestServer, session: string) {
    this.server = server;
    this.#session = session;
  }

  async send(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const answer = await call(this.server, method, path, withSession(this.#session, body));
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  async post(path: string, body?: unknown): Promise<Fields> {
    return asRecord((await this.send('POST', path, body)).body);
  }

  async put(path: string, body: unknown): Promise<Fields> {
    return asRecord((await this.send('PUT', path, body)).body);
  }

  async create(path: string, body: Fields): Promise<number> {
    return idOf(await this.post(path, body));
  }

  async list(path: string): Promise<Fields[]> {
    const { body } = await this.send('GET', path);
    return Array.isArray(body) ? body.map(asRecord) : [];
  }
}
