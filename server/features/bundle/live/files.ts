/** Files that belong to live entries. Live entries stay on their instance, and so do the files that only they use. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { contentQuery } from '../../../db/prepared.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { liveCollections } from './entries.ts';

const filesPerSlice = 100;

/**
 * The files of an instance that only entries of live collections use, and that no bundle has brought. The references of
 * all objects must be known.
 */
export async function listLiveFiles(db: ContentDb): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  const live = await liveCollections(db);
  if (live.size === 0) return found;
  for (let after = 0; ; await nextTurn()) {
    const files = await selectUploaded.all(db, { after, limit: filesPerSlice });
    for (const { id, path } of files) if (await isOnlyUsedBy(db, live, id, path)) found.add(id);
    const last = files.at(-1);
    if (last === undefined) return found;
    after = last.id;
  }
}

/** Whether a file may be live data, so that references must be known before anybody says. */
export async function mayHaveLiveFiles(db: ContentDb): Promise<boolean> {
  const [file] = await selectUploaded.all(db, { after: 0, limit: 1 });
  return file !== undefined && (await liveCollections(db)).size > 0;
}

async function isOnlyUsedBy(
  db: ContentDb,
  collections: ReadonlySet<number>,
  id: number,
  path: string,
): Promise<boolean> {
  const users = [
    ...(await selectUsers.all(db, { kind: 'file', key: String(id) })),
    ...(await selectUsers.all(db, { kind: 'media', key: path })),
  ];
  return (
    users.length > 0 && users.every(({ collection }) => collection !== null && collections.has(collection))
  );
}

const selectUploaded = contentQuery((db, p: { after: number; limit: number }) =>
  db
    .selectFrom('files')
    .leftJoin('bundle_ids', (join) =>
      join.onRef('bundle_ids.id', '=', 'files.id').on('bundle_ids.kind', '=', 'file'),
    )
    .select(['files.id', 'files.path'])
    .where('bundle_ids.id', 'is', null)
    .where('files.id', '>', p.after)
    .orderBy('files.id')
    .limit(p.limit),
);

/** The collections of the entries that refer to something; null for another object. */
const selectUsers = contentQuery((db, p: { kind: string; key: string }) =>
  db
    .selectFrom('object_references')
    .leftJoin('items', (join) =>
      join.onRef('items.id', '=', 'object_references.object_id').on('object_references.kind', '=', 'item'),
    )
    .select('items.collection_id as collection')
    .where('to_kind', '=', p.kind)
    .where('to_key', '=', p.key),
);
