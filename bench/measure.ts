/**
 * Measures contestants against each other in one process. Each time is divided by the time of a reference in
 * the same round, so that a machine that slows down for a while slows all of them.
 */

export interface Contestant {
  readonly name: string;
  /** One unit of work. The caller reads the result, so that the engine must finish all of the work. */
  run(): string;
}

export interface MeasureOptions {
  readonly rounds: number;
  /** How long one contestant works in one round, milliseconds. */
  readonly roundMs: number;
  /** Rounds before those that count, so that V8 has compiled everything that it will compile. Default 0. */
  readonly warmRounds?: number;
}

export interface Measurement {
  readonly name: string;
  /** Median time of one unit of work, nanoseconds. */
  readonly medianNs: number;
  /** Time divided by the time of the reference in the same round. */
  readonly ratio: Spread;
}

/** Median, and the bounds of the lowest and the highest tenth. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Runs all contestants in turn; each round starts with another one. The first one is the reference. */
export function measure(contestants: readonly Contestant[], options: MeasureOptions): Measurement[] {
  const [measured = []] = measureGroups([contestants], options);
  return measured;
}

/**
 * The same for several groups, each with its own reference. Every round runs all groups, so that the functions
 * which they share see the work of all of them, as in a server that renders many kinds of pages.
 */
export function measureGroups(
  groups: readonly (readonly Contestant[])[],
  options: MeasureOptions,
): Measurement[][] {
  const runs = groups.map((contestants) =>
    contestants.map((contestant) => ({
      contestant,
      count: calibrate(contestant, options.roundMs),
      times: [] as number[],
    })),
  );
  const warmRounds = options.warmRounds ?? 0;
  for (let round = -warmRounds; round < options.rounds; round += 1) {
    for (const group of runs) {
      for (let turn = 0; turn < group.length; turn += 1) {
        const { contestant, count, times } = at(group, (round + warmRounds + turn) % group.length);
        const time = timeOf(contestant, count);
        if (round >= 0) times.push(time);
      }
    }
  }
  return runs.map((group) => {
    const reference = at(group, 0).times;
    return group.map(({ contestant, times }) => {
      const ratios = times.map((time, round) => time / at(reference, round));
      return { name: contestant.name, medianNs: spreadOf(times).median, ratio: spreadOf(ratios) };
    });
  });
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const quantile = (part: number) => at(sorted, Math.round((sorted.length - 1) * part));
  return { median: quantile(0.5), low: quantile(0.1), high: quantile(0.9) };
}

/** Warms the contestant up and finds how often it runs in `roundMs`. */
function calibrate(contestant: Contestant, roundMs: number): number {
  let count = 1;
  for (;;) {
    const elapsedMs = (timeOf(contestant, count) * count) / 1e6;
    if (elapsedMs >= roundMs / 2) return Math.max(1, Math.round((count * roundMs) / elapsedMs));
    count *= 2;
  }
}

/**
 * Nanoseconds of processor time of one run, averaged over `count`. What other processes do in between does not
 * count; what the collector and the compiler of V8 do in their threads does.
 */
function timeOf(contestant: Contestant, count: number): number {
  let seen = 0;
  const start = process.cpuUsage();
  for (let index = 0; index < count; index += 1) {
    const result = contestant.run();
    // Reading a character makes V8 put the pieces of a concatenated text together, as sending it would.
    seen += result.charCodeAt(result.length >> 1);
  }
  const { user, system } = process.cpuUsage(start);
  const elapsed = (user + system) * 1000;
  if (Number.isNaN(seen)) throw new Error(`${contestant.name} gave an empty result`);
  return elapsed / count;
}

function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index];
  if (item === undefined) throw new RangeError(`no entry ${index} in a list of ${list.length}`);
  return item;
}
