/** Three-way merge of the fields of an object: the state both started from, mine and theirs. */
import { diff3Merge } from 'node-diff3';
import { type Fields, isEqual } from './fields.ts';
import { mergeTrees } from './merge-trees.ts';
import { findRegionName, splitWords } from './named-parts.ts';

/** A field that both have changed in different ways. */
export interface FieldConflict {
  readonly field: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Merged {
  /** The fields that differ from theirs after the merge, conflicts left out. */
  readonly changes: Fields;
  /** Fields that only they have changed. */
  readonly fromTheirs: readonly string[];
  /** Texts that both have changed on different lines, and trees where both have changed different blocks. */
  readonly fromBoth: readonly string[];
  readonly conflicts: readonly FieldConflict[];
}

/**
 * The words of a page are fields `regions.<name>`, which `joinWords` puts together again.
 *
 * @param base the state before both
 * @param mine the fields that I have changed
 * @param theirs the state now
 */
export function mergeFields(base: Fields, mine: Fields, theirs: Fields): Merged {
  const [before = base, here = mine, there = theirs] = splitWords(base, mine, theirs);
  // A page with changed words has all its words among its changes.
  const changed = Object.entries(here).filter(
    ([field, value]) => findRegionName(field) === undefined || !isEqual(value, before[field]),
  );
  return mergeSplit(before, Object.fromEntries(changed), there);
}

function mergeSplit(base: Fields, mine: Fields, theirs: Fields): Merged {
  const changes: Record<string, unknown> = {};
  const fromBoth: string[] = [];
  const conflicts: FieldConflict[] = [];
  for (const [field, value] of Object.entries(mine)) {
    if (isEqual(value, theirs[field])) continue;
    if (isEqual(theirs[field], base[field])) {
      changes[field] = value;
      continue;
    }
    const sides = [base[field], value, theirs[field]] as const;
    const merged = mergeTexts(...sides) ?? mergeTrees(...sides);
    if (merged === undefined)
      conflicts.push({ field, base: base[field], mine: value, theirs: theirs[field] });
    else {
      changes[field] = merged;
      fromBoth.push(field);
    }
  }
  const fromTheirs = Object.keys(theirs).filter(
    (field) => !(field in mine) && !kept.has(field) && !isEqual(theirs[field], base[field]),
  );
  return { changes, fromTheirs, fromBoth, conflicts };
}

/** Fields that the server sets with every save. */
const kept = new Set([
  'updated_at',
  'local_modified',
  'warnings',
  'renders_blocks',
  'region_schema',
  'sort',
  'path',
]);

/** Texts of several lines are merged by line; undefined if both have changed the same lines. */
function mergeTexts(base: unknown, mine: unknown, theirs: unknown): string | undefined {
  if (typeof base !== 'string' || typeof mine !== 'string' || typeof theirs !== 'string') return undefined;
  if (![base, mine, theirs].some((text) => text.includes('\n'))) return undefined;
  const parts = diff3Merge(mine.split('\n'), base.split('\n'), theirs.split('\n'), {
    excludeFalseConflicts: true,
  });
  if (parts.some((part) => part.conflict !== undefined)) return undefined;
  return parts.flatMap((part) => part.ok ?? []).join('\n');
}
