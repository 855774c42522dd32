import type { Change } from '../../change.ts';
import type { ContentDb } from '../../db/tables.ts';
import { apiError } from '../../errors.ts';
import type { StoredPage } from '../model.ts';
import { dissolveSingles, listGroupsBelow, listMembers } from './store.ts';

/**
 * Invariants of translation groups: pages that are versions of each other share a group. The pages of a group
 * have different effective languages, each its own or inherited; the default language of pages without a
 * language does not count. A group has at least two pages.
 */

/**
 * To be called when the language of a page may have changed, by an edit or a move. Pages below it may inherit
 * the language, so their groups are checked as well.
 *
 * @throws ApiError `translation.noLang`, 409 `translation.langTaken`
 */
export async function checkTranslations(
  db: ContentDb,
  page: Pick<StoredPage, 'root_id' | 'path'>,
): Promise<void> {
  for (const group of await listGroupsBelow(db, { rootId: page.root_id, path: page.path }))
    await checkGroup(db, group);
}

/** To be called after pages were deleted. */
export function dissolveSingleGroups({ tx, now }: Change): Promise<void> {
  return dissolveSingles(tx, now);
}

/** @throws ApiError `translation.noLang`, 409 `translation.langTaken` */
export async function checkGroup(db: ContentDb, group: string): Promise<void> {
  const taken = new Set<string>();
  for (const { id, lang } of await listMembers(db, group)) {
    if (lang === null) throw apiError('translation.noLang', { page_id: id });
    if (taken.has(lang)) throw apiError('translation.langTaken', { lang });
    taken.add(lang);
  }
}
