/** The settings of fields as one table: for which classes of values each is allowed, and how it is checked. */
import Type from 'typebox';
import {
  ConversionError,
  type FieldDefinition,
  type FieldTypeName,
} from '../../../runtime/fields/definition.ts';
import type { FieldSettings } from '../../../runtime/fields/settings.ts';
import { convertValue, fieldTypes, isEmptyValue } from '../../../runtime/fields/types.ts';
import { bodyValidator } from '../../api/validate.ts';
import { type FieldFault, faultsIn } from '../../base/errors.ts';
import { findInnerFault } from './inner-values.ts';
import { settingInputs } from './model.ts';
import { areBoundsCrossed, compilePattern, findBrokenRule } from './rules.ts';
import { type ValueClass, valueClasses } from './value-classes.ts';

/** Where a definition stands. */
export interface DefinitionPlace {
  /** Dotted path of the definition in faults, such as `fields.0`; empty for none. */
  readonly at: string;
  /** Names of the fields beside it, its own among them. */
  readonly names: ReadonlySet<string>;
  /** Whether values can be unique: only those of fields of collections. */
  readonly canBeUnique: boolean;
}

interface SettingRule {
  /** Classes of the types that may have the setting; absent = all. */
  readonly classes?: ReadonlySet<ValueClass>;
  /** The types themselves, where their class does not say it. */
  readonly types?: ReadonlySet<FieldTypeName>;
  /** Why the value of the setting is wrong, with the part of it that is meant. */
  findFault?(field: FieldDefinition, place: DefinitionPlace): SettingFault | undefined;
}

interface SettingFault {
  /** Path below the setting, such as `.field`. */
  readonly part?: string;
  readonly reason: string;
}

const richTexts: ReadonlySet<FieldTypeName> = new Set(['html', 'markdown']);
const texts: ReadonlySet<ValueClass> = new Set(['text']);
const bounded: ReadonlySet<ValueClass> = new Set(['text', 'number', 'date', 'list']);
const comparable: ReadonlySet<ValueClass> = new Set(['text', 'number', 'date', 'id']);
const withDefault: ReadonlySet<ValueClass> = new Set([...bounded, 'id', 'flag', 'object']);

const settingRules: Readonly<Record<keyof FieldSettings, SettingRule>> = {
  help: {},
  placeholder: {},
  group: {},
  show_if: { findFault: findConditionFault },
  unique: {
    classes: comparable,
    findFault: (_field, { canBeUnique }) =>
      canBeUnique ? undefined : { reason: 'is possible for fields of collections only' },
  },
  pattern: { classes: texts, findFault: findPatternFault },
  pattern_help: { classes: texts },
  min: {
    classes: bounded,
    findFault: (field) =>
      findBoundFault(field.min, field) ??
      (areBoundsCrossed(field) ? { reason: 'must not be above max' } : undefined),
  },
  max: { classes: bounded, findFault: (field) => findBoundFault(field.max, field) },
  default: { classes: withDefault, findFault: findDefaultFault },
  richtext: { types: richTexts },
  classes: { types: richTexts, findFault: findClassFault },
};

/**
 * All faults in the settings of a field whose JSON types are right.
 *
 * @returns faults with the path of the setting, such as `fields.0.min`
 */
export function findSettingFaults(field: FieldDefinition, place: DefinitionPlace): FieldFault[] {
  const faults: FieldFault[] = [];
  // Type boundary: the keys of an object literal are exactly the settings.
  for (const [name, rule] of Object.entries(settingRules) as [keyof FieldSettings, SettingRule][]) {
    if (isEmptyValue(field[name])) continue;
    const fault = isAllowed(rule, field.type)
      ? rule.findFault?.(field, place)
      : { reason: `is not possible for the type ${field.type}` };
    const at = place.at === '' ? name : `${place.at}.${name}`;
    if (fault !== undefined) faults.push({ field: at + (fault.part ?? ''), reason: fault.reason });
  }
  return faults;
}

/** The field with its default value as entries store it. An empty one is not set. */
export function withStoredDefault(field: FieldDefinition): FieldDefinition {
  const { default: initial, ...others } = field;
  const value = initial === undefined ? null : convertValue(initial, field);
  return value === null || value instanceof ConversionError ? others : { ...others, default: value };
}

/** The condition of a field after another field was renamed; nothing if it does not name that one. */
export function renameInCondition(
  condition: FieldSettings['show_if'],
  from: string,
  to: string,
): Pick<FieldSettings, 'show_if'> {
  return condition?.field === from ? { show_if: { ...condition, field: to } } : {};
}

function isAllowed({ classes, types }: SettingRule, type: FieldTypeName): boolean {
  return (classes?.has(valueClasses[type]) ?? true) && (types?.has(type) ?? true);
}

function findConditionFault(
  { name, show_if: condition }: FieldDefinition,
  { names }: DefinitionPlace,
): SettingFault | undefined {
  if (condition === undefined) return undefined;
  const { field, op, value } = condition;
  if (!names.has(field) || field === name)
    return { part: '.field', reason: 'must be the name of another field' };
  if (op === 'in' && !Array.isArray(value)) return { part: '.value', reason: 'must be a list' };
  if ((op === 'eq' || op === 'ne') && value === undefined) return { part: '.value', reason: 'is required' };
  return undefined;
}

function findPatternFault({ pattern = '' }: FieldDefinition): SettingFault | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { reason: `is no regular expression: ${reason}` };
  }
}

function findBoundFault(bound: FieldSettings['min'], field: FieldDefinition): SettingFault | undefined {
  const valueClass = valueClasses[field.type];
  if (valueClass === 'number') return typeof bound === 'number' ? undefined : { reason: 'must be a number' };
  if (valueClass === 'date') {
    const day = typeof bound === 'string' ? convertValue(bound, field) : undefined;
    const isFit = typeof day === 'string' && fieldTypes[field.type].isParameter(day, field);
    return isFit ? undefined : { reason: `must be a value of the type ${field.type}` };
  }
  const isCount = Number.isSafeInteger(bound) && Number(bound) >= 0;
  return isCount ? undefined : { reason: 'must be a whole number from 0 on' };
}

function findDefaultFault(field: FieldDefinition): SettingFault | undefined {
  const value = convertValue(field.default, field);
  if (value instanceof ConversionError) return { reason: value.reason };
  const reason = fieldTypes[field.type].findFault?.(value) ?? findBrokenRule(value, field);
  if (reason !== undefined) return { reason };
  const inner = findInnerFault(value, field);
  return inner === undefined ? undefined : { reason: `is not valid: ${inner.path} ${inner.reason}` };
}

function findClassFault({ classes = [] }: FieldDefinition): SettingFault | undefined {
  const names = new Set<string>();
  for (const [index, { name }] of classes.entries()) {
    if (!/^[^\s"'<>&=`]+$/.test(name)) return { part: `.${index}.name`, reason: 'must be one class name' };
    if (names.has(name)) return { part: `.${index}.name`, reason: 'is in the list twice' };
    names.add(name);
  }
  return undefined;
}

const validateSettings = bodyValidator(Type.Object(settingInputs));

/** What has a wrong JSON type among the settings of a field, with the path below the field. */
export function findFormFaults(field: Readonly<Record<string, unknown>>): readonly FieldFault[] {
  try {
    validateSettings(field);
    return [];
  } catch (error) {
    const faults = faultsIn(error);
    if (faults === undefined) throw error;
    return faults;
  }
}
