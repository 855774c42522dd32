import type { Clock } from '../../base/clock.ts';
import type { Adapter, Table } from './adapters/adapter.ts';
import { type ExtdbTable, type ExtdbTableDetail, extdbLimits } from './model.ts';
import { recognise } from './recognise.ts';
import type { CallScope, ServiceClient } from './service-client.ts';
import { findTable, withRefs } from './table-refs.ts';

interface Kept<Value> {
  readonly at: number;
  readonly value: Promise<Value>;
}

/** Longest time to read a schema, in milliseconds. */
const schemaTimeoutMs = 60_000;
/** A list as new as this is not asked for again because a table is not in it, in milliseconds. */
const newMs = 5_000;

/**
 * A connection in use: the kind of its service, which is found out once, and its tables, kept for one minute.
 * Callers at the same time share one request, so it does not end with the caller who came first.
 */
export class OpenedDatabase {
  readonly client: ServiceClient;
  readonly #clock: Clock;
  #adapter: Promise<Adapter> | undefined;
  #tables: Kept<ExtdbTable[]> | undefined;
  readonly #details = new Map<string, Kept<ExtdbTableDetail>>();

  constructor(client: ServiceClient, clock: Clock) {
    this.client = client;
    this.#clock = clock;
  }

  /** Forgets everything, so that the next call asks the service. */
  forget(): void {
    this.#adapter = undefined;
    this.forgetTables();
  }

  forgetTables(): void {
    this.#tables = undefined;
    this.#details.clear();
  }

  adapter(): Promise<Adapter> {
    const adapter = this.#adapter ?? recognise(this.client, schemaScope());
    this.#adapter = adapter;
    adapter.catch(() => {
      if (this.#adapter === adapter) this.#adapter = undefined;
    });
    return adapter;
  }

  tables(): Promise<ExtdbTable[]> {
    const known = this.#current(this.#tables);
    if (known !== undefined) return known;
    const kept = this.#keep(
      this.adapter().then(async (adapter) => withRefs(await adapter.tables(schemaScope()))),
    );
    this.#tables = kept;
    kept.value.catch(() => {
      if (this.#tables === kept) this.#tables = undefined;
    });
    return kept.value;
  }

  /** A table with its columns; undefined if there is none of that name. */
  async table(text: string): Promise<Table | undefined> {
    const found = findTable(await this.tables(), text) ?? (await this.#findAgain(text));
    return found === undefined ? undefined : this.#detail(found);
  }

  /** The table as it is now, because a column was not found in it. */
  reloaded({ table }: Table): Promise<Table> {
    const kept = this.#details.get(table.id);
    if (kept === undefined || this.#clock() - kept.at > newMs) this.#details.delete(table.id);
    return this.#detail(table);
  }

  /** A table that is not in the list may be newer than the list. */
  async #findAgain(text: string): Promise<ExtdbTable | undefined> {
    if (this.#tables === undefined || this.#clock() - this.#tables.at <= newMs) return undefined;
    this.forgetTables();
    return findTable(await this.tables(), text);
  }

  #detail(table: ExtdbTable): Promise<ExtdbTableDetail> {
    const known = this.#current(this.#details.get(table.id));
    if (known !== undefined) return known;
    const kept = this.#keep(this.adapter().then((adapter) => adapter.detail(table, schemaScope())));
    this.#details.set(table.id, kept);
    kept.value.catch(() => {
      if (this.#details.get(table.id) === kept) this.#details.delete(table.id);
    });
    return kept.value;
  }

  #keep<Value>(value: Promise<Value>): Kept<Value> {
    return { at: this.#clock(), value };
  }

  #current<Value>(kept: Kept<Value> | undefined): Promise<Value> | undefined {
    return kept !== undefined && this.#clock() - kept.at < extdbLimits.schemaMs ? kept.value : undefined;
  }
}

function schemaScope(): CallScope {
  return { signal: AbortSignal.timeout(schemaTimeoutMs), bytes: 0 };
}
