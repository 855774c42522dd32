import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Outgoing, type OutgoingOptions } from '../../../server/http/outgoing/client.ts';

/** A public address that belongs to nobody in these tests; connections to it go to this machine. */
export const publicAddress = '93.184.216.34';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server on this machine that stands for all hosts, with the requests it has seen. */
export interface FakeInternet {
  readonly port: number;
  readonly seen: SeenRequest[];
  /** Answers of the name service by host; may be changed at any time. */
  readonly names: Map<string, readonly string[]>;
  readonly resolved: string[];
  client(options?: Partial<OutgoingOptions>): Outgoing;
  close(): Promise<void>;
}

export type Answer = (request: SeenRequest, response: ServerResponse) => void;

export async function startFakeInternet(answer: Answer): Promise<FakeInternet> {
  const seen: SeenRequest[] = [];
  const server = await listen((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, path: url, host: headers.host ?? '', headers, body };
      seen.push(one);
      answer(one, response);
    });
  });
  const names = new Map<string, readonly string[]>();
  const resolved: string[] = [];
  const clients: Outgoing[] = [];
  return {
    port: portOf(server),
    seen,
    names,
    resolved,
    client(options = {}) {
      const client = new Outgoing({
        rules: { mode: 'open', allow: [] },
        async resolve(host) {
          resolved.push(host);
          const addresses = names.get(host);
          if (addresses === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
          return addresses;
        },
        route: (address) => (address === publicAddress ? '127.0.0.1' : address),
        ...options,
      });
      clients.push(client);
      return client;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address.port;
}
