/** Under which IDs, and paths, objects of bundles are known where they come from (`bundle_ids`). */
import { forEachInSlices } from '../../base/timers.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';

/** Kinds whose objects may get another ID, because objects that stay on the target are of these kinds. */
export type NumberedKind = 'file' | 'item';

export interface OriginId {
  readonly kind: NumberedKind;
  /** On this instance. */
  readonly id: number;
  readonly origin_id: number;
  /** Empty for an entry. */
  readonly origin_path: string;
}

declare module '../../db/tables.ts' {
  interface ContentTables {
    bundle_ids: { kind: NumberedKind; id: number; origin_id: number; origin_path: string };
  }
}

/** What is known of objects, by their IDs on this instance. */
export type OriginIds = Readonly<Record<NumberedKind, ReadonlyMap<number, OriginId>>>;

const bundleIds = contentTable('bundle_ids');

export async function readOriginIds(db: ContentDb): Promise<OriginIds> {
  const found = { file: new Map<number, OriginId>(), item: new Map<number, OriginId>() };
  for (const origin of await selectAll(db)) found[origin.kind].set(origin.id, origin);
  return found;
}

export const saveOriginId = bundleIds.upsert(['kind', 'id'], ['origin_id', 'origin_path']);

/** Makes the IDs known on one side those of the other. */
export async function replaceOriginIds(db: ContentDb, after: OriginIds): Promise<void> {
  const before = await readOriginIds(db);
  for (const kind of ['file', 'item'] as const) {
    await forEachInSlices(before[kind].keys(), async (id) => {
      if (!after[kind].has(id)) await remove(db, kind, id);
    });
    await forEachInSlices(after[kind].values(), async (origin) => {
      const was = before[kind].get(origin.id);
      if (was?.origin_id !== origin.origin_id || was.origin_path !== origin.origin_path)
        await saveOriginId(db, origin);
    });
  }
}

const selectAll = bundleIds.listBy([], ['kind', 'id']);

const remove = bundleIds.removeBy('kind', 'id');
