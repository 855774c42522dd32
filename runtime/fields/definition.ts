import type { FieldSettings } from './settings.ts';

/** Types of collection fields (Data, Automation and Operations, "Field types"). */
export const fieldTypeNames = [
  'text',
  'textarea',
  'html',
  'markdown',
  'number',
  'boolean',
  'date',
  'url',
  'select',
  'image',
  'file',
  'reference',
  'references',
  'blocks',
  'datetime',
  'multiselect',
  'color',
  'email',
  'phone',
  'link',
  'place',
  'group',
] as const;
export type FieldTypeName = (typeof fieldTypeNames)[number];

/** A field of a collection, as stored. */
export interface FieldDefinition extends FieldSettings {
  readonly name: string;
  readonly label: string;
  readonly type: FieldTypeName;
  readonly required: boolean;
  /** Allowed values of a `select` or `multiselect`; empty = any. */
  readonly options: readonly string[];
  /** Linked collection of a `reference` or `references`. */
  readonly collection: number | null;
  /** Fields of a `group`. */
  readonly fields?: readonly FieldDefinition[];
  /** Whether a `group` is a list of objects. */
  readonly many?: boolean;
}

/** The name of a field with the path of a part of its value. */
export function joinPath(name: string, path: string): string {
  return path === '' ? name : `${name}.${path}`;
}

/** The values of an entry by field name, in the order of the fields. */
export type EntryData = Readonly<Record<string, unknown>>;

/** Why a value does not fit its field. The reason continues a sentence that begins with the field. */
export class ConversionError {
  readonly reason: string;
  /** Path of the part that does not fit, below the field; empty for the whole value. */
  readonly path: string;

  constructor(reason: string, path = '') {
    this.reason = reason;
    this.path = path;
  }
}
