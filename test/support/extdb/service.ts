import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FakeRow, fakeRows } from './rows.ts';

export interface FakeRequest {
  readonly method: string;
  /** Decoded path. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface FakeAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A database service on this machine. */
export interface FakeService {
  readonly url: string;
  readonly seen: FakeRequest[];
  rows: FakeRow[];
  /** Most rows of a page, as the operator of the service has set it. */
  maxRows: number;
  /** Answers in place of the service, for its faults. */
  override: ((request: FakeRequest) => FakeAnswer | undefined) | undefined;
  close(): Promise<void>;
}

export type Protocol = (request: FakeRequest, service: FakeService) => FakeAnswer;

export async function startService(protocol: Protocol): Promise<FakeService> {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://x');
    const request: FakeRequest = {
      method: incoming.method ?? '',
      path: decodeURIComponent(pathname),
      query: searchParams,
      headers: incoming.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    service.seen.push(request);
    const { status, body, headers } = service.override?.(request) ?? protocol(request, service);
    const isText = typeof body === 'string';
    response.writeHead(status, { 'Content-Type': isText ? 'text/html' : 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Type boundary: a server that listens on a port.
  const { port } = server.address() as AddressInfo;
  const service: FakeService = {
    url: `http://127.0.0.1:${port}`,
    seen: [],
    rows: fakeRows(),
    maxRows: 1000,
    override: undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}
