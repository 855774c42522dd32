import { EffectiveLangs } from './language.ts';
import type { PageSummary } from './reader.ts';

/** One entry of `nav()` and `children()`. */
export interface NavNode {
  readonly id: number;
  readonly title: string;
  readonly path: string;
  readonly url: string;
  readonly slug: string;
  readonly lang: string;
  /** Whether this is the current page or a page above it. */
  readonly active: boolean;
  readonly current: boolean;
  readonly children: readonly NavNode[];
}

const noNodes: readonly NavNode[] = [];

/**
 * The page tree of one website at one content version.
 *
 * Invariant: nodes are built once and shared by all renders. Only the nodes on the line from the home page to
 * the current page are copied for a render, because only they are active. The cost of a navigation thus grows
 * with the depth of the current page, not with the size of the website.
 */
export class SiteTree {
  readonly #pages: readonly PageSummary[];
  readonly #navigations = new Map<string, Navigation>();

  constructor(pages: readonly PageSummary[]) {
    this.#pages = pages;
  }

  /**
   * Published pages directly below `parentId` with their subtrees; empty if the parent is not on this
   * website. `withHidden` adds pages that are hidden in navigation, `withDrafts` adds drafts.
   *
   * @param line IDs from the home page to the current page
   */
  below(
    parentId: number,
    line: readonly number[],
    withHidden: boolean,
    withDrafts = false,
  ): readonly NavNode[] {
    return marked(this.#navigation(withHidden, withDrafts).get(parentId) ?? noNodes, line);
  }

  #navigation(withHidden: boolean, withDrafts: boolean): Navigation {
    const key = `${withHidden} ${withDrafts}`;
    const known = this.#navigations.get(key);
    if (known !== undefined) return known;
    const navigation = navigationOf(
      this.#pages.filter((page) => page.published || withDrafts),
      withHidden,
      new EffectiveLangs(this.#pages),
    );
    this.#navigations.set(key, navigation);
    return navigation;
  }
}

/** Children by parent id. */
type Navigation = ReadonlyMap<number, readonly NavNode[]>;

function navigationOf(pages: readonly PageSummary[], withHidden: boolean, langs: EffectiveLangs): Navigation {
  const lists = new Map<number, NavNode[]>();
  const listOf = (id: number): NavNode[] => {
    const list = lists.get(id) ?? [];
    lists.set(id, list);
    return list;
  };
  for (const page of pages) {
    if (page.parent_id === null || (page.hide_in_nav && !withHidden)) continue;
    listOf(page.parent_id).push(
      navNode({
        id: page.id,
        title: page.title,
        path: page.path,
        url: page.path,
        slug: page.slug,
        lang: langs.of(page.id),
        active: false,
        current: false,
        children: listOf(page.id),
      }),
    );
  }
  return lists;
}

function marked(nodes: readonly NavNode[], line: readonly number[]): readonly NavNode[] {
  if (!nodes.some((node) => line.includes(node.id))) return nodes;
  return nodes.map((node) =>
    line.includes(node.id)
      ? navNode({
          ...node,
          active: true,
          current: node.id === line.at(-1),
          children: marked(node.children, line),
        })
      : node,
  );
}

function navNode(fields: NavNode): NavNode {
  return Object.assign(Object.create(null), fields);
}
