import { defaultLang } from '../../../../runtime/content/language.ts';
import { type ErrorCode, invalid } from '../../../base/errors.ts';
import type { Change } from '../../../changes/changes.ts';
import { decide, requireReadable } from '../../../content/kinds/decide.ts';
import { linkVersions, unlinkVersion } from '../../../content/kinds/language-groups.ts';
import { recordObject } from '../../../content/kinds/objects.ts';
import { findHomePage } from '../../../content/sites/service.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { pageIdentity } from '../fields.ts';
import { pageGroups } from '../language-groups/groups.ts';
import * as store from '../language-groups/store.ts';
import type { StoredPage } from '../model.ts';
import { requirePage } from '../service.ts';
import type { Translation, TranslationLink } from './model.ts';

/** The errors of a link. */
export const linkErrors: readonly ErrorCode[] = [
  'translation.noLang',
  'translation.langTaken',
  'translation.alreadyLinked',
];

/**
 * GET /pages/{id}/translations: the other versions, sorted by language.
 *
 * @param scheme scheme of absolute addresses
 * @throws ApiError `common.notFound`
 */
export async function listTranslations(db: ContentDb, id: number, scheme: string): Promise<Translation[]> {
  const page = await requirePage(db, id);
  const members = (await store.listMembers(db, page.translation_group)).filter((member) => member.id !== id);
  const translations = members.map(async (member) => ({
    page_id: member.id,
    lang: member.lang ?? defaultLang,
    title: member.title,
    url: (await foreignOrigin(db, page, member, scheme)) + member.path,
    path: member.path,
    published: member.published !== 0,
  }));
  return (await Promise.all(translations)).sort((left, right) => (left.lang < right.lang ? -1 : 1));
}

/**
 * POST /pages/{id}/translations: adds another page to the group of this page. If this page has no group, a
 * new group begins with it. Linking pages that are linked already changes nothing.
 *
 * @throws ApiError `common.notFound`, `common.invalid`, `translation.noLang`, 409 `translation.langTaken` and
 *   `translation.alreadyLinked`
 */
export async function linkTranslation(change: Change, id: number, body: TranslationLink): Promise<void> {
  const { tx } = change;
  const page = await requirePage(tx, id);
  const other = await requirePage(tx, body.page_id, 'page_id');
  await requireReadable(change, pageIdentity, page);
  await requireReadable(change, pageIdentity, other, 'page_id');
  if (other.id === page.id) throw invalid('page_id', 'is the page itself');
  for (const linked of [page, other]) await decide(change, pageIdentity, { before: linked, after: linked });
  if (!(await linkVersions(change, pageGroups, page, other, body.move === true))) return;
  for (const linked of [page, other]) recordObject(change, pageIdentity, 'updated', linked);
}

/**
 * DELETE /pages/{id}/translations: takes the page out of its group.
 *
 * @throws ApiError `common.notFound`
 */
export async function unlinkTranslation(change: Change, id: number): Promise<void> {
  const page = await requirePage(change.tx, id);
  await decide(change, pageIdentity, { before: page, after: page });
  if (!(await unlinkVersion(change, pageGroups, page))) return;
  recordObject(change, pageIdentity, 'updated', page);
}

/** Scheme and domain if the path alone would lead to the wrong website, else empty. */
async function foreignOrigin(
  db: ContentDb,
  page: StoredPage,
  member: store.GroupMember,
  scheme: string,
): Promise<string> {
  if (member.root_id === page.root_id) return '';
  const [domain = ''] = ((await findHomePage(db, member.root_id))?.domains ?? '').split('\n');
  return domain === '' ? '' : `${scheme}://${domain}`;
}
