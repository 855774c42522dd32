import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { asRecord, call, callOk } from './api.ts';
import type { TestServer } from './server.ts';

/** What a website answers at a path: a text, bytes, or all of an answer. */
export type OriginAnswer =
  | string
  | Uint8Array
  | {
      readonly status?: number;
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
    }
  | ((request: OriginRequest, response: ServerResponse) => OriginAnswer | undefined);

export interface OriginRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Another website, with pages by path (with query). Paths that it does not have are 404. */
export class Origin {
  readonly requests: OriginRequest[] = [];
  readonly pages: Map<string, OriginAnswer>;
  readonly #server: Server;

  constructor(pages: Readonly<Record<string, OriginAnswer>> = {}) {
    this.pages = new Map(Object.entries(pages));
    this.#server = createServer((request, response) => {
      const received = { path: request.url ?? '/', headers: request.headers };
      this.requests.push(received);
      const found = this.pages.get(received.path) ?? this.pages.get(received.path.replace(/\?.*$/, '?*'));
      this.#answer(found ?? { status: 404, body: '<h1>Not found</h1>' }, received, response);
    });
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** Host with port. */
  get host(): string {
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the origin does not listen');
    return `127.0.0.1:${address.port}`;
  }

  /** An address of it. */
  url(path = '/'): string {
    return `http://${this.host}${path}`;
  }

  /** The paths that were asked for since the last call. */
  takeRequests(): string[] {
    return this.requests.splice(0).map(({ path }) => path);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(answer: OriginAnswer, request: OriginRequest, response: ServerResponse): void {
    if (typeof answer === 'function') {
      const made = answer(request, response);
      if (made !== undefined) this.#answer(made, request, response);
      return;
    }
    const isPlain = typeof answer === 'string' || answer instanceof Uint8Array;
    const { status = 200, type, headers = {}, body = '' } = isPlain ? { body: answer } : answer;
    response.writeHead(status, { 'Content-Type': type ?? typeOf(request.path), ...headers }).end(body);
  }
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'text/javascript',
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  txt: 'text/plain',
  xml: 'application/xml',
};

function typeOf(path: string): string {
  return types[/\.([a-z]+)(?:\?.*)?$/.exec(path)?.[1] ?? ''] ?? 'text/html; charset=utf-8';
}

/** Starts a scan or an import and resolves with the job when it has ended. */
export async function runJob(
  server: Pick<TestServer, 'url'>,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const started = await call(server, 'POST', path, { body });
  if (started.status !== 202)
    throw new Error(`POST ${path}: ${started.status} ${JSON.stringify(started.body)}`);
  return endOf(server, String(asRecord(started.body)['id']));
}

/** Resolves with a job when it has ended. */
export async function endOf(server: Pick<TestServer, 'url'>, id: string): Promise<Record<string, unknown>> {
  for (;;) {
    // Asking all the time would slow the job down, and keep this process from noticing closed connections.
    await pause(20);
    const job = await callOk(server, 'GET', `/import/jobs/${id}`);
    if (job['status'] !== 'running') return job;
  }
}

/** Codes of the log of a job with the paths that they are about. */
export function logOf(job: Record<string, unknown>): string[] {
  const log: unknown = job['log'];
  return (Array.isArray(log) ? log : []).map((entry) => {
    const { code, url } = asRecord(entry);
    return `${code} ${typeof url === 'string' ? new URL(url).pathname : ''}`.trim();
  });
}
