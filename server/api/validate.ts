import Type, { type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { nearest } from '../../grammar/suggest.ts';
import { type ApiError, apiError, type FieldFault, faultsIn, invalidFields } from '../base/errors.ts';
import type { ApiRequest } from '../http/api-exchange.ts';
import { readJsonBody } from '../http/json/json.ts';
import { listFieldFaults, nameItem } from './field-faults.ts';
import { findProperties, readKeyword, readSchemaType } from './json-schema.ts';
import type { Route } from './route.ts';

/** A route with its schemas compiled. */
export interface Endpoint {
  readonly route: Route;
  params(values: ReadonlyMap<string, string>): unknown;
  query(values: URLSearchParams): unknown;
  /** Reads the body. @throws ApiError */
  readonly body: ((request: ApiRequest, query: unknown, params: unknown) => Promise<unknown>) | undefined;
}

/** @throws Error for a route that answers nothing, which is a defect of the table */
export function toEndpoint(route: Route): Endpoint {
  const { method, path } = route;
  if (route.handle === undefined && route.takeOver === undefined)
    throw new Error(`nothing answers ${method} ${path}`);
  return {
    route,
    params: route.params === undefined ? nothing : paramsValidator(route.params),
    query: route.query === undefined ? nothing : queryValidator(route.query),
    body: route.body === undefined || route.form !== undefined ? undefined : bodyOf(route, route.body),
  };
}

function bodyOf(route: Route, schema: TSchema): NonNullable<Endpoint['body']> {
  const validate = bodyValidator(schema);
  return async (request, query, params) => {
    try {
      const value = await readJson(request, route);
      if (route.takesAnyBody === true) return value;
      const body = await validOrAllFaults(
        () => validate(value),
        value,
        (fields) => route.moreFaults?.(fields, params),
      );
      if (isStrict(query)) refuseUnknownFields([schema, route.response], value);
      return body;
    } catch (error) {
      throw route.listsItems === true ? nameItem(error) : error;
    }
  };
}

/** Largest JSON body in bytes: of callers with a credential (Core, "Limits"), and of all others. */
const maxJsonBytes = { known: 16 * 2 ** 20, anyone: 64 * 2 ** 10 } as const;

async function readJson(
  request: ApiRequest,
  { access, bodyOptional = false, cleanedField }: Route,
): Promise<unknown> {
  const type = request.headers.get('content-type');
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  const isJson = type !== undefined && /^application\/json[ \t]*(?:;|$)/i.test(type);
  if ((type !== undefined && !isJson) || encoding.toLowerCase() !== 'identity') throw wrongContentType();
  const bytes = await request.body(access === 'public' ? maxJsonBytes.anyone : maxJsonBytes.known);
  if (!isJson && bytes.length > 0) throw wrongContentType();
  return bodyOptional && bytes.length === 0 ? {} : readJsonBody(bytes, { cleanedField });
}

function wrongContentType(): ApiError {
  return apiError('common.contentType', { expected: 'application/json' });
}

/** The validated body. If it does not fit its schema, the error also lists the faults of the other fields. */
async function validOrAllFaults(
  validate: () => unknown,
  value: unknown,
  moreFaults: (fields: Readonly<Record<string, unknown>>) => Promise<readonly FieldFault[]> | undefined,
): Promise<unknown> {
  try {
    return validate();
  } catch (error) {
    const faults = faultsIn(error);
    if (faults === undefined || typeof value !== 'object' || value === null) throw error;
    const wrong = new Set(faults.map(({ field }) => field.split('.', 1)[0]));
    const fitting = Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)));
    throw invalidFields([...faults, ...((await moreFaults(fitting)) ?? [])]);
  }
}

function nothing(): undefined {
  return undefined;
}

/** Checks a value against one schema and returns it without fields that the schema does not have. */
export type Validate = (value: unknown) => unknown;

/**
 * Validation of a JSON body: violations are one `common.invalid` with the dotted field and a reason of each;
 * fields that are not in the schema are dropped.
 *
 * @param at field that the value belongs to, if it is not the whole body
 */
export function bodyValidator(schema: TSchema, at = ''): Validate {
  const compiled = compiledLater(schema);
  const known = findProperties(schema);
  return (value) => {
    const validator = compiled();
    if (!validator.Check(value)) throw refusal(validator, value, at);
    return known === undefined ? value : pickKnown(value, known);
  };
}

/**
 * Validation of query parameters, which arrive as text. Integers and flags are converted. The first of repeated
 * parameters counts. Unknown parameters are ignored.
 */
export function queryValidator(schema: TSchema): (query: URLSearchParams) => unknown {
  const compiled = compiledLater(schema);
  const known = findProperties(schema) ?? new Map<string, unknown>();
  return (query) => {
    const value: Record<string, unknown> = {};
    for (const [name, property] of known) {
      const text = query.get(name);
      if (text !== null) value[name] = fromText[readSchemaType(property)]?.(text) ?? text;
    }
    const validator = compiled();
    if (validator.Check(value)) return value;
    throw invalidFields(listFieldFaults(validator, value, '').map(inQuery));
  };
}

/** A schema is compiled at its first use: those of all endpoints took a tenth of the start. */
function compiledLater(schema: TSchema): () => Validator {
  let validator: Validator | undefined;
  return () => {
    validator ??= Compile(schema);
    return validator;
  };
}

/** A flag is written as a word or a digit in a query, so the type of the value does not say what is expected. */
function inQuery({ field, reason }: FieldFault): FieldFault {
  return { field, reason: reason === 'must be boolean' ? 'must be 1, true, 0 or false' : reason };
}

/**
 * Validation of path parameters. A value that does not fit the schema names no object, so it is a 404. An
 * integer can be written in exactly one way.
 */
function paramsValidator(schema: TSchema): (params: ReadonlyMap<string, string>) => unknown {
  const compiled = compiledLater(schema);
  const known = findProperties(schema) ?? new Map<string, unknown>();
  // Every text of a path fits such a schema, so it need not be checked.
  const takesAnyText = [...known.values()].every(isAnyText);
  const fields = [...known].map(
    ([name, property]) => [name, readSchemaType(property) === 'integer'] as const,
  );
  return (params) => {
    const value: Record<string, unknown> = {};
    for (const [name, isInteger] of fields) {
      const text = params.get(name);
      value[name] = isInteger && text !== undefined ? toInteger(text) : text;
    }
    if (!takesAnyText && !compiled().Check(value)) throw apiError('common.notFound', {});
    return value;
  };
}

/** Whether a schema of a property says nothing but that it is a text. */
function isAnyText(property: unknown): boolean {
  const keywords = typeof property === 'object' && property !== null ? Object.keys(property) : [];
  return (
    readSchemaType(property) === 'string' &&
    keywords.every((name) => name === 'type' || name === 'description')
  );
}

/** How a text becomes a value of a type. A text that fits no value stays as it is and fails the type check. */
const fromText: Readonly<Record<string, (text: string) => unknown>> = {
  integer: toInteger,
  boolean: (text) => flags.get(text),
};

const flags: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

/** Converts a plain decimal text to its number. Any other text stays a text and fails the type check. */
function toInteger(text: string): number | string {
  const number = /^(?:0|-?[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : text;
}

function refusal(validator: Validator, value: unknown, at: string): Error {
  return invalidFields(listFieldFaults(validator, value, at));
}

function pickKnown(value: unknown, known: ReadonlyMap<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => known.has(name)));
}

/** The parameter of routes that save something. */
export const StrictQuery = Type.Object({
  strict: Type.Optional(
    Type.Boolean({
      description:
        'Refuse what is otherwise saved: unknown fields (`common.unknownField`), templates that cannot be rendered and CSS or JS that does not parse (`template.invalid`).',
    }),
  ),
});

/** Whether the query of a request asks for strictness. */
function isStrict(query: unknown): boolean {
  return typeof query === 'object' && query !== null && Reflect.get(query, 'strict') === true;
}

/** A field that no schema has, and the known name that was probably meant. */
export interface UnknownField {
  /** Dotted path. */
  readonly field: string;
  readonly suggestion?: string;
}

/** @throws ApiError `common.unknownField` for the first one of `findUnknownFields` */
export function refuseUnknownFields(schemas: readonly unknown[], value: unknown): void {
  for (const unknown of findUnknownFields(schemas, value)) throw apiError('common.unknownField', unknown);
}

/**
 * The unknown fields of a value, also in objects inside it. A field is known if one of the schemas has it: that of the
 * body, or that of the answer, so that a client may send back an object as it got it. Objects whose schema lists no
 * fields may have any.
 *
 * @param schemas of the body and of the answer
 * @param at dotted path of the value; empty for the body
 */
export function* findUnknownFields(
  schemas: readonly unknown[],
  value: unknown,
  at = '',
): Generator<UnknownField> {
  if (Array.isArray(value)) {
    const items = schemas.flatMap(itemsOf);
    for (const [index, item] of value.entries())
      yield* findUnknownFields(items, item, pathTo(at, String(index)));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const fields = schemas.flatMap(fieldsOf);
  if (fields.length === 0) return;
  for (const [name, field] of Object.entries(value)) {
    const ofField = fields.flatMap((properties) => properties.get(name) ?? []);
    if (ofField.length > 0) yield* findUnknownFields(ofField, field, pathTo(at, name));
    else yield toUnknownField(pathTo(at, name), name, fields);
  }
}

function toUnknownField(
  field: string,
  name: string,
  known: readonly ReadonlyMap<string, unknown>[],
): UnknownField {
  const names = known.flatMap((properties) => [...properties.keys()]);
  const suggestion = nearest(name, names);
  return suggestion === undefined ? { field } : { field, suggestion };
}

/** The fields of a schema; of a union such as "object or null" those of each part that has fields. */
function fieldsOf(schema: unknown): ReadonlyMap<string, unknown>[] {
  return branchesOf(schema).flatMap((branch) => findProperties(branch) ?? []);
}

function itemsOf(schema: unknown): unknown[] {
  return branchesOf(schema).flatMap((branch) => readKeyword(branch, 'items') ?? []);
}

function branchesOf(schema: unknown): unknown[] {
  const branches = readKeyword(schema, 'anyOf');
  return Array.isArray(branches) ? branches : [schema];
}

function pathTo(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}
