/**
 * The form of a batch: everything that can be refused without looking at content. The names of created objects
 * (`ref`) are resolved here as far as they can be: which operation creates what a later one means.
 */
import { characterCount } from '../../../runtime/filters/shared/values.ts';
import { refuseUnknownFields } from '../../api/validate.ts';
import { apiError, invalid } from '../../base/errors.ts';
import type {
  BatchOp,
  BatchScope,
  Kind,
  KindBatch,
  KindOperation,
  ObjectOp,
} from '../../content/kinds/kind.ts';
import { withIndex } from './fault.ts';
import { BatchOperation, BatchRequest, batchLimits, batchOps } from './model.ts';

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
  /** What runs it, unless it is an operation of every kind. */
  readonly arranging: KindOperation | undefined;
  /** The object of an update or delete; undefined for a create. */
  readonly target: number | Created | undefined;
  /** What the object belongs to; undefined if its kind belongs to nothing, or if nothing has that name yet. */
  readonly scope: BatchScope | undefined;
  /** Finds `scope` and `data` again, when an earlier operation may have created what the object belongs to. */
  readonly late: LateScope | undefined;
  /** The fields, in which `@ref` has become `Created` where it counts. */
  readonly data: Readonly<Record<string, unknown>>;
  /** State beside the fields. */
  readonly published: boolean | undefined;
  readonly ref: string | undefined;
  /** Whether a deleted object does not go to the trash. */
  readonly isFinal: boolean;
  /** `base_updated_at`, if it counts. */
  readonly base: number | undefined;
}

/** What an operation names that was not there before the batch. */
export interface LateScope {
  readonly ref: string | number | Created;
  /** The fields of `data`, with `Created` in the place of `@ref`. */
  readData(scope: BatchScope): Readonly<Record<string, unknown>>;
}

export interface BatchForm {
  readonly key: string | undefined;
  readonly onBehalfOf: string | undefined;
  readonly operations: readonly Operation[];
}

/** Finds what the objects of an operation belong to. @param ref the `collection` of the operation */
export type FindScope = (kind: Kind, ref: string | number) => BatchScope | undefined;

/** @throws ApiError 400 with the code of the first fault, and the index of its operation */
export function readForm(
  body: unknown,
  kinds: ReadonlyMap<string, Kind>,
  findScope: FindScope = () => undefined,
): BatchForm {
  if (!isObject(body)) throw invalid('body', 'must be object');
  const { ops = [] } = body;
  const key = body['idempotency_key'] ?? undefined;
  const person = body['on_behalf_of'] ?? undefined;
  if (Object.hasOwn(body, 'dry_run')) throw noDryRun();
  if (!Array.isArray(ops)) throw invalid('ops', 'must be array');
  if (ops.length === 0) throw apiError('batch.empty', {});
  if (ops.length > batchLimits.ops) throw apiError('batch.tooManyOps', { max: batchLimits.ops });
  if (person !== undefined && typeof person !== 'string') throw invalid('on_behalf_of', 'must be string');
  const created = new Map<string, CreatedObject>();
  const operations = ops.map((fields, index) => {
    try {
      return readOperation(index, fields, { kinds, findScope, created });
    } catch (error) {
      throw withIndex(error, index);
    }
  });
  if (key !== undefined && !isKey(key)) throw apiError('batch.keyInvalid', { max: batchLimits.key });
  return { key, onBehalfOf: person, operations };
}

/**
 * One operation that is no part of a batch; what it belongs to is looked for when it is its turn.
 *
 * @throws ApiError 400 with the code of its fault
 */
export function readSingle(fields: unknown, kinds: ReadonlyMap<string, Kind>): Operation {
  return readOperation(0, fields, { kinds, findScope: () => undefined, created: new Map() });
}

/**
 * `strict=1` for the batch itself; the fields inside `data` are checked with each object.
 *
 * @param body one that has the form of a batch
 * @throws ApiError `common.unknownField`, with the index of the operation that has the field
 */
export function refuseUnknown(body: unknown): void {
  if (!isObject(body)) return;
  const { ops, ...envelope } = body;
  refuseUnknownFields([BatchRequest], envelope);
  for (const [index, operation] of Array.isArray(ops) ? ops.entries() : []) {
    try {
      refuseUnknownFields([BatchOperation], operation);
    } catch (error) {
      throw withIndex(error, index);
    }
  }
}

/** The `collection` of all operations that have one, by their kind. */
export function scopeRefsIn(
  body: unknown,
  kinds: ReadonlyMap<string, Kind>,
): Map<Kind, Set<string | number>> {
  const refs = new Map<Kind, Set<string | number>>();
  const ops = isObject(body) && Array.isArray(body['ops']) ? body['ops'].slice(0, batchLimits.ops) : [];
  for (const fields of ops) {
    const { kind: name, collection: ref } = isObject(fields) ? fields : {};
    const kind = typeof name === 'string' ? kinds.get(name) : undefined;
    if (kind?.batch?.within === undefined || !isScopeRef(ref)) continue;
    refs.set(kind, (refs.get(kind) ?? new Set()).add(ref));
  }
  return refs;
}

/** The error for a request that wants a dry run. */
export function noDryRun(): Error {
  return invalid('dry_run', 'is not known: a batch is run or refused as a whole');
}

interface CreatedObject {
  readonly object: Created;
  readonly kind: Kind;
}

interface FormContext {
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly findScope: FindScope;
  readonly created: Map<string, CreatedObject>;
}

function readOperation(index: number, fields: unknown, context: FormContext): Operation {
  if (!isObject(fields)) throw apiError('batch.opUnknown', { op: '' });
  const { kinds, findScope, created } = context;
  const { kind, batch, op, arranging } = readWhat(fields, kinds);
  const target = op === 'create' ? undefined : readTarget(fields['id'], kind, created);
  const scopeRef = batch.within === undefined ? undefined : readScopeRef(fields['collection'], created);
  const scope = scopeRef === undefined || scopeRef instanceof Created ? undefined : findScope(kind, scopeRef);
  const hasData = op !== 'delete' && op !== 'unlink';
  const before = new Map(created);
  const readFields = (found: BatchScope | undefined) =>
    hasData ? readData(fields['data'], findIdHolders(kind, arranging, found), before) : {};
  const data = readFields(scope);
  const isLate = scopeRef !== undefined && scope === undefined;
  const late = isLate ? { ref: scopeRef, readData: readFields } : undefined;
  const published = hasData && arranging === undefined ? readPublished(fields['published']) : undefined;
  const ref = op === 'create' ? readRef(fields['ref'], created) : undefined;
  if (ref !== undefined) created.set(ref, { object: new Created(index), kind });
  const sentBase = readBase(fields['base_updated_at']);
  const base = batch.ignoresBase === true ? undefined : sentBase;
  const isFinal = readPurge(fields['purge']);
  return { index, op, kind, arranging, target, scope, late, data, published, ref, isFinal, base };
}

/** @throws ApiError `common.invalid` */
function readPurge(purge: unknown): boolean {
  if (purge !== undefined && purge !== null && typeof purge !== 'boolean')
    throw invalid('purge', 'must be boolean');
  return purge === true;
}

/** @throws ApiError `batch.collectionRequired` */
function readScopeRef(ref: unknown, created: ReadonlyMap<string, CreatedObject>): string | number | Created {
  if (typeof ref === 'string' && ref.startsWith('@')) return requireCreated(ref, created).object;
  if (isScopeRef(ref)) return ref;
  throw apiError('batch.collectionRequired', {});
}

function isScopeRef(ref: unknown): ref is string | number {
  return Number.isSafeInteger(ref) || (typeof ref === 'string' && ref !== '');
}

function readWhat(
  { op, kind: name }: Readonly<Record<string, unknown>>,
  kinds: ReadonlyMap<string, Kind>,
): {
  readonly kind: Kind;
  readonly batch: KindBatch;
  readonly op: BatchOp;
  readonly arranging: KindOperation | undefined;
} {
  if (!isBatchOp(op)) throw apiError('batch.opUnknown', { op: String(op) });
  const kind = typeof name === 'string' ? kinds.get(name) : undefined;
  const { batch } = kind ?? {};
  if (kind === undefined || batch === undefined) throw apiError('batch.kindUnknown', { kind: String(name) });
  const arranging = isObjectOp(op) ? undefined : batch.more?.[op];
  const isKnown = isObjectOp(op) ? batch.ops.includes(op) : arranging !== undefined;
  if (!isKnown) throw apiError('batch.opNotSupported', { op, kind: kind.name });
  return { kind, batch, op, arranging };
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

/** @throws ApiError `batch.refUnknown` */
function requireCreated(ref: string, created: ReadonlyMap<string, CreatedObject>): CreatedObject {
  const known = created.get(ref.slice(1));
  if (known === undefined) throw apiError('batch.refUnknown', { ref: ref.slice(1) });
  return known;
}

function readData(
  data: unknown,
  holders: IdHolders,
  created: ReadonlyMap<string, CreatedObject>,
): Record<string, unknown> {
  if (!isObject(data)) throw apiError('batch.dataInvalid', {});
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'string' || !value.startsWith('@')) return value;
    return requireCreated(value, created).object;
  };
  const read: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(data))
    read[name] = replaceIdsInField(holders, name, value, resolve);
  return read;
}

/** What knows where the data of an operation hold IDs. */
export interface IdHolders {
  readonly idFields: readonly string[];
  /** For other fields. */
  replaceInside(name: string, value: unknown, replace: (id: unknown) => unknown): unknown;
}

export function findIdHolders(
  kind: Kind,
  arranging: KindOperation | undefined,
  scope: BatchScope | undefined,
): IdHolders {
  const { batch } = kind;
  return {
    idFields: arranging?.idFields ?? batch?.idFields ?? [],
    replaceInside: (name, value, replace) =>
      arranging === undefined ? (scope ?? batch)?.replaceIds?.(name, value, replace) : undefined,
  };
}

/** The value of a field with others in the places of IDs. */
export function replaceIdsInField(
  { idFields, replaceInside }: IdHolders,
  name: string,
  value: unknown,
  replace: (id: unknown) => unknown,
): unknown {
  if (!idFields.includes(name)) return replaceInside(name, value, replace) ?? value;
  return Array.isArray(value) ? value.map(replace) : replace(value);
}

function readPublished(published: unknown): boolean | undefined {
  if (published === undefined || typeof published === 'boolean') return published;
  throw invalid('published', 'must be boolean');
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

function isObjectOp(value: unknown): value is ObjectOp {
  return value === 'create' || value === 'update' || value === 'delete';
}

function isBatchOp(value: unknown): value is BatchOp {
  return batchOps.some((op) => op === value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
