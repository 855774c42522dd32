/**
 * The types of fields in one table: how values are converted and checked, how filters compare them, what they are
 * in CSV, and what block types see of them. Entries, block parameters, their defaults, queries and imports all use
 * it.
 */
import { toFlag, toId, toIds, toNumber, toOption, toText, toTree } from './convert.ts';
import { isIsoDate, readDate, readFlag, readNumber } from './csv.ts';
import { ConversionError, type EntryData, type FieldDefinition, type FieldTypeName } from './definition.ts';
import { completeGroup, type GroupField, toGroup } from './group.ts';
import { isLink, toLink } from './link.ts';
import { toPlace } from './place.ts';
import { toColor, toEmail, toMoment, toOptions, toPhone, writeOptions } from './scalars.ts';
import { canHoldTargets, type FieldTarget, replaceTargets } from './targets.ts';

/** How filters compare the values of a type; `ids` and `texts` are lists; `none`: only with nothing. */
export type Comparison =
  | 'text'
  | 'number'
  | 'day'
  | 'time'
  | 'flag'
  | 'id'
  | 'ids'
  | 'texts'
  | 'tree'
  | 'none';

/**
 * What the template of a block type sees of a parameter (Core, "Rendering of blocks"): the value itself, HTML made
 * from it, the file, entry or entries that it refers to, or what a field of an entry is (`field`).
 */
export type ParameterView = 'value' | 'markdown' | 'html' | 'file' | 'entry' | 'entries' | 'field';

export interface FieldType {
  readonly parameter: ParameterView;
  /** How previews recognise the element that shows a parameter; absent = not at all. */
  readonly mark?: 'text' | 'image';
  /** Whether a converted value that is not empty is one that a block parameter, or its default, may have. */
  isParameter(value: unknown, field: Pick<FieldDefinition, 'options'> & GroupField): boolean;
  readonly compares: Comparison;
  /** Whether `_search` looks into it. */
  readonly isSearched: boolean;
  /** What the value, an ID or a list of IDs, refers to. {@link FieldTarget} has what any value leads to. */
  readonly refersTo?: 'file' | 'item';
  /** The value to store. Called with values that are not empty; the result may be null for an empty list. */
  convert(value: unknown, field: FieldDefinition): unknown;
  /** Why a converted value may not come into an entry; one that is stored already may stay. */
  findFault?(value: unknown): string | undefined;
  /** The value of a CSV cell that is not empty, to be converted by {@link convert}. */
  readCell(cell: string): unknown;
  /** The cell of a stored value that is not null. */
  writeCell(value: unknown): string | number;
}

const asIs = (cell: string) => cell;
const asText = (value: unknown) => String(value);
const asNumber = (value: unknown) => (typeof value === 'number' ? value : String(value));

const isText = (value: unknown): value is string => typeof value === 'string';
const isId = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;

const plainText = {
  parameter: 'value',
  isParameter: isText,
  compares: 'text',
  convert: toText,
  readCell: asIs,
  writeCell: asText,
} as const;
const searched = { ...plainText, isSearched: true } as const;
const fileId = {
  parameter: 'file',
  isParameter: isId,
  compares: 'id',
  isSearched: false,
  refersTo: 'file',
  convert: toId,
  readCell: asIs,
  writeCell: asNumber,
} as const;

/** Texts with a form of their own. */
function formed(convert: (value: unknown) => string | ConversionError) {
  const isParameter = (value: unknown) => isText(value) && fits(convert(value));
  return { ...plainText, isParameter, isSearched: false, convert } as const;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function convertInner(value: unknown, field: FieldDefinition): unknown {
  return fieldTypes[field.type].convert(value, field);
}

function fits(converted: unknown): boolean {
  return !(converted instanceof ConversionError);
}

/** Values with parts, which are JSON in a cell. */
const structured = {
  parameter: 'field',
  compares: 'none',
  isSearched: false,
  readCell: asIs,
  writeCell: writeJson,
} as const;

export const fieldTypes: Readonly<Record<FieldTypeName, FieldType>> = {
  text: { ...searched, mark: 'text' },
  textarea: { ...searched, mark: 'text' },
  html: { ...searched, parameter: 'html' },
  markdown: { ...searched, parameter: 'markdown', mark: 'text' },
  number: {
    parameter: 'value',
    isParameter: (value) => typeof value === 'number',
    compares: 'number',
    isSearched: false,
    convert: toNumber,
    readCell: readNumber,
    writeCell: asNumber,
  },
  boolean: {
    parameter: 'value',
    isParameter: (value) => typeof value === 'boolean',
    compares: 'flag',
    isSearched: false,
    convert: toFlag,
    readCell: readFlag,
    writeCell: asText,
  },
  date: {
    ...plainText,
    compares: 'day',
    isParameter: isDay,
    isSearched: false,
    findFault: (value) =>
      isText(value) && !isIsoDate(value) ? 'must be a day in the form YYYY-MM-DD' : undefined,
    readCell: readDate,
  },
  url: searched,
  select: {
    ...searched,
    isParameter: (value, { options }) => isText(value) && (options.length === 0 || options.includes(value)),
    convert: toOption,
  },
  image: { ...fileId, mark: 'image' },
  file: fileId,
  reference: { ...fileId, parameter: 'entry', refersTo: 'item' },
  references: {
    parameter: 'entries',
    isParameter: (value) => Array.isArray(value) && value.every(isId),
    compares: 'ids',
    isSearched: false,
    refersTo: 'item',
    convert: toIds,
    readCell: asIs,
    writeCell: asText,
  },
  blocks: {
    parameter: 'value',
    isParameter: () => false,
    compares: 'tree',
    isSearched: false,
    convert: toTree,
    readCell: asIs,
    writeCell: writeJson,
  },
  datetime: { ...formed(toMoment), compares: 'time' },
  multiselect: {
    parameter: 'value',
    isParameter: (value, field) => fits(toOptions(value, field)),
    compares: 'texts',
    isSearched: false,
    convert: toOptions,
    readCell: asIs,
    writeCell: writeOptions,
  },
  color: formed(toColor),
  email: { ...formed(toEmail), isSearched: true },
  phone: { ...formed(toPhone), isSearched: true },
  link: { ...structured, isParameter: isLink, convert: toLink },
  place: { ...structured, isParameter: (value) => isObject(value) && fits(toPlace(value)), convert: toPlace },
  group: {
    ...structured,
    isParameter: (value, field) => typeof value === 'object' && fits(toGroup(value, field, convertInner)),
    convert: (value, field) => toGroup(value, field, convertInner),
  },
};

function writeJson(value: unknown): string {
  return JSON.stringify(value);
}

/** `YYYY-MM-DD` of a day that exists. */
function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

/** Whether a value counts as empty: it is stored as null, and a required field must not have it. */
export function isEmptyValue(value: unknown): value is '' | null | undefined {
  return value === undefined || value === null || value === '';
}

/** The value to store, or why it does not fit. An empty value is null, of a boolean false. */
export function convertValue(value: unknown, field: FieldDefinition): unknown {
  if (isEmptyValue(value)) return field.type === 'boolean' ? false : null;
  return fieldTypes[field.type].convert(value, field);
}

/** The value of a block parameter to store, or why it does not fit. Every empty value is null. */
export function convertParameter(value: unknown, field: FieldDefinition): unknown {
  if (isEmptyValue(value)) return null;
  const { convert, isParameter } = fieldTypes[field.type];
  const converted = convert(value, field);
  if (converted === null || converted instanceof ConversionError || isParameter(converted, field))
    return converted;
  return new ConversionError('must be a day in the form YYYY-MM-DD');
}

/** The stored value as the field is now: null for what does not fit since the field has changed. */
export function currentValue(data: EntryData, field: FieldDefinition): unknown {
  const stored = Object.hasOwn(data, field.name) ? data[field.name] : null;
  if (field.type === 'group' && stored !== null) return completeGroup(stored, field);
  return isEmptyValue(stored) && field.type === 'boolean' ? false : (stored ?? null);
}

/**
 * The data of an entry as the API shows it: without files and entries that are gone.
 *
 * @param withStale whether values are shown that are still stored of fields that the collection has no more
 */
export function presentData(
  data: EntryData,
  fields: readonly FieldDefinition[],
  withStale: boolean,
  isThere: HasTarget,
): EntryData {
  const known = Object.fromEntries(fields.map((field) => [field.name, presentValue(data, field, isThere)]));
  return withStale ? { ...data, ...known } : known;
}

/** Whether what a value leads to is there. */
export type HasTarget = (target: FieldTarget) => boolean;

/** A value as the API shows it. */
export function presentValue(data: EntryData, field: FieldDefinition, isThere: HasTarget): unknown {
  const value = currentValue(data, field);
  if (value === null || !canHoldTargets(field)) return value;
  return replaceTargets(value, field, (target) => (isThere(target) ? target.id : null));
}

/** The field without a rule that its values may have come before. */
export function withoutOptions(field: FieldDefinition): FieldDefinition {
  const { fields } = field;
  return { ...field, options: [], ...(fields === undefined ? {} : { fields: fields.map(withoutOptions) }) };
}

/** Null for a part that does not fit. */
function convertIfPossible(value: unknown, field: FieldDefinition): unknown {
  const converted = convertInner(value, field);
  return converted instanceof ConversionError ? null : converted;
}

/** What is left of a stored value when its entry is saved next. */
export function findRemainingValue(data: EntryData, field: FieldDefinition): unknown {
  const stored = currentValue(data, field);
  // A value that fitted when it was saved stays, although its option may be gone.
  const known = withoutOptions(field);
  const converted =
    field.type === 'group' && !isEmptyValue(stored)
      ? toGroup(stored, known, convertIfPossible)
      : convertValue(stored, known);
  return converted instanceof ConversionError ? null : converted;
}
