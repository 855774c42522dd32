/**
 * The schema snapshot and what has changed in it.
 *
 *  1. A snapshot is cached until a commit that may have changed it. After the response to a change, no client sees
 *     the older schema.
 *  2. After each such commit the new snapshot is compared with the one before. Listeners hear only of a version that
 *     differs, so a save that changes nothing in the schema is told to nobody.
 */

import type { Commit } from '../../changes/changes.ts';
import type { ChangeRecord } from '../../changes/record.ts';
import type { Parts } from '../../feature.ts';
import { changesBetween, type SchemaChange } from './differences.ts';
import type { SchemaSnapshot } from './model.ts';
import { readSnapshot } from './snapshot.ts';

export interface SchemaEvent {
  /** The version that the changes have led to. */
  readonly version: string;
  readonly changes: readonly SchemaChange[];
}

type SchemaParts = Pick<Parts, 'reader' | 'texts' | 'log'>;

export class SchemaService {
  readonly #parts: SchemaParts;
  readonly #listeners: ((event: SchemaEvent) => void)[] = [];
  #current: Promise<SchemaSnapshot> | undefined;
  /** The snapshot that listeners know. */
  #told: SchemaSnapshot | undefined;
  #work: Promise<void>;
  #isOpen = true;

  constructor(parts: SchemaParts) {
    this.#parts = parts;
    this.#work = this.#compare([]);
  }

  /** Called with each change of the schema, after it is on disk. */
  onChange(listener: (event: SchemaEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** The schema, never older than the newest commit at the time of the call. */
  async get(): Promise<SchemaSnapshot> {
    for (;;) {
      const current = this.#current ?? readSnapshot(this.#parts.reader, this.#parts.texts);
      this.#current = current;
      try {
        const snapshot = await current;
        if (this.#current === current) return snapshot;
      } catch (error) {
        if (this.#current === current) this.#current = undefined;
        throw error;
      }
    }
  }

  onCommit(commits: readonly Commit[]): void {
    const records = commits.flatMap((commit) => commit.records.filter(mayChangeSchema));
    if (records.length === 0) return;
    this.#current = undefined;
    this.#work = this.#work.then(() => this.#compare(records));
  }

  /** Another node has changed something, and has told its listeners if the schema is another one now. */
  follow(): void {
    this.#current = undefined;
    this.#work = this.#work.then(() => this.#learn());
  }

  /** Resolves when listeners have heard of everything. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#work;
  }

  async #learn(): Promise<void> {
    try {
      this.#told = await this.get();
    } catch (error) {
      if (this.#isOpen) this.#parts.log.warn({ err: error }, 'the schema could not be read');
    }
  }

  async #compare(records: readonly ChangeRecord[]): Promise<void> {
    try {
      const before = this.#told;
      const after = await this.get();
      this.#told = after;
      if (before === undefined || before.version === after.version) return;
      // Of an import of very many objects only the import is told.
      const bulk = records.filter(({ kind }) => kind === 'bundle');
      const changes = bulk.length === 0 ? changesBetween(before, after) : bulk.map(asChange);
      for (const listener of this.#listeners) listener({ version: after.version, changes });
    } catch (error) {
      // The next commit is compared with the same snapshot, so nothing is lost.
      if (this.#isOpen) this.#parts.log.warn({ err: error }, 'changes of the schema could not be found');
    }
  }
}

/** Pages count as websites only. A deleted page may have been the detail page of a collection. */
function mayChangeSchema({ kind, action, id, root_id }: ChangeRecord): boolean {
  if (kind !== 'page') return schemaKinds.has(kind);
  return action === 'deleted' || root_id === undefined || root_id === id;
}

const schemaKinds: ReadonlySet<string> = new Set(['collection', 'snippet', 'bundle', 'import']);

function asChange({ kind, action, id }: ChangeRecord): SchemaChange {
  return { kind, action, id };
}
