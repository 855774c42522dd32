/**
 * What server and sandbox process say to each other. A packet is a text: a letter for its sort, then
 *
 *  - `R` (records of runs): a JSON list of records, a line feed, and the texts of all records one after the other.
 *    A record is a list of numbers, and the length of each of its texts is one of them. So a message is never read
 *    by the server and never escaped: JSON text goes through as it is.
 *  - `C` (code, to the process) and `D` (found faults, to the server): one JSON value.
 *
 * In the channel, four bytes with the length of the UTF-8 text (little endian) precede each packet. Lengths of
 * texts are in UTF-16 units; -1 means that there is no text.
 */

/** Records to the process, by their first number. */
export const toProcess = {
  /** run, code, outputs, `atOnce`, length of the message, length of the parameters */
  start: 0,
  /** run, call, 1 for a result or 0 for an error, length of result or error */
  answer: 1,
  /** run: its answers no longer count. */
  forget: 2,
} as const;

/** What a process tells without waiting for the end of a turn: nothing, the result of the run, its log as well. */
export const atOnce = { nothing: 0, result: 1, log: 2 } as const;

/**
 * Records to the server, by their first number. Lengths of `done` are those of the messages of each output; line
 * and column are 0 if they are not known.
 */
export const toServer = { done: 0, call: 1, log: 2 } as const;

export const logLevels = ['log', 'warn', 'error'] as const;

/** Body of a `C` packet. */
export interface CodePacket {
  /** Texts to compile, by number. */
  readonly codes?: readonly (readonly [code: number, text: string])[];
  /** Compiled code that is not needed any more. */
  readonly dropped?: readonly number[];
  /** Texts in which to look for faults. */
  readonly checks?: readonly (readonly [check: number, text: string])[];
}

/** Body of a `D` packet; null for code without a fault. */
export type CheckedPacket = readonly (readonly [check: number, fault: CheckedFault | null])[];

export interface CheckedFault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

const headBytes = 4;

/** More than the results of one turn; a longer packet is a fault of the process that sent it. */
const maxPacketBytes = 256 * 2 ** 20;

/** Bytes of a packet, with its length before it. */
export function packetBytes(packet: string): Buffer {
  const length = Buffer.byteLength(packet);
  const bytes = Buffer.allocUnsafe(headBytes + length);
  bytes.writeUInt32LE(length);
  bytes.write(packet, headBytes);
  return bytes;
}

/** Puts packets together again from pieces of any size. */
export class PacketReader {
  #pieces: Buffer[] = [];
  #size = 0;
  /** Bytes that are needed before there can be another packet. */
  #wanted = headBytes;

  /**
   * The packets that are complete with this piece, whose memory can be used again afterwards.
   *
   * @throws RangeError for a packet of more than 256 MB
   */
  read(piece: Buffer): string[] {
    this.#size += piece.length;
    if (this.#size < this.#wanted) {
      this.#pieces.push(Buffer.from(piece));
      return [];
    }
    const bytes = this.#pieces.length === 0 ? piece : Buffer.concat([...this.#pieces, piece]);
    const packets: string[] = [];
    let at = 0;
    this.#wanted = headBytes;
    while (bytes.length - at >= headBytes) {
      const end = at + headBytes + bytes.readUInt32LE(at);
      if (end > bytes.length) {
        if (end - at > maxPacketBytes) throw new RangeError('a packet is too long');
        this.#wanted = end - at;
        break;
      }
      packets.push(bytes.toString('utf8', at + headBytes, end));
      at = end;
    }
    this.#size = bytes.length - at;
    this.#pieces = this.#size === 0 ? [] : [Buffer.from(bytes.subarray(at))];
    return packets;
  }
}

/** Records to the server. */
export type RecordToServer =
  | readonly [
      0,
      run: number,
      lengths: readonly (readonly number[])[],
      error: number,
      line: number,
      column: number,
    ]
  | readonly [1, run: number, call: number, name: number, args: number]
  | readonly [2, run: number, level: number, text: number];

/** An `R` packet to the server: its records, and their texts one after the other. */
export class ReceivedRecords {
  readonly records: readonly RecordToServer[];
  readonly #packet: string;
  #at: number;

  constructor(packet: string) {
    const end = packet.indexOf('\n');
    // Type boundary: the process sends what inside/runs.ts makes.
    this.records = JSON.parse(packet.slice(1, end));
    this.#packet = packet;
    this.#at = end + 1;
  }

  /** The next text. */
  next(length: number): string {
    const start = this.#at;
    this.#at += length;
    return this.#packet.slice(start, this.#at);
  }

  /** The next texts, in lists. */
  nextLists(lengths: readonly (readonly number[])[]): string[][] {
    const lists: string[][] = [];
    for (const list of lengths) {
      const texts: string[] = [];
      for (const length of list) texts.push(this.next(length));
      lists.push(texts);
    }
    return lists;
  }
}
