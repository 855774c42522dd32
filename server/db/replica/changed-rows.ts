/**
 * What a transaction has changed, as nodes tell each other: for each table first the keys of all rows that were
 * changed or deleted, then the changed and new rows as they are now. Whoever had the state before, removes the keys
 * and then adds the rows, has the state after it, and no two rows are ever equal where they must not be.
 */
import type { Cell } from './tables.ts';

/** One step; steps are applied in order. */
export type RowStep =
  | { readonly table: string; readonly remove: readonly (readonly Cell[])[] }
  | { readonly table: string; readonly add: readonly (readonly Cell[])[] };

/** Some steps as JSON, as they stand in the log, and what each of them is. */
export interface StepsPart {
  readonly json: string;
  readonly steps: readonly { readonly table: string; readonly kind: 'add' | 'remove' }[];
}

/** About how many characters of rows are sent at a time. */
const partLength = 2 ** 21;

interface OpenStep {
  readonly table: string;
  readonly kind: 'add' | 'remove';
  readonly rows: (readonly Cell[])[];
}

/** Puts rows into parts of bearable size. */
export class StepWriter {
  /** Rows of the same sort are one step, because PostgreSQL reads the whole part anew for each. */
  #steps: OpenStep[] = [];
  #length = 0;

  /** @returns a finished part when there is enough for one */
  add(step: RowStep): StepsPart | undefined {
    const kind = 'add' in step ? 'add' : 'remove';
    const rows = 'add' in step ? step.add : step.remove;
    const last = this.#steps.at(-1);
    if (last?.table === step.table && last.kind === kind) for (const row of rows) last.rows.push(row);
    else this.#steps.push({ table: step.table, kind, rows: [...rows] });
    for (const row of rows) this.#length += computeRowLength(row);
    return this.#length >= partLength ? this.take() : undefined;
  }

  /** Everything that was added since the last part; undefined for nothing. */
  take(): StepsPart | undefined {
    if (this.#steps.length === 0) return undefined;
    const steps = this.#steps.map(({ table, kind }) => ({ table, kind }));
    const json = toJson(
      this.#steps.map(({ table, kind, rows }) =>
        kind === 'add' ? { table, add: rows } : { table, remove: rows },
      ),
    );
    this.#steps = [];
    this.#length = 0;
    return { json, steps };
  }
}

/** About how many characters a row has. */
export function computeRowLength(row: readonly Cell[]): number {
  return row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0);
}

/** PostgreSQL has no text with NUL, so another character that nobody uses stands for it. */
const stand = '\u{10FFFF}';

/** Rows without steps, for PostgreSQL. */
export function rowsToJson(rows: readonly (readonly Cell[])[]): string {
  return toJson(rows);
}

function toJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes('\\u0000') && !json.includes(stand)) return json;
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'string' ? part.replaceAll(stand, `${stand}1`).replaceAll('\u0000', `${stand}0`) : part,
  );
}

export function stepsFromJson(json: string): readonly RowStep[] {
  // Type boundary: only `StepWriter` writes this JSON.
  const steps = (json.includes(stand) ? JSON.parse(json, unescaped) : JSON.parse(json)) as RowStep[];
  return steps;
}

function unescaped(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? withoutEscapes(value) : value;
}

/** A text as it was before `toJson` or PostgreSQL had it. */
export function withoutEscapes(text: string): string {
  return text.includes(stand) ? text.replaceAll(`${stand}0`, '\u0000').replaceAll(`${stand}1`, stand) : text;
}
