import type { Change } from '../change.ts';
import { nextUpdatedAt } from '../clock.ts';
import type { ContentDb } from '../db/tables.ts';
import { apiError, invalid } from '../errors.ts';
import { checkBase, requireText } from '../model.ts';
import { freeSource } from '../redirects/automatic.ts';
import { keepRevision } from '../revisions/keep.ts';
import { findPageLayoutHtml } from '../snippets/service.ts';
import type { NamedTemplate, TemplateAnalysis } from '../templates.ts';
import { findUnknownAsset, listAllAssignments, listAssignments, replaceAssignments } from './assignments.ts';
import { emptyPage, mergeFields, mergeSiteFields } from './fields.ts';
import type {
  AssetAssignment,
  Page,
  PageCreate,
  PageListEntry,
  PageUpdate,
  SavedPage,
  SiteCreate,
  StoredPage,
} from './model.ts';
import { relocate } from './relocate.ts';
import { checkSlug, childPath, defaultLang, normalizeDomains } from './rules.ts';
import * as sites from './site-store.ts';
import * as store from './store.ts';
import { checkTranslations, dissolveSingleGroups } from './translations/groups.ts';
import * as tree from './tree-store.ts';

/** The part of a page that its own row holds; what static analysis adds is asked for by {@link present}. */
export type PageState = Omit<Page, 'renders_blocks'>;

/** GET /pages: all pages, or only the websites, sorted by parent and position. */
export async function listPages(db: ContentDb, rootsOnly: boolean): Promise<PageListEntry[]> {
  const pages = await store.listPages(db);
  const assets = await listAllAssignments(db);
  const languages = effectiveLanguages(pages);
  return pages
    .filter((page) => !rootsOnly || page.parent_id === null)
    .map((page) => ({
      ...page,
      effective_lang: languages.get(page.id) ?? defaultLang,
      assets: assets.get(page.id) ?? [],
    }));
}

/** @throws ApiError `common.notFound` */
export async function getPage(db: ContentDb, id: number): Promise<PageState> {
  return toState(db, await requirePage(db, id));
}

/** POST /pages: appends a page to the children of `parent_id` (Core, "Pages"). */
export async function createPage(change: Change, body: PageCreate): Promise<PageState> {
  const { tx, now } = change;
  requireText('title', body.title);
  const parent = await requirePage(tx, body.parent_id);
  await checkSlugAmong(tx, parent, body.slug, 0);
  const merged = mergeFields({ ...emptyPage(now), title: body.title }, body);
  const page = {
    ...merged,
    parent_id: parent.id,
    root_id: parent.root_id,
    slug: body.slug,
    path: childPath(parent.path, body.slug),
    sort: await tree.nextPosition(tx, parent.id),
    html: await htmlOfNewPage(tx, body),
  };
  const id = await store.insertPage(tx, page);
  if (body.assets !== undefined) await assign(tx, id, body.assets, 'assets.');
  await freeSource(change, page.root_id, page.path);
  change.record({ kind: 'page', action: 'create', id });
  return toState(tx, { id, ...page });
}

/** POST /sites: a new website, published, with a home page to start from. */
export async function createSite(change: Change, body: SiteCreate): Promise<PageState> {
  const { tx, now } = change;
  requireText('title', body.title);
  const domains = normalizeDomains(body.domains ?? '');
  const page = {
    ...emptyPage(now),
    title: body.title,
    html: homeTemplate,
    published: true,
    domains: domains.join('\n'),
  };
  const id = await store.insertPage(tx, page);
  await takeDomains(tx, id, domains);
  change.record({ kind: 'page', action: 'create', id });
  return toState(tx, { id, ...page, root_id: id });
}

/** PUT /pages/{id}: changes the fields that are present (Core, "Pages" and "General rules"). */
export async function updatePage(change: Change, id: number, body: PageUpdate): Promise<PageState> {
  const { tx } = change;
  const before = await requirePage(tx, id);
  checkBase(body, before);
  if (body.title !== undefined) requireText('title', body.title);
  await keepState(change, before);
  const merged = mergeFields(before, body);
  const page =
    before.parent_id === null
      ? await changeSite(change, merged, body)
      : await changeSlug(tx, merged, body.slug);
  if (body.assets !== undefined) await assign(tx, id, body.assets, 'assets.');
  return savePage(change, before, page);
}

/** PUT /pages/{id}/assets: replaces the assignments. */
export async function assignAssets(
  change: Change,
  id: number,
  assignments: readonly AssetAssignment[],
): Promise<PageState> {
  const page = await requirePage(change.tx, id);
  await keepState(change, page);
  await assign(change.tx, id, assignments, '');
  return savePage(change, page, page);
}

/** DELETE /pages/{id}: the page with all below it; a home page takes its website along. */
export async function deletePage(change: Change, id: number): Promise<void> {
  const page = await requirePage(change.tx, id);
  if (page.parent_id === null) await tree.deleteSite(change.tx, page.id);
  else await tree.deleteSubtree(change.tx, { rootId: page.root_id, path: page.path });
  await tree.clearLostNotFoundPages(change.tx);
  await dissolveSingleGroups(change);
  change.record({ kind: 'page', action: 'delete', id });
}

/** Adds to a stored page what only static analysis knows. */
export async function presentPage(state: PageState, analysis: TemplateAnalysis): Promise<Page> {
  const renders_blocks = await analysis.rendersBlocks({ name: state.path, source: state.html });
  return { ...state, renders_blocks };
}

/** The answer to a save: the page with the findings about its templates. */
export async function presentSavedPage(state: PageState, analysis: TemplateAnalysis): Promise<SavedPage> {
  const [page, warnings] = await Promise.all([
    presentPage(state, analysis),
    analysis.check(templatesOf(state)),
  ]);
  return { ...page, warnings };
}

/** @throws ApiError `common.notFound` */
export async function requirePage(db: ContentDb, id: number): Promise<StoredPage> {
  const page = await store.findPage(db, id);
  if (page === undefined) throw apiError('common.notFound', {});
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

const homeTemplate = `<main>
  <h1>{{ page.title }}</h1>
</main>
`;

function keepState(change: Change, page: StoredPage): Promise<void> {
  return keepRevision(change, { kind: 'page', id: page.id }, () => toState(change.tx, page));
}

async function savePage(change: Change, before: StoredPage, page: StoredPage): Promise<PageState> {
  const { tx, now } = change;
  const saved = { ...page, local_modified: true, updated_at: nextUpdatedAt(now, before.updated_at) };
  if (saved.path !== before.path) {
    await relocate(
      change,
      { rootId: before.root_id, path: before.path },
      { rootId: saved.root_id, path: saved.path },
    );
  }
  await store.updatePage(tx, saved);
  if (saved.lang !== before.lang) await checkTranslations(tx, saved);
  change.record({ kind: 'page', action: 'update', id: saved.id });
  return toState(tx, saved);
}

async function changeSlug(db: ContentDb, page: StoredPage, slug: string | undefined): Promise<StoredPage> {
  if (slug === undefined || slug === page.slug || page.parent_id === null) return page;
  const parent = await requirePage(db, page.parent_id);
  await checkSlugAmong(db, parent, slug, page.id);
  return { ...page, slug, path: childPath(parent.path, slug) };
}

/** The fields of a website; its slug stays empty whatever is sent. */
async function changeSite(change: Change, page: StoredPage, body: PageUpdate): Promise<StoredPage> {
  const { tx, now } = change;
  const site = mergeSiteFields(page, body);
  if (body.notfound_page_id !== undefined) await checkNotFoundPage(tx, site);
  if (body.domains !== undefined) await takeDomains(tx, site.id, normalizeDomains(body.domains));
  if (body.default_site === true) await sites.clearDefaultSite(tx, site.id, now);
  return site;
}

/** @throws ApiError `common.invalid` unless it is 0 or a subpage of the website */
async function checkNotFoundPage(db: ContentDb, site: StoredPage): Promise<void> {
  if (site.notfound_page_id === 0) return;
  const target = await store.findPage(db, site.notfound_page_id);
  if (target === undefined || target.parent_id === null || target.root_id !== site.id) {
    throw invalid('notfound_page_id', 'must be a subpage of the same website');
  }
}

/** @throws ApiError 409 `site.domainTaken` */
async function takeDomains(db: ContentDb, rootId: number, domains: readonly string[]): Promise<void> {
  for (const domain of domains) {
    const owner = await sites.findDomainOwner(db, domain);
    if (owner !== undefined && owner !== rootId) throw apiError('site.domainTaken', { domain });
  }
  await sites.replaceDomains(db, rootId, domains);
}

/**
 * @param at where the list stands in the body
 * @throws ApiError `common.invalid` for an asset that does not exist
 */
async function assign(
  db: ContentDb,
  pageId: number,
  assignments: readonly AssetAssignment[],
  at: '' | 'assets.',
): Promise<void> {
  const unknown = await findUnknownAsset(db, assignments);
  if (unknown >= 0) throw invalid(`${at}${unknown}.asset_id`, 'is not the id of an asset');
  await replaceAssignments(db, pageId, assignments);
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

async function toState(db: ContentDb, page: StoredPage): Promise<PageState> {
  const lang = page.lang || (await tree.findInheritedLang(db, page.id)) || defaultLang;
  return { ...page, effective_lang: lang, assets: await listAssignments(db, page.id), blocks: [] };
}

/** Everything on a page that is evaluated as a template, under the name its errors carry. */
function templatesOf(page: PageState): NamedTemplate[] {
  return [page.html, page.head, page.meta_title, page.description].map((source) => ({
    name: page.path,
    source,
  }));
}

/** Parents come before or after their children in a list, so each chain is followed upwards once. */
function effectiveLanguages(
  pages: readonly { id: number; parent_id: number | null; lang: string }[],
): Map<number, string> {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const languages = new Map<number, string>();
  for (const page of pages) {
    const chain: number[] = [];
    let current: { id: number; parent_id: number | null; lang: string } | undefined = page;
    while (current !== undefined && current.lang === '' && !languages.has(current.id)) {
      chain.push(current.id);
      current = current.parent_id === null ? undefined : byId.get(current.parent_id);
    }
    const lang =
      current === undefined ? defaultLang : current.lang || (languages.get(current.id) ?? defaultLang);
    for (const id of [page.id, ...chain]) languages.set(id, lang);
  }
  return languages;
}
