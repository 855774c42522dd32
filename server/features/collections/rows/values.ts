/** The values of an entry: from what a client sends to what is stored, with all that is wrong with it. */

import { isDeepStrictEqual } from 'node:util';
import type { BlockTree } from '../../../../runtime/blocks/tree.ts';
import {
  ConversionError,
  type EntryData,
  type FieldDefinition,
  joinPath,
} from '../../../../runtime/fields/definition.ts';
import {
  canHoldTargets,
  describeMissing,
  type FieldTarget,
  listTargets,
} from '../../../../runtime/fields/targets.ts';
import {
  convertValue,
  currentValue,
  fieldTypes,
  findRemainingValue,
  isEmptyValue,
  presentValue,
  withoutOptions,
} from '../../../../runtime/fields/types.ts';
import { ApiError, apiError, type FieldFault } from '../../../base/errors.ts';
import { convertTree, TrustedTree } from '../../../content/blocks/convert-tree.ts';
import { TreeRuleLookup } from '../../../content/blocks/tree-rule-lookup.ts';
import { findInnerFault } from '../../../content/fields/inner-values.ts';
import { findBrokenRule } from '../../../content/fields/rules.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { StoredCollection } from '../model.ts';
import { KnownTargets } from './known-targets.ts';
import { StoredValue } from './stored-value.ts';

/** What entries may refer to, besides other entries. */
export interface ItemTargets {
  /** Whether there is a file with this ID; undefined = not checked. */
  readonly hasFile?: (db: ContentDb, id: number) => Promise<boolean>;
  /** The file that was imported from an address; undefined = none is known. */
  readonly findFile?: (db: ContentDb, address: string) => Promise<number | undefined>;
}

/** What is wrong with the value of one field. */
export interface ValueFault extends FieldFault {
  readonly code:
    | 'item.fieldRequired'
    | 'item.referenceMissing'
    | 'item.fileMissing'
    | 'item.pageMissing'
    | 'block.fieldInvalid'
    | 'common.invalid'
    | 'tree';
  /** The ID that nothing has. */
  readonly id?: number;
  /** Of the code `tree`: what is wrong with a block tree. */
  readonly error?: ApiError;
}

export interface ConvertedData {
  /** Values of all fields of the collection, in their order. */
  readonly data: EntryData;
  /** In the order of the fields. */
  readonly faults: readonly ValueFault[];
}

/**
 * The data of an entry with the values that were sent. Fields that the collection does not have are dropped.
 *
 * @param before stored data that the sent values are merged into; undefined for a new entry
 */
export async function convertData(
  db: ContentDb,
  { fields }: Pick<StoredCollection, 'fields'>,
  sent: Readonly<Record<string, unknown>>,
  before: EntryData | undefined,
  targets: ItemTargets,
): Promise<ConvertedData> {
  const data: Record<string, unknown> = {};
  const faults: ValueFault[] = [];
  for (const field of fields) {
    const { value, fault } = await convertField(db, field, sent, before, targets);
    data[field.name] = value;
    if (fault !== undefined) faults.push(fault);
  }
  return { data, faults };
}

interface ConvertedValue {
  /** Null if there is a fault. */
  readonly value: unknown;
  readonly fault?: ValueFault | undefined;
}

async function convertField(
  db: ContentDb,
  field: FieldDefinition,
  data: Readonly<Record<string, unknown>>,
  before: EntryData | undefined,
  targets: ItemTargets,
): Promise<ConvertedValue> {
  const isSent = Object.hasOwn(data, field.name);
  const sent = isSent ? data[field.name] : null;
  if (sent instanceof StoredValue) return { value: sent.value };
  if (before === undefined && !isSent) return fillDefault(db, field, targets);
  if (before !== undefined && (!isSent || (await isAsShown(db, field, sent, before))))
    return { value: findRemainingValue(before, field) };
  const converted = convertValue(sent, field);
  const tree = field.type === 'blocks' ? treeIn(converted, sent) : undefined;
  const value =
    tree === undefined ? converted : await treeOrFault(db, tree, field.name, before?.[field.name]);
  if (isTreeFault(value)) return { value: null, fault: value };
  const fault =
    faultIn(value, field) ?? faultInGroup(value, field) ?? (await faultInTarget(db, value, field, targets));
  return { value: value instanceof ConversionError ? null : value, fault };
}

/** The value of a field that a new entry does not set: its default, unless that refers to what is gone. */
async function fillDefault(
  db: ContentDb,
  field: FieldDefinition,
  targets: ItemTargets,
): Promise<ConvertedValue> {
  const { default: initial } = field;
  const isUsable = initial !== undefined && (await faultInTarget(db, initial, field, targets)) === undefined;
  const value = isUsable ? initial : convertValue(null, field);
  return { value, fault: faultIn(value, field) };
}

/**
 * Whether a value is what GET shows of the stored one. What it refers to may be gone, or a rule be newer than it: what
 * GET answers can always be sent back, and the stored value stays.
 */
async function isAsShown(
  db: ContentDb,
  field: FieldDefinition,
  sent: unknown,
  before: EntryData,
): Promise<boolean> {
  if (field.type === 'blocks') return false;
  const stored = currentValue(before, field);
  const value = convertValue(sent, withoutOptions(field));
  if (isDeepStrictEqual(value, stored) || isDeepStrictEqual(sent, stored)) return true;
  if (!canHoldTargets(field)) return false;
  const targets = new KnownTargets(db);
  await targets.read([field], before);
  return isDeepStrictEqual(value, presentValue(before, field, targets.has));
}

/** The tree that was sent or is trusted, or what stands in its place in JSON text; undefined if there is none. */
function treeIn(value: unknown, sent: unknown): unknown {
  if (sent instanceof TrustedTree) return sent;
  if (!(value instanceof ConversionError)) return value ?? undefined;
  try {
    return typeof sent === 'string' ? JSON.parse(sent) : undefined;
  } catch {
    return undefined;
  }
}

/** A tree as it is stored, or what is wrong with it. */
async function treeOrFault(
  db: ContentDb,
  sent: unknown,
  field: string,
  before: unknown,
): Promise<BlockTree | TreeFault> {
  try {
    return await convertTree(db, sent, { field, before });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: 'tree', field, reason: error.message, error };
  }
}

type TreeFault = ValueFault & { readonly code: 'tree' };

function isTreeFault(value: unknown): value is TreeFault {
  return typeof value === 'object' && value !== null && 'code' in value && value.code === 'tree';
}

/** @throws ApiError of the first fault; `errors` lists all of several */
export function refuseFaults(faults: readonly ValueFault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const errors = faults.map(({ field, reason }) => ({ field, reason }));
  throw toApiError(first, faults.length > 1 ? { errors } : {});
}

/** The error of a fault. @param more further params */
export function toApiError(fault: ValueFault, more: object = {}): ApiError {
  const { code, field, reason, id = 0, error } = fault;
  switch (code) {
    case 'tree':
      return error ?? apiError('block.fieldInvalid', { field });
    case 'common.invalid':
      return apiError(code, { field, reason, ...more });
    case 'item.referenceMissing':
    case 'item.fileMissing':
    case 'item.pageMissing':
      return apiError(code, { field, id, ...more });
    default:
      return apiError(code, { field, ...more });
  }
}

function faultIn(value: unknown, field: FieldDefinition): ValueFault | undefined {
  const { name, type, required } = field;
  if (value instanceof ConversionError) {
    const { reason, path } = value;
    const code = type === 'blocks' ? 'block.fieldInvalid' : 'common.invalid';
    return { code, field: joinPath(name, path), reason };
  }
  if (isEmptyValue(value))
    return required ? { code: 'item.fieldRequired', field: name, reason: 'is required' } : undefined;
  const reason = fieldTypes[type].findFault?.(value) ?? findBrokenRule(value, field);
  return reason === undefined ? undefined : { code: 'common.invalid', field: name, reason };
}

function faultInGroup(value: unknown, field: FieldDefinition): ValueFault | undefined {
  const fault = findInnerFault(value, field);
  if (fault === undefined) return undefined;
  const { path, reason, isMissing } = fault;
  return {
    code: isMissing ? 'item.fieldRequired' : 'common.invalid',
    field: joinPath(field.name, path),
    reason,
  };
}

/** Codes of what is missing, by its kind. */
const missingCodes = {
  item: 'item.referenceMissing',
  file: 'item.fileMissing',
  page: 'item.pageMissing',
} as const satisfies Record<FieldTarget['kind'], ValueFault['code']>;

async function faultInTarget(
  db: ContentDb,
  value: unknown,
  field: FieldDefinition,
  { hasFile }: ItemTargets,
): Promise<ValueFault | undefined> {
  const lookup = new TreeRuleLookup(db);
  for (const target of listTargets(value, field)) {
    const { kind, id, path } = target;
    const isThere = kind === 'file' ? ((await hasFile?.(db, id)) ?? true) : await lookup.has(target);
    if (!isThere) return { code: missingCodes[kind], field: path, id, reason: describeMissing(target) };
  }
  return undefined;
}
