/** Rows of a file as entries: conversion of cells, and everything that is wrong with them. */

import { readFile, readFlag } from '../../../../runtime/fields/csv.ts';
import {
  ConversionError,
  type EntryData,
  type FieldDefinition,
} from '../../../../runtime/fields/definition.ts';
import { convertValue, fieldTypes } from '../../../../runtime/fields/types.ts';
import { ApiError, apiError, invalid } from '../../../base/errors.ts';
import { convertTree, TrustedTree } from '../../../content/blocks/convert-tree.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { StoredCollection } from '../model.ts';
import type { Entry } from '../rows/model.ts';
import { convertData, type ItemTargets, toApiError } from '../rows/values.ts';
import { type EntryFile, type EntryRow, readFileCell } from './file.ts';
import type { Problem } from './model.ts';

/** What the rows of a file are read with. */
export interface RowContext {
  readonly db: ContentDb;
  readonly collection: StoredCollection;
  readonly file: EntryFile;
  readonly mapping: readonly string[];
  readonly targets: ItemTargets;
}

export interface ReadRow {
  readonly data: EntryData;
  /** Undefined if the row does not say. */
  readonly published: boolean | undefined;
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** @param before the entry that the row changes; undefined for a new one */
export async function readRow(
  context: RowContext,
  row: EntryRow,
  before: Entry | undefined,
): Promise<ReadRow> {
  const { collection, file, mapping, targets } = context;
  const errors: Problem[] = [];
  const warnings: Problem[] = [];
  const sent: Record<string, unknown> = Object.create(null);
  const published = readStatus(context, row, errors);
  for (const field of collection.fields) {
    const column = mapping.indexOf(field.name);
    if (column < 0) continue;
    const name = file.columns[column] ?? '';
    const { value, error, warning } = await readCell(context, readFileCell(row.cells, column), field, before);
    sent[field.name] = value;
    if (error !== undefined) errors.push(problem(row, name, error));
    if (warning !== undefined) warnings.push(problem(row, name, warning));
  }
  const { data, faults } = await convertData(context.db, collection, sent, before?.data, targets);
  for (const fault of faults) {
    // Behind a point is a part of the value.
    const [field = ''] = fault.field.split('.');
    const name = file.columns[mapping.indexOf(field)] ?? '';
    // A cell that could not be read is wrong only once.
    if (name === '' || !errors.some(({ column }) => column === name))
      errors.push(problem(row, name, toApiError(fault)));
  }
  if (row.cells.slice(file.columns.length).some((cell) => cell !== ''))
    errors.push(
      problem(row, '', apiError('csv.extraCells', { cells: row.cells.length, columns: file.columns.length })),
    );
  return { data, published, errors, warnings };
}

/** A problem with a row. @param column empty for the whole row */
export function problem({ row }: Pick<EntryRow, 'row'>, column: string, error: ApiError): Problem {
  return { row, column, message: error.message, code: error.code, params: error.params };
}

interface ReadCell {
  readonly value: unknown;
  readonly error?: ApiError;
  readonly warning?: ApiError;
}

async function readCell(
  context: RowContext,
  cell: string,
  field: FieldDefinition,
  before: Entry | undefined,
): Promise<ReadCell> {
  const type = fieldTypes[field.type];
  const isEmpty = type.compares === 'text' ? cell === '' : cell.trim() === '';
  if (isEmpty) return { value: null };
  if (type.refersTo === 'file') return fileOf(context, cell);
  const value = type.readCell(cell);
  if (value instanceof ConversionError) return { value: null, error: invalid(field.name, value.reason) };
  return type.compares === 'tree' ? treeOf(context, value, field, before?.data[field.name]) : { value };
}

/** A block tree; none with a warning if it is not valid. */
async function treeOf(
  { db }: RowContext,
  cell: unknown,
  field: FieldDefinition,
  before: unknown,
): Promise<ReadCell> {
  const { name } = field;
  const value = convertValue(cell, field);
  if (value instanceof ConversionError)
    return { value: null, warning: apiError('block.fieldInvalid', { field: name }) };
  if (value === null) return { value };
  try {
    return { value: TrustedTree.fromConverted(await convertTree(db, value, { field: name, before })) };
  } catch (error) {
    if (error instanceof ApiError) return { value: null, warning: error };
    throw error;
  }
}

/** A file by its ID or by the address that it was imported from; none with a warning if there is no such file. */
async function fileOf({ db, targets }: RowContext, cell: string): Promise<ReadCell> {
  const { hasFile, findFile } = targets;
  const named = readFile(cell);
  const id = typeof named === 'string' ? await findFile?.(db, named) : named;
  const exists = typeof id !== 'number' || hasFile === undefined || (await hasFile(db, id));
  if (id === null || (id !== undefined && exists)) return { value: id };
  return { value: null, warning: apiError('csv.noFileFor', { value: cell.slice(0, 200) }) };
}

function readStatus({ file, mapping }: RowContext, row: EntryRow, errors: Problem[]): boolean | undefined {
  let published: boolean | undefined;
  for (const [column, target] of mapping.entries()) {
    if (target !== '_published' && target !== '_draft') continue;
    const cell = readFileCell(row.cells, column);
    const flag = cell.trim() === '' ? undefined : readFlag(cell);
    if (flag instanceof ConversionError) {
      errors.push(problem(row, file.columns[column] ?? '', invalid(target, flag.reason)));
    } else if (target === '_published') {
      published = flag ?? published;
    } else {
      // Of several columns one is enough to make a draft.
      published = flag === true ? false : (published ?? true);
    }
  }
  return published;
}
