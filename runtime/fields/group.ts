/**
 * Values of the type `group`: an object with the values of its own fields, or with `many` a list of objects. Stored
 * objects have all fields of the group, null where there is no value.
 */
import { ConversionError, type FieldDefinition } from './definition.ts';
import { parseJsonText } from './json-text.ts';

/** What a group consists of. */
export type GroupField = Pick<FieldDefinition, 'fields' | 'many'>;

/** Converts one value of a group's field; it is not empty. */
export type ConvertInner = (value: unknown, field: FieldDefinition) => unknown;

/** Most objects of a list. */
const maxObjects = 1000;

/** The value to store, also from JSON text; unknown keys are dropped, missing ones are null, and an empty list is null. */
export function toGroup(value: unknown, group: GroupField, convert: ConvertInner): unknown {
  const sent = typeof value === 'string' ? parseJsonText(value) : value;
  if (group.many !== true)
    return isObject(sent)
      ? toObject(sent, group, convert, '')
      : new ConversionError('must be an object, also as JSON text');
  if (!Array.isArray(sent)) return new ConversionError('must be a list of objects, also as JSON text');
  if (sent.length > maxObjects) return new ConversionError(`must have at most ${maxObjects} entries`);
  const list: unknown[] = [];
  for (const [index, object] of sent.entries()) {
    if (!isObject(object)) return new ConversionError('must be an object', String(index));
    const converted = toObject(object, group, convert, `${index}.`);
    if (converted instanceof ConversionError) return converted;
    list.push(converted);
  }
  return list.length === 0 ? null : list;
}

function toObject(
  sent: GroupObject,
  { fields = [] }: GroupField,
  convert: ConvertInner,
  at: string,
): object | ConversionError {
  const object: Record<string, unknown> = {};
  for (const field of fields) {
    const { name } = field;
    const value = Object.hasOwn(sent, name) ? sent[name] : null;
    const isEmpty = value === null || value === undefined || value === '';
    const converted = isEmpty ? null : convert(value, field);
    if (converted instanceof ConversionError) return new ConversionError(converted.reason, `${at}${name}`);
    object[name] = converted;
  }
  return object;
}

/** A stored value with exactly the fields that the group has now. */
export function completeGroup(value: unknown, { fields = [] }: GroupField): unknown {
  return mapObjects(value, (object) =>
    Object.fromEntries(
      fields.map(({ name }) => [name, Object.hasOwn(object, name) ? (object[name] ?? null) : null]),
    ),
  );
}

/** An object in the value of a group, with its place: empty, or its position and a point. */
export type GroupObject = Readonly<Record<string, unknown>>;

/** The objects of a value, each with the beginning of the paths of its values. */
export function* listObjects(value: unknown): Generator<readonly [object: GroupObject, at: string]> {
  if (isObject(value)) yield [value, ''];
  if (!Array.isArray(value)) return;
  for (const [index, object] of value.entries()) if (isObject(object)) yield [object, `${index}.`];
}

/** The value with other objects; the same value if none changes. */
export function mapObjects(value: unknown, map: (object: GroupObject, at: string) => unknown): unknown {
  if (isObject(value)) return map(value, '');
  if (!Array.isArray(value)) return value;
  const list: readonly unknown[] = value;
  const after = list.map((object, index) => (isObject(object) ? map(object, `${index}.`) : object));
  return after.every((object, index) => object === list[index]) ? value : after;
}

function isObject(value: unknown): value is GroupObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
