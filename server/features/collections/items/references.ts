import { isDeepStrictEqual } from 'node:util';
import type { BlockTree } from '../../../../runtime/blocks/tree.ts';
import { collectReferences, listValueReferences } from '../../../content/blocks/references.ts';
import { replaceReferences } from '../../../content/kinds/references.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { StoredCollection } from '../model.ts';
import type { Entry } from '../rows/model.ts';

/** Type boundary: only checked trees are stored. */
function treeIn(value: unknown): BlockTree {
  return Array.isArray(value) ? (value as BlockTree) : [];
}

/** Stores what an entry refers to, so that none of it counts as unused. */
export async function keepItemReferences(
  db: ContentDb,
  { fields }: Pick<StoredCollection, 'fields'>,
  { id, data }: Pick<Entry, 'id' | 'data'>,
  before: Pick<Entry, 'data'> | undefined,
): Promise<void> {
  for (const field of fields) {
    const { name, type } = field;
    const value = data[name] ?? null;
    const old = before?.data[name] ?? null;
    if (isDeepStrictEqual(value, old)) continue;
    if (type === 'blocks') {
      const references = await collectReferences(db, treeIn(value));
      await replaceReferences(db, { kind: 'item', id }, name, 0, references);
      continue;
    }
    const references = [...listValueReferences(value, field)];
    if (isDeepStrictEqual(references, [...listValueReferences(old, field)])) continue;
    await replaceReferences(db, { kind: 'item', id }, name, 0, references);
  }
}
