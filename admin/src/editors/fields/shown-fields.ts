/** Which fields of a form are shown, and which stand together. */
import type { CollectionField } from '../../api/generated/schema.ts';

/** Fields that stand together under a heading; without a name for a field that stands alone. */
export interface FieldSection<Field> {
  readonly name: string;
  readonly fields: readonly Field[];
}

/** Whether a form shows a field. @param findValue gives the value of a field beside it, by name */
export function isFieldShown(
  { show_if: condition }: Pick<CollectionField, 'show_if'>,
  findValue: (name: string) => unknown,
): boolean {
  if (condition === undefined) return true;
  const value = findValue(condition.field);
  const { op, value: wanted } = condition;
  if (op === 'set') return !isNone(value);
  if (op === 'in') return Array.isArray(wanted) && wanted.some((one) => hasValue(value, one));
  return hasValue(value, wanted) === (op === 'eq');
}

/** A value of several options has each of them. */
function hasValue(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(value)) return value.some((one) => one === wanted || String(one) === String(wanted));
  if (isNone(value) || isNone(wanted)) return isNone(value) && isNone(wanted);
  return value === wanted || String(value) === String(wanted);
}

/** What counts as empty: an unchecked box too. */
function isNone(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** Fields of one group together where the first of them is; the order is else that of the fields. */
export function toFieldSections<Field extends Pick<CollectionField, 'group'>>(
  fields: readonly Field[],
): readonly FieldSection<Field>[] {
  const sections: { name: string; fields: Field[] }[] = [];
  for (const field of fields) {
    const name = field.group ?? '';
    const known = name === '' ? sections.at(-1) : sections.find((section) => section.name === name);
    if (known?.name === name) known.fields.push(field);
    else sections.push({ name, fields: [field] });
  }
  return sections;
}
