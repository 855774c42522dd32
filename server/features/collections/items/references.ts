import { isDeepStrictEqual } from 'node:util';
import type { BlockTree } from '../../../../runtime/blocks/tree.ts';
import { fieldTypes } from '../../../../runtime/fields/types.ts';
import { collectReferences } from '../../../content/blocks/references.ts';
import type { Reference } from '../../../content/kinds/kind.ts';
import { mediaReferencesIn, replaceReferences } from '../../../content/kinds/references.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { StoredCollection } from '../model.ts';
import type { Entry } from '../rows/model.ts';
import { idsIn } from '../rows/values.ts';

/** Type boundary: only checked trees are stored. */
function treeIn(value: unknown): BlockTree {
  return Array.isArray(value) ? (value as BlockTree) : [];
}

/** Stores which files and entries an entry refers to, so that none of them counts as unused. */
export async function keepItemReferences(
  db: ContentDb,
  { fields }: Pick<StoredCollection, 'fields'>,
  { id, data }: Pick<Entry, 'id' | 'data'>,
  before: Pick<Entry, 'data'> | undefined,
): Promise<void> {
  for (const { name, type } of fields) {
    const { refersTo: kind } = fieldTypes[type];
    if (type === 'blocks' && !isDeepStrictEqual(data[name] ?? null, before?.data[name] ?? null)) {
      const references = await collectReferences(db, treeIn(data[name]));
      await replaceReferences(db, { kind: 'item', id }, name, 0, references);
    }
    if (kind === undefined) {
      await keepMediaReferences(db, id, name, data[name], before?.data[name]);
      continue;
    }
    const ids = idsIn(data[name]);
    const old = before === undefined ? [] : idsIn(before.data[name]);
    if (ids.length === old.length && ids.every((to, index) => to === old[index])) continue;
    const references = ids.map((to) => ({ kind, key: String(to) }));
    await replaceReferences(db, { kind: 'item', id }, name, 0, references);
  }
}

/** Files that a text names by their addresses. Other values name none. */
async function keepMediaReferences(
  db: ContentDb,
  id: number,
  field: string,
  value: unknown,
  before: unknown,
): Promise<void> {
  if (typeof value !== 'string' && typeof before !== 'string') return;
  const references = linksIn(value);
  if (isDeepStrictEqual(references, linksIn(before))) return;
  await replaceReferences(db, { kind: 'item', id }, field, 0, references);
}

function linksIn(value: unknown): Reference[] {
  return typeof value === 'string' ? mediaReferencesIn(value) : [];
}
