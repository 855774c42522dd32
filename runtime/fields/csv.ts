/** Conversions of CSV cells (Data, Automation and Operations, "CSV import into an existing collection"). */
import { toId } from './convert.ts';
import { ConversionError } from './definition.ts';

/**
 * A number as people and programs write it: `1234.5`, `1.234,5`, `1,234.5`. A lone comma is a decimal comma, a
 * lone point a decimal point.
 */
export function readNumber(cell: string): number | ConversionError {
  const text = cell.trim();
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text)) return finite(text);
  if (/^[+-]?\d+,\d+$/.test(text)) return finite(text.replace(',', '.'));
  if (/^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/.test(text) || /^[+-]?\d{1,3}(?:\.\d{3}){2,}$/.test(text))
    return finite(text.replaceAll('.', '').replace(',', '.'));
  if (/^[+-]?\d{1,3}(?:,\d{3})+\.\d+$/.test(text) || /^[+-]?\d{1,3}(?:,\d{3}){2,}$/.test(text))
    return finite(text.replaceAll(',', ''));
  return new ConversionError('is not a number');
}

function finite(text: string): number | ConversionError {
  const number = Number(text);
  return Number.isFinite(number) ? number : new ConversionError('is not a number');
}

const words: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['ja', true],
  ['yes', true],
  ['1', true],
  ['x', true],
  ['false', false],
  ['nein', false],
  ['no', false],
  ['0', false],
]);

export function readFlag(cell: string): boolean | ConversionError {
  return words.get(cell.trim().toLowerCase()) ?? new ConversionError('is neither yes nor no');
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** ISO, with or without time. */
const isoForm = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Each form of a date with the places of year, month and day. */
const dateForms: readonly (readonly [form: RegExp, year: number, month: number, day: number])[] = [
  [isoForm, 1, 2, 3],
  // DD.MM.YYYY
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, 3, 2, 1],
  // RFC 1123: Sun, 06 Nov 1994 08:49:37 GMT
  [/^[A-Za-z]{3}, (\d{1,2}) ([A-Za-z]{3}) (\d{4}) \d{2}:\d{2}:\d{2} (?:[A-Z]{1,4}|[+-]\d{4})$/, 3, 2, 1],
  // Exports of site builders: Sun Nov 06 1994 08:49:37 GMT+0000 (Coordinated Universal Time)
  [/^[A-Za-z]{3} ([A-Za-z]{3}) (\d{1,2}) (\d{4}) \d{2}:\d{2}:\d{2} GMT[+-]\d{4}(?: \([^)]*\))?$/, 3, 1, 2],
];

/** Whether a text is a day in ISO form, with or without a time. */
export function isIsoDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = isoForm.exec(text) ?? [];
  return year !== '' && !(dayOf(year, month, day) instanceof ConversionError);
}

/** The day of a date as `YYYY-MM-DD`, as it is written: no change of time zone. */
export function readDate(cell: string): string | ConversionError {
  const text = cell.trim();
  for (const [form, year, month, day] of dateForms) {
    const match = form.exec(text);
    if (match !== null) return dayOf(match[year] ?? '', match[month] ?? '', match[day] ?? '');
  }
  return new ConversionError('is not a date');
}

function dayOf(year: string, month: string, day: string): string | ConversionError {
  const number = /^\d+$/.test(month) ? Number(month) : months.indexOf(month.toLowerCase()) + 1;
  const text = `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  return exists ? text : new ConversionError('is not a day that exists');
}

/** The ID of a file, or the address that a file was imported from. */
export function readFile(cell: string): number | string | null {
  const id = toId(cell);
  return id instanceof ConversionError ? cell.trim() : id;
}
