/** Puts back what was changed along with the objects: places, language versions, automatic redirects. */
import type { Change } from '../../../changes/changes.ts';
import { recordSaved, removeObject } from '../../../content/kinds/objects.ts';
import type { KindsByName } from '../../../content/kinds/usage.ts';
import { findIdAt } from '../../../content/sites/service.ts';
import { readSideEffects, restoreCells, type SideEffects } from '../../../db/undo/side-effects.ts';
import { StepUndoer } from '../../../db/undo/step-undoer.ts';
import type { UndoStep } from '../../../db/undo/steps.ts';
import type { PlannedRevert } from './plan.ts';

/**
 * Puts back those effects that nobody has changed since. Redirects that the revert itself has made go.
 *
 * @param plans what the revert has done with objects
 * @param unfinished objects that are not as they were, as `kind:id`; they count as edited
 */
export async function restoreEffects(
  change: Change,
  kinds: KindsByName,
  { cells, rows }: SideEffects,
  {
    plans,
    unfinished,
  }: { readonly plans: readonly PlannedRevert[]; readonly unfinished: ReadonlySet<string> },
): Promise<void> {
  const own = readSideEffects(change.tx);
  for (const row of own.rows) await removeOwn(change, kinds, row);
  for (const row of rows.toReversed()) await restoreRow(change, kinds, row);
  // A page that comes back moves no other one.
  const moved = new Set(plans.flatMap(({ item }) => (item?.arrangements.length ? [item.id] : [])));
  restoreCells(
    change.tx,
    own.cells.filter(({ column, id }) => column === 'sort' && !moved.has(id)),
  );
  restoreCells(
    change.tx,
    cells.filter(({ column, id }) => column !== 'local_modified' || !unfinished.has(`page:${id}`)),
  );
}

/** Where a page comes back, no redirect leads away from its other place. */
async function removeOwn(change: Change, kinds: KindsByName, { before, after }: UndoStep): Promise<void> {
  if (before === undefined && after?.['auto'] === 1) await remove(change, kinds, Number(after['id']));
}

async function restoreRow(change: Change, kinds: KindsByName, step: UndoStep): Promise<void> {
  const { before, after } = step;
  const kind = kinds.get('redirect');
  if (kind === undefined) return;
  if (before === undefined) return remove(change, kinds, Number(after?.['id']));
  const { tx } = change;
  // A page answers at its address before a redirect does.
  const pageId = await findIdAt(tx, Number(before['root_id']), String(before['source']));
  if (pageId !== undefined) return;
  const known = await kind.find(tx, Number(before['id']));
  if (!new StepUndoer(tx, new Map()).undo(step)) return;
  const state = await kind.find(tx, Number(before['id']));
  if (state !== undefined)
    await recordSaved(change, kind, known === undefined ? 'created' : 'updated', state);
}

async function remove(change: Change, kinds: KindsByName, id: number): Promise<void> {
  const kind = kinds.get('redirect');
  const state = await kind?.find(change.tx, id);
  if (kind !== undefined && state !== undefined) await removeObject(change, kind, id, { isFinal: true });
}
