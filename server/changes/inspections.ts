import { type CheckedText, computeTextKey, type TextReport } from './text-analysis.ts';

export type UseReports = (reports: readonly TextReport[]) => Promise<void> | void;

/** One call of `Change.inspect`. */
export interface Inspection {
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

/**
 * Hands every inspection of a change its reports, in order.
 *
 * @param known reports that earlier runs of the change lacked, by `computeTextKey`
 * @throws MissingReports with all reports that are not made yet, and the errors of the inspections
 */
export async function finishInspections(
  inspections: readonly Inspection[],
  known: ReadonlyMap<string, TextReport>,
  inspectText: ((text: CheckedText) => TextReport | Promise<TextReport>) | undefined,
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
