import { formatAuthor } from '../../../base/actor.ts';
import { TimeSlices } from '../../../base/timers.ts';
import type { Change } from '../../../changes/changes.ts';
import type { ObjectNames } from '../../../changes/record.ts';
import type { Row } from '../../../db/connection.ts';
import {
  countDeleted,
  listDeleted,
  listDeletedIds,
  readStepColumns,
  readStepTexts,
  recordSteps,
} from '../../../db/undo/record.ts';
import { readRowsWith } from '../../../db/undo/step-undoer.ts';
import type { KindTrash } from './declaration.ts';
import { packText } from './pack.ts';
import { trashSettings } from './settings.ts';
import * as store from './store.ts';

/** What the trash stores of an object besides its rows. */
export interface DiscardedObject {
  /** The object as the kind finds it. */
  readonly state: { readonly id: number };
  /** Columns of the tables of the steps, at the time of the deletion. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** What was left of the lists that named the object: by table and owner. */
  readonly lists: Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>>;
}

/** What a deletion needs of a kind. */
export interface RemovableKind<State> {
  readonly name: string;
  readonly trash?: KindTrash<State>;
  namesOf(state: State): ObjectNames;
}

/** Characters of a part: packing one takes about 2 ms. */
const partLength = 2 ** 18;
const secondsPerDay = 86_400;

/**
 * Deletes an object with `remove`. What that does to rows goes to the trash, unless the deletion is final: because it is
 * wanted, because a workflow does it, because the kind has no trash or because the trash is switched off.
 *
 * @returns whether the object is in the trash
 */
export async function putAway<State extends { readonly id: number }>(
  change: Change,
  kind: RemovableKind<State>,
  state: State,
  remove: () => Promise<unknown>,
  { isFinal = false }: { readonly isFinal?: boolean } = {},
): Promise<boolean> {
  const { tx, actor } = change;
  const { trash } = kind;
  const { days } = await trashSettings.read(tx);
  const isKept = trash !== undefined && !isFinal && actor.kind !== 'workflow' && days > 0;
  if (!isKept && trash?.forget === undefined) {
    await remove();
    return false;
  }
  await recordSteps(tx, remove);
  if (isKept) await change.writeUnversioned(() => storeEntry(change, kind, state, days));
  else trash?.forget?.(change, (table) => listDeleted(tx, table));
  return isKept;
}

async function storeEntry<State extends { readonly id: number }>(
  change: Change,
  kind: RemovableKind<State>,
  state: State,
  days: number,
): Promise<void> {
  const { tx, now, actor } = change;
  const { name, path, slug } = kind.namesOf(state);
  const object: DiscardedObject = {
    state,
    columns: Object.fromEntries(readStepColumns(tx)),
    lists: readLists(change, kind),
  };
  const packed = packText(JSON.stringify(object));
  const counts = countDeleted(tx);
  const pages = (counts.get('pages') ?? 0) > 0 ? `,${listDeletedIds(tx, 'pages').join(',')},` : '';
  const kept = kind.trash?.contentOf?.(state);
  const id = await store.insertEntry(tx, {
    kind: kind.name,
    object_id: state.id,
    title: name || slug || path || '',
    path: path ?? '',
    deleted_by: formatAuthor(actor),
    deleted_at: now,
    expires_at: now + days * secondsPerDay,
    counts: JSON.stringify(Object.fromEntries(counts)),
    pages,
    bytes: 0,
    object: packed,
  });
  if (kept !== undefined) await store.insertContent(tx, { content: kept.content, trash_id: id });
  const length = await storeSteps(change, id);
  await store.setBytes(tx, id, packed.length + length + (kept?.bytes ?? 0));
}

async function storeSteps({ tx }: Change, id: number): Promise<number> {
  const slices = new TimeSlices();
  let part = 0;
  let length = 0;
  for (const text of readStepTexts(tx, partLength)) {
    const steps = packText(text);
    await store.insertSteps(tx, { trash_id: id, part, steps });
    part += 1;
    length += steps.length;
    await slices.next();
  }
  return length;
}

/** What is left of the lists from which the deletion has taken the object. */
function readLists<State extends { readonly id: number }>(
  { tx }: Change,
  { trash }: RemovableKind<State>,
): DiscardedObject['lists'] {
  const lists = Object.entries(trash?.lists ?? {}).map(([table, owner]) => {
    const rows = listDeleted(tx, table);
    const owners = new Set(rows.map((row) => row[owner]));
    return [
      table,
      Object.fromEntries([...owners].map((id) => [String(id), readRowsWith(tx, table, owner, id)])),
    ];
  });
  return Object.fromEntries(lists);
}
