/** What recorded work has done to one row after the other, as it is stored. */
import type { Row } from '../connection.ts';

/** One row before and after: a deletion has no `after`, an insertion no `before`. */
export interface UndoStep {
  readonly table: string;
  readonly before?: Row;
  readonly after?: Row;
}

/** The columns of tables as they were when the steps were recorded. */
export type StepColumns = ReadonlyMap<string, readonly string[]>;

type Cells = readonly (string | number | null)[];

/** Operation, table, and the cells of the row before or after; an update has both. */
type StoredStep = readonly ['d' | 'i' | 'u', string, Cells, Cells?];

/** The steps of a part, in order. */
export function parseSteps(columns: StepColumns, text: string): UndoStep[] {
  // Type boundary: only the triggers of `record.ts` write this JSON.
  const steps = JSON.parse(text) as StoredStep[];
  return steps.map(([op, table, first, second = []]) => {
    const names = columns.get(table) ?? [];
    const row = toRow(names, first);
    if (op === 'd') return { table, before: row };
    return op === 'i' ? { table, after: row } : { table, before: row, after: toRow(names, second) };
  });
}

function toRow(names: readonly string[], cells: Cells): Row {
  return Object.fromEntries(names.map((name, place) => [name, cells[place] ?? null]));
}
