/** What a copy takes from its original, by kind. */
import type {
  BatchOperation,
  Collection,
  GlobalBlockCreate,
  PageAsset,
  PageCreate,
  PageLayoutEntry,
  SnippetAsset,
  SnippetCreate,
} from '../../api/generated/schema.ts';
import { findFreeName, formatCopyTitle } from './names.ts';
import { findSlugField } from './slug-field.ts';

/** Fields that a copy has from its original; all others are those of a new object. */
export const copiedFields = {
  page: [
    ...['title', 'slug', 'meta_title', 'description', 'html', 'head', 'html_attrs', 'body_attrs', 'lang'],
    ...['catch_all', 'no_cache', 'sitemap_exclude', 'noindex', 'nofollow', 'hide_in_nav'],
    ...['og_image_file_id', 'sitemap_source', 'assets', 'blocks', 'regions'],
  ],
  snippet: ['name', 'description', 'folder', 'content', 'assets', 'schema', 'page_layout'],
  global_block: ['name', 'description', 'folder', 'blocks'],
} as const satisfies {
  readonly page: readonly (keyof PageCreate)[];
  readonly snippet: readonly (keyof SnippetCreate)[];
  readonly global_block: readonly (keyof GlobalBlockCreate)[];
};

/** Kinds whose objects belong to nothing, so that one is copied by its ID alone. */
export type NamedKind = 'snippet' | 'global_block';

type Data = Readonly<Record<string, unknown>>;

/** The copied fields of an object. What is empty is left out, because new objects have nothing there. */
function pickFields(object: object, names: readonly string[]): Data {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value: unknown = Reflect.get(object, name);
      return isEmpty(value) ? [] : [[name, value] as const];
    }),
  );
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  return Object.keys(value).length === 0;
}

/** One page to copy. */
export interface PagePlan {
  readonly id: number;
  /** ID of the page above, or the name of its copy. */
  readonly parent: number | string;
  /** Of a page that gets its copy beside it; what is below keeps its title and its slug. */
  readonly place?: { readonly slug: string; readonly index: number };
}

interface PlannedPage {
  readonly id: number;
  readonly parent_id: number | null;
  readonly slug: string;
}

/**
 * Plans the copies of pages, each behind its original and above what is below it. Home pages have none.
 *
 * @param tree all pages, in order of position among siblings
 * @param isDeep whether all pages below are copied too
 */
export function planPages(
  tree: readonly PlannedPage[],
  chosen: ReadonlySet<number>,
  isDeep: boolean,
): readonly PagePlan[] {
  const byId = new Map(tree.map((page) => [page.id, page]));
  const below = tree.flatMap((page) =>
    page.parent_id === null ? [] : [{ ...page, parent_id: page.parent_id }],
  );
  const children = Map.groupBy(below, ({ parent_id }) => parent_id);
  const isInside = ({ parent_id }: PlannedPage): boolean => {
    const above = byId.get(parent_id ?? 0);
    return above !== undefined && (chosen.has(above.id) || isInside(above));
  };
  return [...children].flatMap(([parent, siblings]) => {
    const tops = siblings.filter((page) => chosen.has(page.id) && !(isDeep && isInside(page)));
    const slugs = new Set(siblings.map(({ slug }) => slug));
    return tops.flatMap((top, copies): readonly PagePlan[] => {
      const slug = findFreeName(top.slug, slugs);
      slugs.add(slug);
      const index = siblings.indexOf(top) + copies + 1;
      const plan = { id: top.id, parent, place: { slug, index } };
      return isDeep ? [plan, ...planBelow(children, top.id)] : [plan];
    });
  });
}

function planBelow(children: ReadonlyMap<number, readonly PlannedPage[]>, id: number): readonly PagePlan[] {
  return (children.get(id) ?? []).flatMap((child) => [
    { id: child.id, parent: toRef(id) },
    ...planBelow(children, child.id),
  ]);
}

/** How later operations call the copy of a page. */
function toRef(id: number): string {
  return `@page-${id}`;
}

/** The operations that copy a page: drafts, whatever the originals are. */
export function copyPage(
  { id, parent, place }: PagePlan,
  page: object,
  layouts: readonly Pick<PageLayoutEntry, 'id' | 'name'>[],
): readonly BatchOperation[] {
  const { html, assets, ...fields } = pickFields(page, copiedFields.page);
  const data = {
    ...fields,
    ...toTemplate(html, layouts),
    ...(assets === undefined ? {} : { assets: toAssignments(assets) }),
    ...(place === undefined ? {} : { slug: place.slug, title: formatCopyTitle(String(fields['title'])) }),
    parent_id: parent,
  };
  const ref = toRef(id);
  const create = { op: 'create', kind: 'page', ref: ref.slice(1), published: false, data } as const;
  if (place === undefined) return [create];
  const to = { parent_id: parent, index: place.index };
  return [create, { op: 'move', kind: 'page', id: ref, data: to }];
}

/** A page of a layout names it, because people who may not write templates may choose layouts. */
function toTemplate(html: unknown, layouts: readonly Pick<PageLayoutEntry, 'id' | 'name'>[]): Data {
  const name = /^\{% extends "([^"]+)" %\}\n?$/.exec(String(html))?.[1];
  const layout = layouts.find((known) => known.name === name);
  if (layout !== undefined) return { layout_id: layout.id };
  return html === undefined ? {} : { html };
}

function toAssignments(assets: unknown): unknown {
  // Type boundary: assignments of a page as the API answers them.
  return (assets as readonly PageAsset[]).map(({ asset_id, inherit }) => ({ asset_id, inherit }));
}

/** @param names of all objects of the kind */
export function copyNamed(kind: NamedKind, object: object, names: ReadonlySet<string>): BatchOperation {
  const fields = pickFields(object, copiedFields[kind]);
  const name = String(fields['name']);
  const data =
    kind === 'snippet'
      ? { ...fields, ...copySnippetParts(fields), name: findFreeName(name, names) }
      : { ...fields, name: formatCopyTitle(name) };
  return { op: 'create', kind, data };
}

/** What people choose by a label has another one, and there is only one layout for new pages. */
function copySnippetParts({ schema, page_layout: layout, assets }: Data): Data {
  return {
    ...(isObject(schema) ? { schema: withCopyLabel(schema) } : {}),
    ...(isObject(layout) ? { page_layout: { ...withCopyLabel(layout), default: false } } : {}),
    // Type boundary: files of a snippet as the API answers them.
    ...(assets === undefined
      ? {}
      : { assets: (assets as readonly SnippetAsset[]).map(({ asset_id }) => ({ asset_id })) }),
  };
}

function withCopyLabel(part: Data): Data {
  const { label } = part;
  return typeof label === 'string' && label !== '' ? { ...part, label: formatCopyTitle(label) } : part;
}

function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null;
}

type CopiedCollection = Pick<Collection, 'id' | 'fields' | 'detail_page_id' | 'detail_field'>;

/** Fields of texts that a copy must not share with its original: the slug, and what is unique. */
export function listNameFields(collection: CopiedCollection): readonly string[] {
  const slug = findSlugField(collection);
  return collection.fields
    .filter((field) => field === slug || (field.unique === true && field.type === 'text'))
    .map(({ name }) => name);
}

/** @param taken values of other entries by the names of {@link listNameFields}; those of the copy are added */
export function copyEntry(
  collection: CopiedCollection,
  data: Data,
  taken: ReadonlyMap<string, Set<unknown>>,
): BatchOperation {
  const slug = findSlugField(collection);
  const title = collection.fields.find((field) => field.type === 'text' && field !== slug);
  const copy: Record<string, unknown> = { ...data };
  for (const { name, unique, pattern } of collection.fields) {
    const before = data[name];
    const text = typeof before === 'string' ? before : '';
    const names = taken.get(name);
    if (name === title?.name && pattern === undefined && text !== '') copy[name] = formatCopyTitle(text);
    else if (unique === true && names === undefined) copy[name] = null;
    if (names === undefined || text === '') continue;
    const value = String(copy[name]);
    const free = names.has(value) ? findFreeName(value, names) : value;
    copy[name] = free;
    names.add(free);
  }
  return { op: 'create', kind: 'item', collection: collection.id, published: false, data: copy };
}
