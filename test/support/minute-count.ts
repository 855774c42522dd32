import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

const minuteMs = 60_000;

/** Counts requests by minute. One is expected in each. */
export class MinuteCount {
  readonly #server: Server;
  readonly #counts = new Map<number, number>();
  #firstMinute = Number.POSITIVE_INFINITY;

  private constructor() {
    this.#server = createServer((_request, response) => {
      const minute = Math.floor(Date.now() / minuteMs);
      this.#counts.set(minute, (this.#counts.get(minute) ?? 0) + 1);
      response.writeHead(204).end();
    });
  }

  static async start(): Promise<MinuteCount> {
    const count = new MinuteCount();
    count.#server.listen(0, '127.0.0.1');
    await once(count.#server, 'listening');
    return count;
  }

  get url(): string {
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the count does not listen');
    return `http://127.0.0.1:${address.port}/`;
  }

  /** From the next whole minute on one request is expected in each. */
  begin(): void {
    this.#firstMinute = Math.floor(Date.now() / minuteMs) + 1;
  }

  /** Descriptions of minutes with several requests and with none; the minute that runs is left out. */
  result(): { readonly minutes: number; readonly twice: string[]; readonly never: string[] } {
    const twice: string[] = [];
    const never: string[] = [];
    const now = Math.floor(Date.now() / minuteMs);
    for (let minute = this.#firstMinute; minute < now; minute++) {
      const count = this.#counts.get(minute) ?? 0;
      const text = `${new Date(minute * minuteMs).toISOString()}: ${count} runs`;
      if (count > 1) twice.push(text);
      if (count === 0) never.push(text);
    }
    return { minutes: Math.max(0, now - this.#firstMinute), twice, never };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
