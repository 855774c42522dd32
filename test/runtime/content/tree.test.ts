import { describe, expect, it } from 'vitest';
import type { PageSummary } from '../../../runtime/content/reader.ts';
import { type NavNode, SiteTree } from '../../../runtime/content/tree.ts';

function page(id: number, parentId: number | null, fields: Partial<PageSummary> = {}): PageSummary {
  return {
    id,
    parent_id: parentId,
    root_id: 1,
    slug: `p${id}`,
    path: `/p${id}`,
    sort: 0,
    title: `Page ${id}`,
    lang: '',
    published: true,
    catch_all: false,
    sitemap_exclude: false,
    noindex: false,
    hide_in_nav: false,
    translation_group: '',
    updated_at: 1,
    ...fields,
  };
}

/** home(1) > 2 > (4, 5), 3 hidden > 6, 7 draft > 8 */
const sampleTree = new SiteTree([
  page(1, null, { lang: 'en' }),
  page(2, 1, { lang: 'fr' }),
  page(3, 1, { hide_in_nav: true }),
  page(7, 1, { published: false }),
  page(4, 2),
  page(5, 2),
  page(6, 3),
  page(8, 7, { lang: 'it' }),
]);

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
    expect(outline(sampleTree.below(1, [1], false))).toBe('2(4 5)');
    expect(outline(sampleTree.below(1, [1], true))).toBe('2(4 5) 3(6)');
  });

  it('shows drafts with their subpages on request', () => {
    expect(outline(sampleTree.below(1, [1], false, true))).toBe('2(4 5) 7(8)');
    expect(outline(sampleTree.below(1, [1], true, true))).toBe('2(4 5) 3(6) 7(8)');
    expect(outline(sampleTree.below(1, [1], false))).toBe('2(4 5)');
  });

  it('marks the current page and the pages above it', () => {
    expect(outline(sampleTree.below(1, [1, 2, 5], false))).toBe('2*(4 5*!)');
    expect(outline(sampleTree.below(1, [1, 2], false))).toBe('2*!(4 5)');
  });

  it('leaves no marks for the next render', () => {
    sampleTree.below(1, [1, 2, 5], false);
    expect(outline(sampleTree.below(1, [1], false))).toBe('2(4 5)');
  });

  it('answers for any page of the website, also below drafts', () => {
    expect(outline(sampleTree.below(2, [1], false))).toBe('4 5');
    expect(outline(sampleTree.below(7, [1], false))).toBe('8');
    expect(outline(sampleTree.below(99, [1], false))).toBe('');
  });

  it('has the effective language of each page', () => {
    const [node] = sampleTree.below(1, [1], false);
    expect([node?.lang, node?.children[0]?.lang, sampleTree.below(7, [], false)[0]?.lang]).toEqual([
      'fr',
      'fr',
      'it',
    ]);
    expect(new SiteTree([page(1, null), page(2, 1)]).below(1, [], false)[0]?.lang).toBe('de');
  });

  it('shares nodes between renders and gives them no prototype', () => {
    const first = sampleTree.below(1, [1], false);
    expect(sampleTree.below(1, [1, 99], false)).toBe(first);
    expect(Object.getPrototypeOf(first[0])).toBeNull();
    expect(Object.getPrototypeOf(sampleTree.below(1, [1, 2], false)[0])).toBeNull();
  });
});
