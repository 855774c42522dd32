import { once } from 'node:events';
import type { Socket } from 'node:net';
import { findApplicationName, findStatement, isReadyForQuery, MessageSplitter } from './postgres-messages.ts';

interface MessageFault {
  act(connection: ProxiedConnection, message: Buffer): Promise<void>;
}

export interface ConnectionRules {
  /** Resolves when something that has arrived may go on. */
  delay(): Promise<void>;
  /** What acts on a statement instead of forwarding it. */
  findFault(statement: string, application: string | undefined): MessageFault | undefined;
  onEnd(): void;
}

/** When PostgreSQL has answered a statement, and when the client has that. */
class Answer {
  readonly arrived = Promise.withResolvers<void>();
  readonly delivered = Promise.withResolvers<void>();

  end(): void {
    this.arrived.resolve();
    this.delivered.resolve();
  }
}

/** A connection of a client, and the one to PostgreSQL that belongs to it. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #rules: ConnectionRules;
  #isSilent = false;
  /** Whether what PostgreSQL answers is thrown away. */
  #isAnswerDropped = false;
  /** What PostgreSQL answers waits for this. */
  #hold: Promise<void> | undefined;
  /** The answer that comes next. */
  #answer = new Answer();
  application: string | undefined;

  constructor(client: Socket, server: Socket, rules: ConnectionRules) {
    this.#client = client;
    this.#server = server;
    this.#rules = rules;
  }

  start(): void {
    for (const socket of [this.#client, this.#server]) socket.on('error', () => this.#end()).setNoDelay(true);
    this.#server.on('close', () => this.#end());
    void this.#run(() => this.#forwardToServer());
    void this.#run(() => this.#forwardToClient());
  }

  /** Ends both sides; what was written to the client arrives. */
  cut(): void {
    this.#client.destroySoon();
    this.#server.destroy();
    this.#answer.end();
    this.#rules.onEnd();
  }

  /** One side has ended; of a silent connection nobody is told. */
  #end(): void {
    if (!this.#isSilent) this.cut();
  }

  /** Ends the side of the client; PostgreSQL finishes what it has. */
  leave(): void {
    this.#isAnswerDropped = true;
    void this.#answer.arrived.promise.then(() => this.cut());
    this.#client.destroy();
  }

  /** Tells the client that nothing will come any more. */
  endToClient(): void {
    this.#isAnswerDropped = true;
    this.#client.end();
  }

  /** Throws away whatever comes from now on. */
  silence(): void {
    this.#isSilent = true;
  }

  async send(message: Buffer): Promise<void> {
    this.#answer = new Answer();
    await write(this.#server, message);
  }

  /** Resolves when the client has the answer. */
  async sendAndDeliver(message: Buffer): Promise<void> {
    await this.send(message);
    await this.#answer.delivered.promise;
  }

  /** Resolves when PostgreSQL has answered, which the client does not see. */
  async sendForNoAnswer(message: Buffer): Promise<void> {
    this.#isAnswerDropped = true;
    await this.send(message);
    await this.#answer.arrived.promise;
  }

  /** Resolves when PostgreSQL has answered; the client gets that after `hold`. */
  async sendAndHoldAnswer(message: Buffer, hold: Promise<void>): Promise<void> {
    this.#hold = hold;
    await this.send(message);
    await this.#answer.arrived.promise;
  }

  async #run(forward: () => Promise<void>): Promise<void> {
    try {
      await forward();
    } catch {
      // A client that was left has no connection any more, and PostgreSQL may still be at work.
      if (!this.#isAnswerDropped) this.#end();
    }
  }

  async #forwardToServer(): Promise<void> {
    const splitter = new MessageSplitter(false);
    for await (const chunk of readChunks(this.#client)) {
      for (const message of splitter.push(chunk)) {
        await this.#rules.delay();
        if (!this.#isSilent) await this.#forwardMessage(message);
      }
    }
    if (!this.#isSilent) this.#server.end();
  }

  async #forwardMessage(message: Buffer): Promise<void> {
    this.application ??= findApplicationName(message);
    const statement = findStatement(message);
    const fault = statement === undefined ? undefined : this.#rules.findFault(statement, this.application);
    if (fault === undefined) await this.send(message);
    else await fault.act(this, message);
  }

  async #forwardToClient(): Promise<void> {
    const splitter = new MessageSplitter(true);
    for await (const chunk of readChunks(this.#server)) {
      const answer = this.#answer;
      const isWhole = splitter.push(chunk).some(isReadyForQuery);
      if (isWhole) answer.arrived.resolve();
      await this.#rules.delay();
      await this.#hold;
      if (!this.#isSilent && !this.#isAnswerDropped) await write(this.#client, chunk);
      if (isWhole) answer.delivered.resolve();
    }
    if (!this.#isSilent) this.#client.end();
  }
}

/** What arrives, until the other side ends its direction; this side stays open. */
function readChunks(socket: Socket): AsyncIterable<Buffer> {
  // Type boundary: a socket without an encoding gives buffers.
  return socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

async function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (!socket.write(bytes)) await once(socket, 'drain');
}
