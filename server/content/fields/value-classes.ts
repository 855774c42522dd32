import type { FieldTypeName } from '../../../runtime/fields/definition.ts';

/** What the values of a type are for settings: it says what `min` and `max` measure. */
export type ValueClass =
  /** Text, measured in code points. */
  | 'text'
  | 'number'
  /** A day as `YYYY-MM-DD`, or a moment in UTC. */
  | 'date'
  /** A list, measured in entries. */
  | 'list'
  /** The ID of a file or an entry. */
  | 'id'
  | 'flag'
  /** An object with values of its own. */
  | 'object'
  | 'tree';

/** Types whose conversions are being added; one that is there needs no other row. */
type ComingType = 'datetime' | 'multiselect' | 'color' | 'email' | 'phone' | 'link' | 'group' | 'place';

export const valueClasses: Readonly<Record<FieldTypeName | ComingType, ValueClass>> = {
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
  // With `many`; `group` itself refuses bounds without it.
  group: 'list',
  image: 'id',
  file: 'id',
  reference: 'id',
  boolean: 'flag',
  link: 'object',
  place: 'object',
  blocks: 'tree',
};
