import { apiError } from '../../../base/errors.ts';
import type { Change } from '../../../changes/changes.ts';
import { checkGroup, type GroupTable } from '../../../content/kinds/language-groups.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { StoredPage } from '../model.ts';
import { dissolveSingle, dissolveSingles, listGroupsBelow, listMembers, setGroup } from './store.ts';

/**
 * Pages that are versions of each other share a group (`kinds/language-groups.ts`). Their effective languages
 * count, own or inherited; the default language of pages without a language does not.
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
    await checkGroup(db, pageGroups, group);
}

/** To be called after pages were deleted. */
export function dissolveSingleGroups({ tx, now }: Change): Promise<void> {
  return dissolveSingles(tx, now);
}

/** Groups of pages. */
export const pageGroups: GroupTable = {
  listMembers,
  setGroup,
  dissolveSingle,
  noLang: (id) => apiError('translation.noLang', { page_id: id }),
  alreadyLinked: (id) => apiError('translation.alreadyLinked', { page_id: id }),
};
