/** Reading data from compiled code: own properties only, never a prototype, never a function. */

import { characters, isMap, isPlain } from '../filters/shared/values.ts';
import { chargeWork } from '../values/effort.ts';
import { filled, listEntries, listMapKeys, listValues } from '../values/map.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import { TemplateFault } from './faults.ts';
import type { RenderState } from './state.ts';

/** A missing name in output: Django's empty string. */
export function orEmpty(value: unknown): unknown {
  return value === undefined ? '' : value;
}

/** A missing name in `if`, `for` and operators: None. */
export function orNone(value: unknown): unknown {
  return value === undefined ? null : value;
}

/**
 * `object.key` where generated code cannot safely read the property directly. The key is an own property, a
 * position in a list or text, or `items`, `keys` or `values` of a map as in Django (if no own property).
 */
export function get(object: unknown, key: unknown): unknown {
  if (object === null || object === undefined) return undefined;
  const name = key instanceof SafeString ? key.value : key;
  if (typeof name !== 'string' && typeof name !== 'number') return undefined;
  if (typeof object === 'string') return characterAt(object, name);
  if (object instanceof SafeString) return characterAt(object.value, name);
  if (typeof object !== 'object') return undefined;
  if (Array.isArray(object)) return entryAt(object, name);
  if (Object.hasOwn(object, name)) {
    const found: unknown = Reflect.get(object, name);
    return typeof found === 'function' ? undefined : found;
  }
  return isMap(object) ? mapView(object, name) : undefined;
}

function characterAt(text: string, index: string | number): string | undefined {
  chargeWork(text.length);
  const list = isPlain(text) ? text : characters(text);
  return list[indexIn(index, list.length)];
}

function entryAt(list: readonly unknown[], index: string | number): unknown {
  return list[indexIn(index, list.length)];
}

/** A position from the start, or from the end if negative; NaN if `index` is not a position. */
function indexIn(index: string | number, length: number): number {
  const number = typeof index === 'number' ? index : /^-?\d{1,10}$/.test(index) ? Number(index) : Number.NaN;
  return number < 0 ? length + number : number;
}

function mapView(map: Readonly<Record<string, unknown>>, name: string | number): unknown {
  switch (name) {
    case 'items':
      return listEntries(map);
    case 'keys':
      return listMapKeys(map);
    case 'values':
      return listValues(map);
    default:
      return undefined;
  }
}

/** A variable of the render context, for names that a prototype has too. */
export function own(context: object, name: string): unknown {
  return Object.hasOwn(context, name) ? Reflect.get(context, name) : undefined;
}

/** The entries that a `for` loops over. @throws TemplateFault for values that cannot be looped over */
export function listOf(value: unknown, state: RenderState): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const made = madeListOf(value);
  state.charge(made);
  return made;
}

function madeListOf(value: unknown): readonly unknown[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value === 'string') return characters(value);
  if (value instanceof SafeString) return characters(value.value);
  if (isMap(value)) return listMapKeys(value);
  throw new TemplateFault(`cannot loop over ${describe(value)}, expected a list, a map or a text`);
}

/** The parts of an entry for `{% for a, b in ... %}`. @throws TemplateFault if there are more or fewer */
export function unpack(value: unknown, count: number): readonly unknown[] {
  const parts = partsOf(value);
  if (parts.length !== count) {
    throw new TemplateFault(`each entry must have ${count} values to unpack, this one has ${parts.length}`);
  }
  return parts;
}

function partsOf(value: unknown): readonly unknown[] {
  if (value instanceof Group) return [value.grouper, value.list];
  if (Array.isArray(value)) return value;
  return typeof value === 'string' || value instanceof SafeString ? madeListOf(value) : [value];
}

/** A group of `{% regroup %}`; unpacks to its key and its entries. */
export class Group {
  readonly grouper: unknown;
  readonly list: unknown[];

  constructor(grouper: unknown, list: unknown[]) {
    this.grouper = grouper;
    this.list = list;
  }
}

/**
 * A map literal: a map without prototype, so that every key is ordinary data.
 *
 * @throws TemplateFault for other keys than texts, numbers and constants
 */
export function mapOf(entries: readonly (readonly [unknown, unknown])[]): Readonly<Record<string, unknown>> {
  return filled(
    Object.create(null),
    entries.map(([key, value]) => [keyText(key), value]),
  );
}

function keyText(key: unknown): string {
  if (typeof key === 'object' && key !== null && !(key instanceof SafeString)) {
    throw new TemplateFault(`${describe(key)} cannot be the key of a map`);
  }
  return toText(key);
}

/** The template name in a value, or a list of names (the first that exists counts), else undefined. */
export function nameIn(value: unknown): string | readonly unknown[] | undefined {
  if (value instanceof SafeString) return value.value;
  if (Array.isArray(value) && value.length > 0) return value;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The kind of a value, for error messages. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (value instanceof SafeString || typeof value === 'string') return 'a text';
  if (value instanceof Date) return 'a date';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}
