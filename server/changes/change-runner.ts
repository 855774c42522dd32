/** One change inside the transaction of its group. */
import type { Actor } from '../base/actor.ts';
import { type Clock, unixSeconds } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { notAllowed } from '../base/refusals/refusal.ts';
import type { ContentDb } from '../db/tables.ts';
import type { Change } from './change.ts';
import { type ChangeLog, changesSince } from './change-log.ts';
import { type ChangeCheck, UncheckedChange } from './commit-check.ts';
import { CommitLog } from './commit-log.ts';
import type { ContentVersion } from './content-version.ts';
import { insertOutboxEvent } from './outbox-store.ts';
import type { Outlets } from './outlets.ts';
import { type Overlay, readOverlay } from './overlay.ts';
import type { ChangeEvent, ChangeRecord, Commit } from './record.ts';
import { type InspectText, RunningChange } from './running.ts';
import type { TextReport } from './text-analysis.ts';

/** What is to run as one change. */
export interface ChangeWork {
  readonly actor: Actor;
  /** Whether pages may look different afterwards. */
  readonly isContent: boolean;
  /** Whether it shares its transaction with no other, and so has no savepoint. */
  readonly isAlone: boolean;
  run(change: Change): Promise<unknown>;
  /** The reports that earlier runs of the same change lacked. */
  readonly reports: ReadonlyMap<string, TextReport>;
  /** Undefined if nobody wants a check. */
  readonly check: ChangeCheck | undefined;
}

/** What a change has done that is not committed yet. */
export interface ChangeResult {
  readonly value: unknown;
  /** Whether the change wrote rows that pages may show. */
  readonly wrote: boolean;
  readonly records: readonly ChangeRecord[];
  readonly announcements: readonly ChangeEvent[];
  readonly afterTasks: readonly (() => void)[];
}

export interface ChangeRunnerOptions {
  readonly writer: ContentDb;
  /** Version of what is committed. */
  readonly version: ContentVersion;
  readonly clock: Clock;
  readonly log: Log;
  readonly inspectText: InspectText | undefined;
  readonly outlets: Outlets;
}

export class ChangeRunner {
  readonly #options: ChangeRunnerOptions;
  readonly #log: ChangeLog;
  readonly #commits = new CommitLog();

  constructor(options: ChangeRunnerOptions, log: ChangeLog) {
    this.#options = options;
    this.#log = log;
  }

  /**
   * Runs a change in the transaction that is open.
   *
   * @throws the error of its work, with nothing of it written; the transaction has ended if that took its end
   */
  async run(work: ChangeWork): Promise<ChangeResult> {
    const { writer, clock, inspectText } = this.#options;
    const context = {
      writer,
      actor: work.actor,
      now: unixSeconds(clock),
      reports: work.reports,
      inspectText,
      decision: 'live',
      rights: { isDecided: false },
    } as const;
    const running = new RunningChange(context);
    const { change, records, announcements, afterTasks } = running;
    if (!work.isAlone) writer.execute('SAVEPOINT change');
    const before = writer.totalChanges();
    const since = await this.#log.newest();
    try {
      const value = await work.run(change);
      await running.finishInspections();
      const wrote = writer.totalChanges() > before + running.rowsAside;
      if (wrote && work.isContent && !context.rights.isDecided) requireUnlimited(work.actor);
      if (wrote) await this.#log.complete(since, work.isContent);
      if (wrote && work.isContent && work.check?.isSettled(since) === false)
        throw new UncheckedChange(since, await this.#readOverlay());
      if (wrote && work.isContent && records.length > 0)
        await this.#commits.add(change, await this.#log.newest(), records);
      if (work.isContent && (wrote || announcements.length > 0))
        await this.#storeEvents(change, { actor: work.actor, records, announcements });
      if (!work.isAlone) writer.execute('RELEASE change');
      return { value, wrote, records, announcements, afterTasks };
    } catch (error) {
      this.#undo(work);
      throw error;
    }
  }

  /** What the transaction would make of the content: this change, and those before it in the group. */
  async #readOverlay(): Promise<Overlay | undefined> {
    const { writer, version } = this.#options;
    return readOverlay(writer, await changesSince(writer, version.current()));
  }

  /** Stores what must go out. No page shows it, so it is no part of the change log. */
  async #storeEvents({ tx, now }: Change, commit: Commit): Promise<void> {
    for (const event of this.#options.outlets.collect(commit)) await insertOutboxEvent(tx, now, event);
  }

  /** Rolls back to the savepoint, or the whole group if that fails, so that no part of the change stays. */
  #undo({ isAlone }: ChangeWork): void {
    const { writer, log } = this.#options;
    if (!writer.inTransaction) return;
    try {
      writer.execute(isAlone ? 'ROLLBACK' : 'ROLLBACK TO change; RELEASE change');
    } catch (error) {
      log.error({ err: error }, 'a savepoint could not be rolled back');
      writer.execute('ROLLBACK');
    }
  }
}

/** Nothing has asked whether the caller may make a change, so only those may who may do everything. */
function requireUnlimited({ grants, isDecided }: Actor): void {
  if (grants !== undefined && isDecided !== true) throw notAllowed({ action: 'publish' });
}
