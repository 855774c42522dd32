import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ProxiedConnection } from './proxied-connection.ts';
import {
  type Act,
  acts,
  answerAfter,
  StatementFault,
  type StatementFaults,
  type StatementMatch,
  sendAfter,
} from './statement-faults.ts';

/** Connections to a PostgreSQL of this machine that a test can cut, delay or let hang, at a statement or at any time. */
export class CutProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #connections = new Set<ProxiedConnection>();
  readonly #faults = new Set<StatementFault>();
  #isRefusing = false;
  #isSilent = false;
  #delayMs = 0;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async start(target: number): Promise<CutProxy> {
    const server = createServer({ allowHalfOpen: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the proxy has no port');
    const proxy = new CutProxy(server, address.port);
    server.on('connection', (socket) => proxy.#join(socket, target));
    return proxy;
  }

  /** The same database, through this proxy. */
  through(database: string): string {
    const url = new URL(database);
    url.port = String(this.port);
    return url.href;
  }

  /** Sets a fault for a statement: `proxy.at({ statement: /COMMIT/ }).cutBefore()`. */
  at(match: StatementMatch): StatementFaults {
    const arm = (act: Act, release?: () => void): StatementFault => {
      const fault = new StatementFault(match, act, () => {
        this.#faults.delete(fault);
        release?.();
      });
      this.#faults.add(fault);
      return fault;
    };
    return {
      watch: () => arm(acts.watch),
      cutBefore: () => arm(acts.cutBefore),
      cutAfterForward: () => arm(acts.cutAfterForward),
      cutAfterAnswer: () => arm(acts.cutAfterAnswer),
      cutAfterDelivery: () => arm(acts.cutAfterDelivery),
      halfClose: () => arm(acts.halfClose),
      delay: (ms) => arm(sendAfter(() => pause(ms))),
      delayAnswer: (ms) => arm(answerAfter(() => pause(ms))),
      hold: () => {
        const gate = Promise.withResolvers<void>();
        return arm(
          sendAfter(() => gate.promise),
          gate.resolve,
        );
      },
      holdAnswer: () => {
        const gate = Promise.withResolvers<void>();
        return arm(
          answerAfter(() => gate.promise),
          gate.resolve,
        );
      },
    };
  }

  /** Ends all connections; new ones work. @param application only the connections of this name */
  cutAll(application?: string): void {
    for (const connection of this.#connections)
      if (application === undefined || connection.application === application) connection.cut();
  }

  /** Ends new connections at once, until `mend`. */
  refuse(): void {
    this.#isRefusing = true;
  }

  /** From now on nothing arrives on the connections that there are, and nobody is told. New ones work. */
  freeze(): void {
    for (const connection of this.#connections) connection.silence();
  }

  /** Nothing arrives on any connection, and nobody is told. These never work again; new ones do after `mend`. */
  blackHole(): void {
    this.#isSilent = true;
    this.freeze();
  }

  /** Everything arrives so much later, in both directions, until `mend`. */
  delayAll(ms: number): void {
    this.#delayMs = ms;
  }

  /** Ends all faults; what is held goes on. */
  mend(): void {
    this.#isRefusing = false;
    this.#isSilent = false;
    this.#delayMs = 0;
    for (const fault of this.#faults) fault.disarm();
  }

  async close(): Promise<void> {
    this.mend();
    this.refuse();
    this.cutAll();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(socket: Socket, target: number): void {
    if (this.#isRefusing) {
      socket.destroy();
      return;
    }
    const server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    const connection = new ProxiedConnection(socket, server, {
      delay: async () => {
        if (this.#delayMs > 0) await pause(this.#delayMs);
      },
      findFault: (statement, application) =>
        [...this.#faults].find((fault) => fault.takes(statement, application)),
      onEnd: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    if (this.#isSilent) connection.silence();
    connection.start();
  }
}
