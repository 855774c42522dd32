import { type Expression, type SqlBool, sql } from 'kysely';
import { mediaUrl } from '../../../runtime/files/addresses.ts';
import type { Actor } from '../../base/actor.ts';
import type { Change, Changes } from '../../changes/changes.ts';
import { removeObject } from '../../content/kinds/objects.ts';
import { sumBytes } from '../../content/kinds/trash/entries.ts';
import { readDropped } from '../../content/kinds/trash/settings.ts';
import { discardedSeconds, type KindsByName, listUsage } from '../../content/kinds/usage.ts';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { CleanupRequest, CleanupResult, Unused } from './model.ts';

/** Rows that are read before other work has its turn. */
const sliceSize = 500;

/** GET /cleanup: the objects that nothing refers to, and the trash. Names that templates compute are not seen. */
export async function listUnused(db: ContentDb, now: number): Promise<Unused> {
  const files: Unused['files'] = [];
  const assets: Unused['assets'] = [];
  const snippets: Unused['snippets'] = [];
  const discardedBefore = now - discardedSeconds;
  for await (const rows of selectUnusedFiles.slices(db, { discardedBefore }, sliceSize))
    for (const { id, name, path, size } of rows) files.push({ id, name, url: mediaUrl({ path }), size });
  for await (const rows of selectUnusedAssets.slices(db, {}, sliceSize)) assets.push(...rows);
  for await (const rows of selectUnusedSnippets.slices(db, {}, sliceSize)) snippets.push(...rows);
  return {
    files,
    assets,
    snippets,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    trash_bytes: await sumBytes(db),
    trash_dropped: (await readDropped(db, now)) ?? null,
  };
}

/** Objects that one change deletes, so that other changes have their turn in between. */
const perChange = 50;

/** The lists of a request and the kinds that they name, in the order in which they are deleted. */
const lists = [
  ['files', 'file'],
  ['assets', 'asset'],
  ['snippets', 'snippet'],
] as const;

/** POST /cleanup: deletes objects unless something refers to them now. IDs of objects that are gone are ignored. */
export async function removeUnused(
  { changes, kinds }: { readonly changes: Changes; readonly kinds: KindsByName },
  actor: Actor,
  request: CleanupRequest,
): Promise<CleanupResult> {
  const deleted = { files: 0, assets: 0, snippets: 0 };
  const skipped: CleanupResult['skipped'] = [];
  let bytes = 0;
  for (const [list, kind] of lists) {
    const ids = [...new Set(request[list] ?? [])];
    for (let index = 0; index < ids.length; index += perChange) {
      const some = ids.slice(index, index + perChange);
      const outcomes = await changes.change(actor, async (change) => {
        const made: Outcome[] = [];
        for (const id of some) made.push(await removeOne(change, kinds, kind, id));
        return made;
      });
      for (const [position, outcome] of outcomes.entries()) {
        if (outcome === 'used') skipped.push({ kind, id: some[position] ?? 0 });
        else if (outcome !== 'gone') {
          deleted[list] += 1;
          bytes += outcome.bytes;
        }
      }
    }
  }
  return { deleted, bytes, skipped };
}

type Outcome = 'gone' | 'used' | { readonly bytes: number };

async function removeOne(change: Change, kinds: KindsByName, name: string, id: number): Promise<Outcome> {
  const kind = kinds.get(name);
  const state = await kind?.find(change.tx, id);
  if (kind === undefined || state === undefined) return 'gone';
  if ((await listUsage(change.tx, kind, state, kinds, change.now)).length > 0) return 'used';
  await removeObject(change, kind, id);
  return { bytes: 'size' in state && typeof state.size === 'number' ? state.size : 0 };
}

/** Objects that nothing but themselves refers to. The queries read in slices: there may be very many objects. */

const selectUnusedFiles = contentQuery((db, p: { discardedBefore: number }) =>
  db
    .selectFrom('files')
    .select(['id', 'name', 'path', 'size'])
    .where(nothingRefersTo('file', sql`cast(files.id as text)`, sql`files.id`, p.discardedBefore))
    .where(nothingRefersTo('media', sql`files.path`, sql`files.id`, p.discardedBefore))
    .orderBy('id'),
);

const selectUnusedAssets = contentQuery((db, _p: object) =>
  db
    .selectFrom('assets')
    .select(['id', 'name'])
    .where(nothingRefersTo('asset', sql`cast(assets.id as text)`, sql`assets.id`))
    .orderBy('id'),
);

const selectUnusedSnippets = contentQuery((db, _p: object) =>
  db
    .selectFrom('snippets')
    .select(['id', 'name'])
    .where(nothingRefersTo('snippet', sql`snippets.name`, sql`snippets.id`))
    .orderBy('id'),
);

function nothingRefersTo(
  kind: string,
  key: Expression<unknown>,
  id: Expression<unknown>,
  discardedBefore = 0,
): Expression<SqlBool> {
  return sql<SqlBool>`NOT EXISTS (SELECT 1 FROM object_references r
    WHERE r.to_kind = ${sql.lit(kind)} AND r.to_key = ${key}
      AND NOT (r.kind = ${sql.lit(kind)} AND r.object_id = ${id})
      AND NOT (r.kind = 'change_set' AND EXISTS (SELECT 1 FROM change_sets s
        WHERE s.id = r.object_id AND s.discarded_at < ${discardedBefore})))`;
}
