/** The fields of objects as change sets name them: those of a PUT, and values of entries and regions one by one. */
import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { findProperties } from '../../api/json-schema.ts';
import type { Kind, ObjectState } from './kind.ts';

export type FieldValues = Readonly<Record<string, unknown>>;

/** The fields of an object that a PUT can change. */
export function readFields(kind: Kind, state: ObjectState | undefined): FieldValues {
  if (state === undefined) return {};
  const names = listFieldNames(kind).filter((name) => name in state);
  return flatten(
    kind,
    names.map((name) => [name, Reflect.get(state, name)]),
  );
}

/** One of these fields. */
export function readField({ valuesIn }: Kind, state: ObjectState | undefined, name: string): unknown {
  if (state === undefined) return undefined;
  if (valuesIn === undefined || !name.startsWith(`${valuesIn}.`)) return Reflect.get(state, name);
  const values: object = Object(Reflect.get(state, valuesIn));
  const inner = name.slice(valuesIn.length + 1);
  return Object.hasOwn(values, inner) ? Reflect.get(values, inner) : undefined;
}

/** The fields of a body, by the same names. */
export function readBodyFields(kind: Kind, body: object): FieldValues {
  return flatten(
    kind,
    Object.entries(body).filter(([name]) => name !== 'base_updated_at'),
  );
}

/** The body of a PUT that sets these fields. */
export function toBody({ valuesIn }: Kind, fields: FieldValues): object {
  const body: Record<string, unknown> = {};
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const inside = valuesIn !== undefined && name.startsWith(`${valuesIn}.`);
    if (inside) values[name.slice(valuesIn.length + 1)] = value;
    else body[name] = value;
  }
  if (valuesIn !== undefined && Object.keys(values).length > 0) body[valuesIn] = values;
  return body;
}

/** The fields in which two states differ, with their new values; null for one that is gone. */
export function findChanges(before: FieldValues, after: FieldValues): FieldValues {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].flatMap((name) =>
      isDeepStrictEqual(before[name] ?? null, after[name] ?? null)
        ? []
        : [[name, after[name] ?? null] as const],
    ),
  );
}

function flatten({ valuesIn }: Kind, entries: Iterable<readonly [string, unknown]>): FieldValues {
  const flat: [string, unknown][] = [];
  for (const [name, value] of entries)
    if (name === valuesIn && typeof value === 'object' && value !== null)
      for (const [inner, one] of Object.entries(value)) flat.push([`${name}.${inner}`, one]);
    else flat.push([name, value]);
  return Object.fromEntries(flat);
}

/** By the schema of a PUT: reading them from it again and again costs more than reading an object. */
const fieldNames = new WeakMap<TSchema, readonly string[]>();

function listFieldNames({ schemas: { update } }: Kind): readonly string[] {
  const known = fieldNames.get(update);
  if (known !== undefined) return known;
  const names = [...(findProperties(update)?.keys() ?? [])].filter((name) => name !== 'base_updated_at');
  fieldNames.set(update, names);
  return names;
}
