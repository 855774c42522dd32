/** The letters of formats that are written quickly: each is an entry of a table, at a field of the date or time. */
import { ordinalSuffix } from './format.ts';
import type { DateNames } from './names.ts';

/** The number of a field. Fields of the time come last. */
export const fields = {
  day: 0,
  month: 1,
  weekday: 2,
  /** Years since `firstYear`. */
  year: 3,
  yearOfCentury: 4,
  /** 0 before noon, then 1. */
  half: 5,
  hour: 6,
  hourOfHalf: 7,
  minute: 8,
  second: 9,
  /** The whole time, which no table has. */
  time: 10,
} as const;

export type Field = (typeof fields)[keyof typeof fields];

/** Whether the field belongs to the date. */
export function isOfDate(field: Field): boolean {
  return field < fields.half;
}

interface Shown {
  readonly field: Field;
  readonly texts: readonly string[];
}

/** Undefined for letters that are not written quickly. */
export function shownBy(letter: string, names: DateNames): Shown | undefined {
  return letters.get(letter)?.(names);
}

/** Numbers below 100. */
export const unpadded: readonly string[] = Array.from({ length: 100 }, (_, value) => String(value));
export const padded: readonly string[] = unpadded.map((text) => text.padStart(2, '0'));

/** Years of the table. */
export const firstYear = 1900;
const years: readonly string[] = Array.from({ length: 200 }, (_, index) => String(firstYear + index));

/** By day of the month and by month from 0. */
const suffixes: readonly string[] = Array.from({ length: 32 }, (_, day) => ordinalSuffix(day));
const monthNumbers = unpadded.slice(1, 13);
const paddedMonths = padded.slice(1, 13);

const letters: ReadonlyMap<string, (names: DateNames) => Shown> = new Map<
  string,
  (names: DateNames) => Shown
>([
  ['d', () => ({ field: fields.day, texts: padded })],
  ['j', () => ({ field: fields.day, texts: unpadded })],
  ['S', () => ({ field: fields.day, texts: suffixes })],
  ['m', () => ({ field: fields.month, texts: paddedMonths })],
  ['n', () => ({ field: fields.month, texts: monthNumbers })],
  ['M', ({ shortMonths }) => ({ field: fields.month, texts: shortMonths.map(capitalized) })],
  ['F', ({ months }) => ({ field: fields.month, texts: months })],
  ['N', ({ pressMonths }) => ({ field: fields.month, texts: pressMonths })],
  ['E', ({ altMonths }) => ({ field: fields.month, texts: altMonths })],
  ['b', ({ shortMonths }) => ({ field: fields.month, texts: shortMonths })],
  ['D', ({ shortDays }) => ({ field: fields.weekday, texts: shortDays })],
  ['l', ({ days }) => ({ field: fields.weekday, texts: days })],
  ['w', () => ({ field: fields.weekday, texts: unpadded })],
  ['Y', () => ({ field: fields.year, texts: years })],
  ['y', () => ({ field: fields.yearOfCentury, texts: padded })],
  ['a', ({ am, pm }) => ({ field: fields.half, texts: [am, pm] })],
  ['A', ({ upperAm, upperPm }) => ({ field: fields.half, texts: [upperAm, upperPm] })],
  ['G', () => ({ field: fields.hour, texts: unpadded })],
  ['H', () => ({ field: fields.hour, texts: padded })],
  ['g', () => ({ field: fields.hourOfHalf, texts: unpadded })],
  ['h', () => ({ field: fields.hourOfHalf, texts: padded })],
  ['i', () => ({ field: fields.minute, texts: padded })],
  ['s', () => ({ field: fields.second, texts: padded })],
  ...['c', 'f', 'P'].map((letter): [string, () => Shown] => [
    letter,
    () => ({ field: fields.time, texts: [] }),
  ]),
]);

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
