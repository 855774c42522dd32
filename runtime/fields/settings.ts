/**
 * Settings that a field of a collection or a parameter of a block type may have besides its type. A setting that is
 * not set is absent. `server/content/fields/` says for which types each is allowed and how it is checked.
 */
import { type RichtextTool, richtextTools } from '../../compiler/richtext-tools.ts';

export const conditionOperators = ['eq', 'ne', 'in', 'set'] as const;

/** When a form shows a field: what another field of the same object must be. */
export interface ShowCondition {
  field: string;
  op: (typeof conditionOperators)[number];
  value?: unknown;
}

/** A CSS class that a rich text offers. */
export interface RichtextClass {
  name: string;
  label: string;
}

export interface FieldSettings {
  readonly help?: string;
  readonly placeholder?: string;
  /** Fields with the same group stand together in forms. */
  readonly group?: string;
  /** For forms only: hidden values stay, and all rules hold. */
  readonly show_if?: ShowCondition;
  /** Whether no two entries may have the same value. Only of fields of collections. */
  readonly unique?: boolean;
  /** A regular expression of RE2 that must match a part of the value. */
  readonly pattern?: string;
  /** What is said to people whose value does not match. */
  readonly pattern_help?: string;
  /** Smallest number, date, length in code points, or number of list entries. */
  readonly min?: number | string;
  readonly max?: number | string;
  /** Value of a new object that does not set the field. */
  readonly default?: unknown;
  /** Tools of a rich text; absent = all. */
  readonly richtext?: RichtextTool[];
  readonly classes?: RichtextClass[];
}

const isText = (value: unknown) => typeof value === 'string';
const isBound = (value: unknown) => typeof value === 'number' || typeof value === 'string';
const isListOf = (isPart: (part: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isPart);

function isCondition(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('field' in value) || !('op' in value)) return false;
  return isText(value.field) && conditionOperators.some((op) => op === value.op);
}

function isClass(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && isText(value.name);
}

/** The JSON type of each setting. */
const forms: Readonly<Record<keyof FieldSettings, (value: unknown) => boolean>> = {
  help: isText,
  placeholder: isText,
  group: isText,
  show_if: isCondition,
  unique: (value) => value === true,
  pattern: isText,
  pattern_help: isText,
  min: isBound,
  max: isBound,
  default: () => true,
  richtext: isListOf((part) => richtextTools.some((tool) => tool === part)),
  classes: isListOf(isClass),
};

// Type boundary: the keys of an object literal are exactly the settings.
export const settingNames = Object.keys(forms) as readonly (keyof FieldSettings)[];

/**
 * The settings of a field as it was sent or stored. Null, an empty text and `false` are not set. What has another JSON
 * type is left out: schemas of block types kept any further members before there were settings.
 */
export function pickSettings(field: Readonly<Record<string, unknown>>): FieldSettings {
  const found: [string, unknown][] = [];
  for (const name of settingNames) {
    const value = Object.hasOwn(field, name) ? field[name] : undefined;
    if (value === undefined || value === null || (value === '' && name !== 'default')) continue;
    if (forms[name](value)) found.push([name, name === 'classes' ? withLabels(value) : value]);
  }
  return Object.fromEntries(found);
}

function withLabels(classes: unknown): RichtextClass[] {
  // Type boundary: `forms` has checked the list.
  const list = classes as readonly { readonly name: string; readonly label?: unknown }[];
  return list.map(({ name, label }) => ({ name, label: typeof label === 'string' && label ? label : name }));
}
