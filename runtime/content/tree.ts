import type { ContentCache } from './content-cache.ts';
import type { ChildPage } from './reader.ts';

/** One entry of `nav()` and `children()`. `lang` and `children` are read when a template looks at them. */
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

/** Which pages a navigation shows, and for which page. */
export interface NavView {
  /** Whether pages hidden in navigation are shown. */
  readonly withHidden: boolean;
  /** Whether drafts are shown. */
  readonly withDrafts: boolean;
  /** IDs from the home page to the current page. */
  readonly line: readonly number[];
}

const noNodes: readonly NavNode[] = [];

/**
 * The navigation of websites, read by need: a list of children is read when a template asks for it.
 *
 * Invariant: the nodes of a list are built once per list of the memo and shared by all renders. Only the nodes
 * on the line from the home page to the current page are made for a render, because only they are active.
 */
export class SiteTree {
  readonly #memo: ContentCache;
  /** Nodes without marks, by the list they were made from. */
  readonly #nodes = new WeakMap<readonly ChildPage[], Map<string, readonly NavNode[]>>();

  constructor(memo: ContentCache) {
    this.#memo = memo;
  }

  /** The pages directly below `parentId` with their subtrees; empty if it is no page of the website. */
  below(rootId: number, parentId: number, view: NavView): readonly NavNode[] {
    if (this.#memo.basics(parentId)?.root_id !== rootId) return noNodes;
    return this.#list(parentId, view);
  }

  #list(parentId: number, view: NavView): readonly NavNode[] {
    const isUsual = !view.withHidden && !view.withDrafts;
    const pages = this.#memo.childrenOf(parentId, isUsual ? 'shown' : 'all');
    const shared = this.#shared(pages, view);
    const { line } = view;
    if (!shared.some(({ id }) => line.includes(id))) return shared;
    return shared.map((node) => {
      if (!line.includes(node.id)) return node;
      const page = pages.find(({ id }) => id === node.id);
      return page === undefined ? node : this.#node(page, view);
    });
  }

  #shared(pages: readonly ChildPage[], { withHidden, withDrafts }: NavView): readonly NavNode[] {
    const views = this.#nodes.get(pages) ?? new Map<string, readonly NavNode[]>();
    this.#nodes.set(pages, views);
    const key = `${withHidden} ${withDrafts}`;
    const known = views.get(key);
    if (known !== undefined) return known;
    const nodes = pages
      .filter((page) => (withDrafts || page.published) && (withHidden || !page.hide_in_nav))
      .map((page) => this.#node(page, { withHidden, withDrafts, line: [] }));
    views.set(key, nodes);
    return nodes;
  }

  #node(page: ChildPage, view: NavView): NavNode {
    const { line } = view;
    const fields = {
      id: page.id,
      title: page.title,
      path: page.path,
      url: page.path,
      slug: page.slug,
      active: line.includes(page.id),
      current: page.id === line.at(-1),
    };
    return Object.defineProperties(Object.assign(Object.create(null), fields), {
      lang: { enumerable: true, get: () => this.#memo.languages.effective(page) },
      children: { enumerable: true, get: () => this.#list(page.id, view) },
    });
  }
}
