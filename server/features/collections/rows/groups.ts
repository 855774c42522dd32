import { apiError } from '../../../base/errors.ts';
import type { GroupTable } from '../../../content/kinds/language-groups.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { StoredCollection } from '../model.ts';
import * as store from './store.ts';

/** Groups of entries that are language versions of each other. The language is that of the collection. */
export const itemGroups: GroupTable = {
  listMembers: store.listMembers,
  setGroup: store.setGroup,
  dissolveSingle: store.dissolveSingle,
  noLang: (id) => apiError('translation.noLang', { item_id: id }),
  alreadyLinked: (id) => apiError('translation.alreadyLinked', { item_id: id }),
};

/**
 * To be called when a collection gets another language.
 *
 * @throws ApiError 409 `translation.langTaken`, `translation.collectionLinked`
 */
export async function checkGroupsOfCollection(
  db: ContentDb,
  { id, slug, lang }: Pick<StoredCollection, 'id' | 'slug' | 'lang'>,
): Promise<void> {
  if (lang === '') {
    const group = await store.findGroupOf(db, id);
    if (group !== undefined) throw apiError('translation.collectionLinked', { collection: slug });
  } else if (await store.isLangTaken(db, id, lang)) {
    throw apiError('translation.langTaken', { lang });
  }
}
