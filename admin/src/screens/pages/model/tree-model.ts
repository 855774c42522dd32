/** The tree of a website as rows: what is shown, and where a moved page would go. No drawing here. */
import type { Place, TreeRow } from '../../../kit/tree/rows.ts';

/** What the tree needs of a page. */
export interface TreePage {
  readonly id: number;
  readonly parent_id: number | null;
  readonly title: string;
  readonly slug: string;
  readonly path: string;
  readonly published: boolean;
}

export interface TreeIndex<Page extends TreePage> {
  readonly home: Page | undefined;
  readonly byId: ReadonlyMap<number, Page>;
  /** Pages below a page, in order; none for a page without any. */
  readonly children: ReadonlyMap<number, readonly Page[]>;
}

/** @param pages in order of position among siblings @param root home page of the website */
export function indexTree<Page extends TreePage & { readonly root_id: number }>(
  pages: readonly Page[],
  root: number,
): TreeIndex<Page> {
  const ofSite = pages.filter(({ root_id }) => root_id === root);
  const children = new Map<number, Page[]>();
  for (const page of ofSite) {
    if (page.parent_id === null) continue;
    const siblings = children.get(page.parent_id);
    if (siblings === undefined) children.set(page.parent_id, [page]);
    else siblings.push(page);
  }
  const byId = new Map(ofSite.map((page) => [page.id, page]));
  return { home: byId.get(root), byId, children };
}

/** The key of a row is the ID of its page. */
export interface PageRow<Page extends TreePage> extends TreeRow {
  readonly page: Page;
  /** Shown only because a page below matches the filter. */
  readonly isGrey: boolean;
}

/** The rows of all pages whose ancestors are open; with a filter, all that match, with their ancestors. */
export function visibleRows<Page extends TreePage>(
  { home, children }: TreeIndex<Page>,
  open: ReadonlySet<number>,
  matches?: (page: Page) => boolean,
): PageRow<Page>[] {
  const rows: PageRow<Page>[] = [];
  if (home !== undefined) addRows(home, 1, 1, 1);
  return rows;

  /** Adds a page and what is shown below it; false if the filter leaves nothing of it. */
  function addRows(page: Page, level: number, position: number, setSize: number): boolean {
    const below = children.get(page.id) ?? [];
    const isMatch = matches?.(page) ?? true;
    const at = rows.length;
    const isOpen = below.length > 0 && (matches !== undefined || open.has(page.id));
    const key = String(page.id);
    const hasChildren = below.length > 0;
    rows.push({ key, page, level, position, setSize, hasChildren, isOpen, isGrey: !isMatch });
    let hasMatch = isMatch;
    if (isOpen) {
      for (const [index, child] of below.entries()) {
        if (addRows(child, level + 1, index + 1, below.length)) hasMatch = true;
      }
    }
    if (!hasMatch) rows.length = at;
    return hasMatch;
  }
}

/** A filter for titles and paths: every word must be in one of them. */
export function textFilter(query: string): ((page: TreePage) => boolean) | undefined {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  return ({ title, path }) => {
    const text = `${title} ${path}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** IDs of a page and all pages below it. */
export function collectSubtree<Page extends TreePage>(tree: TreeIndex<Page>, id: number): Set<number> {
  const ids = new Set([id]);
  // The loop also visits members that are added to the set during the loop.
  for (const member of ids) for (const child of tree.children.get(member) ?? []) ids.add(child.id);
  return ids;
}

/** IDs of the pages above a page, the nearest first. */
export function listAncestors<Page extends TreePage>(tree: TreeIndex<Page>, id: number): number[] {
  const ids: number[] = [];
  let parent = tree.byId.get(id)?.parent_id ?? null;
  while (parent !== null && !ids.includes(parent)) {
    ids.push(parent);
    parent = tree.byId.get(parent)?.parent_id ?? null;
  }
  return ids;
}

/** Where a moved page would go. */
export interface PagePlace extends Place {
  readonly parentId: number;
  /** Position among the new siblings, counted without the moved page. */
  readonly index: number;
}

/**
 * All places for a page, from top to bottom. A gap may belong to several levels, such as after the last page of a
 * branch.
 *
 * @param rows without the moved page and the pages below it
 */
export function pagePlaces<Page extends TreePage>(rows: readonly PageRow<Page>[]): readonly PagePlace[] {
  const places: PagePlace[] = [];
  /** The pages that a row lies in, and itself, by level; with how many pages below them are above the gap. */
  const branch: { readonly page: Page; count: number }[] = [];
  for (const [index, { page, level }] of rows.entries()) {
    branch.length = level - 1;
    const above = branch.at(-1);
    if (above !== undefined) above.count += 1;
    branch.push({ page, count: 0 });
    const gap = index + 1;
    for (let inner = Math.max(2, rows[gap]?.level ?? 2); inner <= level + 1; inner++) {
      const parent = branch[inner - 2];
      if (parent === undefined) continue;
      const { id } = parent.page;
      places.push({ parentId: id, parent: String(id), index: parent.count, level: inner, gap });
    }
  }
  return places;
}

/** The place of a page now. */
export function computePlace<Page extends TreePage>(
  tree: TreeIndex<Page>,
  page: Page,
): { parentId: number; index: number } {
  const parentId = page.parent_id ?? 0;
  return { parentId, index: (tree.children.get(parentId) ?? []).findIndex(({ id }) => id === page.id) };
}
