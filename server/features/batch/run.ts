import { apiError, busy } from '../../base/errors.ts';
import { TimeSlices } from '../../base/timers.ts';
import type { Warning } from '../../base/warnings.ts';
import type { Change } from '../../changes/changes.ts';
import type { CheckedText, TextReport } from '../../changes/text-analysis.ts';
import type { BatchScope, ObjectState } from '../../content/kinds/kind.ts';
import {
  arrangeObject,
  createObject,
  listWarnings,
  removeObject,
  requireObject,
  updateObject,
} from '../../content/kinds/objects.ts';
import { withIndex } from './fault.ts';
import type { Operation } from './form.ts';
import type { BatchResult } from './model.ts';
import { prepareOperation } from './prepare.ts';

/** One batch while its change runs. */
export class BatchRun {
  readonly #change: Change;
  readonly #strict: boolean;
  /** IDs of the created objects, by the index of their operation. */
  readonly #ids = new Map<number, number>();
  readonly #done: DoneOperation[] = [];
  /** The queue of changes waits while others have their turn. */
  readonly #slices = new TimeSlices();
  /** JSON of the answer, when the change is on disk. */
  answer = '';

  constructor(change: Change, strict: boolean) {
    this.#change = change;
    this.#strict = strict;
  }

  /** @throws the error of the single endpoint, with the index of the operation */
  async execute(operation: Operation): Promise<DoneOperation> {
    try {
      const done = await this.#executeOne(operation);
      this.#done.push(done);
      await this.#slices.next();
      return done;
    } catch (error) {
      throw withIndex(error, operation.index);
    }
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

  async #executeOne(operation: Operation): Promise<DoneOperation> {
    const { index, op, kind, arranging } = operation;
    const change = this.#change;
    const options = { ids: this.#ids, strict: this.#strict };
    const { id = 0, scope, body } = await prepareOperation(change.tx, operation, options);
    if (op === 'create') {
      const state = await createObject(change, kind, body);
      this.#ids.set(index, state.id);
      return { operation, scope, id: state.id, state };
    }
    if (op === 'delete') {
      await removeObject(change, kind, id, { isFinal: operation.isFinal });
      return { operation, scope, id, state: undefined };
    }
    if (arranging === undefined)
      return { operation, scope, id, state: await updateObject(change, kind, id, body) };
    await arrangeObject(change, kind, id, { operation: arranging, body });
    return { operation, scope, id, state: await requireObject(kind, change.tx, id) };
  }

  #resultOf(done: DoneOperation, reports: readonly TextReport[]): BatchResult {
    const { operation, state } = done;
    return presentResult(done, state === undefined ? [] : this.#warnings(operation, state, reports));
  }

  /** @throws ApiError 422 `template.invalid` if `strict` and a text cannot work */
  #warnings({ index, kind }: Operation, state: ObjectState, reports: readonly TextReport[]): Warning[] {
    const warnings = listWarnings(kind, state, reports).filter((warning) => !this.#isAboutCreated(warning));
    if (this.#strict) refuseBroken(index, warnings, reports);
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

/** An operation that is done. */
export interface DoneOperation {
  readonly operation: Operation;
  readonly scope: BatchScope | undefined;
  readonly id: number;
  /** Undefined after a delete. */
  readonly state: ObjectState | undefined;
}

/** What the answer of a batch says of an operation. */
export function presentResult(
  { operation, scope, id, state }: DoneOperation,
  warnings: Warning[],
): BatchResult {
  const { index, op, kind, ref } = operation;
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
    ...(kind.texts === undefined && warnings.length === 0 ? {} : { warnings }),
  };
}

/** @throws ApiError 422 `template.invalid` if a text cannot work, 503 if nobody knows whether it does */
export function refuseBroken(
  index: number,
  warnings: readonly Warning[],
  reports: readonly TextReport[],
): void {
  if (reports.some(({ failed }) => failed === true)) throw busy(1);
  const count = warnings.filter(({ level }) => level === 'error').length;
  if (count > 0) throw withIndex(apiError('template.invalid', { count }, { fields: { warnings } }), index);
}

export function findUpdatedAt(state: ObjectState): number | undefined {
  const updatedAt: unknown = Reflect.get(state, 'updated_at');
  return typeof updatedAt === 'number' ? updatedAt : undefined;
}

function textsOf({ operation, state }: DoneOperation): readonly CheckedText[] {
  return state === undefined ? [] : (operation.kind.texts?.(state) ?? []);
}
