/** A collection that fits a file: names of fields from the header, types from all values. */
import { readDate, readFlag, readNumber } from '../../../../runtime/fields/csv.ts';
import { ConversionError, type FieldTypeName } from '../../../../runtime/fields/definition.ts';
import { forEachInSlices } from '../../../base/timers.ts';
import { findFieldNameFault } from '../../../content/fields/field-name.ts';
import type { FieldInput } from '../model.ts';
import { type EntryFile, readFileCell } from './file.ts';

export interface Suggestion {
  readonly slug: string;
  readonly name: string;
  readonly fields: FieldInput[];
}

/** Columns that site builders add for their own use, and IDs of another place, in lower case. */
const ignoredColumns = new Set([
  'id',
  'collection id',
  'item id',
  'locale id',
  'created on',
  'updated on',
  'published on',
  'archived',
  'draft',
  'published',
  '_id',
  '_status',
  'owner',
  'created date',
  'updated date',
]);

/** @param name name of the collection; empty = none was given */
export async function suggestCollection(file: EntryFile, name: string): Promise<Suggestion> {
  const fields: FieldInput[] = [];
  const taken = new Set<string>();
  for (const [column, label] of file.columns.entries()) {
    if (label === '' || ignoredColumns.has(label.toLowerCase())) continue;
    const field = uniqueName(fieldNameOf(label), taken);
    fields.push({ name: field, label: label.slice(0, 200), type: await typeOf(file, column) });
  }
  return { slug: slugOf(name), name: name.trim() || 'Import', fields };
}

/** Types from the strictest to the loosest; the first that all values fit is taken. */
const candidates: readonly (readonly [FieldTypeName, (cell: string) => boolean])[] = [
  ['boolean', (cell) => fits(readFlag(cell))],
  ['number', (cell) => fits(readNumber(cell)) && !/^[+-]?0\d/.test(cell.trim())],
  ['date', (cell) => fits(readDate(cell))],
  ['url', (cell) => /^https?:\/\/\S+$/i.test(cell.trim())],
];

async function typeOf({ rows }: EntryFile, column: number): Promise<FieldTypeName> {
  let possible = candidates;
  let hasValue = false;
  let isHtml = false;
  let hasLines = false;
  await forEachInSlices(rows, async ({ cells }) => {
    const cell = readFileCell(cells, column);
    if (cell.trim() === '') return;
    hasValue = true;
    possible = possible.filter(([, fitsType]) => fitsType(cell));
    isHtml ||= /<[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/i.test(cell);
    hasLines ||= /[\r\n]/.test(cell);
  });
  const [strictest] = possible;
  if (hasValue && strictest !== undefined) return strictest[0];
  if (isHtml) return 'html';
  return hasLines ? 'textarea' : 'text';
}

function fits(value: unknown): boolean {
  return !(value instanceof ConversionError);
}

function plainOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
}

function fieldNameOf(label: string): string {
  const name = plainOf(label).slice(0, 100);
  if (name === '') return 'field';
  const usable = /^\d/.test(name) ? `_${name}` : name;
  return findFieldNameFault(usable) === undefined ? usable : `${usable}_`;
}

function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let count = 2; taken.has(unique); count++) unique = `${name}_${count}`;
  taken.add(unique);
  return unique;
}

function slugOf(name: string): string {
  const slug = plainOf(name).replaceAll('_', '-').slice(0, 100);
  if (slug === '' || slug === 'import') return 'imported';
  return /^\d/.test(slug) ? `c-${slug}`.slice(0, 100) : slug;
}
