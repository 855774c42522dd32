/** Keys of files: which there may be, what they are without being there, and what is wrong with them. */
import { isDeepStrictEqual } from 'node:util';
import { editDistance } from '../../../../grammar/edit-distance.ts';
import type { FolderFields } from './content.ts';
import type { SourceFiles } from './source-files.ts';
import { isFields, type ParsedKeys, withLineFeeds } from './text-file.ts';

/** What a key may hold. `any` is checked by the server. */
export type KeyType = 'text' | 'flag' | 'number' | 'list' | 'object' | 'any';

export interface KeyFormat {
  readonly type: KeyType;
  /** What a missing key means; undefined for one that must be there. */
  readonly default: unknown;
  /** Whether null is a value. */
  readonly nullable?: boolean;
}

/** The keys of a file by name. */
export type KeyFormats = Readonly<Record<string, KeyFormat>>;

export const text = (value = ''): KeyFormat => ({ type: 'text', default: value });
export const flag = (value = false): KeyFormat => ({ type: 'flag', default: value });
export const list: KeyFormat = { type: 'list', default: [] };
export const object: KeyFormat = { type: 'object', default: {} };
/** The name of what is referred to; null for nothing. */
export const reference: KeyFormat = { type: 'text', default: null, nullable: true };
export const order: KeyFormat = { type: 'number', default: null, nullable: true };

const typeNames: Readonly<Record<KeyType, string>> = {
  text: 'a text; put it in quotes',
  flag: 'true or false',
  number: 'a number',
  list: 'a list',
  object: 'an object with keys',
  any: '',
};

/** The values of all keys, with defaults. What is wrong is told, and has its default too. */
export function readKeys(
  files: SourceFiles,
  file: string,
  parsed: ParsedKeys,
  formats: KeyFormats,
): FolderFields {
  reportUnknown(files, file, parsed, new Set(Object.keys(formats)));
  const values: Record<string, unknown> = {};
  for (const [name, format] of Object.entries(formats)) {
    const isSet = Object.hasOwn(parsed.fields, name);
    const value = isSet ? parsed.fields[name] : undefined;
    values[name] = isSet && fits(value, format) ? withLineFeeds(value) : (format.default ?? null);
    if (isSet && !fits(value, format))
      report(files, file, parsed, name, 'folder.wrongType', `"${name}" must be ${typeNames[format.type]}.`);
    else if (!isSet && format.default === undefined)
      report(files, file, parsed, name, 'folder.keyMissing', `The key "${name}" is missing. Add it.`);
  }
  return values;
}

/** Tells keys that are none of `known`. */
export function reportUnknown(
  files: SourceFiles,
  file: string,
  parsed: ParsedKeys,
  known: ReadonlySet<string>,
): void {
  for (const name of Object.keys(parsed.fields)) {
    if (known.has(name)) continue;
    const near = findNearest(name, known);
    const hint = near === undefined ? 'Delete it.' : `Did you mean "${near}"?`;
    report(files, file, parsed, name, 'folder.unknownKey', `The key "${name}" is not known. ${hint}`);
  }
}

function report(
  files: SourceFiles,
  file: string,
  parsed: ParsedKeys,
  key: string,
  code: string,
  message: string,
): void {
  files.report({ file, ...parsed.placeOf(key), code, message });
}

/** The known name with the fewest slips; undefined if none is near. */
export function findNearest(name: string, known: Iterable<string>): string | undefined {
  const near = [...known]
    .map((other) => ({ other, distance: editDistance(name.toLowerCase(), other) }))
    .sort((left, right) => left.distance - right.distance)[0];
  if (near === undefined) return undefined;
  return near.distance <= Math.max(2, Math.floor(name.length / 3)) ? near.other : undefined;
}

function fits(value: unknown, { type, nullable = false }: KeyFormat): boolean {
  if (value === null) return nullable;
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'flag':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'list':
      return Array.isArray(value);
    case 'object':
      return isFields(value);
    default:
      return true;
  }
}

/** The keys that a file must have: those that differ from their defaults, or have none. */
export function pickKeys(fields: FolderFields, formats: KeyFormats): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const [name, { default: value }] of Object.entries(formats))
    if (value === undefined || !isDeepStrictEqual(fields[name] ?? null, value)) picked[name] = fields[name];
  return picked;
}

/** The fields whose names begin with `prefix` and a dot, without it. */
export function pickInside(fields: FolderFields, prefix: string): Record<string, unknown> {
  const inside: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    if (name.startsWith(`${prefix}.`)) inside[name.slice(prefix.length + 1)] = value;
  return inside;
}

/** The values as fields of their own, such as `regions.lead`. */
export function spreadInside(values: unknown, prefix: string): FolderFields {
  if (!isFields(values)) return {};
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));
}
