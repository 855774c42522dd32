/** Just enough of the protocol of PostgreSQL, version 3, to see where messages end and what statements they have. */

/** Code of a startup message; other first messages, such as a request for TLS, have codes of their own. */
const startupCode = 196_608;

/** Cuts a stream into messages. One type byte is in front of each length, except before the startup. */
export class MessageSplitter {
  #chunks: Buffer[] = [];
  #length = 0;
  #isStarted: boolean;

  /** @param isStarted false for what a client sends, because its first message has no type */
  constructor(isStarted: boolean) {
    this.#isStarted = isStarted;
  }

  /** @returns the messages that this chunk completes, each with type and length */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const messages: Buffer[] = [];
    for (;;) {
      const message = this.#take();
      if (message === undefined) return messages;
      messages.push(message);
    }
  }

  #take(): Buffer | undefined {
    const typeBytes = this.#isStarted ? 1 : 0;
    if (this.#length < typeBytes + 4) return undefined;
    if ((this.#chunks[0]?.length ?? 0) < typeBytes + 4) this.#chunks = [Buffer.concat(this.#chunks)];
    const messageLength = typeBytes + (this.#chunks[0]?.readUInt32BE(typeBytes) ?? 0);
    if (this.#length < messageLength) return undefined;
    const bytes = Buffer.concat(this.#chunks);
    const message = bytes.subarray(0, messageLength);
    this.#chunks = [bytes.subarray(messageLength)];
    this.#length -= messageLength;
    if (!this.#isStarted) this.#isStarted = message.readUInt32BE(4) === startupCode;
    return message;
  }
}

/** The `application_name` in a startup message; undefined in any other message, and without a name. */
export function findApplicationName(message: Buffer): string | undefined {
  // The first byte of a length is 0, because no startup message is that long.
  if (message[0] !== 0 || message.length < 9 || message.readUInt32BE(4) !== startupCode) return undefined;
  const fields = message.toString('utf8', 8).split('\0');
  const place = fields.findIndex((field, index) => index % 2 === 0 && field === 'application_name');
  return place === -1 ? undefined : fields[place + 1];
}

/** The statements of a simple query; undefined for any other message. */
export function findStatement(message: Buffer): string | undefined {
  return message[0] === code('Q') ? message.toString('utf8', 5, message.length - 1) : undefined;
}

/** Whether this message of the server ends its answer to a query. */
export function isReadyForQuery(message: Buffer): boolean {
  return message[0] === code('Z');
}

function code(type: string): number {
  return type.charCodeAt(0);
}
