import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { apiError, invalid } from '../errors.ts';

/** Checks a value against one schema and gives it back without what the schema does not know. */
export type Validate = (value: unknown) => unknown;

/**
 * Validation of a JSON body: the first violation is `common.invalid` with the dotted field and a reason; fields
 * that are not in the schema are dropped (open points 10).
 *
 * @param at field that the value belongs to, when it is not the whole body
 */
export function bodyValidator(schema: TSchema, at = ''): Validate {
  const validator: Validator = Compile(schema);
  const known = propertiesOf(schema);
  return (value) => {
    if (!validator.Check(value)) throw firstError(validator, value, at);
    return known === undefined ? value : pickKnown(value, known);
  };
}

/**
 * Validation of query parameters, which arrive as text: those of type integer are converted, the first of
 * repeated ones counts, unknown ones are ignored.
 */
export function queryValidator(schema: TSchema): (query: URLSearchParams) => unknown {
  const validator: Validator = Compile(schema);
  const known = propertiesOf(schema) ?? new Map<string, unknown>();
  return (query) => {
    const value: Record<string, unknown> = {};
    for (const [name, property] of known) {
      const text = query.get(name);
      if (text !== null) value[name] = typeOf(property) === 'integer' ? toInteger(text) : text;
    }
    if (!validator.Check(value)) throw firstError(validator, value, '');
    return value;
  };
}

/**
 * Validation of path parameters. What does not fit names no object: 404, and an integer is written in exactly
 * one way.
 */
export function paramsValidator(schema: TSchema): (params: ReadonlyMap<string, string>) => unknown {
  const validator: Validator = Compile(schema);
  const known = propertiesOf(schema) ?? new Map<string, unknown>();
  return (params) => {
    const value: Record<string, unknown> = {};
    for (const [name, property] of known) {
      const text = params.get(name);
      value[name] = typeOf(property) === 'integer' && text !== undefined ? toInteger(text) : text;
    }
    if (!validator.Check(value)) throw apiError('common.notFound', {});
    return value;
  };
}

/** The number a plain decimal text stands for; any other text stays a text and fails the type check. */
function toInteger(text: string): number | string {
  const number = /^(?:0|-?[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : text;
}

function firstError(validator: Validator, value: unknown, at: string): Error {
  const [error] = validator.Errors(value);
  if (error === undefined) return invalid(at || 'body', 'is not valid');
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (at !== '') path.unshift(at);
  const missing = error.keyword === 'required' ? error.params.requiredProperties[0] : undefined;
  if (missing !== undefined) return invalid([...path, missing].join('.'), 'is required');
  return invalid(path.join('.') || 'body', error.message);
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The properties of an object schema by name; nothing for any other. */
export function propertiesOf(schema: TSchema | undefined): ReadonlyMap<string, unknown> | undefined {
  const properties: unknown = schema === undefined ? undefined : Reflect.get(schema, 'properties');
  return typeof properties === 'object' && properties !== null
    ? new Map(Object.entries(properties))
    : undefined;
}

function typeOf(property: unknown): unknown {
  return typeof property === 'object' && property !== null ? Reflect.get(property, 'type') : undefined;
}

function pickKnown(value: unknown, known: ReadonlyMap<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => known.has(name)));
}
