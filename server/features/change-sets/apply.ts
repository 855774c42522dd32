/** Makes the changes of a change set: for its publication, and to learn what they would lead to. */
import { ApiError, apiError } from '../../base/errors.ts';
import { TimeSlices } from '../../base/timers.ts';
import type { Change } from '../../changes/changes.ts';
import { arrangeObject, createObject, removeObject, updateObject } from '../../content/kinds/objects.ts';
import type { SetItem } from './items.ts';
import type { PlannedItem } from './plan.ts';

/** A step of an item that was refused. */
export interface RefusedStep {
  readonly item: SetItem;
  readonly error: ApiError;
}

/** What is done for an item. */
export interface Step {
  readonly item: SetItem;
  run(change: Change): Promise<unknown>;
}

/**
 * Applies planned items. An item may need others that came in later, so what is refused is tried again after them.
 *
 * @returns the steps that are refused at last; nothing of them is done
 */
export async function applyPlan(
  change: Change,
  planned: readonly PlannedItem[],
  options: ApplyOptions = {},
): Promise<RefusedStep[]> {
  // Entries lose what their collection has no field for, so definitions are complete before.
  const sorted = [...planned].sort((left, right) => left.item.position - right.item.position);
  const stepsOf = (plans: readonly PlannedItem[]) => plans.flatMap((plan) => listAllSteps(plan, options));
  const waiting = await attemptSteps(change, stepsOf(sorted.filter(isDefinition)));
  const others = sorted.filter((one) => !isDefinition(one));
  // A definition may wait for a page that is created too: then its entries wait for both.
  const isLate = ({ item }: PlannedItem) => waiting.length > 0 && item.kind.name === 'item';
  const early = stepsOf(others.filter((one) => !isLate(one)));
  const refused = await attemptSteps(change, [...waiting.map(({ step }) => step), ...early]);
  return runSteps(change, [...refused.map(({ step }) => step), ...stepsOf(others.filter(isLate))]);
}

export interface ApplyOptions {
  /** Keeps the states before as versions. What is taken back needs none. */
  readonly keepsVersions?: boolean;
  /** Restores an object that was deleted live from the trash; the change must not share its transaction. */
  bringBack?(change: Change, item: SetItem): Promise<void>;
}

function listAllSteps(plan: PlannedItem, { bringBack, keepsVersions = false }: ApplyOptions): Step[] {
  const { item, comesBack } = plan;
  const steps = listSteps(plan, keepsVersions);
  if (comesBack !== true || bringBack === undefined) return steps;
  return [{ item, run: (inner) => bringBack(inner, item) }, ...steps];
}

function isDefinition({ item: { kind, isDeleted } }: PlannedItem): boolean {
  return kind.name === 'collection' && !isDeleted;
}

/**
 * Runs steps in order. One that is refused is tried again after the others.
 *
 * @returns the steps that are refused at last; nothing of them is done
 */
export async function runSteps(change: Change, steps: readonly Step[]): Promise<RefusedStep[]> {
  return (await attemptSteps(change, steps)).map(({ item, error }) => ({ item, error }));
}

interface RefusedAttempt extends RefusedStep {
  readonly step: Step;
}

async function attemptSteps(change: Change, all: readonly Step[]): Promise<readonly RefusedAttempt[]> {
  let steps = all;
  const slices = new TimeSlices();
  for (;;) {
    const refused: RefusedAttempt[] = [];
    for (const step of steps) {
      try {
        await change.attempt((inner) => step.run(inner));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refused.push({ step, item: step.item, error: locateError(error, step.item) });
      }
      await slices.next();
    }
    if (refused.length === 0 || refused.length === steps.length) return refused;
    steps = refused.map(({ step }) => step);
  }
}

/** The same error, which also says about which object it is. */
function locateError(
  error: ApiError,
  { kind, id }: { readonly kind: { readonly name: string }; readonly id: number },
): ApiError {
  const { code, message, params, fields, headers } = error;
  const located = { ...params, kind: kind.name, id };
  return new ApiError(code, `${kind.name} ${id}: ${message}`, located, { fields, headers, cause: error });
}

function listSteps({ item, live, body, isDone, hasOwnValues }: PlannedItem, keepsVersions: boolean): Step[] {
  const { kind, id, creation, isDeleted, arrangements, takesAsIs } = item;
  if (isDone) return [];
  const step = (run: Step['run']): Step => ({ item, run: (change) => run({ ...change, takesAsIs }) });
  if (isDeleted) return [step((change) => removeObject(change, kind, id))];
  const isCreated = creation !== undefined;
  // Nobody sees the states of what is taken back.
  const isNew = isCreated || !keepsVersions;
  const saves = Object.keys(body).length > 0;
  const hasCheckedMarkup = !hasOwnValues;
  return [
    ...(isCreated ? [step((change) => createPromised(change, item, live !== undefined))] : []),
    ...(saves
      ? [
          step((change) =>
            updateObject(change, kind, id, body, { isNew, hasOwnVersion: true, hasCheckedMarkup }),
          ),
        ]
      : []),
    ...arrangements.map(({ op, body: arranged }) =>
      step((change) =>
        arrangeObject(change, kind, id, { operation: kind.batch?.more?.[op], body: arranged }),
      ),
    ),
  ];
}

/** Creates an object with the ID that it was promised. @throws ApiError `changeset.parentDeleted` */
async function createPromised(change: Change, item: SetItem, isTaken: boolean): Promise<void> {
  const { kind, id, creation = {} } = item;
  const { promisedIds } = change.tx;
  const [table] = kind.tables;
  // A publication gives such an object another ID before; until then it is not there.
  if (isTaken || table === undefined) throw apiError('common.notFound', {});
  promisedIds.set(table, id);
  try {
    await createObject(change, kind, creation, { hasCheckedMarkup: true });
  } catch (error) {
    throw isParentGone(error) ? apiError('changeset.parentDeleted', { by: findParent(creation) }) : error;
  } finally {
    promisedIds.delete(table);
  }
}

/** Whether what an object is to be created in is gone. */
function isParentGone(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.code === 'common.notFound' &&
    parentFields.some(({ field }) => error.params['field'] === field)
  );
}

const parentFields = [
  { field: 'parent_id', kind: 'page' },
  { field: 'collection', kind: 'collection' },
  { field: 'root_id', kind: 'page' },
] as const;

function findParent(creation: object): { readonly kind: string; readonly id: unknown } {
  const parent = parentFields.find(({ field }) => field in creation) ?? parentFields[0];
  return { kind: parent.kind, id: Reflect.get(creation, parent.field) };
}
