import { expect } from 'vitest';
import { masterToken } from './server.ts';

export interface StreamedEvent {
  readonly id: number;
  readonly event: string | undefined;
  readonly data: unknown;
}

/** An event stream that is read event by event, comments too. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #abort: AbortController;
  #text = '';

  private constructor(response: Response, abort: AbortController) {
    if (response.body === null) throw new Error('the stream has no body');
    this.#reader = response.body.getReader();
    this.#abort = abort;
  }

  /** @param path below `/api/v1` @param headers in place of the master token where they have a credential */
  static async open(
    url: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<EventReader> {
    const abort = new AbortController();
    const credential = 'Cookie' in headers ? {} : { Authorization: `Bearer ${masterToken}` };
    const response = await fetch(`${url}/api/v1${path}`, {
      headers: { Accept: 'text/event-stream', ...credential, ...headers },
      signal: abort.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    return new EventReader(response, abort);
  }

  /** The next block; undefined at the end. */
  async block(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return block;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  async next(): Promise<StreamedEvent> {
    const lines = new Map(
      (await this.block())?.split('\n').map((line) => {
        const colon = line.indexOf(': ');
        return [line.slice(0, colon), line.slice(colon + 2)] as const;
      }),
    );
    const data = lines.get('data');
    return { id: Number(lines.get('id')), event: lines.get('event'), data: data && JSON.parse(data) };
  }

  /** Resolves when the server has ended the stream, whatever comes before. */
  async end(): Promise<void> {
    while ((await this.block()) !== undefined);
  }

  close(): void {
    this.#abort.abort();
  }
}
