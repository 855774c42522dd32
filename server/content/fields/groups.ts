/** Definitions of groups: their own fields, and what is wrong with them. */
import Type, { type Static } from 'typebox';
import {
  type FieldDefinition,
  type FieldTypeName,
  fieldTypeNames,
} from '../../../runtime/fields/definition.ts';
import { pickSettings } from '../../../runtime/fields/settings.ts';
import { fieldTypes } from '../../../runtime/fields/types.ts';
import { bodyValidator } from '../../api/validate.ts';
import { type FieldFault, faultsIn } from '../../base/errors.ts';
import { fieldLimits } from '../common-fields.ts';
import { findNameFault } from './field-name.ts';
import { fieldSettings, settingInputs } from './model.ts';
import { findSettingFaults } from './settings.ts';

/** Types of the fields of a group. */
const innerTypes: FieldTypeName[] = fieldTypeNames.filter((type) => type !== 'group' && type !== 'blocks');

const innerParts = {
  name: Type.String({ maxLength: fieldLimits.name, description: 'Name in the objects of the group.' }),
  label: Type.String({ maxLength: fieldLimits.name, description: 'Name for people; default: the name.' }),
  type: Type.Enum([...innerTypes], { description: 'Type of the values.' }),
  required: Type.Boolean({ description: 'Whether every object must have a value.' }),
  options: Type.Array(Type.String({ maxLength: fieldLimits.title }), {
    maxItems: 1000,
    description: 'Allowed values of a `select` or `multiselect`; empty = any.',
  }),
};
const linkedId = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
  description: 'ID of the linked collection of a `reference` or `references`.',
});
const linkedRef = Type.Union(
  [Type.Integer({ minimum: 1 }), Type.String({ maxLength: fieldLimits.name }), Type.Null()],
  { description: 'ID or slug of the linked collection of a `reference` or `references`.' },
);
const { unique: _unique, ...innerSettings } = fieldSettings;

const InnerField = Type.Object(
  { ...innerParts, collection: linkedId, ...innerSettings },
  { title: 'GroupField', description: 'A field of a group.' },
);

const InnerFieldInput = Type.Object(
  {
    name: innerParts.name,
    label: Type.Optional(innerParts.label),
    type: innerParts.type,
    required: Type.Optional(innerParts.required),
    options: Type.Optional(innerParts.options),
    collection: Type.Optional(linkedRef),
    ...settingInputs,
  },
  { title: 'GroupFieldInput', description: 'A field of a group.' },
);
export type InnerFieldInput = Static<typeof InnerFieldInput>;

const many = Type.Boolean({ description: 'Whether a `group` is a list of objects.' });
const ofGroup = { maxItems: 100, description: 'Fields of a `group`.' };

/** What only groups have, in answers and as it is sent. */
export const groupParts = {
  fields: Type.Optional(Type.Array(InnerField, ofGroup)),
  many: Type.Optional(many),
};
export const groupInputs = {
  fields: Type.Optional(
    Type.Union([Type.Array(InnerFieldInput, ofGroup), Type.Null()], { description: ofGroup.description }),
  ),
  many: Type.Optional(
    Type.Union([many, Type.Null()], { description: 'Whether a `group` is a list of objects; default: no.' }),
  ),
};

/** A definition whose parts for groups are checked. */
export interface CheckedGroup {
  readonly type: string;
  readonly fields?: unknown;
  readonly many?: unknown;
  readonly min?: unknown;
  readonly max?: unknown;
}

const validateForm = bodyValidator(Type.Object(groupInputs));

/**
 * All faults in what only groups have, with paths such as `fields.0.fields.1.type`.
 *
 * @param at path of the definition; empty for none
 * @param hasCollection whether a collection is there, by ID or slug
 */
export async function findGroupFaults(
  group: CheckedGroup,
  at: string,
  hasCollection: (ref: number | string) => Promise<boolean>,
): Promise<FieldFault[]> {
  const path = (key: string) => (at === '' ? key : `${at}.${key}`);
  const formFaults = findFormFaults(group);
  if (formFaults.length > 0) return formFaults.map(({ field, reason }) => ({ field: path(field), reason }));
  const isMany = group.many === true;
  const inner = readInputs(group.fields);
  if (group.type !== 'group') {
    const reason = 'is possible for the type group only';
    return [
      ...(isMany ? [{ field: path('many'), reason }] : []),
      ...(inner.length > 0 ? [{ field: path('fields'), reason }] : []),
    ];
  }
  const faults: FieldFault[] = [];
  for (const bound of ['min', 'max'] as const)
    if (!isMany && (group[bound] ?? null) !== null)
      faults.push({ field: path(bound), reason: 'is possible with many only' });
  if (inner.length === 0) faults.push({ field: path('fields'), reason: 'must have at least one field' });
  return [...faults, ...(await findInnerFaults(inner, path('fields'), hasCollection))];
}

async function findInnerFaults(
  inputs: readonly InnerFieldInput[],
  at: string,
  hasCollection: (ref: number | string) => Promise<boolean>,
): Promise<FieldFault[]> {
  const faults: FieldFault[] = [];
  const names = new Set(inputs.map(({ name }) => name));
  const earlier = new Set<string>();
  for (const [index, input] of inputs.entries()) {
    const { name, collection = null } = input;
    const place = `${at}.${index}`;
    const reason = earlier.has(name) ? 'is the name of another field' : findNameFault(name);
    earlier.add(name);
    if (reason !== undefined) faults.push({ field: `${place}.name`, reason });
    const field = toInnerField(input, null);
    faults.push(...findSettingFaults(field, { at: place, names, canBeUnique: false }));
    const isReference = fieldTypes[field.type].refersTo === 'item';
    if (isReference && (collection === null || !(await hasCollection(collection))))
      faults.push({ field: `${place}.collection`, reason: 'must be the ID or slug of a collection' });
  }
  return faults;
}

/** A field of a group as it is stored. @param collection that it refers to */
export function toInnerField(input: InnerFieldInput, collection: number | null): FieldDefinition {
  const { name, label, type, required, options } = input;
  return {
    ...pickSettings(input),
    name,
    label: label || name,
    type,
    required: required ?? false,
    options: options ?? [],
    collection: fieldTypes[type].refersTo === 'item' ? collection : null,
  };
}

function findFormFaults({ fields = null, many: isMany = null }: CheckedGroup): readonly FieldFault[] {
  try {
    validateForm({ fields, many: isMany });
    return [];
  } catch (error) {
    const faults = faultsIn(error);
    if (faults === undefined) throw error;
    return faults;
  }
}

/** Type boundary: {@link findFormFaults} has checked the list. */
function readInputs(fields: unknown): readonly InnerFieldInput[] {
  return (fields ?? []) as readonly InnerFieldInput[];
}
