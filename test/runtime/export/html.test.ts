import { describe, expect, it } from 'vitest';
import { ExportFindings } from '../../../runtime/export/export-findings.ts';
import { fileOfMedia, fileOfPage, relativeAddress } from '../../../runtime/export/files.ts';
import { exportHtml } from '../../../runtime/export/html.ts';
import { exportResources } from '../../../runtime/export/resources.ts';
import type { ExportedSite } from '../../../runtime/export/site.ts';

const site: ExportedSite = {
  siteId: 1,
  scheme: 'https',
  base: 'own.example',
  hosts: ['own.example', 'www.own.example'],
  links: 'root',
};
const place = { path: '/a/b', file: 'a/b/index.html' };

function exported(html: string, more: Partial<ExportedSite> = {}) {
  const found = new ExportFindings();
  const canonical = (path: string) => (path === '/Visit' ? '/visit' : undefined);
  const text = exportHtml(html, { site: { ...site, ...more }, place, found, canonical });
  return { text, links: [...found.links.keys()], media: [...found.media.keys()], assets: [...found.assets] };
}

describe('variants of images', () => {
  it('have the same names and addresses on every page', () => {
    const html = '<img src="/media/a.jpg?w=320&amp;format=webp"><img src="/media/a.jpg?w=320?x">';
    const first = exported(html);
    expect(first.text).toBe('<img src="/media/a.jpg.w320.webp"><img src="/media/a.w320.jpg">');
    expect(first.media).toEqual(['media/a.jpg.w320.webp', 'media/a.w320.jpg']);
    expect(exported(html)).toEqual(first);
  });
});

describe('links', () => {
  it.each([
    ['<a href="/visit">', '<a href="/visit">', ['/visit']],
    ['<a href="c">', '<a href="/a/c">', ['/a/c']],
    ['<a href=../c?x=1#y>', '<a href=/c?x=1#y>', ['/c']],
    ["<a href='?p=2'>", "<a href='/a/b?p=2'>", ['/a/b']],
    ['<a href="/Visit">', '<a href="/visit">', ['/visit']],
    ['<area href="/x/">', '<area href="/x/">', ['/x']],
    ['<a href="https://www.own.example/x">', '<a href="https://www.own.example/x">', ['/x']],
    ['<a href="//own.example/x">', '<a href="//own.example/x">', ['/x']],
    ['<a href="/caf&eacute;?a=1&amp;b=2">', '<a href="/caf%C3%A9?a=1&amp;b=2">', ['/caf%C3%A9']],
    ['<a href="#top">', '<a href="#top">', []],
    ['<a href="mailto:x@y.example">', '<a href="mailto:x@y.example">', []],
    ['<a href="https://elsewhere.example/x">', '<a href="https://elsewhere.example/x">', []],
    ['<a href="javascript:void 0">', '<a href="javascript:void 0">', []],
    ['<form action="send">', '<form action="/a/send">', []],
    ['<script>"<a href=x>"</script>', '<script>"<a href=x>"</script>', []],
    ['<!-- <a href="x"> -->', '<!-- <a href="x"> -->', []],
    ['<base href="/q/"><a href="x">', '<base href="/q/"><a href="/q/x">', ['/q/x']],
    ['<svg><a xlink:href="x"></a></svg>', '<svg><a xlink:href="/a/x"></a></svg>', []],
  ])('%s', (html, text, links) => {
    expect(exported(html)).toMatchObject({ text, links });
  });

  it.each([
    ['<a href="/visit?x#y">', '<a href="../../visit/index.html?x#y">'],
    ['<a href="/">', '<a href="../../index.html">'],
    ['<a href="/feed.xml">', '<a href="../../feed.xml">'],
    ['<base href="/q/"><img src="x.png">', '<base href="./"><img src="../../q/x.png">'],
    ['<img src="/media/a.jpg">', '<img src="../../media/a.jpg">'],
    [
      '<img srcset="/media/a.jpg?w=320 1x, p.png 2x">',
      '<img srcset="../../media/a.w320.jpg 1x, ../p.png 2x">',
    ],
  ])('relative to the file: %s', (html, text) => {
    expect(exported(html, { links: 'relative' }).text).toBe(text);
  });

  it('lose a host that is not known', () => {
    const html = '<link rel="canonical" href="https://export.invalid/a"><a href="https://export.invalid">';
    expect(exported(html, { base: undefined }).text).toBe('<link rel="canonical" href="/a"><a href="/">');
  });
});

describe('media and assets', () => {
  it.each([
    ['<img src="/media/a.jpg?w=320">', '<img src="/media/a.w320.jpg">', ['media/a.w320.jpg']],
    [
      '<source srcset="/media/a.jpg.webp?w=320 320w, /media/a.jpg.webp 700w">',
      '<source srcset="/media/a.jpg.w320.webp 320w, /media/a.jpg.webp 700w">',
      ['media/a.jpg.w320.webp', 'media/a.jpg.webp'],
    ],
    [
      '<img src="/media/a.gif?w=320&amp;format=webp">',
      '<img src="/media/a.gif.w320.webp">',
      ['media/a.gif.w320.webp'],
    ],
    ['<img src="/media/a.png?thumb=32x20">', '<img src="/media/a.t32x20.png">', ['media/a.t32x20.png']],
    [
      '<p style="background:url(/media/a.jpg?w=640)">',
      '<p style="background:url(/media/a.w640.jpg)">',
      ['media/a.w640.jpg'],
    ],
    [
      '<meta content="https://own.example/media/a.jpg?w=640">',
      '<meta content="https://own.example/media/a.w640.jpg">',
      ['media/a.w640.jpg'],
    ],
    [
      '<img src="https://elsewhere.example/media/a.jpg?w=1">',
      '<img src="https://elsewhere.example/media/a.jpg?w=1">',
      [],
    ],
    ['<img src="/blog/media/a.jpg?w=1">', '<img src="/blog/media/a.jpg?w=1">', []],
    ['<img src="../media/a.jpg?w=320">', '<img src="/media/a.w320.jpg">', ['media/a.w320.jpg']],
    ['<img src="/media/a.jpg?v=3">', '<img src="/media/a.jpg?v=3">', ['media/a.jpg']],
  ])('%s', (html, text, media) => {
    expect(exported(html)).toMatchObject({ text, media });
  });

  it('are found in style sheets and scripts', () => {
    const found = new ExportFindings();
    const css = '@import "/_assets/css/2.css?v=1"; a { background: url(../../media/a.jpg?w=320) }';
    expect(exportResources(css, site, { path: '/', file: '_assets/css/1.css' }, found)).toBe(
      css.replace('a.jpg?w=320', 'a.w320.jpg'),
    );
    exportResources('import "/_assets/js/3.js"', site, { path: '/', file: undefined }, found);
    expect([[...found.assets], [...found.media.keys()]]).toEqual([['css/2', 'js/3'], ['media/a.w320.jpg']]);
  });
});

describe('names of files', () => {
  it.each([
    ['/', 'index.html'],
    ['/visit', 'visit/index.html'],
    ['/feed.xml', 'feed.xml'],
    ['/v1.2', 'v1.2/index.html'],
    ['/a/%C3%A4', 'a/ä/index.html'],
    ['/../x', undefined],
    ['/a/%2e%2e/x', undefined],
    ['/a%5Cb', undefined],
    ['/a%00', undefined],
    ['/C:/x', undefined],
    [`/${'a'.repeat(256)}`, undefined],
    ['/a//b', undefined],
  ])('%s is %s', (path, file) => {
    expect(fileOfPage(path)).toBe(file);
  });

  it.each([
    ['/media/a.jpg', 'media/a.jpg'],
    ['/media/a.svg?format=webp', 'media/a.svg'],
    ['/media/a.webp?format=webp&w=320', 'media/a.w320.webp'],
    ['/media/../a.jpg', undefined],
    ['/media/A.jpg', undefined],
  ])('%s is %s', (address, file) => {
    expect(fileOfMedia(address)).toBe(file);
  });

  it.each([
    ['a/b.html', 'a/c.html', 'c.html'],
    ['a/b/index.html', 'index.html', '../../index.html'],
    ['index.html', 'a/b.png', 'a/b.png'],
    ['a/x/1', 'a/y/1', '../y/1'],
  ])('from %s to %s: %s', (from, to, address) => {
    expect(relativeAddress(from, to)).toBe(address);
  });
});
