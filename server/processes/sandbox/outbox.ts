import { LRUCache } from 'lru-cache';
import type { Code } from './jobs.ts';
import { type CodePacket, packetBytes } from './packets.ts';

/** Compiled codes that a process keeps; more than jobs that it has at once. */
const codesOfProcess = 500;

/**
 * What goes to one process. What is added in one turn of the server goes out in one write at its end, code before the
 * runs that need it.
 */
export class Outbox {
  readonly #send: (bytes: Buffer) => void;
  readonly #codes: LRUCache<number, true>;
  #newCodes: [number, string][] = [];
  #droppedCodes: number[] = [];
  #checks: [number, string][] = [];
  #heads: string[] = [];
  #texts: string[] = [];
  #isFlushPlanned = false;

  constructor(send: (bytes: Buffer) => void) {
    this.#send = send;
    this.#codes = new LRUCache<number, true>({
      max: codesOfProcess,
      dispose: (_value, code) => this.#droppedCodes.push(code),
    });
  }

  /** Sends a code unless the process has it. */
  addCode({ id, text }: Code): void {
    if (this.#codes.get(id) !== undefined) return;
    this.#codes.set(id, true);
    this.#newCodes.push([id, text]);
    this.#planFlush();
  }

  addCheck(job: number, text: string): void {
    this.#checks.push([job, text]);
    this.#planFlush();
  }

  /** @param texts all texts that the record names, one after the other */
  addRecord(record: string, texts = ''): void {
    this.#heads.push(record);
    this.#texts.push(texts);
    this.#planFlush();
  }

  #planFlush(): void {
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isFlushPlanned = false;
    const packets: Buffer[] = [];
    const packet: CodePacket = { codes: this.#newCodes, dropped: this.#droppedCodes, checks: this.#checks };
    if (Object.values(packet).some((list) => list.length > 0))
      packets.push(packetBytes(`C${JSON.stringify(packet)}`));
    if (this.#heads.length > 0)
      packets.push(packetBytes(`R[${this.#heads.join()}]\n${this.#texts.join('')}`));
    this.#newCodes = [];
    this.#droppedCodes = [];
    this.#checks = [];
    this.#heads = [];
    this.#texts = [];
    const [first] = packets;
    if (first !== undefined) this.#send(packets.length === 1 ? first : Buffer.concat(packets));
  }
}
