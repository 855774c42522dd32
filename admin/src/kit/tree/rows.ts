/** The rows of a tree, and the places between them. No drawing here. */

export interface TreeRow {
  /** Unique among the rows. */
  readonly key: string;
  /** 1 at the top. */
  readonly level: number;
  /** Position among the siblings, from 1. */
  readonly position: number;
  readonly setSize: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
}

/** Where something that is moved would go. */
export interface Place {
  /** Number of rows above it. */
  readonly gap: number;
  readonly level: number;
  /** Key of the row that it lies in, which is marked. */
  readonly parent?: string | undefined;
}

/** The row above with a smaller level; -1 if there is none. */
export function findParentIndex(rows: readonly TreeRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  return rows.slice(0, index).findLastIndex((row) => row.level < level);
}

/** The rows without those that are lifted, and what lies below them. */
export function withoutLifted<Row extends TreeRow>(
  rows: readonly Row[],
  lifted: readonly string[],
): readonly Row[] {
  const keys = new Set(lifted);
  let liftedLevel = Number.POSITIVE_INFINITY;
  return rows.filter(({ key, level }) => {
    if (level > liftedLevel) return false;
    liftedLevel = keys.has(key) ? level : Number.POSITIVE_INFINITY;
    return !keys.has(key);
  });
}

/** The place in the nearest gap, and of those the one of the nearest level. @param gap not rounded */
export function findNearest<At extends Place>(
  places: readonly At[],
  gap: number,
  level: number,
): At | undefined {
  let best: At | undefined;
  let bestRows = Number.POSITIVE_INFINITY;
  let bestLevels = Number.POSITIVE_INFINITY;
  for (const place of places) {
    const rows = Math.abs(place.gap - gap);
    const levels = Math.abs(place.level - level);
    if (rows > bestRows || (rows === bestRows && levels >= bestLevels)) continue;
    best = place;
    bestRows = rows;
    bestLevels = levels;
  }
  return best;
}

/** Change of gap and level by key. */
const steps: Readonly<Record<string, readonly [gap: number, level: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Where an arrow leads from a place: to the next gap with places, or to another level of the same gap. */
export function findNextPlace<At extends Place>(
  places: readonly At[],
  from: At,
  arrow: string,
): At | undefined {
  const step = steps[arrow];
  if (step === undefined) return undefined;
  const [gap, level] = step;
  const ahead = places.filter((place) =>
    gap === 0
      ? place.gap === from.gap && (place.level - from.level) * level > 0
      : (place.gap - from.gap) * gap > 0,
  );
  return findNearest(ahead, from.gap, from.level) ?? from;
}
