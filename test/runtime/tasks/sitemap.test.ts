import { describe, expect, it } from 'vitest';
import type { ListedPage } from '../../../runtime/content/reader.ts';
import { addressesPerFile, sitemapText } from '../../../runtime/tasks/sitemap.ts';

/** A source of pages with these paths. */
function listed(paths: readonly string[]) {
  return {
    count: paths.length,
    from: (start: number, count: number): ListedPage[] =>
      paths.slice(start, start + count).map((path) => ({ path, translation_group: '', updated_at: 0 })),
  };
}

function pages(count: number) {
  return listed(Array.from({ length: count }, (_, index) => `/p${index}`));
}

function locations(text: string | undefined): string[] {
  return [...(text ?? '').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url ?? '');
}

describe('sitemapText', () => {
  it('is one file up to the limit', () => {
    const all = pages(addressesPerFile);
    expect(locations(sitemapText('http://a', all, 0))).toHaveLength(addressesPerFile);
    expect(sitemapText('http://a', all, 1)).toBeUndefined();
  });

  it('is an index with parts above it', () => {
    const all = pages(addressesPerFile + 1);
    expect(locations(sitemapText('http://a', all, 0))).toEqual([
      'http://a/sitemap-1.xml',
      'http://a/sitemap-2.xml',
    ]);
    expect(locations(sitemapText('http://a', all, 1))).toHaveLength(addressesPerFile);
    expect(locations(sitemapText('http://a', all, 2))).toEqual([`http://a/p${addressesPerFile}`]);
    expect(sitemapText('http://a', all, 3)).toBeUndefined();
  });

  it('escapes addresses', () => {
    expect(sitemapText('http://a', listed(['/a&b']), 0)).toContain('<loc>http://a/a&amp;b</loc>');
  });
});
