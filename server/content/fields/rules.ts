/** The rules of a field for its values: `min`, `max`, `pattern`. They hold for converted values that are not empty. */
import { RE2JS } from 're2js';
import type { FieldDefinition } from '../../../runtime/fields/definition.ts';
import { isEmptyValue, withoutOptions } from '../../../runtime/fields/types.ts';
import { characterCount } from '../../../runtime/filters/shared/values.ts';
import { type ValueClass, valueClasses } from './value-classes.ts';

/** What a rule needs to know of a field. */
export type RuledField = Pick<FieldDefinition, 'type' | 'pattern' | 'pattern_help' | 'min' | 'max'>;

/** Whether a field has a rule for its values besides its type. */
export function hasValueRule({ pattern, min, max }: RuledField): boolean {
  return pattern !== undefined || min !== undefined || max !== undefined;
}

/** The field with its type alone, for values that are taken as they are. */
export function withoutRules(field: FieldDefinition): FieldDefinition {
  const { pattern: _pattern, min: _min, max: _max, fields, ...rest } = withoutOptions(field);
  return {
    ...{ ...rest, required: false },
    ...(fields === undefined ? {} : { fields: fields.map(withoutRules) }),
  };
}

/** Why a converted value breaks a rule of its field; undefined if it does not. Empty values break none. */
export function findBrokenRule(value: unknown, field: RuledField): string | undefined {
  if (!hasValueRule(field) || isEmptyValue(value) || (Array.isArray(value) && value.length === 0))
    return undefined;
  return findBrokenBound(value, field) ?? findBrokenPattern(value, field);
}

function findBrokenBound(value: unknown, { type, min, max }: RuledField): string | undefined {
  const measures = measuresByClass[valueClasses[type]];
  const size = measures?.measure(value);
  if (measures === undefined || size === undefined) return undefined;
  if (min !== undefined && size < measureBound(min, measures)) return measures.tooSmall(min);
  if (max !== undefined && size > measureBound(max, measures)) return measures.tooLarge(max);
  return undefined;
}

/** How the values of a class are compared with a bound, and what is said if they do not fit. */
interface Measures {
  /** Undefined for a value of another kind, which the field had before it changed its type. */
  measure(value: unknown): number | undefined;
  tooSmall(min: number | string): string;
  tooLarge(max: number | string): string;
}

const measuresByClass: Partial<Readonly<Record<ValueClass, Measures>>> = {
  text: {
    measure: (value) => (typeof value === 'string' ? characterCount(value) : undefined),
    tooSmall: (min) => `must have at least ${min} characters`,
    tooLarge: (max) => `must have at most ${max} characters`,
  },
  number: {
    measure: (value) => (typeof value === 'number' ? value : undefined),
    tooSmall: (min) => `must be at least ${min}`,
    tooLarge: (max) => `must be at most ${max}`,
  },
  date: {
    measure: (value) => (typeof value === 'string' ? toTime(value) : undefined),
    tooSmall: (min) => `must not be before ${min}`,
    tooLarge: (max) => `must not be after ${max}`,
  },
  list: {
    measure: (value) => (Array.isArray(value) ? value.length : undefined),
    tooSmall: (min) => `must have at least ${min} entries`,
    tooLarge: (max) => `must have at most ${max} entries`,
  },
};

/** A bound as the number that values are compared with. */
function measureBound(bound: number | string, measures: Pick<Measures, 'measure'>): number {
  return typeof bound === 'number' ? bound : (measures.measure(bound) ?? Number.NaN);
}

/** Whether the smallest value of a field is above its largest one. Both are valid for its type. */
export function areBoundsCrossed({ type, min, max }: RuledField): boolean {
  const measures = measuresByClass[valueClasses[type]];
  if (measures === undefined || min === undefined || max === undefined) return false;
  return measureBound(min, measures) > measureBound(max, measures);
}

/** A day counts from its beginning, also if its time is stored with it; a moment in UTC is exact. */
function toTime(text: string): number | undefined {
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text);
  const time = Date.parse(isMoment ? text : text.slice(0, 10));
  return Number.isNaN(time) ? undefined : time;
}

/** Longest text that is compared with a pattern, in UTF-16 units. */
const maxPatternText = 100_000;
/** Most steps of a comparison, about 20 ns each: instructions of the expression for each character. */
const maxPatternSteps = 5_000_000;

function findBrokenPattern(value: unknown, { pattern, pattern_help: help }: RuledField): string | undefined {
  if (pattern === undefined || typeof value !== 'string') return undefined;
  const expression = compilePattern(pattern);
  const maxLength = Math.min(maxPatternText, Math.floor(maxPatternSteps / expression.programSize()));
  if (value.length > maxLength)
    return `must have at most ${maxLength} characters to be compared with its pattern`;
  return expression.matcher(value).find() ? undefined : (help ?? `must match the pattern ${pattern}`);
}

/** Most expressions that are kept. A definition is read anew for each save, so its text is the key. */
const maxPatterns = 500;
const patterns = new Map<string, RE2JS>();

/** The expression of a pattern, compiled once. @throws Error if it is none of RE2 */
export function compilePattern(pattern: string): RE2JS {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const expression = RE2JS.compile(pattern);
  const [oldest] = patterns.keys();
  if (patterns.size >= maxPatterns && oldest !== undefined) patterns.delete(oldest);
  patterns.set(pattern, expression);
  return expression;
}
