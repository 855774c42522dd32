/** What a change does while it runs, and what parts of it do that are taken back. */
import type { Actor } from '../base/actor.ts';
import type { ContentDb } from '../db/tables.ts';
import type { TableWrite } from '../db/written-tables.ts';
import type { Change, Decision, UseReports } from './change.ts';
import type { ChangeEvent, ChangeRecord } from './record.ts';
import { type CheckedText, computeTextKey, type TextReport } from './text-analysis.ts';

/** Makes the reports for `Change.inspect`: at once if it can, else as a promise. */
export type InspectText = (text: CheckedText) => TextReport | Promise<TextReport>;

/** What a change has in common with the parts of it. */
interface ChangeContext {
  readonly writer: ContentDb;
  readonly actor: Actor;
  /** Unix seconds. */
  readonly now: number;
  /** The reports that earlier runs of the same change lacked. */
  readonly reports: ReadonlyMap<string, TextReport>;
  readonly inspectText: InspectText | undefined;
  readonly decision: Decision;
  readonly rights: { isDecided: boolean };
}

/** One call of `Change.inspect`. */
interface Inspection {
  readonly texts: readonly CheckedText[];
  readonly use: UseReports;
}

/** Undoes a change, which then waits for these reports and runs again. */
export class MissingReports extends Error {
  readonly reports: ReadonlyMap<string, Promise<TextReport>>;

  constructor(reports: ReadonlyMap<string, Promise<TextReport>>) {
    super(`${reports.size} texts are not inspected yet`);
    this.reports = reports;
  }
}

/** A change, or a part of one in a savepoint of its own. */
export class RunningChange {
  readonly records: ChangeRecord[] = [];
  readonly announcements: ChangeEvent[] = [];
  readonly afterTasks: (() => void)[] = [];
  readonly #inspections: Inspection[] = [];
  readonly #context: ChangeContext;
  /** Rows that no page shows, or that were taken back. */
  rowsAside = 0;
  /** As services see it; they may take its functions apart. */
  readonly change: Change;

  constructor(context: ChangeContext) {
    this.#context = context;
    this.change = {
      tx: context.writer,
      actor: context.actor,
      now: context.now,
      decision: context.decision,
      markDecided: () => {
        context.rights.isDecided = true;
      },
      record: (entry) => void this.records.push(entry),
      announce: (announcement) => void this.announcements.push(announcement),
      after: (task) => void this.afterTasks.push(task),
      inspect: (texts, use) => void this.#inspections.push({ texts, use }),
      report: (texts) => this.#report(texts),
      writeUnversioned: (work) => this.#countAside(work),
      rehearse: (work, decision) => this.#rehearse(work, decision),
      attempt: (work, decision) => this.#attempt(work, decision),
    };
  }

  /**
   * Hands every inspection its reports, in order.
   *
   * @throws MissingReports with all reports that are not made yet, and the errors of the inspections
   */
  async finishInspections(): Promise<void> {
    const missing = new Map<string, Promise<TextReport>>();
    const reports = this.#inspections.map(({ texts }) => this.#readReports(texts, missing));
    if (missing.size > 0) throw new MissingReports(missing);
    for (const [index, { use }] of this.#inspections.entries()) await use(reports[index] ?? []);
  }

  #report(texts: readonly CheckedText[]): readonly TextReport[] | undefined {
    const missing = new Map<string, Promise<TextReport>>();
    const reports = this.#readReports(texts, missing);
    if (missing.size === 0) return reports;
    this.#inspections.push({ texts, use: () => {} });
    return undefined;
  }

  /** The reports that are made. @param missing gets those that are not */
  #readReports(texts: readonly CheckedText[], missing: Map<string, Promise<TextReport>>): TextReport[] {
    const { inspectText, reports: known } = this.#context;
    return texts.flatMap((text) => {
      if (inspectText === undefined) throw new Error(`nothing can inspect the text of ${text.name}`);
      const report = known.get(computeTextKey(text)) ?? inspectText(text);
      if (!(report instanceof Promise)) return [report];
      missing.set(computeTextKey(text), report);
      return [];
    });
  }

  /** Counts the rows that `work` writes as rows aside. Those that it has counted itself count once. */
  async #countAside<T>(work: () => Promise<T>): Promise<void> {
    const { writer } = this.#context;
    const start = writer.totalChanges();
    const aside = this.rowsAside;
    await work();
    this.rowsAside = aside + writer.totalChanges() - start;
  }

  async #rehearse<T>(work: (inner: Change) => Promise<T>, decision?: Decision): Promise<T> {
    const inner = this.#createPart(decision);
    const takeBack = this.#openSavepoint();
    try {
      const value = await work(inner.change);
      await inner.finishInspections();
      return value;
    } finally {
      takeBack();
    }
  }

  async #attempt<T>(work: (inner: Change) => Promise<T>, decision?: Decision): Promise<T> {
    const inner = this.#createPart(decision);
    const takeBack = this.#openSavepoint();
    try {
      const value = await work(inner.change);
      this.#context.writer.execute(`RELEASE ${savepoint}`);
      this.#adopt(inner);
      return value;
    } catch (error) {
      takeBack();
      throw error;
    }
  }

  #createPart(decision = this.#context.decision): RunningChange {
    return new RunningChange({ ...this.#context, decision });
  }

  /** Returns what takes back everything since; some errors have ended the transaction by then. */
  #openSavepoint(): () => void {
    const { writer } = this.#context;
    const rowsBefore = writer.totalChanges();
    const aside = this.rowsAside;
    const writes: readonly TableWrite[] = writer.writtenTables.list();
    writer.execute(`SAVEPOINT ${savepoint}`);
    return () => {
      if (!writer.inTransaction) return;
      writer.execute(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`);
      writer.writtenTables.clear();
      writer.writtenTables.add(writes);
      this.rowsAside = aside + writer.totalChanges() - rowsBefore;
    };
  }

  #adopt(inner: RunningChange): void {
    this.records.push(...inner.records);
    this.announcements.push(...inner.announcements);
    this.afterTasks.push(...inner.afterTasks);
    this.#inspections.push(...inner.#inspections);
    this.rowsAside += inner.rowsAside;
  }
}

/** Savepoints of one name nest: the newest one counts. */
const savepoint = 'part';
