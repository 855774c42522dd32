/** The page that a dead address was most probably meant to be. */
interface Target {
  readonly path: string;
  readonly published: boolean;
}

/** Less alike is no proposal. */
const minLikeness = 0.45;

/** The path of the page most like a dead address; empty if none is. */
export function nearestPath(dead: string, pages: readonly Target[]): string {
  const wanted = pairsOf(lastPart(dead));
  const whole = pairsOf(dead);
  let best = { path: '', likeness: minLikeness };
  for (const { path, published } of pages) {
    if (!published) continue;
    const likeness = Math.max(alike(wanted, pairsOf(lastPart(path))), 0.9 * alike(whole, pairsOf(path)));
    if (likeness > best.likeness) best = { path, likeness };
  }
  return best.path;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
}

/** Pairs of neighbouring letters. */
function pairsOf(text: string): ReadonlySet<string> {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < plain.length; index += 1) pairs.add(plain.slice(index, index + 2));
  return pairs;
}

/** 0 to 1: the share of pairs in both. */
function alike(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 || right.size === 0) return 0;
  let shared = 0;
  for (const pair of left) if (right.has(pair)) shared += 1;
  return (2 * shared) / (left.size + right.size);
}
