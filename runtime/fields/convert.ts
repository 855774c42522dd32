/** Conversions of JSON values to the values of fields. Each is a pure function; null stands for empty. */
import { ConversionError, type FieldDefinition } from './definition.ts';
import { parseJsonText } from './json-text.ts';

/** Longest text of a field, in UTF-16 units. */
const maxTextLength = 2 * 2 ** 20;
/** Most entries that one field refers to. */
const maxReferences = 10_000;

export function toText(value: unknown): string | ConversionError {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string') return new ConversionError('must be a text');
  return text.length <= maxTextLength
    ? text
    : new ConversionError(`must have at most ${maxTextLength} characters`);
}

export function toNumber(value: unknown): number | ConversionError {
  const number = typeof value === 'string' ? numberIn(value) : value;
  return typeof number === 'number' && Number.isFinite(number)
    ? number
    : new ConversionError('must be a number');
}

function numberIn(text: string): number {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text.trim()) ? Number(text) : Number.NaN;
}

const flags: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  [1, true],
  [0, false],
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

export function toFlag(value: unknown): boolean | ConversionError {
  return flags.get(value) ?? new ConversionError('must be true or false');
}

export function toOption(
  value: unknown,
  { options }: Pick<FieldDefinition, 'options'>,
): string | ConversionError {
  const text = toText(value);
  if (text instanceof ConversionError || options.length === 0 || options.includes(text)) return text;
  const shown = options.slice(0, 20).map((option) => JSON.stringify(option));
  return new ConversionError(`must be one of ${shown.join(', ')}${options.length > 20 ? ', ...' : ''}`);
}

/** An ID, also as text. `0` is none. */
export function toId(value: unknown): number | null | ConversionError {
  const id = typeof value === 'string' && /^\s*\d{1,16}\s*$/.test(value) ? Number(value) : value;
  if (id === 0) return null;
  return Number.isSafeInteger(id) && Number(id) > 0 ? Number(id) : new ConversionError('must be an ID');
}

/** A list of IDs, also as text with commas. Duplicates are dropped, the order is kept; an empty list is null. */
export function toIds(value: unknown): readonly number[] | null | ConversionError {
  const list = typeof value === 'string' ? value.split(',').filter((part) => part.trim() !== '') : value;
  if (!Array.isArray(list)) return new ConversionError('must be a list of IDs');
  if (list.length > maxReferences) return new ConversionError(`must have at most ${maxReferences} IDs`);
  const ids = new Set<number>();
  for (const part of list) {
    const id = toId(part);
    if (typeof id !== 'number') return new ConversionError('must be a list of IDs');
    ids.add(id);
  }
  return ids.size === 0 ? null : [...ids];
}

/** A block tree, also as JSON text; an empty tree is null. What is in the list is not checked here. */
export function toTree(value: unknown): readonly unknown[] | null | ConversionError {
  const tree = typeof value === 'string' ? parseJsonText(value) : value;
  if (!Array.isArray(tree)) return new ConversionError('must be a block tree, as a list or as JSON text');
  return tree.length === 0 ? null : tree;
}
