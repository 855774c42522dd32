import { isDeepStrictEqual } from 'node:util';
import { defaultLang } from '../../../runtime/content/language.ts';
import { parseDomains } from '../../../runtime/content/site-host.ts';
import {
  apiError,
  collectFaults,
  type FieldFault,
  invalid,
  invalidFields,
  requireText,
} from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import { convertTree } from '../../content/blocks/convert-tree.ts';
import { collectReferences } from '../../content/blocks/references.ts';
import { requireReadable } from '../../content/kinds/decide.ts';
import { recordSaved } from '../../content/kinds/objects.ts';
import { replaceReferences } from '../../content/kinds/references.ts';
import { saveStateAuthor } from '../../content/kinds/revisions.ts';
import { normalizeDomains } from '../../content/sites/domains.ts';
import { checkDomains, clearDefaultSite, replaceDomains } from '../../content/sites/service.ts';
import type { Subtree } from '../../content/sites/subtree.ts';
import type { ContentDb } from '../../db/tables.ts';
import { requireImage } from '../media/service.ts';
import { deleteRedirectFrom } from '../redirects/automatic.ts';
import { findPageLayoutHtml } from '../snippets/service.ts';
import { listAssignments, replaceAssignments, requireAsset, resolveAssignments } from './assignments.ts';
import {
  checkSitemapSource,
  emptyPage,
  listTexts,
  mergeFields,
  mergeSiteFields,
  pageIdentity,
} from './fields.ts';
import { checkTranslations, dissolveSingleGroups } from './language-groups/groups.ts';
import type { PageCreate, PageState, PageUpdate, SiteCreate, StoredPage } from './model.ts';
import { mergeRegions } from './regions/rules.ts';
import { relocate } from './relocate.ts';
import { checkSlug, checkZone, childPath, normalizeLang } from './rules.ts';
import * as store from './store.ts';
import * as tree from './tree-store.ts';

/** IDs of published pages of all websites, by website and place. */
export const publishedPageIds = store.listPublishedIds;

/** The faults in the fields of a new website. */
export function siteFaults({ title, domains, lang, zone }: Partial<SiteCreate>): Promise<FieldFault[]> {
  return collectFaults([
    () => title !== undefined && requireText('title', title),
    () => domains !== undefined && normalizeDomains(domains),
    () => lang !== undefined && normalizeLang(lang),
    () => zone !== undefined && checkZone(zone),
  ]);
}

/** POST /sites: creates a published website with a simple home page. */
export async function createSite(change: Change, body: SiteCreate): Promise<PageState> {
  const { tx, now } = change;
  const faults = await siteFaults(body);
  if (faults.length > 0) throw invalidFields(faults);
  const domains = normalizeDomains(body.domains ?? '');
  await checkDomains(tx, 0, domains);
  const page = {
    ...emptyPage(now),
    title: body.title,
    lang: normalizeLang(body.lang ?? ''),
    html: homeTemplate,
    published: true,
    domains: domains.join('\n'),
    zone: body.zone ?? '',
  };
  const id = await store.insertPage(tx, page);
  await replaceDomains(tx, id, domains);
  const state = { ...page, id, root_id: id, effective_lang: page.lang || defaultLang, assets: [] };
  await recordSaved(change, pageIdentity, 'created', state);
  await saveStateAuthor(change, { kind: 'page', id });
  change.journal?.add('page', undefined, state);
  return state;
}

/**
 * @param field field of the body or query that holds the ID, unless it is in the path
 * @throws ApiError `common.notFound`
 */
export async function requirePage(db: ContentDb, id: number, field?: string): Promise<StoredPage> {
  const page = await store.pages.find(db, id);
  if (page === undefined) throw apiError('common.notFound', field === undefined ? {} : { field });
  return page;
}

/**
 * Checks a slug for a place below `parent`.
 *
 * @param exceptId the page itself, which may keep its slug; 0 for a new one
 * @throws ApiError `page.slugReserved`, `page.slugInvalid`, `page.slugTaken`
 */
export async function checkSlugAmong(
  db: ContentDb,
  parent: StoredPage,
  slug: string,
  exceptId: number,
): Promise<void> {
  checkSlug(slug, parent.parent_id === null);
  if (await tree.isSlugTaken(db, parent.id, slug, exceptId)) throw apiError('page.slugTaken', { slug });
}

export async function findPage(db: ContentDb, id: number): Promise<PageState | undefined> {
  const page = await store.pages.find(db, id);
  if (page === undefined) return undefined;
  const assets = await listAssignments(db, id);
  return { ...page, effective_lang: await effectiveLang(db, page), assets };
}

/** Appends a page to the children of `parent_id` (Core, "Pages"). */
export async function createPage(change: Change, body: PageCreate): Promise<PageState> {
  const { tx, now } = change;
  const parent = await requirePage(tx, body.parent_id, 'parent_id');
  await requireReadable(change, pageIdentity, parent, 'parent_id');
  await checkSlugAmong(tx, parent, body.slug, 0);
  const merged = mergeFields({ ...emptyPage(now), title: body.title }, body);
  const placed = {
    ...merged,
    parent_id: parent.id,
    root_id: parent.root_id,
    slug: body.slug,
    path: childPath(parent.path, body.slug),
    sort: await tree.nextPosition(tx, parent.id),
    html: await htmlOfNewPage(tx, body),
    blocks: body.blocks === undefined ? [] : await convertTree(tx, body.blocks),
  };
  const page = { ...placed, regions: await mergeRegions(change, listTexts(placed), {}, body.regions) };
  const assets = await resolveAssignments(tx, body.assets ?? []);
  const id = await store.insertPage(tx, page);
  if (assets.length > 0) await replaceAssignments(tx, id, assets);
  if (page.blocks.length > 0) await keepTreeReferences(tx, { id, ...page });
  await deleteRedirectFrom(change, page.root_id, page.path);
  return { id, ...page, effective_lang: await effectiveLang(tx, { id, ...page }), assets };
}

/** The rules for single fields. Fields of a website do not count on other pages. */
export function rulesFor(
  db: ContentDb,
  body: Partial<PageCreate & PageUpdate>,
  before: PageState | undefined,
): (() => unknown)[] {
  const { title, assets, og_image_file_id, favicon_file_id, notfound_page_id, domains, zone } = body;
  const rules = [
    () => title !== undefined && requireText('title', title),
    () => checkSitemapSource(body, before?.catch_all ?? false),
    () =>
      isNew(og_image_file_id, before?.og_image_file_id) &&
      requireImage(db, 'og_image_file_id', og_image_file_id),
    ...(assets ?? []).map((asset, index) => () => requireAsset(db, asset, `assets.${index}`)),
  ];
  if (before === undefined || before.parent_id !== null) return rules;
  return [
    ...rules,
    () =>
      isNew(favicon_file_id, before.favicon_file_id) && requireImage(db, 'favicon_file_id', favicon_file_id),
    () => notfound_page_id !== undefined && checkNotFoundPage(db, before.id, notfound_page_id),
    () => domains !== undefined && normalizeDomains(domains),
    () => zone !== undefined && zone !== before.zone && checkZone(zone),
  ];
}

/** Whether a value is sent and another one than before: a file that was deleted since is no fault of a later save. */
function isNew(sent: number | undefined, before: number | undefined): sent is number {
  return sent !== undefined && sent !== before;
}

export async function mergePage(change: Change, before: PageState, body: PageUpdate): Promise<PageState> {
  const { tx } = change;
  const merged = mergeFields(before, body);
  const page =
    before.parent_id === null
      ? await mergeSite(tx, merged, body)
      : await changeSlug(tx, merged, before.parent_id, body.slug);
  return {
    ...page,
    assets: body.assets === undefined ? page.assets : await resolveAssignments(tx, body.assets),
    blocks:
      body.blocks === undefined ? page.blocks : await convertTree(tx, body.blocks, { before: before.blocks }),
    regions: await mergeRegions(change, listTexts(page), before.regions, body.regions),
  };
}

/** Merges the fields of a website. Its slug stays empty; a slug in the body is ignored. */
async function mergeSite(db: ContentDb, page: PageState, body: PageUpdate): Promise<PageState> {
  const site = mergeSiteFields(page, body);
  if (body.domains !== undefined) await checkDomains(db, site.id, parseDomains(site));
  return site;
}

async function changeSlug(
  db: ContentDb,
  page: PageState,
  parentId: number,
  slug: string | undefined,
): Promise<PageState> {
  if (slug === undefined || slug === page.slug) return page;
  const parent = await requirePage(db, parentId);
  await checkSlugAmong(db, parent, slug, page.id);
  return { ...page, slug, path: childPath(parent.path, slug) };
}

export async function writePage(change: Change, after: PageState, before: PageState): Promise<PageState> {
  const { tx, now } = change;
  const page = { ...after, local_modified: before.local_modified || !isOnlyRenamed(after, before) };
  if (page.path !== before.path) await relocate(change, placeOf(before), placeOf(page));
  await store.pages.update(tx, page);
  if (page.notfound_page_id !== before.notfound_page_id)
    await store.setNotFoundPage(tx, page.id, page.notfound_page_id);
  if (page.domains !== before.domains) await replaceDomains(tx, page.id, parseDomains(page));
  if (page.default_site && !before.default_site) await clearDefaultSite(tx, page.id, now);
  if (!isDeepStrictEqual(page.assets, before.assets)) await replaceAssignments(tx, page.id, page.assets);
  if (!isDeepStrictEqual(page.blocks, before.blocks)) await keepTreeReferences(tx, page);
  if (page.lang === before.lang) return page;
  await checkTranslations(tx, page);
  return { ...page, effective_lang: await effectiveLang(tx, page) };
}

/** Whether nothing but the slug is different, which does not count as an edit of the page. */
function isOnlyRenamed(after: PageState, before: PageState): boolean {
  const { slug, path, updated_at } = before;
  return isDeepStrictEqual({ ...after, slug, path, updated_at }, before);
}

/** Stores what the tree of a page refers to. */
export async function keepTreeReferences(
  db: ContentDb,
  { id, root_id, blocks }: Pick<StoredPage, 'id' | 'root_id' | 'blocks'>,
): Promise<void> {
  await replaceReferences(db, { kind: 'page', id }, 'blocks', root_id, await collectReferences(db, blocks));
}

/** Deletes a page with all pages below it. Deleting a home page deletes the whole website. */
export async function removePage(change: Change, page: PageState): Promise<void> {
  if (page.parent_id === null) await tree.deleteSite(change.tx, page.id);
  else await tree.deleteSubtree(change.tx, placeOf(page));
  await tree.clearLostNotFoundPages(change.tx);
  await dissolveSingleGroups(change);
}

const homeTemplate = `<main>
  <h1>{{ page.title }}</h1>
</main>
`;

/** @throws ApiError `common.invalid` unless `notfound_page_id` is 0 or a subpage of the website */
async function checkNotFoundPage(db: ContentDb, siteId: number, pageId: number): Promise<void> {
  if (pageId === 0) return;
  const target = await store.pages.find(db, pageId);
  if (target === undefined || target.parent_id === null || target.root_id !== siteId) {
    throw invalid('notfound_page_id', 'must be a subpage of the same website');
  }
}

/** @throws ApiError `page.layoutWithHTML`, `page.layoutUnknown` */
async function htmlOfNewPage(db: ContentDb, body: PageCreate): Promise<string> {
  const html = body.html ?? '';
  if (body.layout_id === undefined || body.layout_id === null) return html;
  if (html !== '') throw apiError('page.layoutWithHTML', {});
  const layout = await findPageLayoutHtml(db, body.layout_id);
  if (layout === undefined) throw apiError('page.layoutUnknown', { id: body.layout_id });
  return layout;
}

async function effectiveLang(db: ContentDb, page: Pick<StoredPage, 'id' | 'lang'>): Promise<string> {
  return page.lang || (await tree.findChosenLang(db, page.id)) || defaultLang;
}

function placeOf({ root_id, path }: Pick<StoredPage, 'root_id' | 'path'>): Subtree {
  return { rootId: root_id, path };
}
