/** The tree of a global block with the overrides of a reference (Core, "Block tree"). */
import { isMap } from '../../filters/shared/values.ts';

const kept = new WeakMap<object, { readonly tree: readonly unknown[]; readonly made: readonly unknown[] }>();

/** @param overrides values by the ID of a block; the tree made from them is kept with the object */
export function overlaid(
  tree: readonly unknown[],
  overrides: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  const known = kept.get(overrides);
  if (known?.tree === tree) return known.made;
  const made = tree.map((block) => overlaidBlock(block, overrides));
  kept.set(overrides, { tree, made });
  return made;
}

function overlaidBlock(block: unknown, overrides: Readonly<Record<string, unknown>>): unknown {
  if (!isMap(block) || 'global' in block) return block;
  const { id, params, slots } = block;
  const values = typeof id === 'string' && Object.hasOwn(overrides, id) ? overrides[id] : undefined;
  return {
    ...block,
    ...(isMap(values) ? { params: { ...(isMap(params) ? params : {}), ...values } } : {}),
    ...(isMap(slots)
      ? {
          slots: Object.fromEntries(
            Object.entries(slots).map(([name, list]) => [
              name,
              Array.isArray(list) ? list.map((inner: unknown) => overlaidBlock(inner, overrides)) : list,
            ]),
          ),
        }
      : {}),
  };
}
