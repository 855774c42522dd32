/** What several grants give together, and whether some give all that others do. */
import { actions, type Grant, type GrantLimits, type Grants } from '../../base/rights.ts';
import { listIdsAbove } from '../../content/sites/service.ts';
import type { ContentDb } from '../../db/tables.ts';
import { findCollectionNames } from './store.ts';

/** What an administrator has, written as grants. */
export const everything: Grants = [{ actions, on: {} }];

/** Whether `own` gives all that `given` does. It may say no where only several grants of `own` together do. */
export async function covers(db: ContentDb, own: Grants | undefined, given: Grants): Promise<boolean> {
  if (own === undefined) return true;
  for (const { actions: wanted, on } of given)
    for (const action of wanted) {
      if (isNothing(on)) continue;
      let isGiven = false;
      for (const grant of own)
        isGiven ||= grant.actions.includes(action) && (await isLimitedTo(db, on, grant.on));
      if (!isGiven) return false;
    }
  return true;
}

/** Whether limits let nothing through. */
function isNothing(on: GrantLimits): boolean {
  return Object.values(on).some((entries) => entries.length === 0);
}

/** Whether all that `inner` lets through gets through `outer` too. */
async function isLimitedTo(db: ContentDb, inner: GrantLimits, outer: GrantLimits): Promise<boolean> {
  const isSubset = <Entry>(small: readonly Entry[] | undefined, large: readonly Entry[] | undefined) =>
    large === undefined || (small?.every((entry) => large.includes(entry)) ?? false);
  return (
    isSubset(inner.kinds, outer.kinds) &&
    isSubset(inner.languages, outer.languages) &&
    isSubset(inner.workflows, outer.workflows) &&
    (isSubset(inner.sites, outer.sites) || (await arePagesOf(db, inner.pages, outer.sites))) &&
    (await arePagesBelow(db, inner.pages, outer.pages)) &&
    (await areCollectionsOf(db, inner.collections, outer.collections))
  );
}

async function arePagesOf(
  db: ContentDb,
  pages: readonly number[] | undefined,
  sites: readonly number[] | undefined,
): Promise<boolean> {
  return pages !== undefined && arePagesBelow(db, pages, sites);
}

async function arePagesBelow(
  db: ContentDb,
  pages: readonly number[] | undefined,
  tops: readonly number[] | undefined,
): Promise<boolean> {
  if (tops === undefined) return true;
  if (pages === undefined) return false;
  for (const id of pages) if (!(await isBelow(db, id, tops))) return false;
  return true;
}

async function isBelow(db: ContentDb, id: number, tops: readonly number[]): Promise<boolean> {
  return tops.includes(id) || (await listIdsAbove(db, id)).some((above) => tops.includes(above));
}

async function areCollectionsOf(
  db: ContentDb,
  inner: GrantLimits['collections'],
  outer: GrantLimits['collections'],
): Promise<boolean> {
  if (outer === undefined) return true;
  if (inner === undefined) return false;
  for (const ref of inner) if (!(await isCollectionAmong(db, ref, outer))) return false;
  return true;
}

async function isCollectionAmong(
  db: ContentDb,
  ref: number | string,
  refs: readonly (number | string)[],
): Promise<boolean> {
  if (refs.includes(ref)) return true;
  const names = await findCollectionNames(db, ref);
  return names !== undefined && (refs.includes(names.id) || refs.includes(names.slug));
}

/**
 * What both lists of grants give. The result is right as long as pages stay where they are and collections keep their
 * slugs, if it has `pages` or `collections`.
 */
export async function intersectGrants(
  db: ContentDb,
  left: Grants | undefined,
  right: Grants | undefined,
): Promise<Grants | undefined> {
  if (left === undefined || right === undefined) return left ?? right;
  const both: Grant[] = [];
  for (const one of left)
    for (const other of right) {
      const shared = one.actions.filter((action) => other.actions.includes(action));
      if (shared.length > 0) both.push({ actions: shared, on: await intersectLimits(db, one.on, other.on) });
    }
  return both;
}

async function intersectLimits(db: ContentDb, left: GrantLimits, right: GrantLimits): Promise<GrantLimits> {
  const pages = await intersectEntries(left.pages, right.pages, (id, tops) => isBelow(db, id, tops));
  const collections = await intersectEntries(left.collections, right.collections, (ref, refs) =>
    isCollectionAmong(db, ref, refs),
  );
  const has = async <Entry>(entry: Entry, entries: readonly Entry[]) => entries.includes(entry);
  const limits = {
    kinds: await intersectEntries(left.kinds, right.kinds, has),
    sites: await intersectEntries(left.sites, right.sites, has),
    languages: await intersectEntries(left.languages, right.languages, has),
    workflows: await intersectEntries(left.workflows, right.workflows, has),
    pages,
    collections,
  };
  // Type boundary: only limits that are not there are left out.
  return Object.fromEntries(
    Object.entries(limits).filter(([, entries]) => entries !== undefined),
  ) as GrantLimits;
}

/** Entries of each list that the other one has too. A list that is not there has everything. */
async function intersectEntries<Entry>(
  left: readonly Entry[] | undefined,
  right: readonly Entry[] | undefined,
  isAmong: (entry: Entry, entries: readonly Entry[]) => Promise<boolean>,
): Promise<readonly Entry[] | undefined> {
  if (left === undefined || right === undefined) return left ?? right;
  const both: Entry[] = [];
  for (const [entries, others] of [[left, right] as const, [right, left] as const])
    for (const entry of entries)
      if (!both.includes(entry) && (await isAmong(entry, others))) both.push(entry);
  return both;
}
