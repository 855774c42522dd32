import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Connections to a port of this machine that a test can cut, or let hang without an end. */
export class CutProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isCut = false;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async start(target: number): Promise<CutProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the proxy has no port');
    const proxy = new CutProxy(server, address.port);
    server.on('connection', (socket) => proxy.#join(socket, target));
    return proxy;
  }

  /** Ends all connections, and refuses new ones until `mend`. */
  cut(): void {
    this.#isCut = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** From now on nothing arrives on the connections that there are, and nobody is told. */
  freeze(): void {
    for (const [one, other] of this.#pairs) {
      one.unpipe(other);
      other.unpipe(one);
      one.pause();
      other.pause();
    }
  }

  mend(): void {
    this.#isCut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #join(socket: Socket, target: number): void {
    if (this.#isCut) {
      socket.destroy();
      return;
    }
    const other = connect(target, '127.0.0.1');
    const pair = [socket, other] as const;
    this.#pairs.add(pair);
    const end = (): void => {
      this.#pairs.delete(pair);
      socket.destroy();
      other.destroy();
    };
    for (const one of pair) one.on('error', end).on('close', end).setNoDelay(true);
    socket.pipe(other);
    other.pipe(socket);
  }
}
