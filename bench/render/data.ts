/** Data of the pages: the same in every run, and not all of it ASCII. */
import type { Context } from './workload.ts';

const people: readonly string[] = [
  'Ada Lovelace',
  'José Ortega',
  'Zoë Müller',
  'Nguyễn Văn An',
  'Grace Hopper',
  'Владимир Орлов',
  'Tom & Ann',
  '山田 太郎',
];

const vocabulary: readonly string[] =
  'light lamp glass café oil the of and with brass "story" museum über street night house & window paper <new> made year hand long déjà work open small'.split(
    ' ',
  );

export function personName(index: number): string {
  return people[index % people.length] ?? '';
}

/** Words without meaning; every 29th is special to HTML, a few have letters beyond ASCII. */
export function sentence(seed: number, length: number): string {
  const list = Array.from({ length }, (_, index) => wordAt(seed * 7 + index * (1 + (seed % 5))));
  return list.join(' ');
}

/** As `sentence`, of ASCII letters only, as most titles, names and labels are. */
export function plainWords(seed: number, length: number): string {
  return Array.from({ length }, (_, index) => plain[(seed * 3 + index * 5) % plain.length]).join(' ');
}

const plain = vocabulary.filter((word) => /^[a-z]+$/.test(word));

function wordAt(index: number): string {
  return vocabulary[index % vocabulary.length] ?? '';
}

export function times<Made>(count: number, make: (index: number) => Made): Made[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** A moment of 2025 or later. */
export function moment(index: number): Date {
  return new Date(Date.UTC(2025, 0, 3, 7, 5) + index * 26 * 3_600_000 + index * 660_000);
}

/** The data with one entry in every list. */
export function leastOf<Data extends Context>(data: Data): Data {
  // The lists keep the type of their entries, so the type of the data stays the same.
  return shortened(data) as Data;
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shortened(entry)]));
}
