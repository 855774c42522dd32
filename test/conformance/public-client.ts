import { Agent, request } from 'node:http';
import type { TestServer } from '../support/server.ts';

export interface Visit {
  readonly method?: string;
  /** Host header; the server's address unless given. */
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Visited {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly bytes: Buffer;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Requests a target exactly as written, with any Host header; follows no redirect and decodes nothing. */
export function visit(
  server: Pick<TestServer, 'port'>,
  target: string,
  options: Visit = {},
): Promise<Visited> {
  return new Promise((resolve, reject) => {
    const headers = { Host: options.host ?? `127.0.0.1:${server.port}`, ...options.headers };
    const call = request(
      { agent, host: '127.0.0.1', port: server.port, path: target, method: options.method ?? 'GET', headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            header: (name) => response.headers[name]?.toString(),
            bytes,
            text: bytes.toString(),
          });
        });
      },
    );
    call.on('error', reject);
    call.end();
  });
}

/** The content of the `<body>` of a page. */
export function bodyOf({ text }: Pick<Visited, 'text'>): string {
  return /<body[^>]*>\s*([\s\S]*?)\s*<\/body>/.exec(text)?.[1] ?? '';
}
