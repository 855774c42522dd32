import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { asRecord } from './api.ts';

/** A request that a receiver got. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body. */
  readonly body: Record<string, unknown>;
}

/** An HTTP server that keeps what it is sent. */
export class Receiver {
  readonly received: Received[] = [];
  /** Statuses of the next answers; 204 when there are no more. */
  readonly statuses: number[] = [];
  /** Whether requests are kept and never answered. */
  isSilent = false;
  /** Called with each request before it is answered. */
  onRequest: (received: Received) => Promise<void> | void = () => {};
  readonly #server: Server;
  readonly #waiting: { readonly count: number; resolve(): void }[] = [];

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      const received = { headers: request.headers, text, body: asRecord(JSON.parse(text)) };
      this.received.push(received);
      await this.onRequest(received);
      const status = this.statuses.shift() ?? 204;
      if (!this.isSilent) response.writeHead(status, status === 301 ? { Location: '/elsewhere' } : {}).end();
      for (const { count, resolve } of this.#waiting) if (this.received.length >= count) resolve();
    });
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the receiver does not listen');
    return `http://127.0.0.1:${address.port}/hook`;
  }

  /** Resolves when at least `count` requests have come in all. */
  until(count: number): Promise<void> {
    if (this.received.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Whether both signatures of a delivery are right. */
export function isSigned({ headers, text }: Received, secret: string): boolean {
  const sign = (message: string) => `sha256=${createHmac('sha256', secret).update(message).digest('hex')}`;
  return (
    headers['x-ic-signature'] === sign(text) &&
    headers['x-ic-signature-v2'] === sign(`${headers['x-ic-timestamp']}.${text}`)
  );
}

/** Timers that fire when the test says so. */
export class ManualTimers {
  #planned: { readonly ms: number; readonly task: () => void }[] = [];

  readonly later = (ms: number, task: () => void): (() => void) => {
    const entry = { ms, task };
    this.#planned.push(entry);
    return () => {
      this.#planned = this.#planned.filter((other) => other !== entry);
    };
  };

  /** The times of the planned tasks, in milliseconds. */
  get planned(): readonly number[] {
    return this.#planned.map(({ ms }) => ms);
  }

  /** Runs the tasks that are planned now: all, or those of one time in milliseconds. */
  fire(only?: number): void {
    const due = this.#planned.filter(({ ms }) => only === undefined || ms === only);
    this.#planned = this.#planned.filter((entry) => !due.includes(entry));
    for (const { task } of due) task();
  }
}
