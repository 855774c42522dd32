import type { ProxiedConnection } from './proxied-connection.ts';

/** The statements that a fault waits for. One message can have several statements, such as `...; COMMIT; ...`. */
export interface StatementMatch {
  readonly statement: RegExp;
  /** `application_name` of the connection, such as `incipit content writer`. Default: every connection. */
  readonly application?: string;
  /** How many messages that match pass first; default: none. */
  readonly skip?: number;
  /** How many messages the fault acts on; default: 1. */
  readonly times?: number;
}

/** A fault that is set. It acts when its statement comes. */
export interface ArmedFault {
  /** How often it has acted. */
  readonly count: number;
  /** Resolves when it has acted so often; default: once. */
  happened(count?: number): Promise<void>;
  disarm(): void;
}

export interface HeldStatements extends ArmedFault {
  /** Lets what is held go on, and disarms the fault. */
  release(): void;
}

/** What can be done with a statement. */
export interface StatementFaults {
  /** Forwards it as ever, and tells. */
  watch(): ArmedFault;
  /** Ends the connection on both sides, and PostgreSQL never sees the statement. */
  cutBefore(): ArmedFault;
  /** Ends the connection to the node as soon as the statement is on its way. PostgreSQL runs it to its end. */
  cutAfterForward(): ArmedFault;
  /** Ends the connection to the node when PostgreSQL has answered; the node does not get that answer. */
  cutAfterAnswer(): ArmedFault;
  /** Ends the connection when the node has the answer, so that the end is the next thing it sees. */
  cutAfterDelivery(): ArmedFault;
  /** Forwards it later; what the node sends behind it waits as well. */
  delay(ms: number): ArmedFault;
  /** Forwards it when it is released; what the node sends behind it waits as well. */
  hold(): HeldStatements;
  /** Forwards it; the node gets the answer so much later. */
  delayAnswer(ms: number): ArmedFault;
  /** Forwards it; the node gets the answer when it is released. It counts when PostgreSQL has answered. */
  holdAnswer(): HeldStatements;
  /** Forwards it, and then tells the node that nothing will come any more. */
  halfClose(): ArmedFault;
}

/** Acts on a message instead of forwarding it, and tells when that has happened. */
export type Act = (connection: ProxiedConnection, message: Buffer, tell: () => void) => Promise<void>;

export const acts = {
  async watch(connection, message, tell) {
    await connection.send(message);
    tell();
  },
  async cutBefore(connection, _message, tell) {
    connection.cut();
    tell();
  },
  async cutAfterForward(connection, message, tell) {
    await connection.send(message);
    connection.leave();
    tell();
  },
  async cutAfterAnswer(connection, message, tell) {
    await connection.sendForNoAnswer(message);
    connection.cut();
    tell();
  },
  async cutAfterDelivery(connection, message, tell) {
    await connection.sendAndDeliver(message);
    connection.cut();
    tell();
  },
  async halfClose(connection, message, tell) {
    await connection.send(message);
    connection.endToClient();
    tell();
  },
} as const satisfies Record<string, Act>;

/** The client gets the answer once this resolves. */
export const answerAfter =
  (wait: () => Promise<void>): Act =>
  async (connection, message, tell) => {
    await connection.sendAndHoldAnswer(message, wait());
    tell();
  };

/** Sends a message once this resolves. */
export const sendAfter =
  (wait: () => Promise<void>): Act =>
  async (connection, message, tell) => {
    tell();
    await wait();
    await connection.send(message);
  };

export class StatementFault implements HeldStatements {
  readonly #match: StatementMatch;
  readonly #act: Act;
  readonly #leave: () => void;
  readonly #waiters = new Set<{ readonly count: number; resolve(): void }>();
  #skipCount: number;
  #takeCount: number;
  count = 0;

  /** @param leave called when it is disarmed */
  constructor(match: StatementMatch, act: Act, leave: () => void) {
    this.#match = match;
    this.#act = act;
    this.#leave = leave;
    this.#skipCount = match.skip ?? 0;
    this.#takeCount = match.times ?? 1;
  }

  /** Whether it acts on a statement, which is counted. */
  takes(statement: string, application: string | undefined): boolean {
    const wanted = this.#match.application;
    if (this.#takeCount === 0 || (wanted !== undefined && wanted !== application)) return false;
    if (statement.search(this.#match.statement) === -1) return false;
    if (this.#skipCount > 0) {
      this.#skipCount -= 1;
      return false;
    }
    this.#takeCount -= 1;
    return true;
  }

  act(connection: ProxiedConnection, message: Buffer): Promise<void> {
    return this.#act(connection, message, () => this.#tell());
  }

  happened(count = 1): Promise<void> {
    if (this.count >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.add({ count, resolve }));
  }

  disarm(): void {
    this.#takeCount = 0;
    this.#leave();
  }

  release(): void {
    this.disarm();
  }

  #tell(): void {
    this.count += 1;
    for (const waiter of this.#waiters) {
      if (waiter.count > this.count) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}
