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

/** A connection of a client, and the one to PostgreSQL that belongs to it. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #rules: ConnectionRules;
  #isSilent = false;
  /** Whether what PostgreSQL answers is thrown away. */
  #isAnswerDropped = false;
  /** Resolves when PostgreSQL has answered what is not to be shown, or the connection has ended. */
  #answered: PromiseWithResolvers<void> | undefined;
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

  /** Ends both sides. */
  cut(): void {
    this.#client.destroy();
    this.#server.destroy();
    this.#answered?.resolve();
    this.#rules.onEnd();
  }

  /** One side has ended; of a silent connection nobody is told. */
  #end(): void {
    if (!this.#isSilent) this.cut();
  }

  /** Ends the side of the client; PostgreSQL finishes what it has. */
  leave(): void {
    void this.#dropAnswer().then(() => this.cut());
    this.#client.destroy();
  }

  endToClient(): void {
    this.#isAnswerDropped = true;
    this.#client.end();
  }

  /** Throws away whatever comes from now on. */
  silence(): void {
    this.#isSilent = true;
  }

  send(message: Buffer): Promise<void> {
    return write(this.#server, message);
  }

  /** Sends a message, and resolves when PostgreSQL has answered it, which the client does not see. */
  async sendForNoAnswer(message: Buffer): Promise<void> {
    const answered = this.#dropAnswer();
    await this.send(message);
    await answered;
  }

  #dropAnswer(): Promise<void> {
    this.#isAnswerDropped = true;
    this.#answered = Promise.withResolvers<void>();
    return this.#answered.promise;
  }

  async #run(forward: () => Promise<void>): Promise<void> {
    try {
      await forward();
    } catch {
      // The client that was left has no connection any more, and PostgreSQL may still be at work.
      if (this.#answered === undefined) this.#end();
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
      if (splitter.push(chunk).some(isReadyForQuery)) this.#answered?.resolve();
      await this.#rules.delay();
      if (!this.#isSilent && !this.#isAnswerDropped) await write(this.#client, chunk);
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
