/** What is chosen of a website that was looked at. */
import { expect, test } from 'vitest';
import { firstChoice, pageRows, runRequest, withAll } from '../../admin/src/screens/imports/choice.ts';

type Scan = Parameters<typeof firstChoice>[0];

const pageAt = (path: string, excluded?: 'robots'): Scan['pages'][number] => ({
  url: `https://a.example${path}`,
  path,
  title: path === '/' ? 'Home' : '',
  source: 'link',
  ...(excluded === undefined ? {} : { excluded }),
});
const hostOf = (
  host: string,
  category: Scan['hosts'][number]['category'],
  suggested: boolean,
): Scan['hosts'][number] => ({ host, category, suggested, label: host, count: 1, kinds: { img: 1 } });

const scan: Scan = {
  base: 'https://a.example/',
  sitemaps: [],
  js_rendered: false,
  pages: ['/b/c/d', '/b', '/', '/a-z', '/b/c', '/a']
    .map((path) => pageAt(path))
    .concat(pageAt('/x', 'robots')),
  hosts: [
    hostOf('a.example', 'site', true),
    hostOf('cdn.example', 'cdn', true),
    hostOf('ads', 'service', false),
  ],
};

test('pages are a tree in the order of their paths', () => {
  expect(pageRows(scan.pages).map(({ page, depth, below }) => [page.path, depth, below.length])).toEqual([
    ['/', 0, 6],
    ['/a', 1, 0],
    ['/a-z', 1, 0],
    ['/b', 1, 2],
    ['/b/c', 2, 1],
    ['/b/c/d', 3, 0],
    ['/x', 1, 0],
  ]);
});

test('a page whose levels above were not found stands below the nearest one that was', () => {
  const rows = pageRows([pageAt('/p/q/r'), pageAt('/p')]);
  expect(rows.map(({ page, depth }) => [page.path, depth])).toEqual([
    ['/p', 0],
    ['/p/q/r', 1],
  ]);
});

test('at first all permitted pages and the suggested hosts are chosen, for a new website', () => {
  const choice = firstChoice(scan);
  expect(runRequest(scan, choice)).toEqual({
    base: scan.base,
    urls: ['/b/c/d', '/b', '/', '/a-z', '/b/c', '/a'].map((path) => `https://a.example${path}`),
    download_hosts: ['cdn.example'],
    publish: false,
    new_site: { title: 'Home', domains: '' },
  });
});

test('a page that exists is named by its ID, with what happens to pages below it', () => {
  const choice = { ...firstChoice(scan), target: 'existing', pageId: 7, overwrite: true } as const;
  const urls = withAll(new Set<string>(), ['https://a.example/a'], true);
  expect(runRequest(scan, { ...choice, urls })).toEqual({
    base: scan.base,
    urls: ['https://a.example/a'],
    download_hosts: ['cdn.example'],
    publish: false,
    target_page_id: 7,
    overwrite: true,
    overwrite_modified: false,
    force: false,
  });
});
