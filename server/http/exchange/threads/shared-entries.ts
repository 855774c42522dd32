import type { PublicResponse } from '../../public-exchange.ts';
import type { SharedEntry, SharedKey } from './messages.ts';

/** A shared answer that a thread has. */
export interface Entry extends Omit<SharedEntry, 'head' | 'body' | 'viewOf'> {
  readonly response: PublicResponse;
  /** Since the last report. */
  uses: number;
}

type Conditions = Map<string, Entry>;
type Space = Map<string, Conditions>;

/** Shared answers by what a request asks for. */
export class SharedEntries {
  readonly #spaces = new Map<string, Space>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  find({ space, address, condition }: SharedKey): Entry | undefined {
    return this.#spaces.get(space)?.get(address)?.get(condition);
  }

  /** Takes the place of an entry with the same key. */
  add(entry: Entry): void {
    const { space, address, condition } = entry.key;
    const addresses: Space = this.#spaces.get(space) ?? new Map();
    const conditions: Conditions = addresses.get(address) ?? new Map();
    this.#spaces.set(space, addresses);
    addresses.set(address, conditions);
    if (!conditions.has(condition)) this.#size += 1;
    conditions.set(condition, entry);
  }

  /** Nothing happens if another entry has taken its place. */
  remove(entry: Entry): void {
    const { space, address, condition } = entry.key;
    const addresses = this.#spaces.get(space);
    const conditions = addresses?.get(address);
    if (addresses === undefined || conditions?.get(condition) !== entry) return;
    this.#size -= 1;
    conditions.delete(condition);
    if (conditions.size === 0) addresses.delete(address);
    if (addresses.size === 0) this.#spaces.delete(space);
  }

  clear(): void {
    this.#spaces.clear();
    this.#size = 0;
  }
}
