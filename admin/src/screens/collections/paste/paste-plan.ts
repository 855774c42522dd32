/** What pasted cells would change: rows of the table from one place on, and new entries behind its end. */
import type { CollectionField } from '../../../api/generated/schema.ts';
import type { Cells } from './cells.ts';
import { type CellFault, isPastable, readCell } from './read-cell.ts';

/** An entry before the paste. */
export interface EntryBefore {
  readonly id: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly updated_at: number;
}

export interface PastedCell {
  readonly field: CollectionField;
  readonly text: string;
  /** The value to store; undefined with a fault. */
  readonly value?: unknown;
  readonly fault?: CellFault;
  /** Whether it differs from what is stored. */
  readonly isChanged: boolean;
}

export interface PastedRow {
  /** Place among the pasted rows. */
  readonly index: number;
  /** Undefined for a new entry. */
  readonly entry: EntryBefore | undefined;
  readonly cells: readonly PastedCell[];
  /** Required fields of a new entry that the cells do not fill. */
  readonly missing: readonly CollectionField[];
}

export interface PastePlan {
  /** The fields that get values, in the order of the cells. */
  readonly fields: readonly CollectionField[];
  /** Number of columns of cells that belong to no field. */
  readonly ignored: number;
  readonly rows: readonly PastedRow[];
}

export interface PasteInput {
  readonly cells: Cells;
  /** The columns of the table from the first cell on. */
  readonly columns: readonly CollectionField[];
  /** All fields of the collection, for headings and for what a new entry needs. */
  readonly fields: readonly CollectionField[];
  /** Whether the first row names the fields. */
  readonly hasHeadings: boolean;
  /** Entries from the first row on; behind them rows are new. */
  readonly entries: readonly EntryBefore[];
}

export function createPastePlan({ cells, columns, fields, hasHeadings, entries }: PasteInput): PastePlan {
  const width = Math.max(0, ...cells.map((row) => row.length));
  const targets = hasHeadings ? headedFields(cells[0] ?? [], fields) : columns.slice(0, width);
  const used = targets.map((field) => (field !== undefined && isPastable(field) ? field : undefined));
  const rows = hasHeadings ? cells.slice(1) : cells;
  return {
    fields: used.filter((field) => field !== undefined),
    ignored: width - used.filter((field) => field !== undefined).length,
    rows: rows.map((row, index) => rowOf(row, index, used, fields, entries[index])),
  };
}

/** Whether each text of the first row names another field, so that it is no content. */
export function looksLikeHeadings(cells: Cells, fields: readonly CollectionField[]): boolean {
  const [first = []] = cells;
  const found = headedFields(first, fields);
  const names = new Set(found.filter((field) => field !== undefined));
  return cells.length > 1 && names.size > 0 && names.size === first.length;
}

function headedFields(
  row: readonly string[],
  fields: readonly CollectionField[],
): readonly (CollectionField | undefined)[] {
  const taken = new Set<CollectionField>();
  return row.map((text) => {
    const wanted = text.trim().toLowerCase();
    const field = fields.find(
      (candidate) =>
        !taken.has(candidate) &&
        (candidate.label.toLowerCase() === wanted || candidate.name.toLowerCase() === wanted),
    );
    if (field !== undefined) taken.add(field);
    return field;
  });
}

function rowOf(
  texts: readonly string[],
  index: number,
  targets: readonly (CollectionField | undefined)[],
  fields: readonly CollectionField[],
  entry: EntryBefore | undefined,
): PastedRow {
  const cells = targets.flatMap((field, place) =>
    field === undefined ? [] : [cellOf(field, texts[place] ?? '', entry)],
  );
  const isFilled = ({ name }: CollectionField) => cells.some(({ field }) => field.name === name);
  const missing = entry === undefined ? fields.filter((field) => needsValue(field) && !isFilled(field)) : [];
  return { index, entry, cells, missing };
}

/** A boolean without a value is false. */
function needsValue({ type, required }: CollectionField): boolean {
  return required && type !== 'boolean';
}

function cellOf(field: CollectionField, text: string, entry: EntryBefore | undefined): PastedCell {
  const reading = readCell(field, text);
  if ('fault' in reading) return { field, text, fault: reading.fault, isChanged: false };
  const before = entry?.data[field.name] ?? null;
  const isChanged = entry === undefined || JSON.stringify(before) !== JSON.stringify(reading.value);
  return { field, text, value: reading.value, isChanged };
}

/** A row that changes something. */
export interface RowChange {
  readonly row: PastedRow;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * What the rows change, without their faults: a cell that does not fit is left as it is, and a new entry that would
 * lack something is not made.
 */
export function listRowChanges({ rows }: PastePlan): readonly RowChange[] {
  return rows.flatMap((row) => {
    const isIncomplete =
      row.missing.length > 0 ||
      row.cells.some(({ fault, field }) => fault !== undefined && needsValue(field));
    if (row.entry === undefined && (isIncomplete || isBlank(row))) return [];
    const changed = row.cells.filter(({ isChanged }) => isChanged);
    if (changed.length === 0) return [];
    return [{ row, data: Object.fromEntries(changed.map(({ field, value }) => [field.name, value])) }];
  });
}

/** An empty line between the rows makes no entry. */
function isBlank({ cells }: PastedRow): boolean {
  return cells.every(({ text }) => text.trim() === '');
}

/** Number of cells that do not fit, and of new entries that lack something. */
export function faultCount({ rows }: PastePlan): number {
  return rows
    .filter((row) => row.entry !== undefined || !isBlank(row))
    .reduce(
      (count, { cells, missing }) =>
        count + cells.filter(({ fault }) => fault !== undefined).length + Math.sign(missing.length),
      0,
    );
}
