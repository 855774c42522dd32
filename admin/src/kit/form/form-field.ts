/** The fields of a form, read from the JSON Schema that the server checks them with. */
import { toRecord } from '../../api/failure.ts';
import type { FieldSchema } from '../../api/form-schema.ts';

export interface FormField {
  readonly name: string;
  /** How it is edited: the editor that the schema names, else a key of the inputs in `field-input.tsx`. */
  readonly kind: string;
  readonly isRequired: boolean;
  /** Values of a choice. */
  readonly options: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
  /** The parts of an element of a list. */
  readonly columns: readonly FormField[];
}

/** @param schema of an object */
export function fieldsIn(schema: object): readonly FormField[] {
  const { properties, required } = toRecord(schema);
  const names = textsIn(required);
  return Object.entries(toRecord(properties)).map(([name, property]) =>
    fieldOf(name, toRecord(property), names.includes(name)),
  );
}

function fieldOf(name: string, schema: FieldSchema, isRequired: boolean): FormField {
  const kind = kindOf(schema);
  return {
    name,
    kind,
    isRequired,
    options: optionsIn(schema),
    ...numbersIn(kind === 'number-or-text' ? firstOf(schema['anyOf']) : schema),
    columns: kind === 'list' ? fieldsIn(toRecord(schema['items'])) : [],
  };
}

const kindOfType: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'flag',
};

function kindOf(schema: FieldSchema): string {
  if (typeof schema['x-editor'] === 'string') return schema['x-editor'];
  if (optionsIn(schema).length > 0) return 'choice';
  if (schema['type'] === 'array') return toRecord(schema['items'])['type'] === 'string' ? 'texts' : 'list';
  // Numbers may be texts with a placeholder; texts stay texts, because a key may be "007".
  const first = firstOf(schema['anyOf'])['type'];
  if (first !== undefined) return first === 'string' ? 'text' : 'number-or-text';
  return kindOfType[String(schema['type'])] ?? 'value';
}

/** Values of an enumeration, or of alternatives with one value each. */
function optionsIn({ enum: values, anyOf }: FieldSchema): readonly string[] {
  if (values !== undefined) return textsIn(values);
  const alternatives: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [];
  return alternatives.flatMap((alternative) => toRecord(alternative)['const'] ?? []).map(String);
}

function numbersIn(schema: FieldSchema): Pick<FormField, 'min' | 'max' | 'maxLength'> {
  const named = { minimum: 'min', maximum: 'max', maxLength: 'maxLength' } as const;
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, ours]) =>
      typeof schema[name] === 'number' ? [[ours, schema[name]]] : [],
    ),
  );
}

function firstOf(value: unknown): FieldSchema {
  return Array.isArray(value) ? toRecord(value[0]) : {};
}

/** The texts of a list; none if it is no list. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
