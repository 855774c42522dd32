import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { refusalOfSignature } from './s3-signature.ts';

/** Keys of every test server. */
const s3Keys = { access_key: 'S3RVER', secret_key: 'S3RVER' };
const bucket = 'media';

/** What happens to a request on its way. `truncate`: half of the body arrives, then the connection ends. */
export type Fault = 'reset' | 'silence' | 'truncate' | { readonly status: number; readonly code: string };

export interface SeenS3Request {
  readonly method: string;
  /** Path with the bucket, and the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/**
 * An S3-compatible server in a process of its own, behind a proxy that can do damage. The proxy also does what the
 * server lacks: it checks signatures and hashes, lists and aborts uploads in parts, and no object comes or goes while
 * objects are listed (the server fails then).
 */
export interface S3Server {
  /** Address of the proxy. */
  readonly endpoint: string;
  /** All requests since the last look. */
  readonly seen: SeenS3Request[];
  /** Most objects in one part of a listing; undefined: 1,000. */
  pageSize: number | undefined;
  /** Names of the objects whose upload in parts was begun and not ended, by the ID of the upload. */
  readonly unfinished: Map<string, string>;
  /** Decides on the fault of each request; undefined: none. */
  fault: ((request: SeenS3Request) => Fault | undefined) | undefined;
  /** What each request waits for before it goes on; undefined: nothing. */
  hold: ((request: SeenS3Request) => Promise<void> | undefined) | undefined;
  /** A configuration for the API, with a bucket that exists. */
  readonly config: Readonly<Record<string, string | boolean>>;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('../../node_modules/s3rver/bin/s3rver.js', import.meta.url));

export async function startS3(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-s3-'));
  const buckets = [bucket, 'other'].flatMap((name) => ['--configure-bucket', name]);
  // Its listings have tokens that it encrypts with DES.
  const child = spawn(
    process.execPath,
    ['--openssl-legacy-provider', program, '-s', '-d', folder, '-a', '127.0.0.1', '-p', '0', ...buckets],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const port = await portOf(child);
  const seen: SeenS3Request[] = [];
  const agent = new Agent({ keepAlive: true });
  const turns = new Turns();
  const handle = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = incoming;
    const one = { method, path: url, headers };
    seen.push(one);
    await server.hold?.(one);
    const fault = server.fault?.(one);
    if (fault !== undefined && fault !== 'truncate') return damage(incoming, answer, fault);
    const body = await buffer(incoming);
    const refusal = await refusalOfSignature(incoming, body, s3Keys);
    if (refusal !== undefined) return damage(incoming, answer, refusal);
    if (answerAboutParts(one, answer, server.unfinished)) return;
    const isListing = method === 'GET' && url.includes('list-type=');
    const path = isListing && server.pageSize !== undefined ? `${url}&max-keys=${server.pageSize}` : url;
    const send = () => forward({ ...one, path, body }, answer, { port, agent, cuts: fault === 'truncate' });
    await (isListing ? turns.alone(send) : turns.shared(send));
  };
  const proxy = createServer((incoming, answer) => {
    handle(incoming, answer).catch(() => answer.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  // Type boundary: a server that listens on a port has an address.
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const server: S3Server = {
    endpoint,
    seen,
    pageSize: undefined,
    unfinished: new Map(),
    fault: undefined,
    hold: undefined,
    config: { endpoint, region: '', bucket, prefix: '', path_style: true, ...s3Keys },
    async stop() {
      proxy.closeAllConnections();
      proxy.close();
      agent.destroy();
      child.kill();
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('the S3 server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, digits] = /listening on .*:(\d+)$/.exec(line) ?? [];
    if (digits !== undefined) return Number(digits);
  }
  throw new Error('the S3 server ended before it listened');
}

/** Sends a request on; resolves when its answer has ended. */
function forward(
  { method, path, headers, body }: SeenS3Request & { readonly body: Buffer },
  answer: ServerResponse,
  { port, agent, cuts }: { port: number; agent: Agent; cuts: boolean },
): Promise<void> {
  const onward = request({ host: '127.0.0.1', port, agent, method, path, headers }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    if (cuts) cut(reply, answer);
    else reply.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  answer.on('error', () => onward.destroy());
  onward.end(body);
  return new Promise((resolve) => answer.on('close', resolve));
}

/** Keeps the list of unfinished uploads, and answers what the server does not know: two uploads in one listing. */
function answerAboutParts(
  { method, path }: SeenS3Request,
  answer: ServerResponse,
  unfinished: Map<string, string>,
): boolean {
  const { pathname, searchParams } = new URL(path, 'http://s3.test');
  const uploadId = searchParams.get('uploadId');
  if (uploadId !== null && method === 'PUT')
    unfinished.set(uploadId, decodeURIComponent(pathname.split('/').slice(2).join('/')));
  else if (uploadId !== null) unfinished.delete(uploadId);
  const isListing = method === 'GET' && searchParams.has('uploads');
  if (!isListing && !(uploadId !== null && method === 'DELETE')) return false;
  answer.writeHead(isListing ? 200 : 204, { 'Content-Type': 'application/xml' });
  const after = searchParams.get('upload-id-marker') ?? '';
  const left = [...unfinished].sort().filter(([id]) => id > after);
  const shown = left.slice(0, 2);
  const uploads = shown.map(([id, name]) => `<Upload><Key>${name}</Key><UploadId>${id}</UploadId></Upload>`);
  const [lastId, lastName] = shown.at(-1) ?? ['', ''];
  const next = `<NextKeyMarker>${lastName}</NextKeyMarker><NextUploadIdMarker>${lastId}</NextUploadIdMarker>`;
  const isCut = `<IsTruncated>${left.length > shown.length}</IsTruncated>`;
  const list = `<ListMultipartUploadsResult>${uploads.join('')}${next}${isCut}</ListMultipartUploadsResult>`;
  answer.end(isListing ? list : '');
  return true;
}

/** Half of the body, then the end of the connection. */
function cut(reply: IncomingMessage, answer: ServerResponse): void {
  const half = Math.floor(Number(reply.headers['content-length'] ?? 0) / 2);
  let sent = 0;
  reply.on('data', (chunk: Buffer) => {
    answer.write(chunk.subarray(0, Math.max(0, half - sent)));
    sent += chunk.length;
    if (sent >= half) answer.socket?.end();
  });
}

/** Lets work run together, or alone. */
class Turns {
  #running = new Set<Promise<void>>();
  #last: Promise<unknown> = Promise.resolve();

  async shared(work: () => Promise<void>): Promise<void> {
    await this.#last;
    const running = work().finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  alone(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(async () => {
      await Promise.allSettled(this.#running);
      await work();
    });
    this.#last = turn.catch(() => {});
    return turn;
  }
}

function damage(incoming: IncomingMessage, answer: ServerResponse, fault: Exclude<Fault, 'truncate'>): void {
  incoming.on('error', () => {});
  if (fault === 'silence') return;
  if (fault === 'reset') {
    incoming.socket.resetAndDestroy();
    return;
  }
  incoming.resume();
  const body = `<?xml version="1.0"?><Error><Code>${fault.code}</Code><Message>injected</Message></Error>`;
  answer.writeHead(fault.status, {
    'Content-Type': 'application/xml',
    'Content-Length': Buffer.byteLength(body),
  });
  answer.end(incoming.method === 'HEAD' ? '' : body);
}
