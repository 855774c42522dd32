import {
  describeMissing,
  type FieldTarget,
  listTargets,
  type TargetField,
} from '../../../runtime/fields/targets.ts';

/** Says whether what a value leads to exists. */
export interface TargetLookup {
  has(target: FieldTarget): boolean | Promise<boolean>;
}

/**
 * Why a value leads to nothing, and where in it; undefined if it does not lead anywhere or what it leads to exists.
 */
export async function findFaultInTarget(
  lookup: TargetLookup,
  value: unknown,
  param: TargetField,
): Promise<{ readonly path: string; readonly reason: string } | undefined> {
  for (const target of listTargets(value, param))
    if (!(await lookup.has(target)))
      return { path: target.path.slice(param.name.length + 1), reason: describeMissing(target) };
  return undefined;
}
