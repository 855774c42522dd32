import { describe, expect, it } from 'vitest';
import { loadsInCss } from '../../runtime/page/loads/css.ts';
import { loadsInHtml } from '../../runtime/page/loads/html.ts';
import { findPolicySource } from '../../runtime/page/loads/loads.ts';
import { loadsInScript } from '../../runtime/page/loads/script.ts';

const told = (loads: readonly { directive: string; address: string }[]) =>
  loads.map(({ directive, address }) => `${directive} ${address}`);

describe('what a document loads', () => {
  it.each([
    ['<script src="/a.js"></script>', ['script-src /a.js']],
    ['<script src="a.json" type="application/ld+json"></script>', []],
    ['<script>fetch("https://api.test/x")</script>', ['connect-src https://api.test/x']],
    ['<link rel="preload stylesheet" as="style" href="a.css">', ['style-src a.css', 'style-src a.css']],
    ['<link rel=preload as=font href=a.woff2>', ['font-src a.woff2']],
    ['<link rel=icon href=i.png><link rel=manifest href=m.json>', ['img-src i.png', 'manifest-src m.json']],
    ['<link rel=canonical href=https://a.test/>', []],
    ['<style>a{background:url(b.png)}</style>', ['img-src b.png']],
    ['<p style="background:url(\'c.png\')">', ['img-src c.png']],
    ['<img src=a.png srcset="b.png 1x, c.png 2x">', ['img-src a.png', 'img-src b.png', 'img-src c.png']],
    [
      '<picture><source srcset="d.webp 320w, e.webp 640w"><img></picture>',
      ['img-src d.webp', 'img-src e.webp'],
    ],
    [
      '<video src=v.mp4 poster=p.jpg><track src=t.vtt></video>',
      ['media-src v.mp4', 'img-src p.jpg', 'media-src t.vtt'],
    ],
    ['<audio><source src=a.mp3></audio>', ['media-src a.mp3']],
    ['<iframe src=https://maps.test/></iframe>', ['frame-src https://maps.test/']],
    ['<object data=o.pdf></object><embed src=e.pdf>', ['object-src o.pdf', 'object-src e.pdf']],
    [
      '<form action=https://pay.test/><button formaction=/b></form>',
      ['form-action https://pay.test/', 'form-action /b'],
    ],
    ['<svg><image href=s.png></svg>', ['img-src s.png']],
    ['<template><img src=t.png></template>', ['img-src t.png']],
    ['<a href=https://b.test ping=/p>x</a>', ['connect-src /p']],
    ['<!-- <img src=no.png> -->', []],
  ])('%s', (html, expected) => {
    expect(told(loadsInHtml(html).loads).sort()).toEqual([...expected].sort());
  });

  it('what is inline', () => {
    const html =
      '<script>a()</script><script type=module>b()</script><script type="text/x-template">c</script>' +
      '<style>d</style><p style="e" onclick="f()"><a href=" JavaScript:g()">';
    expect(loadsInHtml(html).inline.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'script: a()',
      'script: b()',
      'style: d',
      'style attribute: e',
      'event handler: f()',
      'event handler: g()',
    ]);
  });
});

describe('what a style sheet loads', () => {
  it.each([
    ['@import "a.css"; @import url(b.css) screen;', ['style-src a.css', 'style-src b.css']],
    [
      '@font-face { src: url("f.woff2") format("woff2"), url(g.woff) }',
      ['font-src f.woff2', 'font-src g.woff'],
    ],
    [
      "a { background: url( 'h.png' ), url(data:image/png;base64,AA) }",
      ['img-src h.png', 'img-src data:image/png;base64,AA'],
    ],
    ['/* url(no.png) */ a { color: red }', []],
    [`${'url('.repeat(50_000)}`, []],
    [`${'@font-face{'.repeat(50_000)}`, []],
    [`${'/*'.repeat(50_000)}`, []],
    [`${'@import '.repeat(50_000)}`, []],
  ])('%.60s', (css, expected) => {
    expect(told(loadsInCss(css))).toEqual(expected);
  });
});

it('a hostile script takes no time', () => {
  for (const piece of ['from ', 'fetch("', 'import (', `from${' '.repeat(1000)}`])
    expect(loadsInScript(piece.repeat(50_000)).length).toBeLessThan(50_001);
});

it('what a script loads, as far as addresses stand in it', () => {
  const code =
    'fetch("/api"); new WebSocket(`wss://a.test/`); import x from "https://cdn.test/x.js"; fetch(u)';
  expect(told(loadsInScript(code))).toEqual([
    'connect-src /api',
    'connect-src wss://a.test/',
    'script-src https://cdn.test/x.js',
  ]);
});

describe('the source of an address', () => {
  it.each([
    ['/a.png', "'self'"],
    ['b.png', "'self'"],
    ['https://a.test/c.png', "'self'"],
    ['http://a.test/c.png', 'http://a.test'],
    ['//cdn.test:8443/c.png', 'https://cdn.test:8443'],
    ['wss://a.test/live', 'wss://a.test'],
    ['data:image/png;base64,AA', 'data:'],
    ['blob:https://a.test/1', 'blob:'],
    ['#part', undefined],
    ['', undefined],
    ['about:blank', undefined],
    ['javascript:x()', undefined],
    ['https://', undefined],
  ])('%s', (address, expected) => {
    expect(findPolicySource(address, 'https://a.test/page')).toBe(expected);
  });
});
