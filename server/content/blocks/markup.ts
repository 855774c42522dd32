import { type BlockTree, blocksIn, isReference } from '../../../runtime/blocks/tree.ts';
import type { ContentDb } from '../../db/tables.ts';
import { listFieldMarkup, type PlacedMarkup } from '../fields/markup.ts';
import { TreeRuleLookup } from './tree-rule-lookup.ts';

type Json = Readonly<Record<string, unknown>>;

/** The markup in a block tree, in overrides of global blocks too. @param field that holds the tree */
export async function listTreeMarkup(db: ContentDb, tree: BlockTree, field: string): Promise<PlacedMarkup[]> {
  const lookup = new TreeRuleLookup(db);
  const found: PlacedMarkup[] = [];
  const addValues = async (type: string, values: Json, at: Pick<PlacedMarkup, 'field' | 'key'>) => {
    const schema = await lookup.type(type);
    for (const param of schema?.params ?? [])
      if (Object.hasOwn(values, param.name)) found.push(...listFieldMarkup(values[param.name], param, at));
  };
  for (const [path, block] of blocksIn(tree)) {
    const place = { field: `${field}.${path}.`, key: `${field}.${block.id}.` };
    if (!isReference(block)) {
      await addValues(block.type, block.params, place);
      continue;
    }
    const { overrides = {} } = block;
    if (Object.keys(overrides).length === 0) continue;
    for (const [, inner] of blocksIn((await lookup.global(block.global))?.tree ?? [])) {
      const values = Object.hasOwn(overrides, inner.id) ? overrides[inner.id] : undefined;
      if (values === undefined || isReference(inner)) continue;
      const below = `overrides.${inner.id}.`;
      await addValues(inner.type, values, { field: place.field + below, key: place.key + below });
    }
  }
  return found;
}
