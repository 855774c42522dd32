import type { NewOutboxEvent, OutboxEvent } from './outbox-store.ts';
import type { ChangeEvent, ChangeRecord, Commit } from './record.ts';

/** A part of the program that sends events to others: to other hosts, or by starting what may call them. */
export interface Outlet {
  /** Stored with its events, so it never changes. */
  readonly name: string;
  /** Kinds of objects and events of a change without which it has nothing to collect. */
  readonly of: readonly (ChangeRecord['kind'] | ChangeEvent['event'])[];
  /**
   * The events that are stored with a change, in its transaction; none if nobody would get them. What can be read from
   * the log of commits later need not be stored.
   */
  collect(commit: Commit): readonly Omit<NewOutboxEvent, 'outlet'>[];
  /**
   * Sends an event. All nodes have applied what it tells of. The next one waits for the promise.
   *
   * @param done to be called when the event must not be sent again, now or later. Without the call it is sent again
   *   after the next start, or by another node.
   */
  send(event: OutboxEvent, done: () => void): Promise<void> | void;
}

/** All outlets. */
export class Outlets {
  readonly #outlets: Outlet[] = [];

  add(...outlets: readonly Outlet[]): void {
    this.#outlets.push(...outlets);
  }

  list(): readonly Outlet[] {
    return this.#outlets;
  }

  /** The events that are stored with a change. */
  collect(commit: Commit): NewOutboxEvent[] {
    const { records, announcements } = commit;
    const names = new Set([...records.map(({ kind }) => kind), ...announcements.map(({ event }) => event)]);
    return this.#outlets
      .filter(({ of }) => of.some((name) => names.has(name)))
      .flatMap((outlet) => outlet.collect(commit).map((event) => ({ outlet: outlet.name, ...event })));
  }
}
