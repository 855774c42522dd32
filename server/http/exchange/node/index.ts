/**
 * The transport that needs no binary: sockets of Node.js and llhttp, its HTTP parser, as WebAssembly. Only documented
 * interfaces of Node.js are used; `node:http` makes several objects for each request, which cost more than the rest.
 *
 *  1. A request whose framing another parser could read differently is refused and the connection closed. What
 *     the parser refuses is answered in short; what it lets through (two hosts, HTTP/1.0, absolute targets) is refused
 *     by framing.ts and here.
 *  2. A request that comes together with others waits for the answer before it. If that is not there in the next
 *     turn of the event loop, the connection is closed. So pipelined requests are answered as long as their
 *     answers are at hand, as with uWebSockets.js.
 *  3. Answers that are made in one turn go out with one write. Of what a client does not take, only bytes that lie
 *     in memory anyway are handed to the socket, or a small part; further requests then wait.
 *  4. A client that ends its side gets the answers to the requests that it has sent completely.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { SlotSet } from '../../../base/slot-set.ts';
import { StartupError } from '../../../base/startup-error.ts';
import { refusalText } from '../refused-address.ts';
import { readTlsFiles } from '../tls-files.ts';
import {
  defaultMaxConnections,
  fixedSeconds,
  type RequestHandler,
  type Transport,
  type TransportOptions,
} from '../transport.ts';
import { HeadEnds } from './head-ends.ts';
import { type Llhttp, loadLlhttp } from './llhttp.ts';
import { type ConnectionShare, NodeConnection } from './node-connection.ts';

/** As nginx and Apache. A slow client may take much longer than 10 s until the system has room for more. */
const defaultUnreadSeconds = 60;

/** Of what a client does not take, so much waits for it before further requests are held back. */
const unreadBytes = 16 * 2 ** 10;

/** How often silent connections are looked for, at least. */
const maxTickMs = 1000;
/** Part of the shortest time that a tick takes at most. */
const tickPart = 1 / 4;

export class NodeTransport implements Transport {
  readonly name = 'node';
  readonly sharing = undefined;
  readonly isFramingSure = true;
  readonly keepsUnreadHeads = false;
  readonly #server: Server;
  readonly #share: ConnectionShare;
  #handler: RequestHandler = (res) => res.close();
  readonly #sockets = new Set<Socket>();
  readonly #connections = new SlotSet<NodeConnection>();
  readonly #tickMs: number;
  #ticking: NodeJS.Timeout | undefined;

  /** @throws StartupError when the TLS files cannot be used */
  static async create(options: TransportOptions): Promise<NodeTransport> {
    return new NodeTransport(options, await loadLlhttp());
  }

  private constructor(
    {
      tls,
      maxConnections = defaultMaxConnections,
      keepAliveSeconds = fixedSeconds,
      headerSeconds = fixedSeconds,
      unreadSeconds = defaultUnreadSeconds,
    }: TransportOptions,
    llhttp: Llhttp,
  ) {
    this.#tickMs = Math.min(maxTickMs, Math.min(keepAliveSeconds, headerSeconds) * 1000 * tickPart);
    this.#share = {
      llhttp,
      headEnds: new HeadEnds(keepAliveSeconds),
      handler: (res, req, method) => this.#handler(res, req, method),
      isSecure: tls !== undefined,
      isStopping: false,
      keepAliveTicks: Math.ceil((keepAliveSeconds * 1000) / this.#tickMs),
      headTicks: Math.ceil((headerSeconds * 1000) / this.#tickMs),
      unreadMs: unreadSeconds * 1000,
    };
    const settings = { noDelay: true, allowHalfOpen: true, highWaterMark: unreadBytes };
    this.#server =
      tls === undefined
        ? createServer(settings, (socket) => this.#accept(socket))
        : createTlsServer(
            {
              ...settings,
              ...readTlsFiles(tls),
              ALPNProtocols: ['http/1.1'],
              handshakeTimeout: headerSeconds * 1000,
            },
            (socket) => this.#accept(socket),
          );
    this.#server.maxConnections = maxConnections;
    // Also a connection in the middle of a handshake is closed at the end.
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    // Node.js leaves a connection open whose handshake has failed or takes too long.
    this.#server.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy());
    // A connection that cannot be accepted is no reason to end.
    this.#server.on('error', () => {});
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
    this.#share.isStopping = true;
    this.#server.close();
    for (const connection of this.#connections) connection.stop();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(socket: Socket): void {
    const connection = new NodeConnection(socket, this.#share, () =>
      this.#connections.remove(slot, connection),
    );
    const slot = this.#connections.add(connection);
    if (this.#ticking !== undefined) return;
    this.#share.headEnds.refresh();
    this.#ticking = setInterval(() => this.#tick(), this.#tickMs).unref();
  }

  /** Counts turns and not time: a server that stood still has not looked whether its clients were silent. */
  #tick(): void {
    this.#share.headEnds.refresh();
    for (const connection of this.#connections) connection.tick();
    if (this.#connections.size > 0) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }
}
