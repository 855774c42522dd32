import Type from 'typebox';
import { defaultLang, EffectiveLangs } from '../../../runtime/content/language.ts';
import { parseDomains } from '../../../runtime/content/site-host.ts';
import { templateFields } from '../../../runtime/page/template-name.ts';
import { bodyValidator } from '../../api/validate.ts';
import { collectFaults } from '../../base/errors.ts';
import type { TextAnalysis, TextReport } from '../../changes/text-analysis.ts';
import { TrustedTree, treeErrors } from '../../content/blocks/convert-tree.ts';
import { listTreeMarkup } from '../../content/blocks/markup.ts';
import type { Kind, ObjectKey, ReferenceTarget } from '../../content/kinds/kind.ts';
import { findHomePage } from '../../content/sites/service.ts';
import type { ContentDb } from '../../db/tables.ts';
import { isImage } from '../media/service.ts';
import { existingAssignments, listAllAssignments } from './assignments.ts';
import { listTexts, pageIdentity, toCheckedField } from './fields.ts';
import {
  Page,
  PageCreate,
  PageListEntry,
  PageListQuery,
  PageOutline,
  type PageState,
  PageTreeEntry,
  PageUpdate,
  SavedPage,
  type StoredPageSummary,
} from './model.ts';
import { pageOperations } from './operations.ts';
import {
  listRegionMarkup,
  regionTexts,
  replaceIdsInRegions,
  toRegionSchema,
  trustRegions,
} from './regions/rules.ts';
import {
  createPage,
  findPage,
  keepTreeReferences,
  mergePage,
  removePage,
  rulesFor,
  writePage,
} from './service.ts';
import * as store from './store.ts';
import { pageTrash } from './trash.ts';
import * as tree from './tree-store.ts';

/** A page of a website. A page without a parent is a home page and stands for its website. */
export function pageKind(analysis: TextAnalysis): Kind<PageState, typeof PageCreate, typeof PageUpdate> {
  return {
    ...pageIdentity,
    path: '/pages',
    noun: 'a page',
    about: 'Pages of the websites, with previews and language versions.',
    schemas: { create: PageCreate, update: PageUpdate, answer: Page, saved: SavedPage },
    errors: {
      create: [
        'common.notFound',
        'page.slugInvalid',
        'page.slugReserved',
        'page.slugTaken',
        'page.layoutWithHTML',
        'page.layoutUnknown',
        'translation.langInvalid',
        ...treeErrors,
        'auth.unsafeHtml',
      ],
      update: [
        'page.slugInvalid',
        'page.slugReserved',
        'page.slugTaken',
        'site.domainTaken',
        'translation.langInvalid',
        'translation.noLang',
        'translation.langTaken',
        ...treeErrors,
        'auth.unsafeHtml',
      ],
    },
    list: {
      summary: 'List pages without their templates',
      query: PageListQuery,
      entry: Type.Union([PageListEntry, PageTreeEntry, PageOutline]),
      read: (db, { roots, view }: PageListQuery) =>
        view === 'tree' ? listTree(db) : listPages(db, roots === true),
    },
    find: findPage,
    faultsIn: (db, body, before) => collectFaults(rulesFor(db, body, before)),
    create: createPage,
    merge: mergePage,
    write: writePage,
    remove: removePage,
    present: (state, reports) => presentPage(state, analysis, reports),
    listMarkup: async (change, page) => [
      ...(await listTreeMarkup(change.tx, page.blocks, 'blocks')),
      ...listRegionMarkup(page.regions, change.report(listTexts(page).slice(0, regionTexts))),
    ],
    valuesIn: 'regions',
    batch: {
      ops: ['create', 'update', 'delete'],
      idFields: ['parent_id', 'layout_id', 'notfound_page_id', 'og_image_file_id', 'favicon_file_id'],
      replaceIds: (name, value, replace) =>
        name === 'regions' ? replaceIdsInRegions(value, replace) : value,
      hasState: true,
      more: pageOperations,
    },
    revisions: { kind: 'page', restore: restorableFields },
    usage: { targets: targetsOf, contents: listSubpages },
    trash: pageTrash,
    tables: ['pages', 'site_domains', 'page_assets'],
    bundle: {
      uncounted: ['local_modified'],
      faultIn: store.faultInTree,
      names: {
        ...Object.fromEntries(templateFields.map((field) => [field, 'template' as const])),
        blocks: 'tree',
        regions: 'regions',
        og_image_file_id: 'file',
        favicon_file_id: 'file',
      },
    },
    keepReferences: ({ tx }, page) => keepTreeReferences(tx, page),
  };
}

async function* listTree(db: ContentDb): AsyncGenerator<(PageTreeEntry | PageOutline)[]> {
  for await (const pages of store.listTree(db))
    yield pages.map((page) => (store.isOutline(page) ? outlineOf(page) : page));
}

function outlineOf({ id, parent_id, title, slug, path }: PageOutline): PageOutline {
  return { id, parent_id, title, slug, path };
}

/** GET /pages: all pages, or only the websites, sorted by parent and position. */
async function* listPages(
  db: ContentDb,
  rootsOnly: boolean,
): AsyncGenerator<(PageListEntry | PageOutline)[]> {
  const assets = await listAllAssignments(db);
  const entryOf = (page: StoredPageSummary, lang: string): PageListEntry | PageOutline =>
    store.isOutline(page)
      ? outlineOf(page)
      : { ...page, effective_lang: lang, assets: assets.get(page.id) ?? [] };
  if (rootsOnly) {
    const roots = await store.listHomePages(db);
    yield roots.map((page) => entryOf(page, page.lang || defaultLang));
    return;
  }
  const langs = new EffectiveLangs();
  for await (const pages of store.listLangs(db)) langs.add(pages);
  for await (const pages of store.listPages(db)) yield pages.map((page) => entryOf(page, langs.of(page)));
}

/** Adds `renders_blocks` and `region_schema`, which need static analysis of the templates. */
async function presentPage(
  state: PageState,
  analysis: TextAnalysis,
  known: readonly TextReport[] = [],
): Promise<Page> {
  const content = known[0] ?? (await analysis.report(toCheckedField(state, 'html')));
  const head = known[1] ?? (await analysis.report(toCheckedField(state, 'head')));
  return { ...state, renders_blocks: content.rendersBlocks, region_schema: toRegionSchema([content, head]) };
}

/**
 * What leads to a page: templates that name its ID, links and redirects to its path, and links with one of the
 * domains of its website. Below a catch-all page every path belongs to it.
 */
async function targetsOf(db: ContentDb, page: PageState): Promise<ReferenceTarget[]> {
  const { id, root_id, path, catch_all: withBelow } = page;
  const site = await findHomePage(db, root_id);
  return [
    { kind: 'page', key: String(id) },
    { kind: 'link', key: path, rootId: root_id, withBelow },
    ...(site === undefined ? [] : parseDomains(site)).map((domain) => ({
      kind: 'link',
      key: `//${domain}${path}`,
      withBelow,
    })),
  ];
}

async function listSubpages(db: ContentDb, { id }: PageState, limit: number): Promise<ObjectKey[]> {
  const ids = await tree.listChildIds(db, id);
  return ids.slice(0, limit).map((child) => ({ kind: 'page', id: child }));
}

const keptFields = new Set(['slug', 'domains', 'default_site', 'published', 'base_updated_at']);
const restoredFields = Object.keys(PageUpdate.properties).filter((name) => !keptFields.has(name));
const validate = bodyValidator(PageUpdate);

/**
 * The body of a save that restores a stored state of a page (Core, "Version history"). Fields that the state
 * lacks stay as they are. So do the place of the page, its slug, domains, `default_site` and `published`.
 * References to deleted objects are left out.
 */
async function restorableFields(db: ContentDb, current: PageState, stored: PageState): Promise<PageUpdate> {
  const fields = Object.entries(stored).filter(([name]) => restoredFields.includes(name));
  // Type boundary: the value has passed the schema of `PageUpdate`.
  const body = validate(Object.fromEntries(fields)) as PageUpdate;
  if (stored.blocks !== undefined) body.blocks = TrustedTree.fromHistory(stored.blocks);
  if (stored.regions !== undefined) body.regions = trustRegions(stored.regions);
  if (body.assets !== undefined) body.assets = await existingAssignments(db, body.assets);
  for (const field of ['og_image_file_id', 'favicon_file_id'] as const) {
    if (body[field] !== undefined && !(await isImage(db, body[field]))) body[field] = 0;
  }
  if (body.notfound_page_id !== undefined && !(await isSubpage(db, body.notfound_page_id, current.root_id))) {
    body.notfound_page_id = 0;
  }
  return body;
}

async function isSubpage(db: ContentDb, id: number, rootId: number): Promise<boolean> {
  const page = await store.pages.find(db, id);
  return page !== undefined && page.parent_id !== null && page.root_id === rootId;
}
