import type { TSchema } from 'typebox';
import { bodyValidator, refuseUnknownFields, type Validate } from '../../api/validate.ts';
import { apiError, busy } from '../../base/errors.ts';
import { TimeSlices } from '../../base/timers.ts';
import type { Warning } from '../../base/warnings.ts';
import type { Change } from '../../changes/changes.ts';
import type { CheckedText, TextReport } from '../../changes/text-analysis.ts';
import type { Kind, ObjectState } from '../../content/kinds/kind.ts';
import {
  createObject,
  listWarnings,
  removeObject,
  requireObject,
  updateObject,
} from '../../content/kinds/objects.ts';
import { withIndex } from './fault.ts';
import { Created, findIdHolders, type Operation, replaceIdsOf } from './form.ts';
import type { BatchResult } from './model.ts';

/** One batch while its change runs. */
export class BatchRun {
  readonly #change: Change;
  readonly #strict: boolean;
  /** IDs of the created objects, by the index of their operation. */
  readonly #ids = new Map<number, number>();
  readonly #done: Done[] = [];
  /** The queue of changes waits while others have their turn. */
  readonly #slices = new TimeSlices();
  /** JSON of the answer, when the change is on disk. */
  answer = '';

  constructor(change: Change, strict: boolean) {
    this.#change = change;
    this.#strict = strict;
  }

  /** @throws the error of the single endpoint, with the index of the operation */
  async execute(operation: Operation): Promise<void> {
    try {
      this.#done.push(await this.#executeOne(operation));
    } catch (error) {
      throw withIndex(error, operation.index);
    }
    await this.#slices.next();
  }

  /**
   * Ends the batch when all of its texts are inspected: refuses it if `strict` and a text cannot work, else
   * makes the results.
   *
   * @param keep stores the results and returns the answer
   */
  finish(keep: (results: readonly BatchResult[]) => Promise<string>): void {
    const texts = this.#done.map(textsOf);
    this.#change.inspect(texts.flat(), async (reports) => {
      const rest = [...reports];
      const results = this.#done.map((done, index) =>
        this.#resultOf(done, rest.splice(0, texts[index]?.length ?? 0)),
      );
      this.answer = await keep(results);
    });
  }

  async #executeOne(sent: Operation): Promise<Done> {
    const operation = await this.#findLate(sent);
    const { index, op, kind, target, scope, arranging } = operation;
    const change = this.#change;
    if (kind.batch?.within !== undefined && scope === undefined) throw apiError('common.notFound', {});
    if (op === 'create') {
      const body = this.#bodyOf(operation, 'create');
      if (this.#strict) await kind.refuseUnknown?.(change.tx, body, undefined);
      const state = await createObject(change, kind, body);
      this.#ids.set(index, state.id);
      return { operation, id: state.id, state };
    }
    const id = target instanceof Created ? (this.#ids.get(target.index) ?? 0) : (target ?? 0);
    if (scope !== undefined && !scope.contains(await requireObject(kind, change.tx, id)))
      throw apiError('common.notFound', {});
    if (op === 'delete') {
      await removeObject(change, kind, id);
      return { operation, id, state: undefined };
    }
    if (arranging !== undefined) {
      await arranging.run(change, id, this.#checked(arranging.body, this.#dataOf(operation)));
      return { operation, id, state: await requireObject(kind, change.tx, id) };
    }
    const body = this.#bodyOf(operation, 'update');
    if (this.#strict) await kind.refuseUnknown?.(change.tx, body, await kind.find(change.tx, id));
    const state = await updateObject(change, kind, id, body);
    return { operation, id, state };
  }

  /** The operation with what its object belongs to, which an earlier operation may have created. */
  async #findLate(operation: Operation): Promise<Operation> {
    const { kind, late } = operation;
    if (late === undefined) return operation;
    const ref = late.ref instanceof Created ? (this.#ids.get(late.ref.index) ?? 0) : late.ref;
    const scope = await kind.batch?.within?.find(this.#change.tx, ref);
    return scope === undefined ? operation : { ...operation, scope, data: late.readData(scope) };
  }

  /** The body as the single endpoint would get it. */
  #bodyOf(operation: Operation, op: 'create' | 'update'): unknown {
    const { published, kind, scope } = operation;
    const values = this.#dataOf(operation);
    const body = scope === undefined ? bodyOf(kind, values, published) : scope.toBody(op, values, published);
    return this.#checked(kind.schemas[op], body, kind.schemas.answer);
  }

  #dataOf({ data, kind, arranging, scope }: Operation): Readonly<Record<string, unknown>> {
    const holders = findIdHolders(kind, arranging, scope);
    const replace = (id: unknown) => this.#idOf(id);
    return Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, replaceIdsOf(holders, name, value, replace)]),
    );
  }

  #checked(schema: TSchema, body: object, ...alsoKnown: readonly TSchema[]): unknown {
    const valid = validatorOf(schema)(body);
    if (this.#strict) refuseUnknownFields([schema, ...alsoKnown], body);
    return valid;
  }

  /** What stands in the place of an ID, with the ID of an object that the batch has created. */
  #idOf(value: unknown): unknown {
    return value instanceof Created ? (this.#ids.get(value.index) ?? 0) : value;
  }

  #resultOf({ operation, id, state }: Done, reports: readonly TextReport[]): BatchResult {
    const { index, op, kind, ref, scope } = operation;
    const common = {
      ...{ index, op, kind: kind.name, id },
      ...(ref === undefined ? {} : { ref }),
      ...(scope === undefined ? {} : { collection: scope.slug }),
    };
    if (state === undefined) return { ...common, deleted: true };
    const updatedAt = findUpdatedAt(state);
    return {
      ...common,
      ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
      ...(kind.texts === undefined ? {} : { warnings: this.#warnings(operation, state, reports) }),
    };
  }

  /** @throws ApiError 422 `template.invalid` if `strict` and a text cannot work */
  #warnings({ index, kind }: Operation, state: ObjectState, reports: readonly TextReport[]): Warning[] {
    const warnings = listWarnings(kind, state, reports).filter((warning) => !this.#isAboutCreated(warning));
    if (!this.#strict) return warnings;
    // Nobody knows whether the text works.
    if (reports.some(({ failed }) => failed === true)) throw busy(1);
    const count = warnings.filter(({ level }) => level === 'error').length;
    if (count > 0) throw withIndex(apiError('template.invalid', { count }, { fields: { warnings } }), index);
    return warnings;
  }

  /** The texts are inspected before the commit, when nobody else can see what the batch creates. */
  #isAboutCreated({ code, params }: Warning): boolean {
    if (code !== 'template.unknownSnippet') return false;
    return this.#done.some(
      ({ operation, state }) =>
        state !== undefined &&
        operation.kind.name === 'snippet' &&
        Reflect.get(state, 'name') === params['name'],
    );
  }
}

/** The body of a kind whose objects belong to nothing. `base_updated_at` was compared before anything ran. */
function bodyOf(
  { batch }: Kind,
  { base_updated_at: _base, ...fields }: Readonly<Record<string, unknown>>,
  published: boolean | undefined,
): object {
  return batch?.hasState === true && published !== undefined ? { ...fields, published } : fields;
}

interface Done {
  readonly operation: Operation;
  readonly id: number;
  /** Undefined after a delete. */
  readonly state: ObjectState | undefined;
}

export function findUpdatedAt(state: ObjectState): number | undefined {
  const updatedAt: unknown = Reflect.get(state, 'updated_at');
  return typeof updatedAt === 'number' ? updatedAt : undefined;
}

function textsOf({ operation, state }: Done): readonly CheckedText[] {
  return state === undefined ? [] : (operation.kind.texts?.(state) ?? []);
}

const validators = new WeakMap<object, Validate>();

function validatorOf(schema: TSchema): Validate {
  const known = validators.get(schema) ?? bodyValidator(schema);
  validators.set(schema, known);
  return known;
}
