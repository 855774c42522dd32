/** One change inside the transaction of its group. */
import type { Actor } from '../base/actor.ts';
import { type Clock, unixSeconds } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { ContentDb } from '../db/tables.ts';
import { type ChangeLog, changesSince } from './change-log.ts';
import { type ChangeCheck, UncheckedChange } from './commit-check.ts';
import { CommitLog } from './commit-log.ts';
import type { ContentVersion } from './content-version.ts';
import { insertOutboxEvent } from './outbox-store.ts';
import type { Outlets } from './outlets.ts';
import { type Overlay, readOverlay } from './overlay.ts';
import type { ChangeEvent, ChangeRecord, Commit } from './record.ts';
import { type CheckedText, computeTextKey, type TextReport } from './text-analysis.ts';

/** A change in progress, as services see it. */
export interface Change {
  /** The writer connection inside the transaction: sees what this change has written so far. */
  readonly tx: ContentDb;
  readonly actor: Actor;
  /** Unix seconds, the same for the whole change. */
  readonly now: number;
  record(entry: ChangeRecord): void;
  /**
   * Calls `use` at the end of the change, before the commit, with a report about each text. An error of `use`
   * refuses the whole change.
   */
  inspect(texts: readonly CheckedText[], use: Inspection['use']): void;
  /**
   * Writes rows without invalidating caches. Use it only for rows that no page can show, such as the stored response
   * of a batch. A change that writes nothing else leaves the content version unchanged.
   */
  writeUnversioned(work: () => Promise<unknown>): Promise<void>;
  /** Tells an event of its own to the listeners, such as a batch that was applied. */
  announce(announcement: ChangeEvent): void;
  /** Runs after a successful commit, before the caller is answered. A failure is only logged. */
  after(task: () => void): void;
}

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

/** Makes the reports for `Change.inspect`: at once if it can, else as a promise. */
export type InspectText = (text: CheckedText) => TextReport | Promise<TextReport>;

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
    const { writer, clock } = this.#options;
    const records: ChangeRecord[] = [];
    const announcements: ChangeEvent[] = [];
    const afterTasks: (() => void)[] = [];
    const inspections: Inspection[] = [];
    if (!work.isAlone) writer.execute('SAVEPOINT change');
    const before = writer.totalChanges();
    let rowsAside = 0;
    const since = await this.#log.newest();
    try {
      const change: Change = {
        tx: writer,
        actor: work.actor,
        now: unixSeconds(clock),
        record: (entry) => records.push(entry),
        announce: (announcement) => announcements.push(announcement),
        after: (task) => afterTasks.push(task),
        async writeUnversioned(write) {
          const start = writer.totalChanges();
          await write();
          rowsAside += writer.totalChanges() - start;
        },
        inspect: (texts, use) => inspections.push({ texts, use }),
      };
      const value = await work.run(change);
      await finishInspections(inspections, work.reports, this.#options.inspectText);
      const wrote = writer.totalChanges() > before + rowsAside;
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

/** One call of `Change.inspect`. */
interface Inspection {
  readonly texts: readonly CheckedText[];
  readonly use: (reports: readonly TextReport[]) => Promise<void> | void;
}

/** Undoes a change, which then waits for these reports and runs again. */
export class MissingReports extends Error {
  readonly reports: ReadonlyMap<string, Promise<TextReport>>;

  constructor(reports: ReadonlyMap<string, Promise<TextReport>>) {
    super(`${reports.size} texts are not inspected yet`);
    this.reports = reports;
  }
}

/**
 * Hands every inspection of a change its reports, in order.
 *
 * @param known reports that earlier runs of the change lacked, by `computeTextKey`
 * @throws MissingReports with all reports that are not made yet, and the errors of the inspections
 */
async function finishInspections(
  inspections: readonly Inspection[],
  known: ReadonlyMap<string, TextReport>,
  inspectText: InspectText | undefined,
): Promise<void> {
  const missing = new Map<string, Promise<TextReport>>();
  const reportOf = (text: CheckedText): TextReport[] => {
    if (inspectText === undefined) throw new Error(`nothing can inspect the text of ${text.name}`);
    const report = known.get(computeTextKey(text)) ?? inspectText(text);
    if (!(report instanceof Promise)) return [report];
    missing.set(computeTextKey(text), report);
    return [];
  };
  const reports = inspections.map(({ texts }) => texts.flatMap(reportOf));
  if (missing.size > 0) throw new MissingReports(missing);
  for (const [index, { use }] of inspections.entries()) await use(reports[index] ?? []);
}
