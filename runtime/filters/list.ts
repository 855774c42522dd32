import { compareValues, NotComparable } from '../values/compare.ts';
import { escapeHtml } from '../values/escape.ts';
import { checkListLength, checkTextLength, FilterError } from '../values/limits.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import {
  type FilterDefinition,
  type FilterEnv,
  keepSafe,
  printFast,
  type QuickPrint,
  quickLength,
  valueFilter,
} from './filter.ts';
import {
  characterCount,
  characters,
  findItems,
  findLength,
  isMap,
  isPlain,
  listInput,
  lookup,
  lookupPath,
  parseFloatNumber,
  parseInteger,
  sliceCharacters,
  splitWords,
} from './shared/values.ts';

/** Filters for lists, and filters that work on lists and texts. */
export const listFilters: readonly FilterDefinition[] = [
  valueFilter('dictsort', [1, 1], (value, _env, key) => sortByKey(value, key, 1)),
  valueFilter('dictsortreversed', [1, 1], (value, _env, key) => sortByKey(value, key, -1)),
  valueFilter('escapeseq', [0, 0], (value) => mapItems('escapeseq', value, escapeItem)),
  valueFilter('first', [0, 0], (value) => itemAt(value, 'first')),
  {
    ...valueFilter('join', [1, 1], join),
    quick: ([separator], escaping) => (escaping ? quickJoin(escapedText(separator)) : undefined),
  },
  valueFilter('last', [0, 0], (value) => keepSafe(value, itemAt(value, 'last'))),
  {
    name: 'length',
    args: [0, 0],
    returns: 'number',
    apply: (value) => findLength(value) ?? 0,
    quick: () => quickLengthOf,
  },
  valueFilter('random', [0, 0], (value) => keepSafe(value, itemAt(value, 'random'))),
  valueFilter('safeseq', [0, 0], (value) =>
    mapItems('safeseq', value, (item) => new SafeString(toText(item))),
  ),
  {
    ...valueFilter('slice', [1, 1], (value, _env, bounds) =>
      keepSafe(value, slice(value, boundsOf(toText(bounds)))),
    ),
    quick: ([bounds], escaping) => quickSlice(toText(bounds), escaping),
    quickText: true,
  },
  valueFilter('split', [0, 1], (value, _env, separator) => split(toText(value), separator)),
  valueFilter('where', [1, 2], (value, _env, ...args) => where(value, args)),
];

// --- sorting and choosing --------------------------------------------------------------------------------

/** The entries sorted by one field; equal entries keep their order. '' if the entries cannot be sorted. */
function sortByKey(value: unknown, keyArgument: unknown, direction: 1 | -1): unknown {
  const items = findItems(value);
  if (items === undefined) return '';
  const keyOf = sortKey(keyArgument);
  if (keyOf === undefined) return '';
  const keyed: { readonly item: unknown; readonly key: unknown }[] = [];
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) return '';
    keyed.push({ item, key });
  }
  try {
    return keyed.sort((a, b) => direction * compareValues(a.key, b.key)).map((entry) => entry.item);
  } catch (error) {
    if (error instanceof NotComparable) return '';
    throw error;
  }
}

/**
 * The function that reads the key of an entry. A number is a position in lists and texts, from the end if
 * negative. A text is a path of names. Undefined for names that start with an underscore, which are private
 * in Django.
 */
function sortKey(argument: unknown): ((item: unknown) => unknown) | undefined {
  const key = toText(argument);
  if (typeof argument === 'number')
    return (item) => (isMap(item) ? lookup(item, key) : entryAt(item, argument));
  if (parseFloatNumber(argument) !== undefined)
    return (item) => (isMap(item) ? lookup(item, key) : undefined);
  if (key.startsWith('_') || key.includes('._')) return undefined;
  const path = key.split('.');
  return (item) => lookupPath(item, path);
}

function entryAt(item: unknown, position: number): unknown {
  const isSequence = Array.isArray(item) || typeof item === 'string' || item instanceof SafeString;
  return (isSequence ? findItems(item) : undefined)?.at(position);
}

/**
 * The entries whose field has a value: `where:"category,news"`, or `where("category", value)` for a value
 * that is not a literal. Field paths have dots. Values are compared by their printed text; true and false may
 * be written in upper or lower case.
 */
function where(value: unknown, args: readonly unknown[]): unknown[] {
  const items = listInput('where', value);
  const [field, wanted] =
    args.length === 2 ? [toText(args[0]), toText(args[1])] : splitCondition(toText(args[0]));
  const path = field.trim().split('.');
  return items.filter((item) => {
    const found = lookupPath(item, path);
    if (typeof found === 'boolean') return String(found) === wanted.trim().toLowerCase();
    return found !== undefined && found !== null ? toText(found) === wanted : wanted === '';
  });
}

function splitCondition(condition: string): [field: string, wanted: string] {
  const comma = condition.indexOf(',');
  if (comma === -1) throw new FilterError('where needs a field and a value, as in where:"field,value"');
  return [condition.slice(0, comma), condition.slice(comma + 1).trim()];
}

// --- single entries --------------------------------------------------------------------------------------

function itemAt(value: unknown, which: 'first' | 'last' | 'random'): unknown {
  if (isMap(value)) return which === 'first' ? (lookup(value, '0') ?? '') : '';
  const items = findItems(value) ?? [];
  const last = items.length - 1;
  const index = which === 'first' ? 0 : which === 'last' ? last : Math.floor(Math.random() * items.length);
  return items[index] ?? (index >= 0 && index <= last ? null : '');
}

// --- parts and texts -------------------------------------------------------------------------------------

function quickLengthOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return `${value.length}`;
  return typeof value === 'string' && value.length <= quickLength ? `${characterCount(value)}` : undefined;
}

/** Bounds that are absent are null. */
interface Bounds {
  readonly start: number | null;
  readonly stop: number | null;
  readonly step: number;
}

/** The bounds that were read last: they often stand in a loop. */
let remembered: { readonly text: string; readonly bounds: Bounds | undefined } | undefined;

/** Longest bounds that are remembered. */
const maxRemembered = 20;

/** Python's `start:stop:step`; undefined if it is none. */
function boundsOf(text: string): Bounds | undefined {
  if (remembered?.text === text) return remembered.bounds;
  const bounds = parseBounds(text);
  if (text.length <= maxRemembered) remembered = { text, bounds };
  return bounds;
}

function parseBounds(text: string): Bounds | undefined {
  const parts = text.split(':').map((part) => (part === '' ? null : parseInteger(part)));
  if (parts.length > 3 || parts.includes(undefined) || parts[2] === 0n) return undefined;
  const [start = null, stop = null, step = null] =
    parts.length === 1 ? [null, numberOf(parts[0]), null] : parts.map(numberOf);
  return { start, stop, step: step ?? 1 };
}

function numberOf(bound: bigint | null | undefined): number | null {
  return bound === null || bound === undefined ? null : Number(bound);
}

/** `slice:"1:3"` with Python's rules. A value that cannot be sliced is returned unchanged. */
function slice(value: unknown, bounds: Bounds | undefined): unknown {
  if (bounds === undefined) return value;
  if (Array.isArray(value)) return pick(value, bounds.start, bounds.stop, bounds.step);
  const isSliced = typeof value === 'string' || value instanceof SafeString;
  return isSliced ? sliceText(toText(value), bounds) : value;
}

function sliceText(text: string, { start, stop, step }: Bounds): string {
  if (step === 1) {
    if (isPlain(text)) return text.slice(start ?? 0, stop ?? text.length);
    if ((start ?? 0) >= 0 && (stop ?? 0) > 0) return sliceCharacters(text, start ?? 0, stop ?? 0);
  }
  return pick(characters(text), start, stop, step).join('');
}

function quickSlice(text: string, escaping: boolean): QuickPrint | undefined {
  const bounds = boundsOf(text);
  return bounds && printFast((given) => sliceText(given, bounds), escaping);
}

/** Python's `list[start:stop:step]`. */
function pick<Item>(list: readonly Item[], start: number | null, stop: number | null, step: number): Item[] {
  if (step === 1) return list.slice(start ?? 0, stop ?? list.length);
  const { length } = list;
  const [lowest, highest] = step > 0 ? [0, length] : [-1, length - 1];
  const clamp = (bound: number) => Math.min(Math.max(bound < 0 ? bound + length : bound, lowest), highest);
  const from = start === null ? (step > 0 ? lowest : highest) : clamp(start);
  const to = stop === null ? (step > 0 ? highest : lowest) : clamp(stop);
  const picked: Item[] = [];
  for (let index = from; step > 0 ? index < to : index > to; index += step) {
    const item = list[index];
    if (item !== undefined) picked.push(item);
  }
  return picked;
}

/** The parts of a text between separators; without a separator, the words of the text. */
function split(text: string, separatorArgument: unknown): string[] {
  const separator = separatorArgument === undefined ? '' : toText(separatorArgument);
  const parts = separator === '' ? splitWords(text, Infinity) : text === '' ? [] : text.split(separator);
  checkListLength(parts.length);
  return parts;
}

/** The entries as safe text with the separator between them. Any value but a list is returned unchanged. */
function join(value: unknown, env: FilterEnv, separatorArgument: unknown): unknown {
  const items = findItems(value);
  if (items === undefined) return value;
  if (!env.autoescape && !items.every(isTextItem)) return value;
  const toPart = env.autoescape ? escapedText : toText;
  const separator = toPart(separatorArgument);
  let out = '';
  for (let index = 0; index < items.length; index += 1) {
    out += index === 0 ? toPart(items[index]) : separator + toPart(items[index]);
    checkTextLength(out.length);
  }
  return new SafeString(out);
}

/** Most entries that a quick printer joins. */
const maxQuickEntries = 32;

function quickJoin(separator: string): QuickPrint {
  return (value) => {
    if (!Array.isArray(value) || value.length > maxQuickEntries) return undefined;
    let out = '';
    for (let index = 0; index < value.length; index += 1) {
      const entry: unknown = value[index];
      if (typeof entry !== 'string' || entry.length > maxQuickEntries) return undefined;
      out += index === 0 ? escapeHtml(entry) : separator + escapeHtml(entry);
    }
    return out;
  };
}

/** An entry as HTML, as a string and not as a SafeString. */
function escapedText(item: unknown): string {
  if (typeof item === 'string') return escapeHtml(item);
  return item instanceof SafeString ? item.value : escapeHtml(toText(item));
}

function isTextItem(item: unknown): boolean {
  return typeof item === 'string' || item instanceof SafeString;
}

function escapeItem(item: unknown): SafeString {
  return item instanceof SafeString ? item : new SafeString(escapeHtml(toText(item)));
}

function mapItems(filter: string, value: unknown, change: (item: unknown) => unknown): unknown[] {
  return listInput(filter, value).map(change);
}
