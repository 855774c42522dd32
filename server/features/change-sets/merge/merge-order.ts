import { isDeepStrictEqual } from 'node:util';

interface Orders<Id> {
  readonly base: readonly Id[];
  readonly mine: readonly Id[];
  readonly live: readonly Id[];
}

/**
 * Merges lists without repetitions: what one side has added or taken out counts, and the order of the side that has
 * changed it. What a side has deleted of `base` is gone.
 */
export function mergeOrder<Id>({ base, mine, live }: Orders<Id>): {
  readonly order: readonly Id[];
  readonly conflict: boolean;
} {
  const [inBase, inMine, inLive] = [new Set(base), new Set(mine), new Set(live)];
  const survives = (id: Id) => (inBase.has(id) ? inMine.has(id) && inLive.has(id) : true);
  const common = base.filter(survives);
  const orderOf = (list: readonly Id[]) => list.filter((id) => inBase.has(id) && survives(id));
  const [ofMine, ofLive] = [orderOf(mine), orderOf(live)];
  const isMineSorted = isDeepStrictEqual(ofMine, common);
  const conflict = !isMineSorted && !isDeepStrictEqual(ofLive, common) && !isDeepStrictEqual(ofMine, ofLive);
  const [leading, other] = isMineSorted ? [live, mine] : [mine, live];
  const order = [...new Set(leading)].filter(survives);
  let previous: Id | undefined;
  for (const id of other) {
    if (!survives(id)) continue;
    if (!order.includes(id)) order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, id);
    previous = id;
  }
  return { order, conflict };
}
