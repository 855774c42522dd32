/** Which ID each object of a bundle gets on the target. */

export interface StagedObject {
  /** In the bundle. */
  readonly id: number;
  /** Where the object comes from. */
  readonly originId: number;
}

export interface TargetIds {
  /** Objects of the target that stay what they are. */
  readonly kept: ReadonlySet<number>;
  /** IDs where objects come from, by their IDs on the target. */
  readonly origins: ReadonlyMap<number, number>;
  /** Whether the target has an object with an ID. */
  isThere(id: number): boolean;
  /** An ID that neither side has ever used. */
  free(): number;
}

/**
 * An object that the target has keeps the ID that it has there. Any other keeps the ID of the bundle, or gets a free one
 * if that is taken.
 *
 * @returns the IDs on the target by those in the bundle
 */
export function assignIds(
  objects: readonly StagedObject[],
  { kept, origins, isThere, free }: TargetIds,
): Map<number, number> {
  const known = new Map([...origins].map(([id, origin]) => [origin, id]));
  const taken = new Set(kept);
  const assigned = new Map<number, number>();
  const others: number[] = [];
  for (const { id, originId } of objects) {
    // What the target has under the ID of the origin is the object itself, unless that came from elsewhere.
    const isItself = !origins.has(originId) && (id === originId || isThere(originId));
    const found = known.get(originId) ?? (isItself ? originId : undefined);
    if (found === undefined || taken.has(found)) others.push(id);
    else {
      taken.add(found);
      assigned.set(id, found);
    }
  }
  for (const id of others) {
    const found = taken.has(id) ? free() : id;
    taken.add(found);
    assigned.set(id, found);
  }
  return assigned;
}
