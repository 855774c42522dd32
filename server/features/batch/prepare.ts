import type { TSchema } from 'typebox';
import { bodyValidator, refuseUnknownFields, type Validate } from '../../api/validate.ts';
import { apiError } from '../../base/errors.ts';
import type { BatchScope, Kind } from '../../content/kinds/kind.ts';
import { requireObject } from '../../content/kinds/objects.ts';
import type { ContentDb } from '../../db/tables.ts';
import { Created, findIdHolders, type IdHolders, type Operation, replaceIdsInField } from './form.ts';

/** An operation when it is its turn: its object is known, and its body has passed its schema. */
export interface PreparedOperation {
  /** Undefined for a create. */
  readonly id: number | undefined;
  readonly scope: BatchScope | undefined;
  /** As the single endpoint would get it; empty for a delete. */
  readonly body: object;
}

export interface PrepareOptions {
  /** IDs of the created objects, by the index of their operation. */
  readonly ids: ReadonlyMap<number, number>;
  readonly strict: boolean;
}

/**
 * Finds what an operation is about and checks its body.
 *
 * @throws ApiError `common.notFound`, `common.invalid`; with `strict` also `common.unknownField`
 */
export async function prepareOperation(
  db: ContentDb,
  sent: Operation,
  options: PrepareOptions,
): Promise<PreparedOperation> {
  const { kind, op, target, arranging, scope, data, published } = await findLate(db, sent, options.ids);
  if (kind.batch?.within !== undefined && scope === undefined) throw apiError('common.notFound', {});
  const holders = findIdHolders(kind, arranging, scope);
  const values = withIds(data, holders, options.ids);
  const id = target instanceof Created ? (options.ids.get(target.index) ?? 0) : target;
  if (id !== undefined && scope !== undefined && !scope.contains(await requireObject(kind, db, id)))
    throw apiError('common.notFound', {});
  if (op === 'delete') return { id, scope, body: {} };
  if (arranging !== undefined) return { id, scope, body: checkBody(arranging.body, values, options) };
  const shape = op === 'create' ? 'create' : 'update';
  const body = scope === undefined ? toBody(kind, values, published) : scope.toBody(shape, values, published);
  const checked = checkBody(kind.schemas[shape], body, options, kind.schemas.answer);
  if (options.strict)
    await kind.refuseUnknown?.(db, checked, id === undefined ? undefined : await kind.find(db, id));
  return { id, scope, body: checked };
}

/**
 * A body that has passed its schema, without fields that the schema does not have.
 *
 * @throws ApiError `common.invalid`; with `strict` also `common.unknownField`
 */
export function checkBody(
  schema: TSchema,
  body: unknown,
  { strict }: Pick<PrepareOptions, 'strict'>,
  ...alsoKnown: readonly TSchema[]
): object {
  const valid = findValidator(schema)(body);
  if (strict) refuseUnknownFields([schema, ...alsoKnown], body);
  return Object(valid);
}

/** The operation with what its object belongs to, which an earlier operation may have created. */
async function findLate(
  db: ContentDb,
  operation: Operation,
  ids: ReadonlyMap<number, number>,
): Promise<Operation> {
  const { kind, late } = operation;
  if (late === undefined) return operation;
  const ref = late.ref instanceof Created ? (ids.get(late.ref.index) ?? 0) : late.ref;
  const scope = await kind.batch?.within?.find(db, ref);
  return scope === undefined ? operation : { ...operation, scope, data: late.readData(scope) };
}

/** The data with the IDs of created objects in the places of IDs. */
function withIds(
  data: Readonly<Record<string, unknown>>,
  holders: IdHolders,
  ids: ReadonlyMap<number, number>,
): Readonly<Record<string, unknown>> {
  const resolve = (value: unknown) => (value instanceof Created ? (ids.get(value.index) ?? 0) : value);
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, replaceIdsInField(holders, name, value, resolve)]),
  );
}

/** The body of a kind whose objects belong to nothing. `base_updated_at` was compared before anything ran. */
function toBody(
  { batch }: Kind,
  { base_updated_at: _base, ...fields }: Readonly<Record<string, unknown>>,
  published: boolean | undefined,
): object {
  return batch?.hasState === true && published !== undefined ? { ...fields, published } : fields;
}

const validators = new WeakMap<object, Validate>();

function findValidator(schema: TSchema): Validate {
  const known = validators.get(schema) ?? bodyValidator(schema);
  validators.set(schema, known);
  return known;
}
