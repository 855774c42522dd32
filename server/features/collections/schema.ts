/** The fields of a collection: their rules, and what they are when optional parts are left out. */
import type { FieldDefinition } from '../../../runtime/fields/definition.ts';
import { pickSettings } from '../../../runtime/fields/settings.ts';
import { fieldTypes } from '../../../runtime/fields/types.ts';
import type { FieldFault } from '../../base/errors.ts';
import { findFieldNameFault, findNameFault } from '../../content/fields/field-name.ts';
import { findGroupFaults, toInnerField } from '../../content/fields/groups.ts';
import { findSettingFaults, withStoredDefault } from '../../content/fields/settings.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { FieldInput } from './model.ts';
import * as store from './store.ts';

/**
 * The fields as they are stored: a collection that is linked by its slug is its ID.
 *
 * @param before fields of the same collection: one whose collection is gone keeps it, for the case that it comes back
 */
export async function toFields(
  db: ContentDb,
  inputs: readonly FieldInput[],
  before: readonly FieldDefinition[] = [],
): Promise<FieldDefinition[]> {
  const fields: FieldDefinition[] = [];
  for (const input of inputs) {
    const { name, type, collection } = input;
    const linked = (await linkedId(db, collection)) ?? findBefore(before, name)?.collection ?? null;
    const field = withStoredDefault(await toUnlinked(db, input, before));
    fields.push({ ...field, collection: isReference(type) ? linked : null });
  }
  return fields;
}

/** A field as it is stored, without the collection that it refers to. */
async function toUnlinked(
  db: ContentDb,
  input: FieldInput,
  before: readonly FieldDefinition[],
): Promise<FieldDefinition> {
  const { name, label, type, required, options } = input;
  return {
    name,
    label: label || name,
    type,
    required: required ?? false,
    options: options ?? [],
    collection: null,
    ...pickSettings(input),
    ...(await toGroupParts(db, input, findGroupBefore(before, name))),
  };
}

/** What only groups have; nothing for other types. */
async function toGroupParts(
  db: ContentDb,
  { type, fields, many }: FieldInput,
  before: readonly FieldDefinition[],
): Promise<Partial<FieldDefinition>> {
  if (type !== 'group') return {};
  const inner: FieldDefinition[] = [];
  for (const input of fields ?? []) {
    const linked = await linkedId(db, input.collection);
    inner.push(toInnerField(input, linked ?? findBefore(before, input.name)?.collection ?? null));
  }
  return { fields: inner, ...(many === true ? { many } : {}) };
}

function findGroupBefore(before: readonly FieldDefinition[], name: string): readonly FieldDefinition[] {
  return before.find((field) => field.name === name && field.type === 'group')?.fields ?? [];
}

async function linkedId(db: ContentDb, ref: FieldInput['collection']): Promise<number | null> {
  return typeof ref === 'string' ? ((await store.findIdBySlug(db, ref)) ?? null) : (ref ?? null);
}

function findBefore(before: readonly FieldDefinition[], name: string): FieldDefinition | undefined {
  return before.find((field) => field.name === name && isReference(field.type));
}

/** All faults in a list of fields. @param before stored fields: a collection that is gone since is no fault of them */
export async function faultsInFields(
  db: ContentDb,
  inputs: readonly FieldInput[],
  before: readonly FieldDefinition[] = [],
): Promise<FieldFault[]> {
  const faults: FieldFault[] = [];
  const names = new Set(inputs.map(({ name }) => name));
  const earlier = new Set<string>();
  for (const [index, input] of inputs.entries()) {
    const { name, type, collection } = input;
    const at = `fields.${index}`;
    const isStoredName = before.some((field) => field.name === name);
    const nameFault = isStoredName ? findNameFault(name) : findFieldNameFault(name);
    const reason = earlier.has(name) ? 'is the name of another field' : nameFault;
    earlier.add(name);
    if (reason !== undefined) faults.push({ field: `${at}.name`, reason });
    faults.push(...(await faultsInGroup(db, input, at, before)));
    const field = await toUnlinked(db, input, before);
    faults.push(...findSettingFaults(field, { at, names, canBeUnique: true }));
    if (!isReference(type)) continue;
    const id = await linkedId(db, collection);
    const isKnown = id !== null && (await store.collections.find(db, id)) !== undefined;
    const stored = findBefore(before, name);
    const isShown = stored !== undefined && (collection ?? null) === null && !(await hasLinked(db, stored));
    const isStored = stored !== undefined && id !== null && id === stored.collection;
    if (!isKnown && !isShown && !isStored)
      faults.push({ field: `${at}.collection`, reason: 'must be the ID or slug of a collection' });
  }
  return faults;
}

async function faultsInGroup(
  db: ContentDb,
  input: FieldInput,
  at: string,
  before: readonly FieldDefinition[],
): Promise<FieldFault[]> {
  const known = new Set(findGroupBefore(before, input.name).flatMap(({ collection }) => collection ?? []));
  return findGroupFaults(input, at, async (ref) => {
    const id = await linkedId(db, ref);
    if (id === null) return false;
    return known.has(id) || (await store.collections.find(db, id)) !== undefined;
  });
}

/** Whether the collection that a field refers to is there. */
export async function hasLinked(db: ContentDb, { collection }: Pick<FieldDefinition, 'collection'>) {
  return collection !== null && (await store.collections.find(db, collection)) !== undefined;
}

function isReference(type: FieldDefinition['type']): boolean {
  return fieldTypes[type].refersTo === 'item';
}
