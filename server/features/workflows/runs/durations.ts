/** Classes of durations: each is 20 % longer than the one before, so a quantile is right within 20 %. */
const growth = 1.2;

/** Number of runs by class. */
export type Durations = Readonly<Record<string, number>>;

/** Adds a run to the numbers. */
export function countDuration(durations: Record<string, number>, ms: number): void {
  const name = String(classOf(ms));
  durations[name] = (durations[name] ?? 0) + 1;
}

/** The duration that a share of the runs does not exceed, in milliseconds. */
export function quantile(durations: Durations, share: number): number {
  const classes = Object.entries(durations).map(([name, count]) => [Number(name), count] as const);
  classes.sort(([left], [right]) => left - right);
  const total = classes.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  for (const [index, count] of classes) {
    seen += count;
    if (seen >= total * share) return msOf(index);
  }
  return 0;
}

function classOf(ms: number): number {
  return ms < 1 ? 0 : 1 + Math.floor(Math.log(ms) / Math.log(growth) + 1e-9);
}

/** The longest duration of a class. */
function msOf(index: number): number {
  return index === 0 ? 0 : Math.max(1, Math.ceil(growth ** index) - 1);
}
