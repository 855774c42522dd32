/**
 * What happens after commits. Every follower names what it follows, so a commit visits only its followers.
 *
 *  1. `refresh` runs on every node, before the caller of the change is answered. It may read, and wait for nothing
 *     that waits for a change: no change runs meanwhile.
 *  2. `react` runs on the node that has committed, once, when all nodes have applied the commit. It is lost if the
 *     process dies. What must go out is stored with the change (`event-outbox.ts`).
 *  3. A failure takes no commit back and keeps no other follower from its turn. A follower that could not refresh
 *     is visited again with every `refresh` until it can; meanwhile `refresh` throws.
 */

import type { LoggedChange, LoggedKind } from '../../runtime/content/change-log.ts';
import { withoutReadLimits } from '../base/content-overlay.ts';
import type { Log } from '../base/log.ts';
import type { ActivityTables, ContentTables } from '../db/tables.ts';
import type { TableNames } from '../db/written-tables.ts';
import type { ContentVersion } from './content-version.ts';
import type { ChangeRecord, Commit } from './record.ts';

type TableName = keyof ContentTables | keyof ActivityTables;

/** What a feature does after commits. Followers run in the order of features, those of all content first. */
export interface Follower {
  /** Kinds of the change log, or tables. `site`: home pages. `content`: every move of the content version. */
  readonly of: 'content' | readonly (LoggedKind | 'site' | TableName)[];
  /** Forgets or reads again, on every node. Sends nothing. For `content` without a promise. */
  refresh?(commit: Committed): void | Promise<void>;
  /** Clears up on the node that has committed. Sends nothing, and nobody waits for it. */
  react?(commits: readonly Commit[]): void;
}

/** What a commit has changed. */
export interface Committed {
  readonly changes: readonly LoggedChange[];
  readonly tables: TableNames;
  /** Whether this node has committed it. */
  readonly isOwn: boolean;
}

/** A follower that reacts to each deleted object of some kinds. */
export function reactToDeleted(
  kinds: readonly LoggedKind[],
  react: (deleted: ChangeRecord) => void,
): Follower {
  const names: ReadonlySet<string> = new Set(kinds);
  return {
    of: kinds,
    react(commits) {
      for (const { records } of commits)
        for (const record of records)
          if (record.action === 'deleted' && names.has(record.kind)) react(record);
    },
  };
}

export class Followers {
  readonly #version: ContentVersion;
  readonly #log: Log;
  readonly #ofContent: Follower[] = [];
  readonly #others: Follower[] = [];
  /** What followers do not know yet, because their `refresh` has failed. */
  readonly #owed = new Map<Follower, Committed>();
  /** By kind or table: places in the list of the others. */
  readonly #placesByName = new Map<string, number[]>();

  constructor(version: ContentVersion, log: Log) {
    this.#version = version;
    this.#log = log;
  }

  add(...followers: readonly Follower[]): void {
    for (const follower of followers) {
      if (follower.of === 'content') this.#ofContent.push(follower);
      else {
        const place = this.#others.push(follower) - 1;
        for (const name of follower.of)
          this.#placesByName.set(name, [...(this.#placesByName.get(name) ?? []), place]);
      }
    }
  }

  /**
   * Moves the content version and refreshes; undefined when there is nothing to wait for.
   *
   * @throws FollowersBehind, with a promise, when a follower does not know all commits
   */
  refresh(commit: Committed): Promise<void> | undefined {
    this.#version.move(commit.changes);
    if (commit.changes.length > 0)
      for (const follower of this.#ofContent) void this.#refresh(follower, commit);
    const others = this.#othersFor(commit);
    return others.length === 0 && this.#owed.size === 0 ? undefined : this.#refreshAll(others, commit);
  }

  /** @param commits those of content that `commit` consists of */
  react(commit: Committed, commits: readonly Commit[]): void {
    for (const follower of [...this.#ofContent, ...this.#othersFor(commit)]) {
      try {
        follower.react?.(commits);
      } catch (error) {
        this.#log.error({ err: error }, 'a reaction to a committed change failed');
      }
    }
  }

  async #refreshAll(followers: readonly Follower[], commit: Committed): Promise<void> {
    for (const follower of new Set([...this.#owed.keys(), ...followers]))
      await this.#refresh(follower, commit);
    if (this.#owed.size > 0)
      throw new FollowersBehind(`${this.#owed.size} followers could not read what a commit has changed`);
  }

  async #refresh(follower: Follower, commit: Committed): Promise<void> {
    const owed = mergeCommits(this.#owed.get(follower), commit);
    try {
      await follower.refresh?.(owed);
      this.#owed.delete(follower);
    } catch (error) {
      this.#owed.set(follower, owed);
      this.#log.error(
        { err: error, of: follower.of },
        'what a committed change touches could not be read again',
      );
    }
  }

  #othersFor({ changes, tables }: Committed): readonly Follower[] {
    if (tables === 'all' || changes.some(({ kind }) => kind === 'all')) return this.#others;
    const places = new Set<number>();
    const visit = (name: string): void => {
      for (const place of this.#placesByName.get(name) ?? []) places.add(place);
    };
    for (const change of changes) {
      visit(change.kind);
      if (isOfSite(change)) visit('site');
    }
    for (const table of tables) visit(table);
    return this.#others.filter((_follower, place) => places.has(place));
  }
}

function isOfSite({ kind, id, now, before }: LoggedChange): boolean {
  return kind === 'page' && (now.root_id === id || before.root_id === id);
}

/** Followers do not know all commits yet; the next `refresh` visits them again. */
export class FollowersBehind extends Error {
  override readonly name = 'FollowersBehind';
}

function mergeCommits(first: Committed | undefined, second: Committed): Committed {
  if (first === undefined) return second;
  return {
    changes: [...first.changes, ...second.changes],
    tables:
      first.tables === 'all' || second.tables === 'all'
        ? 'all'
        : new Set([...first.tables, ...second.tables]),
    isOwn: second.isOwn,
  };
}

/** A value read from tables: cached until they change, and read again when a caller needs it then. */
export class Followed<Value> implements Follower {
  readonly of: Follower['of'];
  readonly #read: () => Promise<Value>;
  #known: { readonly value: Value } | undefined;
  #reading: Promise<Value> | undefined;

  constructor(of: Follower['of'], read: () => Promise<Value>) {
    this.of = of;
    this.#read = read;
  }

  /** Synchronously while it is known. After a failed read the next call tries again. */
  get(): Value | Promise<Value> {
    if (this.#known !== undefined) return this.#known.value;
    this.#reading ??= this.#startReading();
    return this.#reading;
  }

  refresh(): void {
    this.#known = undefined;
    this.#reading = undefined;
  }

  #startReading(): Promise<Value> {
    // The first caller is not the only one.
    const reading = withoutReadLimits(this.#read).then(
      (value) => {
        // The value is cached only if the tables have not changed since the read began.
        if (this.#reading === reading) this.#known = { value };
        return value;
      },
      (error: unknown) => {
        if (this.#reading === reading) this.#reading = undefined;
        throw error;
      },
    );
    return reading;
  }
}
