/** The fields of objects as change sets name them: those of a PUT, and values of entries and regions one by one. */
import { isDeepStrictEqual } from 'node:util';
import { findProperties } from '../../api/json-schema.ts';
import type { Kind, ObjectState } from './kind.ts';

export type FieldValues = Readonly<Record<string, unknown>>;

/** The fields of an object that a PUT can change. */
export function readFields(kind: Kind, state: ObjectState | undefined): FieldValues {
  if (state === undefined) return {};
  return flatten(
    kind,
    listFieldNames(kind).flatMap((name) => (name in state ? [[name, Reflect.get(state, name)]] : [])),
  );
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

function flatten({ valuesIn }: Kind, entries: readonly (readonly [string, unknown])[]): FieldValues {
  const flat = entries.flatMap(([name, value]) =>
    name === valuesIn && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one] as const)
      : [[name, value] as const],
  );
  return Object.fromEntries(flat);
}

function listFieldNames({ schemas: { update } }: Kind): string[] {
  return [...(findProperties(update)?.keys() ?? [])].filter((name) => name !== 'base_updated_at');
}
