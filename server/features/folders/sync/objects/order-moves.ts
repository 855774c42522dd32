/** The fewest moves that bring a list into another order. */

export interface OrderMove<Id> {
  readonly id: Id;
  /** Its place in the list as it is after the moves before, counted without it. */
  readonly index: number;
}

/**
 * @param from the list as it is; what is new stands at its end
 * @param to the same entries in their new order
 */
export function findMoves<Id>(from: readonly Id[], to: readonly Id[]): OrderMove<Id>[] {
  const places = new Map(from.map((id, index) => [id, index]));
  const staying = new Set(longestRise(to.map((id) => places.get(id) ?? 0)).map((index) => to[index]));
  const current = [...from];
  const moves: OrderMove<Id>[] = [];
  for (const [place, id] of to.entries()) {
    if (staying.has(id)) continue;
    current.splice(current.indexOf(id), 1);
    const before = place === 0 ? undefined : to[place - 1];
    const index = before === undefined ? 0 : current.indexOf(before) + 1;
    current.splice(index, 0, id);
    moves.push({ id, index });
  }
  return moves;
}

/** The indexes of a longest rising sequence. */
function longestRise(values: readonly number[]): number[] {
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? undefined : ends[low - 1];
    ends[low] = index;
  }
  const rise: number[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) rise.unshift(at);
  return rise;
}
