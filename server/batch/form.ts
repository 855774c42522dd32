/**
 * The form of a batch: everything that can be refused without looking at content. The names of created objects
 * (`ref`) are resolved here as far as they can be: which operation creates what a later one means.
 */
import { characterCount } from '../../runtime/filters/shared/values.ts';
import { apiError, invalid } from '../errors.ts';
import type { BatchOp, Kind, KindBatch } from '../kinds/kind.ts';
import { withIndex } from './fault.ts';
import { batchLimits } from './model.ts';

/** An object that an earlier operation of the batch creates. */
export class Created {
  /** Index of the operation that creates it. */
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

export interface Operation {
  readonly index: number;
  readonly op: BatchOp;
  readonly kind: Kind;
  /** The object of an update or delete; undefined for a create. */
  readonly target: number | Created | undefined;
  /** The fields, in which `@ref` has become `Created` where it counts. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly ref: string | undefined;
  /** `base_updated_at`, if it counts. */
  readonly base: number | undefined;
}

export interface BatchForm {
  readonly key: string | undefined;
  readonly onBehalfOf: string | undefined;
  readonly operations: readonly Operation[];
}

/** @throws ApiError 400 with the code of the first fault, and the index of its operation */
export function readForm(body: unknown, kinds: ReadonlyMap<string, Kind>): BatchForm {
  if (!isObject(body)) throw invalid('body', 'must be object');
  const { ops = [], idempotency_key: key, on_behalf_of: person } = body;
  if (Object.hasOwn(body, 'dry_run')) throw noDryRun();
  if (!Array.isArray(ops)) throw invalid('ops', 'must be array');
  if (ops.length === 0) throw apiError('batch.empty', {});
  if (ops.length > batchLimits.ops) throw apiError('batch.tooManyOps', { max: batchLimits.ops });
  if (person !== undefined && typeof person !== 'string') throw invalid('on_behalf_of', 'must be string');
  const created = new Map<string, CreatedObject>();
  const operations = ops.map((fields, index) => {
    try {
      return readOperation(index, fields, kinds, created);
    } catch (error) {
      throw withIndex(error, index);
    }
  });
  if (key !== undefined && !isKey(key)) throw apiError('batch.keyInvalid', { max: batchLimits.key });
  return { key, onBehalfOf: person, operations };
}

/** The error for a request that wants a dry run. */
export function noDryRun(): Error {
  return invalid('dry_run', 'is not known: a batch is run or refused as a whole');
}

interface CreatedObject {
  readonly object: Created;
  readonly kind: Kind;
}

function readOperation(
  index: number,
  fields: unknown,
  kinds: ReadonlyMap<string, Kind>,
  created: Map<string, CreatedObject>,
): Operation {
  if (!isObject(fields)) throw apiError('batch.opUnknown', { op: '' });
  const { kind, batch, op } = readWhat(fields, kinds);
  const target = op === 'create' ? undefined : readTarget(fields['id'], kind, created);
  const data = op === 'delete' ? {} : readData(fields, batch, created);
  const ref = op === 'create' ? readRef(fields['ref'], created) : undefined;
  if (ref !== undefined) created.set(ref, { object: new Created(index), kind });
  const base = readBase(fields['base_updated_at']);
  return { index, op, kind, target, data, ref, base: batch.ignoresBase === true ? undefined : base };
}

function readWhat(
  { op, kind: name }: Readonly<Record<string, unknown>>,
  kinds: ReadonlyMap<string, Kind>,
): { readonly kind: Kind; readonly batch: KindBatch; readonly op: BatchOp } {
  if (!isBatchOp(op)) throw apiError('batch.opUnknown', { op: String(op) });
  const kind = typeof name === 'string' ? kinds.get(name) : undefined;
  const { batch } = kind ?? {};
  if (kind === undefined || batch === undefined) throw apiError('batch.kindUnknown', { kind: String(name) });
  if (!batch.ops.includes(op)) throw apiError('batch.opNotSupported', { op, kind: kind.name });
  return { kind, batch, op };
}

function readTarget(id: unknown, kind: Kind, created: ReadonlyMap<string, CreatedObject>): number | Created {
  if (id === undefined || id === null) throw apiError('batch.idRequired', {});
  if (typeof id === 'string' && id.startsWith('@')) {
    const known = created.get(id.slice(1));
    if (known?.kind !== kind) throw apiError('batch.refUnknown', { ref: id.slice(1) });
    return known.object;
  }
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) throw apiError('batch.idInvalid', {});
  return id;
}

function readData(
  fields: Readonly<Record<string, unknown>>,
  batch: KindBatch,
  created: ReadonlyMap<string, CreatedObject>,
): Record<string, unknown> {
  const { data, published } = fields;
  if (!isObject(data)) throw apiError('batch.dataInvalid', {});
  if (published !== undefined && typeof published !== 'boolean')
    throw invalid('published', 'must be boolean');
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'string' || !value.startsWith('@')) return value;
    const known = created.get(value.slice(1));
    if (known === undefined) throw apiError('batch.refUnknown', { ref: value.slice(1) });
    return known.object;
  };
  const read: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(data)) {
    if (name === 'base_updated_at') continue;
    const holdsIds = batch.idFields.includes(name);
    if (!holdsIds) read[name] = value;
    else read[name] = Array.isArray(value) ? value.map(resolve) : resolve(value);
  }
  if (published !== undefined && batch.hasState === true) read['published'] = published;
  return read;
}

function readRef(ref: unknown, created: ReadonlyMap<string, CreatedObject>): string | undefined {
  if (ref === undefined || ref === null) return undefined;
  if (typeof ref !== 'string' || !refPattern.test(ref)) throw apiError('batch.refInvalid', {});
  if (created.has(ref)) throw apiError('batch.refDuplicate', { ref });
  return ref;
}

const refPattern = new RegExp(`^[A-Za-z0-9_.-]{1,${batchLimits.ref}}$`);

function readBase(base: unknown): number | undefined {
  if (base === undefined || Number.isSafeInteger(base)) return base === undefined ? undefined : Number(base);
  throw invalid('base_updated_at', 'must be integer');
}

function isKey(key: unknown): key is string {
  return typeof key === 'string' && key !== '' && characterCount(key) <= batchLimits.key;
}

function isBatchOp(value: unknown): value is BatchOp {
  return value === 'create' || value === 'update' || value === 'delete';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
