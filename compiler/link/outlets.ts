/** Lists of outlets, in which each outlet stands once; and which of them a layout is written for. */
import { addOutlet, type BlockOutlet, outletKey } from '../emit/variant.ts';
import type { LinkedUnit, LoadedTemplate } from './model.ts';

/** The outlets of both lists. */
export function joinOutlets(
  first: readonly BlockOutlet[],
  second: readonly BlockOutlet[],
): readonly BlockOutlet[] {
  if (second.length === 0) return first;
  if (first.length === 0) return second;
  const joined = new Map<string, BlockOutlet>();
  for (const outlet of [...first, ...second]) addOutlet(joined, outlet);
  return [...joined.values()];
}

/** The outlets that are not among the known ones. One that only `block.super` uses does not stand for a tag. */
export function missingIn(
  known: readonly BlockOutlet[],
  outlets: readonly BlockOutlet[],
): readonly BlockOutlet[] {
  if (outlets.length === 0) return outlets;
  const byKey = new Map(known.map((outlet) => [outletKey(outlet), outlet]));
  return outlets.filter((outlet) => {
    const same = byKey.get(outletKey(outlet));
    return same === undefined || (same.superOnly !== undefined && outlet.superOnly === undefined);
  });
}

/** The outlets that templates below must be written for: those of a template and its layouts, each once. */
export function listOutlets(linked: LinkedUnit): readonly BlockOutlet[] {
  const { ownOutlets, layout } = linked;
  linked.allOutlets ??= joinOutlets(layout === undefined ? [] : listOutlets(layout), ownOutlets).filter(
    ({ superOnly }) => superOnly === undefined,
  );
  return linked.allOutlets;
}

/**
 * The outlets of templates below that layouts above must be written for, too. `{{ block.super }}` of a template
 * below ends at the first definition, so the definition here serves it.
 */
export function passedUp(loaded: LoadedTemplate, outlets: readonly BlockOutlet[]): readonly BlockOutlet[] {
  const { blocks } = loaded.facts();
  return outlets.filter(({ block, superOnly }) => superOnly === undefined || !blocks.includes(block));
}

/** Whether a template or a layout of it defines a block. */
export function definesBlock({ loaded, layout }: LinkedUnit, name: string): boolean {
  return loaded.facts().blocks.includes(name) || (layout !== undefined && definesBlock(layout, name));
}
