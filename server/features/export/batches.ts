/** Most pages of one batch. The processes end a batch earlier if its pages are slow. */
const maxBatchSize = 256;
/** Fewest pages of one batch, unless no more are left: each batch costs messages and a temporary file. */
const minBatchSize = 8;
/** The part of its remaining pages that a lane gives out as its next batch. */
const shareOfRest = 1 / 5;

export interface Batch {
  readonly paths: readonly string[];
  /** Whether they are pages of the lane that has got them, which it will have in the next export too. */
  readonly willReturn: boolean;
}

/**
 * Pages in batches, for each process a lane of neighbours. The same pages come to the same process with the next
 * export, so each keeps the compiled templates of its own part only.
 */
export class Batches {
  /** Numbers of the lanes. */
  readonly lanes: readonly number[];
  readonly #batches: Batch[][];

  /** @param workers number of processes */
  constructor(paths: readonly string[], workers: number) {
    const ofLanes = slices(paths, Math.ceil(paths.length / workers));
    this.#batches = ofLanes.map((ofLane) =>
      shrinkingSlices(ofLane).map((slice) => ({ paths: slice, willReturn: true })),
    );
    this.lanes = Array.from({ length: workers }, (_, lane) => lane);
  }

  /** The next batch of a lane; if it has none, the last one of the lane that has most batches. */
  next(lane: number): Batch | undefined {
    const own = this.#batches[lane]?.shift();
    if (own !== undefined) return own;
    const [longest] = this.#batches.toSorted((left, right) => right.length - left.length);
    const other = longest?.pop();
    return other && { paths: other.paths, willReturn: false };
  }

  /** Pages of a batch that are still to be rendered. */
  putBack(lane: number, batch: Batch): void {
    const batches = this.#batches[lane];
    if (batches === undefined) this.#batches[lane] = [batch];
    else batches.unshift(batch);
  }
}

/** Large parts first, for few messages, and then smaller ones, so that no process waits long for the last one. */
function shrinkingSlices<T>(list: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < list.length; start += parts.at(-1)?.length ?? 0) {
    const share = Math.ceil((list.length - start) * shareOfRest);
    parts.push(list.slice(start, start + Math.min(maxBatchSize, Math.max(minBatchSize, share))));
  }
  return parts;
}

function slices<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
