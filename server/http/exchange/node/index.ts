/**
 * Node's own HTTP server, for machines for which there is no binary of uWebSockets.js. It keeps the same rules:
 *
 *  1. A request whose framing another parser could read differently is refused and the connection closed. What
 *     the parser refuses itself is answered in short; what it lets through (two hosts, HTTP/1.0, absolute targets)
 *     is refused by framing.ts and here.
 *  2. A request that comes together with others waits for the answer before it. If that is not there in the next
 *     turn of the event loop, the connection is closed. So pipelined requests are answered as long as their
 *     answers are at hand, as with uWebSockets.js.
 *  3. Of an answer at most `windowBytes` are handed to the socket beyond what the client has taken.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { StartupError } from '../../../base/startup-error.ts';
import { noSharing } from '../../shared-responses.ts';
import { plainRefusal } from '../answers.ts';
import { refusalText } from '../refused-address.ts';
import { readTlsFiles } from '../tls-files.ts';
import {
  defaultMaxConnections,
  fixedSeconds,
  maxHeaderBytes,
  maxHeaders,
  type RequestHandler,
  type Transport,
  type TransportOptions,
} from '../transport.ts';
import { NodeRequestHead } from './request-head.ts';
import { NodeResponder } from './responder.ts';

export class NodeTransport implements Transport {
  readonly name = 'node';
  readonly sharing = noSharing;
  readonly #server: Server;
  #handler: RequestHandler = (res) => res.close();
  readonly #connections = new WeakMap<Socket, Connection>();

  /** @throws StartupError when the TLS files cannot be used */
  constructor({
    tls,
    maxConnections = defaultMaxConnections,
    keepAliveSeconds = fixedSeconds,
    headerSeconds = fixedSeconds,
  }: TransportOptions) {
    const settings = {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headerSeconds * 1000,
      keepAliveTimeout: keepAliveSeconds * 1000,
      connectionsCheckingInterval: 1000,
      // The front itself bounds the time of bodies (body-time.ts), because a large upload may be slow.
      requestTimeout: 0,
      // A missing Host is answered like a bad one.
      requireHostHeader: false,
    };
    this.#server =
      tls === undefined ? createServer(settings) : createTlsServer({ ...settings, ...readTlsFiles(tls) });
    // Beyond a limit the parser drops headers silently, so the number is checked here.
    this.#server.maxHeadersCount = 0;
    this.#server.maxConnections = maxConnections;
    const answer = (req: IncomingMessage, res: ServerResponse): void => this.#answer(req, res);
    this.#server.on('request', answer).on('checkContinue', answer).on('checkExpectation', answer);
    this.#server.on('connect', (_req, socket: Socket) => this.#refuse(socket, '405 Method Not Allowed'));
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
      this.#refuse(socket, refusals.get(error.code ?? '') ?? '400 Bad Request'),
    );
  }

  handleWith(handler: RequestHandler): void {
    this.#handler = handler;
  }

  async listen(host: string, port: number): Promise<number> {
    const server = this.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(new StartupError(refusalText(host, port, error.code ?? ''), { cause: error })),
      );
      server.listen({ port, exclusive: true, ...(host === '' ? {} : { host }) }, resolve);
    });
    // Type boundary: a server that listens on a port has an address of this form.
    return (server.address() as AddressInfo).port;
  }

  stopAccepting(): void {
    this.#server.close();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(req: IncomingMessage, res: ServerResponse): void {
    const connection = this.#connections.get(req.socket) ?? new Connection(req.socket, this.#handler);
    this.#connections.set(req.socket, connection);
    connection.answer(req, res);
  }

  #refuse(socket: Socket, status: string): void {
    if (socket.writable && this.#connections.get(socket)?.mayBeRefused !== false) {
      const head = `HTTP/1.1 ${headOf(status)}\r\nContent-Length: ${status.length}\r\nConnection: close`;
      socket.end(`${head}\r\n\r\n${status}`, () => socket.destroy());
    } else if (this.#connections.get(socket)?.isClosing !== true) {
      socket.destroy();
    }
  }
}

/** The requests of one connection, answered one after the other. */
class Connection {
  readonly #socket: Socket;
  readonly #handler: RequestHandler;
  #newest: NodeResponder | undefined;
  #waiting: (() => void)[] = [];
  #isStarting = false;

  constructor(socket: Socket, handler: RequestHandler) {
    this.#socket = socket;
    this.#handler = handler;
  }

  answer(req: IncomingMessage, res: ServerResponse): void {
    if (this.isClosing) return;
    const start = (): void => {
      const responder = new NodeResponder(req, res, () => this.#startNext());
      this.#newest = responder;
      const refusal = refusalOf(req);
      if (refusal === undefined) this.#handler(responder, new NodeRequestHead(req), req.method ?? '');
      else responder.writeStatus(headOf(refusal)).end(refusal, true);
    };
    this.#waiting.push(start);
    this.#startNext();
    if (this.#waiting.length === 1) setImmediate(() => this.#closeIfWaiting());
  }

  /** Whether the connection closes by itself after the answer that has been written last. */
  get isClosing(): boolean {
    return this.#newest?.isLast === true;
  }

  /** Whether what cannot be read may be answered: nothing else is on its way to the client. */
  get mayBeRefused(): boolean {
    const newest = this.#newest;
    return !this.isClosing && (newest === undefined || newest.isSent || newest.isUnanswered);
  }

  /** Starts waiting requests as long as the one before is answered at once. */
  #startNext(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    while (!this.isClosing && this.#newest?.isEnded !== false) {
      const start = this.#waiting.shift();
      if (start === undefined) break;
      start();
    }
    this.#isStarting = false;
  }

  #closeIfWaiting(): void {
    if (this.#waiting.length > 0 && !this.isClosing) this.#socket.destroy();
    this.#waiting = [];
  }
}

/** The answers to what the parser refuses; everything else is 400. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

function refusalOf({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1') return '505 HTTP Version Not Supported';
  return rawHeaders.length > maxHeaders * 2 ? '431 Request Header Fields Too Large' : undefined;
}

function headOf(status: string): string {
  const lines = plainRefusal(status).headers.map(([name, value]) => `\r\n${name}: ${value}`);
  return status + lines.join('') + (status.startsWith('405') ? '\r\nAllow: GET, HEAD' : '');
}
