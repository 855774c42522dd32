import type { Host } from './host.ts';

/** Records on their way to the server (packets.ts). */
export interface Outbox {
  /** @param head JSON of the numbers @param text the texts of the record one after the other */
  add(head: string, text: string): void;
  /** The packet of all records, which are taken out; empty if there are none. */
  take(): string;
  /** Hands what there is to the server at once. */
  sendNow(): void;
}

/** The text of this function runs in the isolate, so it may use nothing outside of itself. */
export function createOutbox(host: Host): Outbox {
  /** One step adds a whole record, because code can let any step fail by filling the stack. */
  let records: { readonly head: string; readonly text: string }[] = [];
  return {
    add(head, text) {
      records.push({ head, text });
    },
    take,
    sendNow() {
      host('send', take());
    },
  };

  function take(): string {
    if (records.length === 0) return '';
    const packet = `R[${records.map(({ head }) => head).join()}]\n${records.map(({ text }) => text).join('')}`;
    records = [];
    return packet;
  }
}
