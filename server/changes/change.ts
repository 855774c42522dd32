import type { Actor } from '../base/actor.ts';
import type { ContentDb } from '../db/tables.ts';
import type { ChangeEvent, ChangeRecord } from './record.ts';
import type { CheckedText, TextReport } from './text-analysis.ts';

/** What is done with the reports about texts. */
export type UseReports = (reports: readonly TextReport[]) => Promise<void> | void;

/** Takes note of what a change does to objects, so that it can be reverted. */
export interface ObjectJournal {
  /** @param before undefined for a created object @param after undefined for a deleted one */
  add(
    kind: string,
    before: { readonly id: number } | undefined,
    after: { readonly id: number } | undefined,
  ): void;
}

/**
 * How the rights of the caller are checked while objects change (`content/kinds/decide.ts`):
 *
 * - `live`: what changes is public at once.
 * - `draft`: it is kept in a change set.
 * - `publication`: a change set goes live. Who wrote its code had the right then.
 * - `settled`: somebody has decided before, as for a change set that is applied to be looked at.
 */
export type Decision = 'live' | 'draft' | 'publication' | 'settled';

/** A change in progress, as services see it. */
export interface Change {
  /** The writer connection inside the transaction: sees what this change has written so far. */
  readonly tx: ContentDb;
  readonly actor: Actor;
  /** Unix seconds, the same for the whole change. */
  readonly now: number;
  /** Undefined unless somebody may want to revert the change. */
  readonly journal?: ObjectJournal | undefined;
  readonly decision: Decision;
  /** Whether entries that break rules of their fields are taken as they are, such as those of a push. */
  readonly takesAsIs?: boolean | undefined;
  /** Notes that the rights of the caller were checked. A change of content without it is refused. */
  markDecided(): void;
  record(entry: ChangeRecord): void;
  /**
   * Calls `use` at the end of the change, before the commit, with a report about each text. An error of `use`
   * refuses the whole change.
   */
  inspect(texts: readonly CheckedText[], use: UseReports): void;
  /**
   * The reports about texts now, in order. Undefined if they are not made yet: then the change is undone at its end,
   * and runs again with them.
   */
  report(texts: readonly CheckedText[]): readonly TextReport[] | undefined;
  /**
   * Writes rows without invalidating caches. Use it only for rows that no page can show, such as the stored response
   * of a batch. A change that writes nothing else leaves the content version unchanged.
   */
  writeUnversioned(work: () => Promise<unknown>): Promise<void>;
  /**
   * Runs `work` and takes all of it back: rows, records, events and inspections. What it answers stays. Use it to learn
   * what changes would lead to.
   *
   * @param decision how rights are checked in it; default: as in this change
   * @throws the error of `work`, or of an inspection in it
   */
  rehearse<T>(work: (inner: Change) => Promise<T>, decision?: Decision): Promise<T>;
  /** Runs `work` as a part of this change that may fail: with its error, all of it is taken back. */
  attempt<T>(work: (inner: Change) => Promise<T>, decision?: Decision): Promise<T>;
  /** Tells an event of its own to the listeners, such as a batch that was applied. */
  announce(announcement: ChangeEvent): void;
  /** Runs after a successful commit, before the caller is answered. A failure is only logged. */
  after(task: () => void): void;
}
