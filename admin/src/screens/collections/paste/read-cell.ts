/** The text of a pasted cell as the value of a field. The forms are those of a CSV import. */
import type { CollectionField } from '../../../api/generated/schema.ts';

type Field = Pick<CollectionField, 'type' | 'options' | 'required'>;

/** Why a text is no value of a field; `entries.paste` in the texts has a sentence for each. */
export type CellFault =
  | 'empty'
  | 'noNumber'
  | 'noFlag'
  | 'noDate'
  | 'noTime'
  | 'noOption'
  | 'noId'
  | 'noJson'
  | 'blocks';

/** A value for the API, or why the text is none of the field. */
export type CellReading = { readonly value: unknown } | { readonly fault: CellFault };

/** Whether values of a type can be pasted. Blocks have an editor of their own. */
export function isPastable({ type }: Pick<Field, 'type'>): boolean {
  return type !== 'blocks';
}

export function readCell(field: Field, text: string): CellReading {
  const cell = text.trim();
  if (field.type === 'boolean' && cell === '') return { value: false };
  if (cell === '') return field.required ? { fault: 'empty' } : { value: null };
  return readers[field.type](keepsSpaces.has(field.type) ? text : cell, field);
}

const keepsSpaces: ReadonlySet<CollectionField['type']> = new Set(['textarea', 'html', 'markdown']);

const asText = (cell: string): CellReading => ({ value: cell });
const asId = (cell: string): CellReading => {
  const id = idIn(cell);
  return id === undefined ? { fault: 'noId' } : { value: id };
};

const readers: Readonly<Record<CollectionField['type'], (cell: string, field: Field) => CellReading>> = {
  text: asText,
  textarea: asText,
  html: asText,
  markdown: asText,
  url: asText,
  number: readNumber,
  boolean: readFlag,
  date: readDate,
  select: readOption,
  image: asId,
  file: asId,
  reference: asId,
  references: readIds,
  datetime: readMoment,
  multiselect: readOptions,
  color: asText,
  email: asText,
  phone: asText,
  link: readJson,
  place: readJson,
  group: readJson,
  blocks: () => ({ fault: 'blocks' }),
};

/** `1234.5`, `1.234,5` and `1,234.5`; a lone comma is a decimal comma, a lone point a decimal point. */
function readNumber(cell: string): CellReading {
  const plain = numberForms.find(([form]) => form.test(cell))?.[1](cell);
  const number = Number(plain);
  return plain === undefined || !Number.isFinite(number) ? { fault: 'noNumber' } : { value: number };
}

const numberForms: readonly (readonly [form: RegExp, toPlain: (cell: string) => string])[] = [
  [/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/, (cell) => cell],
  [/^[+-]?\d+,\d+$/, (cell) => cell.replace(',', '.')],
  [/^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/, (cell) => cell.replaceAll('.', '').replace(',', '.')],
  [/^[+-]?\d{1,3}(?:\.\d{3}){2,}$/, (cell) => cell.replaceAll('.', '')],
  [/^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)$/, (cell) => cell.replaceAll(',', '')],
  [/^[+-]?\d{1,3}(?:,\d{3}){2,}$/, (cell) => cell.replaceAll(',', '')],
];

const flags: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'wahr', 'yes', 'ja', '1', 'x'].map((word) => [word, true] as const),
  ...['false', 'falsch', 'no', 'nein', '0'].map((word) => [word, false] as const),
]);

function readFlag(cell: string): CellReading {
  const value = flags.get(cell.toLowerCase());
  return value === undefined ? { fault: 'noFlag' } : { value };
}

/** `2026-11-23` with or without a time, and `23.11.2026`. */
function readDate(cell: string): CellReading {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/.exec(cell);
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(cell);
  const [year, month, day] = iso?.slice(1) ?? german?.slice(1).reverse() ?? [];
  const text = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  return exists ? { value: text } : { fault: 'noDate' };
}

/** An option as it is written, else the one that differs in upper and lower case only. */
function readOption(cell: string, { options }: Field): CellReading {
  if (options.length === 0 || options.includes(cell)) return { value: cell };
  const alike = options.filter((option) => option.toLowerCase() === cell.toLowerCase());
  return alike.length === 1 ? { value: alike[0] } : { fault: 'noOption' };
}

/** A moment with its zone, as in the API. */
function readMoment(cell: string): CellReading {
  const isMoment = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(cell);
  const date = isMoment ? new Date(cell) : undefined;
  if (date === undefined || Number.isNaN(date.getTime())) return { fault: 'noTime' };
  return { value: `${date.toISOString().slice(0, 19)}Z` };
}

/** Options with commas, or the JSON of a list; without known options any text is one. */
function readOptions(cell: string, field: Field): CellReading {
  const json = cell.startsWith('[') ? readJson(cell) : undefined;
  const list: readonly unknown[] =
    json !== undefined && 'value' in json && Array.isArray(json.value) ? json.value : cell.split(',');
  const chosen = new Set<unknown>();
  for (const option of list.map((part) => String(part).trim()).filter((part) => part !== '')) {
    const reading = readOption(option, field);
    if ('fault' in reading) return reading;
    chosen.add(reading.value);
  }
  return { value: [...chosen] };
}

function readIds(cell: string): CellReading {
  const ids = cell
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(idIn);
  return ids.includes(undefined) ? { fault: 'noId' } : { value: [...new Set(ids)] };
}

/** A value with parts, as the table shows it. */
function readJson(cell: string): CellReading {
  try {
    const value: unknown = JSON.parse(cell);
    return typeof value === 'object' && value !== null ? { value } : { fault: 'noJson' };
  } catch {
    return { fault: 'noJson' };
  }
}

/** The table shows an ID as `#12`. */
function idIn(cell: string): number | undefined {
  const digits = /^\s*#?(\d{1,15})\s*$/.exec(cell)?.[1];
  return digits === undefined || Number(digits) === 0 ? undefined : Number(digits);
}
