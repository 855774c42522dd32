import { describe, expect, it } from 'vitest';
import { assembleDocument, type DocumentParts } from '../../../runtime/page/document.ts';
import type { HeadFacts } from '../../../runtime/page/head.ts';

const headFacts: HeadFacts = {
  title: 'A & B',
  description: 'Say "hi"',
  noindex: false,
  nofollow: false,
  url: 'http://one.test/a',
  siteTitle: 'Site',
  alternates: [],
  icon: undefined,
  image: undefined,
  assets: { css: '<link rel="stylesheet" href="/s.css">\n', js: '<script src="/s.js"></script>\n' },
  extra: '',
};

function documentOf(
  body: string,
  parts: Partial<Omit<DocumentParts, 'head'>> = {},
  head: Partial<HeadFacts> = {},
): string {
  return assembleDocument({
    body,
    htmlAttrs: '',
    bodyAttrs: '',
    lang: 'de',
    ...parts,
    head: { ...headFacts, ...head },
  });
}

/** The tags of the head in order, each as its name with a distinguishing attribute. */
function headOrder(html: string): string[] {
  const head = html.slice(html.indexOf('<head>') + 6, html.indexOf('</head>'));
  return [...head.matchAll(/<(?:meta|title|link|style)[^>]*>/g)].map(([tag]) => {
    const key = /(?:name|property|charset|rel)="([^"]*)"/.exec(tag)?.[1];
    return key ?? tag.replace(/[<>]/g, '');
  });
}

describe('a page without its own html element', () => {
  it('becomes a document', () => {
    expect(documentOf('<p>x</p>')).toBe(`<!DOCTYPE html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A &amp; B</title>
<meta name="description" content="Say &quot;hi&quot;">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Site">
<meta property="og:title" content="A &amp; B">
<meta property="og:description" content="Say &quot;hi&quot;">
<meta property="og:url" content="http://one.test/a">
<meta name="twitter:card" content="summary">
<link rel="stylesheet" href="/s.css">
</head>
<body>
<p>x</p>
<script src="/s.js"></script>
</body>
</html>
`);
  });

  it('has its head in the order of the specification', () => {
    expect(headOrder(documentOf('', {}, { noindex: true, extra: '<style>a{}</style>' }))).toEqual([
      'utf-8',
      'viewport',
      'title',
      'description',
      'robots',
      'og:type',
      'og:site_name',
      'og:title',
      'og:description',
      'og:url',
      'twitter:card',
      'stylesheet',
      'style',
    ]);
  });

  it.each([
    [true, false, 'noindex'],
    [false, true, 'nofollow'],
    [true, true, 'noindex, nofollow'],
  ])('has the robots tag for noindex %s, nofollow %s', (noindex, nofollow, content) => {
    expect(documentOf('', {}, { noindex, nofollow })).toContain(`<meta name="robots" content="${content}">`);
  });

  it.each([
    ['index, follow', {}],
    ['all', { extra: '<meta name="robots" content="all">' }],
  ])('has it also beside a robots tag of its own that says %s', (rule, head) => {
    const own = `<meta name="robots" content="${rule}">`;
    const html = documentOf(`<html><head>${own}</head><body>x</body></html>`, {}, { noindex: true, ...head });
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(documentOf(`<html><head>${own}</head></html>`, {}, head)).not.toContain('noindex');
  });

  it('leaves out tags without content', () => {
    const html = documentOf('', {}, { description: '', url: '' });
    expect(html).not.toContain('description');
    expect(html).not.toContain('og:url');
    expect(html).not.toContain('robots');
  });

  it('does not repeat tags of its head', () => {
    const extra =
      '<title>Own</title><meta property="og:title" content="Own"><meta name="Viewport" content="x">';
    const html = documentOf('', {}, { extra });
    expect(html.match(/<title>/g)).toHaveLength(1);
    expect(html.match(/og:title/g)).toHaveLength(1);
    expect(html.match(/viewport/gi)).toHaveLength(1);
    expect(html).toContain('og:description');
  });

  it('does not repeat Open Graph tags of its body, but has a title of its own', () => {
    const html = documentOf('<meta property="og:title" content="Own"><svg><title>icon</title></svg>');
    expect(html.match(/og:title/g)).toHaveLength(1);
    expect(html).toContain('<title>A &amp; B</title>');
  });

  it('ignores a tag in a comment', () => {
    expect(documentOf('<!-- <meta property="og:title"> -->').match(/og:title/g)).toHaveLength(2);
  });

  it.each([
    ['', '<html lang="de">'],
    ['class="x"', '<html lang="de" class="x">'],
    ['lang="en" class=x', '<html lang="en" class=x>'],
    ['class=x LANG=en', '<html class=x LANG=en>'],
    ['data-lang="x"', '<html lang="de" data-lang="x">'],
    ['hreflang=x', '<html lang="de" hreflang=x>'],
    ['xml:lang="x"', '<html lang="de" xml:lang="x">'],
    ['title="a lang=b"', '<html lang="de" title="a lang=b">'],
    ['class="a"lang="en"', '<html class="a"lang="en">'],
    ['class=a\nLANG = en', '<html class=a\nLANG = en>'],
  ])('with html attributes %j begins with %j', (htmlAttrs, expected) => {
    expect(documentOf('', { htmlAttrs })).toContain(`${expected}\n<head>`);
  });

  it('has its body attributes', () => {
    expect(documentOf('', { bodyAttrs: ' class="x" ' })).toContain('<body class="x">');
  });
});

describe('a page with its own html element', () => {
  it('gets the missing tags, each at its place', () => {
    const own = '<!DOCTYPE html>\n<html>\n<head>\n<title>Own</title>\n</head>\n<body>x\n</body></html>';
    expect(documentOf(own, {}, { description: '', url: '', siteTitle: '', extra: '<meta name="x">' })).toBe(
      '<!DOCTYPE html>\n<html>\n<head>\n<title>Own</title>\n<meta property="og:type" content="website">\n' +
        '<meta property="og:title" content="A &amp; B">\n<meta name="twitter:card" content="summary">\n' +
        '<link rel="stylesheet" href="/s.css">\n<meta name="x">\n</head>\n<body>x\n' +
        '<script src="/s.js"></script>\n</body></html>',
    );
  });

  it('keeps its own attributes, encoding and viewport', () => {
    const html = documentOf('<html><head></head><body></body></html>', {
      htmlAttrs: 'class=x',
      bodyAttrs: 'id=y',
    });
    expect(html).toMatch(/^<html><head>/);
    expect(html).not.toContain('charset');
    expect(html).not.toContain('viewport');
    expect(html).not.toContain('id=y');
  });

  it('ignores end tags in scripts', () => {
    const script = '<script>"</head></body>"</script>';
    const html = documentOf(`<html><head>${script}</head><body>${script}</body></html>`);
    expect(html).toMatch(/^<html><head><script>"<\/head><\/body>"<\/script><title>/);
    expect(html).toMatch(
      /<script>"<\/head><\/body>"<\/script><script src="\/s\.js"><\/script>\n<\/body><\/html>$/,
    );
  });

  it.each([
    ['no head', '<html><body>x</body></html>', /^<html><head>\n<title>.*<\/head>\n<body>x<script src/s],
    [
      'no end of head',
      '<html><head><body>x</body></html>',
      /^<html><head><title>.*css">\n<body>x<script src/s,
    ],
    [
      'no body tags',
      '<html><head></head>x</html>',
      /^<html><head><title>.*<\/head>x<script src="\/s\.js"><\/script>\n<\/html>$/s,
    ],
    [
      'no end tags at all',
      '<html>x',
      /^<html><head>\n<title>.*<\/head>\nx<script src="\/s\.js"><\/script>\n$/s,
    ],
    [
      'upper case tags',
      '<HTML><HEAD></HEAD><BODY></BODY></HTML>',
      /^<HTML><HEAD><title>.*<\/HEAD><BODY><script/s,
    ],
  ])('is completed with %s', (_title, own, expected) => {
    expect(documentOf(own)).toMatch(expected);
  });
});
