import type { IncomingMessage } from 'node:http';
import type { RequestHead } from '../transport.ts';

export class NodeRequestHead implements RequestHead {
  readonly #path: string;
  readonly #query: string;
  /** Names and values in turn. */
  readonly #headers: readonly string[];

  constructor({ url = '', rawHeaders }: IncomingMessage) {
    const mark = url.indexOf('?');
    this.#path = decoded(mark < 0 ? url : url.slice(0, mark));
    this.#query = mark < 0 ? '' : decoded(url.slice(mark + 1));
    this.#headers = rawHeaders;
  }

  getUrl(): string {
    return this.#path;
  }

  getQuery(): string {
    return this.#query;
  }

  getHeader(name: string): string {
    const headers = this.#headers;
    for (let index = 0; index < headers.length; index += 2) {
      const candidate = headers[index] ?? '';
      if (candidate.length === name.length && candidate.toLowerCase() === name)
        return decoded(headers[index + 1] ?? '');
    }
    return '';
  }

  forEach(visit: (name: string, value: string) => void): void {
    const headers = this.#headers;
    for (let index = 0; index < headers.length; index += 2)
      visit((headers[index] ?? '').toLowerCase(), decoded(headers[index + 1] ?? ''));
  }
}

/** Node.js reads bytes as Latin-1, uWebSockets.js as UTF-8; answers must not depend on the transport. */
function decoded(text: string): string {
  return /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}
