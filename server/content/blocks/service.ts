import type { BlockTree } from '../../../runtime/blocks/tree.ts';
import { apiError, invalid } from '../../base/errors.ts';
import type { Warning } from '../../base/warnings.ts';
import { leveled } from '../../base/warnings.ts';
import type { ContentDb } from '../../db/tables.ts';
import { convertWithLosses, type DroppedValue, type TreePlace } from './convert-tree.ts';
import type { TreeToValidate } from './model.ts';
import { requireFitsUsage } from './places.ts';
import * as store from './store.ts';

/**
 * POST /blocks/validate: the tree as it would be stored in a place.
 *
 * @throws ApiError the `block.*` errors of a save, `common.notFound` and `common.invalid` for the place
 */
export async function validateTree(
  db: ContentDb,
  { blocks, place }: TreeToValidate,
): Promise<{ blocks: BlockTree; warnings: Warning[] }> {
  const { tree, dropped } = await convertWithLosses(db, blocks, await treePlace(db, place));
  if (place.kind === 'global' && place.id !== undefined) await requireFitsUsage(db, place.id, tree);
  return { blocks: tree, warnings: dropped.map(warningOf) };
}

async function treePlace(db: ContentDb, place: TreeToValidate['place']): Promise<TreePlace> {
  switch (place.kind) {
    case 'item': {
      const fields = await store.findFields(db, place.collection);
      if (fields === undefined) throw apiError('common.notFound', { field: 'place.collection' });
      const isTree = fields.some(({ name, type }) => name === place.field && type === 'blocks');
      if (!isTree) throw invalid('place.field', 'is no field of the type blocks');
      return { field: place.field };
    }
    case 'page':
      if (place.id !== undefined && (await store.findPageName(db, place.id)) === undefined)
        throw apiError('common.notFound', { field: 'place.id' });
      return {};
    case 'global':
      if (place.id === undefined) return {};
      if ((await store.findGlobalName(db, place.id)) === undefined)
        throw apiError('common.notFound', { field: 'place.id' });
      return { globalId: place.id };
  }
}

function warningOf({ path, name }: DroppedValue): Warning {
  const shown = name.slice(0, 200);
  return leveled({
    code: 'block.valueDropped',
    error: `${path}: ${JSON.stringify(shown)} is not known and will not be stored`,
    params: { path, name: shown },
  });
}
