/**
 * The schema snapshot and what has changed in it.
 *
 *  1. A snapshot is cached until a commit that may have changed it. After the response to a change, no client sees
 *     the older schema.
 *  2. After each such commit the new snapshot is compared with the one before. Listeners hear only of a version that
 *     differs, so a save that changes nothing in the schema is told to nobody.
 */

import type { LoggedChange, LoggedKind } from '../../../runtime/content/change-log.ts';
import type { Committed, Follower } from '../../changes/followers.ts';
import type { ChangeRecord, Commit } from '../../changes/record.ts';
import type { SharedServices } from '../../feature.ts';
import type { SchemaSnapshot } from './model.ts';
import { changesBetween, readSnapshot, type SchemaChange } from './snapshot.ts';

export interface SchemaEvent {
  /** The version that the changes have led to. */
  readonly version: string;
  readonly changes: readonly SchemaChange[];
}

type SchemaParts = Pick<SharedServices, 'reader' | 'texts' | 'log'>;

export class SchemaService implements Follower {
  readonly of = ['collection', 'snippet', 'page'] as const;
  readonly #parts: SchemaParts;
  readonly #listeners: ((event: SchemaEvent) => void)[] = [];
  #current: Promise<SchemaSnapshot> | undefined;
  /** The snapshot that the next one is compared with. */
  #known: SchemaSnapshot | undefined;
  /** What listeners have not heard of yet. */
  readonly #differences: { readonly before: SchemaSnapshot; readonly after: SchemaSnapshot }[] = [];
  #work: Promise<void>;
  #isOpen = true;

  constructor(parts: SchemaParts) {
    this.#parts = parts;
    this.#work = this.#compare(false);
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

  /** After a commit of any node, before it is answered. Another node tells its own listeners of what it has changed. */
  refresh({ changes, isOwn }: Committed): void {
    if (!changes.some(mayChangeSchema)) return;
    this.#current = undefined;
    this.#work = this.#work.then(() => this.#compare(isOwn));
  }

  /** Tells listeners what the commits of this node have changed. */
  react(commits: readonly Commit[]): void {
    const records = commits.flatMap((commit) => commit.records);
    this.#work = this.#work.then(() => this.#tell(records));
  }

  /** Resolves when listeners have heard of everything. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#work;
  }

  /** Compares the schema with the one before. @param isOwn whether listeners are to hear of a difference */
  async #compare(isOwn: boolean): Promise<void> {
    try {
      const before = this.#known;
      const after = await this.get();
      this.#known = after;
      if (isOwn && before !== undefined && before.version !== after.version)
        this.#differences.push({ before, after });
    } catch (error) {
      // The next commit is compared with the same snapshot, so nothing is lost.
      if (this.#isOpen) this.#parts.log.warn({ err: error }, 'changes of the schema could not be found');
    }
  }

  #tell(records: readonly ChangeRecord[]): void {
    const differences = this.#differences.splice(0);
    const newest = differences.at(-1);
    if (newest === undefined) return;
    // Of an import of very many objects only the import is told.
    const bulk = records.filter(({ kind }) => kind === 'bundle');
    const changes =
      bulk.length === 0
        ? differences.flatMap(({ before, after }) => changesBetween(before, after))
        : bulk.map(asChange);
    for (const listener of this.#listeners) listener({ version: newest.after.version, changes });
  }
}

/** Pages count as websites only. A deleted page may have been the detail page of a collection. */
function mayChangeSchema({ kind, id, now, before }: LoggedChange): boolean {
  if (kind !== 'page') return schemaKinds.has(kind);
  return now.root_id === null || now.root_id === id || before.root_id === id;
}

const schemaKinds: ReadonlySet<LoggedKind> = new Set(['collection', 'snippet', 'all']);

function asChange({ kind, action, id }: ChangeRecord): SchemaChange {
  return { kind, action, id };
}
