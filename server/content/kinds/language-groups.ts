/**
 * Groups of language versions, of pages and of entries. What holds of every group: its members have different
 * languages, none is without one, and there are at least two.
 */
import { randomUUID } from 'node:crypto';
import { type ApiError, apiError } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';

export interface GroupMember {
  readonly id: number;
  /** Null if it has no language. */
  readonly lang: string | null;
}

/** An object that may be in a group; empty = in none. */
interface Grouped {
  readonly id: number;
  readonly translation_group: string;
}

/** How the objects of one table are grouped. */
export interface GroupTable {
  listMembers(db: Change['tx'], group: string): Promise<readonly GroupMember[]>;
  /** An empty `group` takes the object out of its group. */
  setGroup(db: Change['tx'], id: number, group: string, now: number): Promise<void>;
  /** Dissolves a group that has only one member left. */
  dissolveSingle(db: Change['tx'], group: string, now: number): Promise<void>;
  noLang(id: number): ApiError;
  alreadyLinked(id: number): ApiError;
}

/** @throws ApiError `translation.noLang`, 409 `translation.langTaken` */
export async function checkGroup(db: Change['tx'], table: GroupTable, group: string): Promise<void> {
  const taken = new Set<string>();
  for (const { id, lang } of await table.listMembers(db, group)) {
    if (lang === null) throw table.noLang(id);
    if (taken.has(lang)) throw apiError('translation.langTaken', { lang });
    taken.add(lang);
  }
}

/**
 * Adds `other` to the group of `own`. If `own` has no group, a new one begins with it. Resolves with false if
 * they were linked already.
 *
 * @param move takes `other` from its present group
 * @throws ApiError `translation.noLang`, 409 `translation.langTaken` and `translation.alreadyLinked`
 */
export async function linkVersions(
  { tx, now }: Change,
  table: GroupTable,
  own: Grouped,
  other: Grouped,
  move: boolean,
): Promise<boolean> {
  const left = other.translation_group;
  if (left !== '' && left === own.translation_group) return false;
  if (left !== '' && !move) throw table.alreadyLinked(other.id);
  const group = own.translation_group || randomUUID();
  if (own.translation_group === '') await table.setGroup(tx, own.id, group, now);
  await table.setGroup(tx, other.id, group, now);
  if (left !== '') await table.dissolveSingle(tx, left, now);
  await checkGroup(tx, table, group);
  return true;
}

/** Takes an object out of its group. Resolves with false if it is in none. */
export async function unlinkVersion({ tx, now }: Change, table: GroupTable, own: Grouped): Promise<boolean> {
  if (own.translation_group === '') return false;
  await table.setGroup(tx, own.id, '', now);
  await table.dissolveSingle(tx, own.translation_group, now);
  return true;
}
