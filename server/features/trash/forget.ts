import { TimeSlices } from '../../base/timers.ts';
import type { Change } from '../../changes/changes.ts';
import { decide } from '../../content/kinds/decide.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import * as store from '../../content/kinds/trash/entries.ts';
import { unpackText } from '../../content/kinds/trash/pack.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import type { Row } from '../../db/connection.ts';
import { parseSteps } from '../../db/undo/steps.ts';
import { readStored } from './trash-restore.ts';

/** Deletes an entry of the trash for good, with what lies outside of the tables of content. */
export async function forgetEntry(change: Change, kinds: KindsByName, id: number): Promise<void> {
  const { tx } = change;
  // An entry that has expired is deleted here, too.
  const entry = await store.findEntry(tx, id, 0);
  if (entry === undefined) return;
  const kind = kinds.get(entry.kind);
  if (kind !== undefined) await decideForgetting(change, kind, entry);
  const concerned = [...kinds.values()].filter((kind) => isConcerned(kind, entry));
  if (concerned.length > 0) {
    const rows = await readDeleted(change, entry);
    for (const kind of concerned) kind.trash?.forget?.(change, (table) => rows.get(table) ?? []);
  }
  await store.removeEntry(tx, id);
}

/** @throws ApiError `common.notFound`, 403 `auth.notAllowed` unless the caller may delete the object */
export function decideForgetting(
  change: Pick<Change, 'tx' | 'actor' | 'markDecided'>,
  { name, rights }: Kind,
  entry: Pick<store.TrashRow, 'object'>,
): Promise<void> {
  const { tx, actor, markDecided } = change;
  // What its code was does not matter any more.
  const deciding = { tx, actor, markDecided, decision: 'publication' } as const;
  return decide(deciding, { name, rights }, { before: readStored(entry).state });
}

function isConcerned({ trash, tables: [table] }: Kind, { counts }: store.TrashRow): boolean {
  // Type boundary: only `putAway` writes this JSON.
  const byTable = JSON.parse(counts) as Readonly<Record<string, number>>;
  return trash?.forget !== undefined && table !== undefined && byTable[table] !== undefined;
}

async function readDeleted({ tx }: Change, entry: store.TrashRow): Promise<Map<string, Row[]>> {
  const columns = new Map(Object.entries(readStored(entry).columns));
  const rows = new Map<string, Row[]>();
  const slices = new TimeSlices();
  const parts = await store.countParts(tx, entry.id);
  for (let part = 0; part < parts; part++) {
    const text = unpackText((await store.findSteps(tx, entry.id, part)) ?? '=[]');
    for (const { table, before, after } of parseSteps(columns, text))
      if (before !== undefined && after === undefined) {
        const deleted = rows.get(table) ?? [];
        deleted.push(before);
        rows.set(table, deleted);
      }
    await slices.next();
  }
  return rows;
}
