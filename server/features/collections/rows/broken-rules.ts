/** Stored values that break the rules of their fields: the rules may be newer than the values. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  ConversionError,
  type EntryData,
  type FieldDefinition,
  type FieldTypeName,
} from '../../../../runtime/fields/definition.ts';
import { convertValue, currentValue, fieldTypes, isEmptyValue } from '../../../../runtime/fields/types.ts';
import { leveled, type Warning } from '../../../base/warnings.ts';
import { findInnerFault } from '../../../content/fields/inner-values.ts';
import { findBrokenRule, hasValueRule } from '../../../content/fields/rules.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { StoredCollection } from '../model.ts';
import * as store from './store.ts';
import { toComparable } from './unique.ts';

/** Whether a stored value breaks a rule of its field; `unique` aside. */
export function breaksRule(data: EntryData, field: FieldDefinition): boolean {
  const { type, required } = field;
  const value = currentValue(data, field);
  if (isEmptyValue(value)) return required;
  return (
    (hasChosenParts.has(type) && convertValue(value, field) instanceof ConversionError) ||
    fieldTypes[type].findFault?.(value) !== undefined ||
    findBrokenRule(value, field) !== undefined ||
    findInnerFault(value, field) !== undefined
  );
}

/** Types whose values may be none of the options any more. */
const hasChosenParts: ReadonlySet<FieldTypeName> = new Set(['select', 'multiselect', 'group']);

/** Entries that are read in one turn of the event loop. */
const entriesPerTurn = 200;

/** Warnings about the entries that break rules which their collection did not have before. */
export async function warnOfBrokenRules(
  db: ContentDb,
  before: StoredCollection,
  { id, fields }: StoredCollection,
): Promise<Warning[]> {
  const changed = fields.filter((field) => isTightened(findField(before, field), field));
  if (changed.length === 0) return [];
  const counts = changed.map((field) => new BrokenCount(field));
  let slice = await store.listData(db, id, store.firstPlace, entriesPerTurn);
  while (slice.length > 0) {
    for (const { data } of slice) for (const count of counts) count.add(data);
    await nextTurn();
    slice = await store.listData(db, id, slice.at(-1) ?? store.firstPlace, entriesPerTurn);
  }
  return counts.flatMap(({ field: { name }, count }) => (count === 0 ? [] : [toWarning(name, count)]));
}

function findField({ fields }: StoredCollection, { name }: FieldDefinition): FieldDefinition | undefined {
  return fields.find((field) => field.name === name);
}

/** Whether a field has a rule that is not the one before. */
function isTightened(before: FieldDefinition | undefined, field: FieldDefinition): boolean {
  if (before !== undefined && isDeepStrictEqual(rulesOf(before), rulesOf(field))) return false;
  return hasRules(field);
}

/** Whether a field has rules besides its type. */
export function hasRules(field: FieldDefinition): boolean {
  const { required, options, unique, fields = [] } = field;
  return required || options.length > 0 || unique === true || hasValueRule(field) || fields.some(hasRules);
}

function rulesOf(field: FieldDefinition): unknown {
  const { type, required, options, unique, pattern, min, max, many, fields = [] } = field;
  const inner = fields.map((part) => [part.name, rulesOf(part)]);
  return [type, required, options, unique, pattern, min, max, many, inner];
}

/** Number of entries that break the rules of one field, or share its value though it must be unique. */
class BrokenCount {
  readonly field: FieldDefinition;
  #broken = 0;
  #sharing = 0;
  /** How often each value of a unique field was found. */
  readonly #found = new Map<string | number, number>();

  constructor(field: FieldDefinition) {
    this.field = field;
  }

  get count(): number {
    return this.#broken + this.#sharing;
  }

  add(data: EntryData): void {
    if (breaksRule(data, this.field)) this.#broken++;
    else if (this.field.unique === true) this.#addUnique(toComparable(data[this.field.name]));
  }

  #addUnique(value: string | number | undefined): void {
    if (value === undefined) return;
    const earlier = this.#found.get(value) ?? 0;
    this.#found.set(value, earlier + 1);
    if (earlier > 0) this.#sharing += earlier === 1 ? 2 : 1;
  }
}

function toWarning(field: string, count: number): Warning {
  return leveled({
    code: 'collection.entriesBreakRule',
    error: `${count} entries break the rules of "${field}"; they stay as they are`,
    params: { field, count },
  });
}
