/** POST /batch with a change set: its operations become items. */
import { TimeSlices } from '../../base/timers.ts';
import type { Change } from '../../changes/changes.ts';
import type { SharedServices } from '../../feature.ts';
import { withIndex } from '../batch/fault.ts';
import type { Operation } from '../batch/form.ts';
import type { BatchResult } from '../batch/model.ts';
import { presentResult, refuseBroken } from '../batch/run.ts';
import { checkBases } from '../batch/service.ts';
import { requireReadableSet } from './decide-items.ts';
import { editItems, prepareEdit, promiseId, type WantedEdit } from './edit.ts';
import { loadItems } from './items.ts';
import { requireEditable } from './service.ts';

/**
 * Puts the operations of a batch into a change set, all of them or none.
 *
 * @throws ApiError the error of the first operation that is refused, with its index; 409 `batch.conflict`, `changeset.*`
 */
export async function collectOperations(
  change: Change,
  { reader, registry: { byName: kinds } }: Pick<SharedServices, 'reader' | 'registry'>,
  setId: number,
  operations: readonly Operation[],
  strict: boolean,
): Promise<BatchResult[]> {
  await requireReadableSet(reader, change.actor, setId);
  await requireEditable(change.tx, change.actor, setId);
  const items = await loadItems(change.tx, setId, kinds);
  const known = new Set(items.map(({ kind, id }) => `${kind.name}:${id}`));
  await checkBases(
    change,
    operations.filter(({ kind, target }) => !known.has(`${kind.name}:${target}`)),
  );
  const wanted = wantEdits(change, operations, strict);
  // Faults of texts are told with the index of their operation, so they are looked for here.
  const edited = await editItems(change, kinds, setId, wanted, { strict: false });
  const slices = new TimeSlices();
  const results: BatchResult[] = [];
  for (const [index, { id, scope, after, warnings, reports }] of edited.entries()) {
    const operation = operations[index];
    if (operation === undefined) continue;
    if (strict) refuseBroken(index, warnings, reports);
    const state = operation.op === 'delete' ? undefined : after;
    results.push(presentResult({ operation, scope, id, state }, [...warnings]));
    await slices.next();
  }
  return results;
}

function wantEdits(change: Change, operations: readonly Operation[], strict: boolean): WantedEdit[] {
  /** IDs of the created objects, by the index of their operation. */
  const ids = new Map<number, number>();
  return operations.map((operation) => {
    const { index } = operation;
    const promised = promiseId(change, operation);
    if (promised !== undefined) ids.set(index, promised);
    return {
      prepare: (inner) => prepareEdit(inner, operation, promised, { ids, strict }),
      refused: (error) => withIndex(error, index),
    };
  });
}
