import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUnsafeHtml } from '../../../runtime/markup/unsafe-html.ts';
import { checkMarkup } from '../../../runtime/tasks/check-markup.ts';

/** Markup that runs code in some browser, and what is found in it. */
const attacks: readonly (readonly [html: string, found: readonly string[]])[] = [
  ['<script>alert(1)</script>', ['script']],
  ['<ScRiPt src=//evil></sCrIpT>', ['script']],
  ['<script/x>alert(1)</script>', ['script']],
  ['<svg><script>alert(1)</script></svg>', ['script']],
  ['<p>a</p><script', ['unclosed tag']],
  ['<img src=x onerror=alert(1)>', ['onerror']],
  ['<img src=x OnErRoR=alert(1)>', ['onerror']],
  ['<img/src="x"/onerror=alert(1)>', ['onerror']],
  ['<img src=x\nonerror\n=\nalert(1)>', ['onerror']],
  ['<img src="x"onerror="alert(1)">', ['onerror']],
  ['<img src=x onerror=alert(1) ', ['unclosed tag']],
  ['<img src=x title="', ['unclosed tag']],
  ['<svg onload=alert(1)>', ['onload']],
  ['<body onload=alert(1)>', ['onload']],
  ['<p>a</p><HTML onclick=alert(1)>', ['onclick']],
  ['<frameset onload=alert(1)><frame src=x></frameset>', ['frameset', 'onload', 'frame']],
  ['<details open ontoggle=alert(1)>', ['ontoggle']],
  ['<a href="javascript:alert(1)">x</a>', ['javascript:']],
  ['<a href="JaVaScRiPt:alert(1)">x</a>', ['javascript:']],
  ['<a href=" \u0001javascript:alert(1)">x</a>', ['javascript:']],
  ['<a href="java\tscr\nipt:alert(1)">x</a>', ['javascript:']],
  ['<a href="java&#9;script&colon;alert(1)">x</a>', ['javascript:']],
  ['<a href="&#x6A;&#97;vascript:alert(1)">x</a>', ['javascript:']],
  ['<a href="&#0000106avascript&#58;alert(1)">x</a>', ['javascript:']],
  ['<a href="vbscript:x">x</a>', ['vbscript:']],
  ['<a href="data:text/html,<script>alert(1)</script>">x</a>', ['data:']],
  ['<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>', ['javascript:']],
  ['<svg><a><animate attributeName=href values="x;javascript:alert(1)"/></a></svg>', ['javascript:']],
  ['<svg><set attributeName=href to="javascript:alert(1)"/></svg>', ['javascript:']],
  ['<svg><use href="data:image/svg+xml;base64,PHN2Zz4="/></svg>', ['data:']],
  ['<math href="javascript:alert(1)">x</math>', ['javascript:']],
  ['<form action="javascript:alert(1)"><button>x</button></form>', ['javascript:']],
  ['<button formaction=javascript:alert(1)>x</button>', ['javascript:']],
  ['<iframe src="https://example.org"></iframe>', ['iframe']],
  ['<IFRAME SRCDOC="<script>alert(1)</script>"></IFRAME>', ['iframe', 'srcdoc']],
  ['<object data="x.html"></object>', ['object']],
  ['<embed src="x.svg">', ['embed']],
  ['<applet code=x></applet>', ['applet']],
  ['<base href="//evil/">', ['base']],
  ['<meta http-equiv=refresh content="0;url=javascript:alert(1)">', ['http-equiv', 'javascript:']],
  ['<template><img src=x onerror=alert(1)></template>', ['onerror']],
  ['<div><template shadowrootmode=open><script>alert(1)</script></template></div>', ['script']],
  ['<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>', ['onerror']],
  ['<textarea><img src=x onerror=alert(1)></textarea>', ['onerror']],
  ['<title><script>alert(1)</script></title>', ['script']],
  ['<style><img src=x onerror=alert(1)></style>', ['onerror']],
  ['<svg><style><img src=x onerror=alert(1)></style></svg>', ['onerror']],
  [
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">',
    [],
  ],
  ['<!--><img src=x onerror=alert(1)>-->', ['onerror']],
  ['<!--x--!><script>alert(1)</script>', ['script']],
  ['<?x ><script>alert(1)</script>', ['script']],
  ['<![CDATA[><script>alert(1)</script>', ['script']],
  ['<table><td background="javascript:alert(1)">', ['javascript:']],
  ['<p style="background:url(javascript:alert(1))">', ['javascript:']],
  ['</p onclick=x><b onclick=alert(1)>', ['onclick']],
  ['<x onclick=alert(1)>', ['onclick']],
  ['<input autofocus onfocus=alert(1)>', ['onfocus']],
  ['<video><source onerror=alert(1)></video>', ['onerror']],
];

const harmless = [
  '',
  'plain, 1 < 2 and 3 > 2',
  '<p class="lead">Text with <b>weight</b>, <a href="/about?on=1#javascript">a link</a>.</p>',
  '<a href="https://example.org/?q=javascript:x" title="javascript: the good parts">x</a>',
  '<img src="/media/a.jpg" alt="onload: what it is" loading="lazy" srcset="a.jpg 1x, b.jpg 2x">',
  '<img src="data:image/svg+xml,%3Csvg/%3E">',
  '<video controls src="/media/a.mp4"></video><audio src="x.mp3"></audio>',
  '<table><tr><td colspan="2" style="text-align:center">a</td></tr></table>',
  '<pre><code>&lt;script&gt;alert(1)&lt;/script&gt;</code></pre>',
  '<!-- onclick="x" <script> -->',
  '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>',
  '<p>one',
];

describe('what in HTML could run code', () => {
  it.each(attacks.filter(([, found]) => found.length > 0))('%s', (html, found) => {
    expect(findUnsafeHtml(html)).toEqual(found);
  });

  it.each([...harmless, ...attacks.filter(([, found]) => found.length === 0).map(([html]) => html)])(
    'nothing in %s',
    (html) => {
      expect(findUnsafeHtml(html)).toEqual([]);
    },
  );

  it('is found wherever it stands between other markup', () => {
    const part = fc.constantFrom(
      '<p>',
      '</p>',
      '<!-- x -->',
      'text',
      '<table>',
      '<tr>',
      '<svg>',
      '</svg>',
      '<b>',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(part, { maxLength: 12 }), (before, after) => {
        const html = `${before.join('')}<img src=x onerror=alert(1)>${after.join('')}`;
        expect(findUnsafeHtml(html)).toEqual(['onerror']);
      }),
    );
  });

  it('is named at most 20 times', () => {
    const html = Array.from({ length: 50 }, (_, index) => `<b onx${index}=1>`).join('');
    expect(findUnsafeHtml(html)).toHaveLength(20);
  });

  it('is read in a time in proportion to the text, however deep', () => {
    for (const part of ['<div>', '<b', '<!--', '<svg><style>', '<a href="', '<noscript>'])
      expect(findUnsafeHtml(part.repeat(20_000)).length).toBeLessThanOrEqual(20);
  });
});

const markdown: readonly (readonly [text: string, found: readonly string[]])[] = [
  ['<script>alert(1)</script>', ['script']],
  ['text <img src=x onerror=alert(1)> text', ['onerror']],
  ['[x](javascript:alert(1))', ['javascript:']],
  ['[x](JaVa&#115;cript:alert(1))', ['javascript:']],
  ['[x](<java\tscript:alert(1)>)', []],
  ['![x](javascript:alert(1))', ['javascript:']],
  ['[x][a]\n\n[a]: javascript:alert(1)', ['javascript:']],
  ['<javascript:alert(1)>', ['javascript:']],
  ['> <iframe src=x></iframe>', ['iframe']],
  ['<title><img src=x onerror=alert(1)></title>', ['onerror']],
  ['<a href="x" onclick="alert(1)">x</a>', ['onclick']],
  ['# A *title*\n\n- [link](https://example.org)\n- <b>bold</b> a:b & c', []],
  ['```html\n<script>alert(1)</script>\n```', []],
  ['`<img onerror=x>` and `javascript:x`', []],
];

describe('what in Markdown could run code', () => {
  it.each(markdown)('%s', async (text, found) => {
    const result = await checkMarkup({
      kind: 'check-markup',
      values: [{ type: 'markdown', field: 'f', text }],
    });
    expect(result).toEqual(found.length === 0 ? [] : [{ field: 'f', found }]);
  });

  it('is read as HTML if the text cannot be shown', async () => {
    const text = `${'> '.repeat(5_000)}x\n\n<script>alert(1)</script>`;
    const result = await checkMarkup({
      kind: 'check-markup',
      values: [{ type: 'markdown', field: 'f', text }],
    });
    expect(result).toEqual([{ field: 'f', found: ['script'] }]);
  });
});
