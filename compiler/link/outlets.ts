/** Lists of outlets, in which each outlet stands once. */
import { addOutlet, type BlockOutlet, outletKey } from '../emit/context.ts';

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
