/**
 * The schema snapshot and what has changed in it.
 *
 *  1. A snapshot is cached until a commit that may have changed it. After the response to a change, no client sees
 *     the older schema.
 *  2. The snapshot that others know of is stored (`log_positions`). After each commit that may have changed the schema,
 *     the node that sends compares it with the new one, and stores that together with the events about the difference.
 *     So a save that changes nothing in the schema is told to nobody, and a crash loses no difference.
 */

import { findReadLimits } from '../../base/content-overlay.ts';
import { newestChange } from '../../changes/change-log.ts';
import { commitTextsSince, parseRecords } from '../../changes/commit-log.ts';
import type { Follower } from '../../changes/followers.ts';
import {
  insertOutboxEvent,
  type NewOutboxEvent,
  readLogPosition,
  readLogVersion,
  saveLogPosition,
} from '../../changes/outbox-store.ts';
import type { ChangeRecord } from '../../changes/record.ts';
import type { SharedServices } from '../../feature.ts';
import type { SchemaSnapshot } from './model.ts';
import { changesBetween, readSnapshot, type SchemaChange } from './snapshot.ts';

export interface SchemaEvent {
  /** The version that the changes have led to. */
  readonly version: string;
  readonly changes: readonly SchemaChange[];
}

/** Makes the events that are stored about a change of the schema. */
type SchemaListener = (event: SchemaEvent) => readonly NewOutboxEvent[];

export type SchemaParts = Pick<SharedServices, 'reader' | 'texts' | 'changes' | 'outbox' | 'log'>;

/** A snapshot that others know of. */
interface ReportedSchema {
  /** Version of the content that it was read at. */
  readonly version: number;
  /** Undefined before the first one. */
  readonly snapshot: SchemaSnapshot | undefined;
}

/** Name in the list of those who read the log of commits. */
const readerName = 'schema';
const readAtOnce = 200;
const nobody = { kind: 'none' } as const;

export class SchemaService implements Follower {
  readonly of = ['collection', 'snippet', 'site'] as const;
  readonly #parts: SchemaParts;
  readonly #listeners: SchemaListener[] = [];
  #current: Promise<SchemaSnapshot> | undefined;
  #reported: ReportedSchema | undefined;
  /** Up to this version of the content this process has found no difference. */
  #compared = 0;
  #isDirty = false;
  #work: Promise<void> | undefined;

  constructor(parts: SchemaParts) {
    this.#parts = parts;
    parts.outbox.onBeginning(() => this.#begin());
  }

  /** Called with each change of the schema; what it returns is stored until it has gone out. */
  onChange(listener: SchemaListener): void {
    this.#listeners.push(listener);
  }

  /** The schema, never older than the newest commit at the time of the call. */
  async get(): Promise<SchemaSnapshot> {
    // What one caller may read is not for the others.
    if (findReadLimits() !== undefined) return readSnapshot(this.#parts.reader, this.#parts.texts);
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

  /** After a commit of any node, before it is answered. */
  refresh(): void {
    this.#current = undefined;
    this.#look();
  }

  /** Resolves when nothing is compared any more. */
  async close(): Promise<void> {
    await this.#work;
  }

  /** The first start of an instance waits, so that the first change is compared with what was before it. */
  async #begin(): Promise<void> {
    this.#look();
    const { state } = await readLogPosition(this.#parts.reader, readerName);
    if (state === '') await this.#work;
  }

  /** Looks for differences, on the node that sends. */
  #look(): void {
    if (!this.#parts.outbox.isSending()) return;
    this.#isDirty = true;
    this.#work ??= this.#compareAll();
  }

  async #compareAll(): Promise<void> {
    try {
      while (this.#isDirty) {
        this.#isDirty = false;
        await this.#compare();
      }
    } catch (error) {
      // The next commit is compared with the same snapshot, so nothing is lost.

      this.#parts.log.warn({ err: error }, 'changes of the schema could not be found');
    } finally {
      this.#work = undefined;
    }
  }

  async #compare(): Promise<void> {
    const version = await newestChange(this.#parts.reader);
    const after = await this.get();
    const before = await this.#readReported();
    if (before.snapshot?.version !== after.version) {
      const events = before.snapshot === undefined ? [] : await this.#eventsOf(before, after);
      await this.#save(before, { version, snapshot: after }, events);
    }
    this.#compared = version;
  }

  async #save(
    before: ReportedSchema,
    after: ReportedSchema,
    events: readonly NewOutboxEvent[],
  ): Promise<void> {
    const { version, snapshot } = after;
    await this.#parts.changes.changeUnversioned(nobody, async ({ tx, now }) => {
      // Another node that leads now may have been faster.
      if ((await readLogVersion(tx, readerName)) !== before.version) return;
      for (const event of events) await insertOutboxEvent(tx, now, event);
      await saveLogPosition(tx, readerName, { version, state: JSON.stringify(snapshot) });
    });
  }

  async #readReported(): Promise<ReportedSchema> {
    const { reader } = this.#parts;
    const cached = this.#reported;
    if (cached?.snapshot !== undefined && cached.version === (await readLogVersion(reader, readerName)))
      return cached;
    const { version, state } = await readLogPosition(reader, readerName);
    // Type boundary: only `#save` makes this JSON.
    const snapshot = state === '' ? undefined : (JSON.parse(state) as SchemaSnapshot);
    this.#reported = { version, snapshot };
    return this.#reported;
  }

  async #eventsOf(before: ReportedSchema, after: SchemaSnapshot): Promise<NewOutboxEvent[]> {
    // Of an import of very many objects only the import is told.
    const bulk = await this.#bundlesSince(Math.max(before.version, this.#compared));
    const changes =
      before.snapshot === undefined || bulk.length > 0
        ? bulk.map(asChange)
        : changesBetween(before.snapshot, after);
    return this.#listeners.flatMap((listener) => listener({ version: after.version, changes }));
  }

  async #bundlesSince(since: number): Promise<ChangeRecord[]> {
    const bundles: ChangeRecord[] = [];
    for (let version = since; ; ) {
      const commits = await commitTextsSince(this.#parts.reader, version, readAtOnce);
      bundles.push(...commits.flatMap(parseRecords).filter(({ kind }) => kind === 'bundle'));
      const newest = commits.at(-1);
      if (newest === undefined) return bundles;
      version = newest.version;
    }
  }
}

function asChange({ kind, action, id }: ChangeRecord): SchemaChange {
  return { kind, action, id };
}
