/** Rows of a file whose values other entries, or other rows, have in fields that must be unique. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntryData } from '../../../../runtime/fields/definition.ts';
import { apiError } from '../../../base/errors.ts';
import { forEachInSlices } from '../../../base/timers.ts';
import type { Entry } from '../rows/model.ts';
import { listUniqueFields, toComparable } from '../rows/unique.ts';
import { listValues } from '../rows/value-store.ts';
import type { EntryRow } from './file.ts';
import type { Problem } from './model.ts';
import { problem, type RowContext } from './rows.ts';

/** A row of the file with what it becomes. */
export interface SourcedRow {
  readonly row: EntryRow;
  readonly data: EntryData;
  /** The entry that it changes; undefined for a new one. */
  readonly before: Pick<Entry, 'id' | 'data'> | undefined;
}

/**
 * The faults of all rows, compared with how the collection will be: entries may exchange their values.
 *
 * @param isReplaced whether entries that the file does not have are deleted
 */
export async function findSharedValues(
  { db, collection, file, mapping }: RowContext,
  rows: readonly SourcedRow[],
  isReplaced: boolean,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const changedIds = new Set(rows.flatMap(({ before }) => before?.id ?? []));
  for (const { name } of listUniqueFields(collection)) {
    const isKept = ({ data, before }: SourcedRow) => before !== undefined && data[name] === before.data[name];
    /** The entry with each value; 0 stands for a new one. */
    const owners = new Map<string | number, number>();
    if (!isReplaced) {
      for await (const slice of listValues(db, collection.id, name)) {
        for (const { id, value } of slice) {
          const key = toComparable(value);
          if (key !== undefined && !changedIds.has(id)) owners.set(key, id);
        }
        await nextTurn();
      }
    }
    await forEachInSlices(rows, async (row) => {
      const key = toComparable(row.data[name]);
      if (key !== undefined && isKept(row)) owners.set(key, row.before?.id ?? 0);
    });
    const column = file.columns[mapping.indexOf(name)] ?? '';
    await forEachInSlices(rows, async (row) => {
      const key = toComparable(row.data[name]);
      if (key === undefined || isKept(row)) return;
      const id = owners.get(key);
      if (id === undefined) owners.set(key, row.before?.id ?? 0);
      else problems.push(problem(row.row, column, apiError('item.notUnique', { field: name, id })));
    });
  }
  return problems;
}
