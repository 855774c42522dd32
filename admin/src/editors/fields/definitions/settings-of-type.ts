/** Which settings the fields of each type may have. The server says the same of all but `placeholder`. */
import type { CollectionField, GroupField } from '../../../api/generated/schema.ts';

type FieldType = CollectionField['type'];

/** Settings in the order in which they are edited. */
export const settingNames = [
  'help',
  'placeholder',
  'group',
  'default',
  'unique',
  'min',
  'max',
  'pattern',
  'pattern_help',
  'richtext',
  'classes',
  'show_if',
] as const satisfies readonly (keyof CollectionField)[];
export type SettingName = (typeof settingNames)[number];

/** What the values of a type are: it says what `min` and `max` measure. */
export type ValueClass = 'text' | 'number' | 'date' | 'list' | 'id' | 'flag' | 'object' | 'tree';

export const valueClasses: Readonly<Record<FieldType, ValueClass>> = {
  text: 'text',
  textarea: 'text',
  html: 'text',
  markdown: 'text',
  url: 'text',
  select: 'text',
  color: 'text',
  email: 'text',
  phone: 'text',
  number: 'number',
  date: 'date',
  datetime: 'date',
  references: 'list',
  multiselect: 'list',
  group: 'list',
  image: 'id',
  file: 'id',
  reference: 'id',
  boolean: 'flag',
  link: 'object',
  place: 'object',
  blocks: 'tree',
};

const bounded: readonly ValueClass[] = ['text', 'number', 'date', 'list'];

/** Classes of the types that may have a setting; absent = all. */
const classesOf: Partial<Readonly<Record<SettingName, readonly ValueClass[]>>> = {
  placeholder: ['text', 'number'],
  default: [...bounded, 'id', 'flag', 'object'],
  unique: ['text', 'number', 'date', 'id'],
  min: bounded,
  max: bounded,
  pattern: ['text'],
  pattern_help: ['text'],
};

export function supportsSetting(type: FieldType, name: SettingName): boolean {
  if (name === 'richtext' || name === 'classes') return type === 'html' || type === 'markdown';
  return classesOf[name]?.includes(valueClasses[type]) ?? true;
}

/** The field with another type: settings that this type does not have go, and so do values of the type before. */
export function withType(field: CollectionField, type: FieldType): CollectionField {
  if (type === field.type) return field;
  const { fields: _fields, many: _many, default: _default, ...others } = field;
  const isSameMeasure = valueClasses[type] === valueClasses[field.type];
  const kept = Object.entries(others).filter(([key]) => {
    const name = settingNames.find((known) => known === key);
    if (name === undefined) return true;
    return supportsSetting(type, name) && (isSameMeasure || (name !== 'min' && name !== 'max'));
  });
  // Type boundary: parts that are not optional are none of the settings.
  const changed = { ...Object.fromEntries(kept), type } as CollectionField;
  return type === 'group' ? { ...changed, fields: [newField] } : changed;
}

/** The field with a setting; one that is empty is not set. */
export function withSetting(
  field: CollectionField,
  name: keyof CollectionField,
  value: unknown,
): CollectionField {
  const { [name]: _before, ...others } = field;
  const isNone = value === null || value === undefined || value === '' || value === false;
  // Type boundary: only parts that a field may lack are changed here, and the server checks their values.
  return (isNone ? others : { ...others, [name]: value }) as CollectionField;
}

export const newField: GroupField = {
  name: '',
  label: '',
  type: 'text',
  required: false,
  options: [],
  collection: null,
};
