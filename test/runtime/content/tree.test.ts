import { describe, expect, it } from 'vitest';
import { ContentCache } from '../../../runtime/content/content-cache.ts';
import type { ChildPage, ContentReader } from '../../../runtime/content/reader.ts';
import { type NavNode, SiteTree } from '../../../runtime/content/tree.ts';

type Fields = Partial<ChildPage>;

function page(id: number, parentId: number | null, fields: Fields = {}): ChildPage {
  return {
    id,
    parent_id: parentId,
    root_id: 1,
    slug: `p${id}`,
    path: `/p${id}`,
    title: `Page ${id}`,
    lang: '',
    published: true,
    hide_in_nav: false,
    ...fields,
  };
}

/** A tree over a list of pages, and the IDs of the pages whose children it has read. */
function treeOf(pages: readonly ChildPage[]): { tree: SiteTree; read: number[] } {
  const read: number[] = [];
  const find = (id: number) => pages.find((candidate) => candidate.id === id);
  const chosenLang = (id: number): string => {
    const found = find(id);
    return found === undefined ? '' : found.lang || chosenLang(found.parent_id ?? 0);
  };
  const reader: Partial<ContentReader> = {
    basics(id) {
      const found = find(id);
      return (
        found && {
          ...found,
          domains: '',
          notfound_page_id: 0,
          robots_txt: '',
          zone: '',
          og_image_file_id: 0,
          favicon_file_id: 0,
        }
      );
    },
    childrenOf(parentId, which) {
      read.push(parentId);
      return pages.filter(
        (candidate) =>
          candidate.parent_id === parentId &&
          (which === 'all' || (candidate.published && !candidate.hide_in_nav)),
      );
    },
    chosenLang,
  };
  // The tree reads nothing else.
  return { tree: new SiteTree(new ContentCache(reader as ContentReader)), read };
}

/** home(1) > 2 > (4, 5), 3 hidden > 6, 7 draft > 8 */
const { tree: sampleTree } = treeOf([
  page(1, null, { lang: 'en' }),
  page(2, 1, { lang: 'fr' }),
  page(3, 1, { hide_in_nav: true }),
  page(7, 1, { published: false }),
  page(4, 2),
  page(5, 2),
  page(6, 3),
  page(8, 7, { lang: 'it' }),
]);

function below(
  parentId: number,
  line: readonly number[],
  withHidden = false,
  withDrafts = false,
): readonly NavNode[] {
  return sampleTree.below(1, parentId, { line, withHidden, withDrafts });
}

function outline(nodes: readonly NavNode[]): string {
  return nodes
    .map(
      (node) =>
        `${node.id}${node.active ? '*' : ''}${node.current ? '!' : ''}${node.children.length > 0 ? `(${outline(node.children)})` : ''}`,
    )
    .join(' ');
}

describe('the page tree', () => {
  it('leaves out drafts with their subpages, and hidden pages unless they are requested', () => {
    expect(outline(below(1, [1]))).toBe('2(4 5)');
    expect(outline(below(1, [1], true))).toBe('2(4 5) 3(6)');
  });

  it('shows drafts with their subpages on request', () => {
    expect(outline(below(1, [1], false, true))).toBe('2(4 5) 7(8)');
    expect(outline(below(1, [1], true, true))).toBe('2(4 5) 3(6) 7(8)');
    expect(outline(below(1, [1]))).toBe('2(4 5)');
  });

  it('marks the current page and the pages above it', () => {
    expect(outline(below(1, [1, 2, 5]))).toBe('2*(4 5*!)');
    expect(outline(below(1, [1, 2]))).toBe('2*!(4 5)');
  });

  it('leaves no marks for the next render', () => {
    below(1, [1, 2, 5]);
    expect(outline(below(1, [1]))).toBe('2(4 5)');
  });

  it('answers for any page of the website, also below drafts, and for no other page', () => {
    expect(outline(below(2, [1]))).toBe('4 5');
    expect(outline(below(7, [1]))).toBe('8');
    expect(outline(below(99, [1]))).toBe('');
    expect(outline(sampleTree.below(2, 1, { line: [], withHidden: true, withDrafts: true }))).toBe('');
  });

  it('has the effective language of each page', () => {
    const [node] = below(1, [1]);
    expect([node?.lang, node?.children[0]?.lang, below(7, [])[0]?.lang]).toEqual(['fr', 'fr', 'it']);
    const { tree } = treeOf([page(1, null), page(2, 1)]);
    expect(tree.below(1, 1, { line: [], withHidden: false, withDrafts: false })[0]?.lang).toBe('de');
  });

  it('shares nodes between renders and gives them no prototype', () => {
    const first = below(1, [1]);
    expect(below(1, [1, 99])).toBe(first);
    expect(Object.getPrototypeOf(first[0])).toBeNull();
    expect(Object.getPrototypeOf(below(1, [1, 2])[0])).toBeNull();
  });

  it('reads the children of a page when they are looked at, and once', () => {
    const { tree, read } = treeOf([page(1, null), page(2, 1), page(3, 1), page(4, 2)]);
    const view = { line: [], withHidden: false, withDrafts: false };
    const [first] = tree.below(1, 1, view);
    expect(read).toEqual([1]);
    expect(first?.children.map(({ id }) => id)).toEqual([4]);
    tree.below(1, 1, view)[0]?.children.length;
    expect(read).toEqual([1, 2]);
  });
});
