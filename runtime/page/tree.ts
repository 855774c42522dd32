import type { PageSummary } from '../content.ts';
import { DEFAULT_LANG } from './lang.ts';

/** One entry of `nav()` and `children()` (open points 2, "Template functions"). */
export interface NavNode {
  readonly id: number;
  readonly title: string;
  readonly path: string;
  readonly url: string;
  readonly slug: string;
  readonly lang: string;
  /** The current page or above it. */
  readonly active: boolean;
  readonly current: boolean;
  readonly children: readonly NavNode[];
}

const NONE: readonly NavNode[] = [];

/**
 * The page tree of one website at one content version.
 *
 * Invariant: nodes are built once and shared by all renders; only the nodes on the line from the home page to
 * the current page are copied for a render, because only they are active. A navigation thus costs as much as
 * the current page lies deep, not as much as the website is large.
 */
export class SiteTree {
  readonly #pages: readonly PageSummary[];
  readonly #navigations = new Map<string, Navigation>();

  constructor(pages: readonly PageSummary[]) {
    this.#pages = pages;
  }

  /**
   * Published pages directly below `parentId`, their own subtrees attached; `line` are the ids from the home
   * page to the current page. Pages that hide in navigation appear if `withHidden`, drafts if `withDrafts`. A parent
   * that is not on this website has none.
   */
  below(
    parentId: number,
    line: readonly number[],
    withHidden: boolean,
    withDrafts = false,
  ): readonly NavNode[] {
    return marked(this.#navigation(withHidden, withDrafts).get(parentId) ?? NONE, line);
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

/** Own language of a page, else that of the nearest page above, else the default. */
class EffectiveLangs {
  readonly #pages = new Map<number, PageSummary>();
  readonly #known = new Map<number, string>();

  constructor(pages: readonly PageSummary[]) {
    for (const page of pages) this.#pages.set(page.id, page);
  }

  of(id: number): string {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const page = this.#pages.get(id);
    const above = page?.parent_id ?? undefined;
    const lang = page?.lang || (above === undefined ? DEFAULT_LANG : this.of(above));
    this.#known.set(id, lang);
    return lang;
  }
}
