import type { Clock } from '../../base/clock.ts';
import type { Adapter, Table } from './adapters/adapter.ts';
import { type ExtdbTable, type ExtdbTableDetail, extdbLimits } from './model.ts';
import { recognise } from './recognise.ts';
import type { CallScope, ServiceClient } from './service-client.ts';

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

/** Gives every table what nodes call it: its name if no other has it, else `source/name`, else its ID. */
function withRefs(tables: readonly Omit<ExtdbTable, 'ref'>[]): ExtdbTable[] {
  const names = counted(tables.map(({ name }) => name));
  const qualified = counted(tables.map(qualifiedName));
  return tables.map((table) => ({ ...table, ref: refOf(table, names, qualified) }));
}

/** Finds a table by what nodes call it, by `source/name`, or by ID; a name counts only if one table has it. */
function findTable(tables: readonly ExtdbTable[], text: string): ExtdbTable | undefined {
  for (const matches of [
    ({ ref }: ExtdbTable) => ref === text,
    ({ id }: ExtdbTable) => id === text,
    (table: ExtdbTable) => qualifiedName(table) === text,
    ({ name }: ExtdbTable) => name === text,
  ]) {
    const found = tables.filter(matches);
    if (found.length === 1) return found[0];
  }
  return undefined;
}

function refOf(
  table: Omit<ExtdbTable, 'ref'>,
  names: ReadonlyMap<string, number>,
  qualified: ReadonlyMap<string, number>,
): string {
  if (names.get(table.name) === 1) return table.name;
  return table.source !== '' && qualified.get(qualifiedName(table)) === 1 ? qualifiedName(table) : table.id;
}

function qualifiedName({ source, name }: Pick<ExtdbTable, 'source' | 'name'>): string {
  return `${source}/${name}`;
}

function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
