import Type from 'typebox';
import { nearest } from '../../../grammar/suggest.ts';
import { apiError } from '../../base/errors.ts';
import { findProperties, readKeyword } from './parts.ts';

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
export function isStrict(query: unknown): boolean {
  return typeof query === 'object' && query !== null && Reflect.get(query, 'strict') === true;
}

/**
 * Refuses unknown fields, also in objects inside the value. A field is known if one of the schemas has it: that
 * of the body, or that of the answer, so that a client may send back an object as it got it. Objects whose
 * schema lists no fields may have any.
 *
 * @param schemas of the body and of the answer
 * @param at dotted path of the value; empty for the body
 * @throws ApiError `common.unknownField` for the first unknown field
 */
export function refuseUnknownFields(schemas: readonly unknown[], value: unknown, at = ''): void {
  if (Array.isArray(value)) {
    const items = schemas.flatMap(itemsOf);
    for (const [index, item] of value.entries()) refuseUnknownFields(items, item, pathTo(at, String(index)));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const fields = schemas.flatMap(fieldsOf);
  if (fields.length === 0) return;
  for (const [name, field] of Object.entries(value)) {
    const ofField = fields.flatMap((properties) => properties.get(name) ?? []);
    if (ofField.length === 0) throw unknownField(pathTo(at, name), name, fields);
    refuseUnknownFields(ofField, field, pathTo(at, name));
  }
}

function unknownField(field: string, name: string, known: readonly ReadonlyMap<string, unknown>[]): Error {
  const suggestion = nearest(
    name,
    known.flatMap((properties) => [...properties.keys()]),
  );
  return apiError('common.unknownField', suggestion === undefined ? { field } : { field, suggestion });
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
