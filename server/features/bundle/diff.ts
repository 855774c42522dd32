/** What a push or pull would do, object by object. Entries of live collections are no part of it. */
import { isDeepStrictEqual } from 'node:util';
import type { Kind, ObjectState } from '../../content/kinds/kind.ts';
import type { ContentDb } from '../../db/tables.ts';
import { liveCollections } from './live/entries.ts';
import type { KindDiff } from './model.ts';
import { differences, type RowDifference, type TableRows } from './rows.ts';
import { findHash } from './store.ts';

const maxText = 500;
/** Fields of states that are no content. */
const leftOut: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at', 'local_modified']);

/**
 * The differences by kind.
 *
 * @param from the content that goes
 * @param to the content that comes
 * @param liveFiles files of either side that are live data
 */
export async function diffContents(
  tables: readonly TableRows[],
  from: ContentDb,
  to: ContentDb,
  liveFiles: ReadonlySet<number>,
): Promise<Record<string, KindDiff>> {
  const content = tables.filter(({ table }) => table.attached === undefined);
  const collections = new Set([...(await liveCollections(from)), ...(await liveCollections(to))]);
  const live = { collections, files: liveFiles };
  const kinds: Record<string, KindDiff> = {};
  for (const kind of new Set(content.map(({ table }) => table.kind))) {
    const changed = new Map<number, 'created' | 'updated' | 'deleted'>();
    for (const rows of content.filter(({ table }) => table.kind === kind)) {
      for await (const difference of differences(rows, from, to, sameContent(rows, from, to))) {
        if (isLive(rows, difference, live)) continue;
        note(changed, rows, difference);
      }
    }
    kinds[kind.name] = await describe(kind, changed, from, to);
  }
  return kinds;
}

function sameContent({ table }: TableRows, from: ContentDb, to: ContentDb) {
  return async (before: Record<string, unknown>, after: Record<string, unknown>): Promise<boolean> => {
    if (table.counted.some((column) => before[column] !== after[column])) return false;
    if (table.name !== 'files') return true;
    const [was, is] = [
      await findHash(from, String(before['content'])),
      await findHash(to, String(after['content'])),
    ];
    return was === is;
  };
}

interface LiveData {
  readonly collections: ReadonlySet<number>;
  readonly files: ReadonlySet<number>;
}

function isLive({ table }: TableRows, difference: RowDifference, live: LiveData): boolean {
  const row = difference.action === 'deleted' ? difference.before : difference.after;
  if (table.name === 'files') return live.files.has(Number(row['id']));
  return table.name === 'items' && live.collections.has(Number(row['collection_id']));
}

function note(
  changed: Map<number, 'created' | 'updated' | 'deleted'>,
  { table }: TableRows,
  difference: RowDifference,
): void {
  const row = difference.action === 'deleted' ? difference.before : difference.after;
  const id = Number(row[table.owner]);
  if (table.name === table.kind.tables[0]) changed.set(id, difference.action);
  else if (!changed.has(id)) changed.set(id, 'updated');
}

async function describe(
  kind: Kind,
  changed: ReadonlyMap<number, 'created' | 'updated' | 'deleted'>,
  from: ContentDb,
  to: ContentDb,
): Promise<KindDiff> {
  const diff: KindDiff = { created: [], updated: [], deleted: [] };
  for (const [id, action] of [...changed].sort(([left], [right]) => left - right)) {
    const before = action === 'created' ? undefined : await kind.find(from, id);
    const after = action === 'deleted' ? undefined : await kind.find(to, id);
    const state = after ?? before;
    const entry = { id, title: state === undefined ? '' : titleOf(kind, state) };
    if (action !== 'updated') diff[action].push(entry);
    else if (before !== undefined && after !== undefined)
      diff.updated.push({ ...entry, fields: fieldsOf(kind, before, after) });
  }
  return diff;
}

function titleOf(kind: Kind, state: ObjectState): string {
  const { name, slug, path } = kind.namesOf(state);
  return name || slug || path || String(state.id);
}

function fieldsOf(
  kind: Kind,
  before: ObjectState,
  after: ObjectState,
): KindDiff['updated'][number]['fields'] {
  const own = new Set(kind.bundle?.ownColumns ?? []);
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...was.keys(), ...is.keys()])].filter(
    (name) => !leftOut.has(name) && !own.has(name),
  );
  const different = names.filter((name) => !isDeepStrictEqual(was.get(name), is.get(name)));
  const shown =
    different.length > 0 || was.get('created_at') === is.get('created_at') ? different : ['created_at'];
  // Only the bytes of a file are no field of it.
  if (shown.length === 0) return [{ name: 'content', from: '', to: '' }];
  return shown.map((name) => ({ name, from: textOf(was.get(name)), to: textOf(is.get(name)) }));
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.slice(0, maxText).toWellFormed();
}
