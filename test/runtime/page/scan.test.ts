import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse, type Token, Tokenizer, TokenizerMode } from 'parse5';
import { describe, expect, it } from 'vitest';
import { findLandmarks, hasHtmlElement } from '../../../runtime/page/scan.ts';
import { scanTags } from '../../../runtime/page/tags.ts';

describe('tagsOf', () => {
  it.each([
    ['plain', '<p>a</p>', ['p', '/p']],
    ['upper case', '<P>a</P >', ['p', '/p']],
    ['a greater-than sign in a quoted value', '<a title="x>y" href=\'>\'>b</a>', ['a', '/a']],
    ['a comment', '<!-- <p> --><b>', ['b']],
    ['empty comments', '<!--><i><!---><b>', ['i', 'b']],
    ['a comment closed with a bang', '<!-- a --!><b>', ['b']],
    ['a doctype', '<!DOCTYPE html><html>', ['html']],
    ['a processing instruction', '<?xml a="<b>"?><i>', ['i']],
    ['a lone less-than sign', 'a < b <3 <<b>', ['b']],
    ['an odd end tag', '</ p><b></>', ['b']],
    ['a script', '<script>if (a<b) "</p>"</script><i>', ['script', '/script', 'i']],
    [
      'a script in a comment in a script',
      '<script><!--<script></script>--></script><i>',
      ['script', '/script', 'i'],
    ],
    ['an open comment in a script', '<script><!-- a </script><i>', ['script', '/script', 'i']],
    [
      'an at once closed comment in a script',
      '<script><!--><script></script><i>',
      ['script', '/script', 'i'],
    ],
    ['a script that never ends', '<script><p>', ['script']],
    ['a style and a title', '<style><p></style><title><b></title>', ['style', '/style', 'title', '/title']],
    ['a textarea', '<textarea></p></textareas><i></textarea><b>', ['textarea', '/textarea', 'b']],
    ['a title in an image', '<svg><title/><b></svg>', ['svg', 'title', 'b', '/svg']],
    ['a tag that never ends', '<p><a href="x', ['p']],
  ])('%s', (_title, html, expected) => {
    expect(names(html)).toEqual(expected);
  });

  it('agrees with a parser of the standard on any text without foreign content', () => {
    const piece = fc.constantFrom(
      ...'< > / = " \' ! - a <a <b> </b> <!-- --> --!> <!--> <p a="> "> <script> </script> <script <!-- <style> </style> <title> </title> </title'.split(
        ' ',
      ),
      ' ',
      '\n',
      '<textarea>',
      '</textarea\t',
      '<html>',
      '<head>',
      '</head>',
      '<body>',
      '</body>',
      '<noscript>',
      '</noscript>',
      '<!doctype html>',
      '<meta name=x>',
      '<?a',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const html = pieces.join('');
        expect(names(html)).toEqual(tokenized(html));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['comments', '<!--x-->'],
    ['open comments', '<!--'],
    ['open tags', '<a '],
    ['less-than signs', '<'],
    ['scripts in comments', '<script><!--<script>--></script>'],
    ['comments in a script', '<!---->'],
    ['open titles', '<title>'],
    ['open quotes', '<a b="'],
  ])('takes time in proportion to the text: %s', (_title, piece) => {
    const html = `<script>${piece.repeat(200_000)}`;
    expect(names(html)[0]).toBe('script');
    expect(names(piece.repeat(200_000)).length).toBeLessThanOrEqual(600_000);
  });
});

describe('findLandmarks', () => {
  it('finds the places where tags may be added to a document', () => {
    const html = '<html lang=de><head><title>a</title></head><body><p></body></html>';
    const marks = findLandmarks(html);
    expect(html.slice(0, marks.htmlOpen)).toBe('<html lang=de>');
    expect(html.slice(marks.headClose)).toBe('</head><body><p></body></html>');
    expect(html.slice(marks.bodyClose)).toBe('</body></html>');
    expect(html.slice(marks.htmlClose)).toBe('</html>');
  });

  it('ignores markup in comments and scripts', () => {
    const html =
      '<html><head><!-- </head> --><script>"</head>"</script></head><body><script>"</body>"</script></body>';
    const marks = findLandmarks(html);
    expect(html.slice(marks.headClose)).toMatch(/^<\/head><body>/);
    expect(html.slice(marks.bodyClose)).toBe('</body>');
  });

  it.each([
    ['<meta property="og:title" content="x">', ['og:title']],
    ["<META NAME='Description'>", ['description']],
    ['<meta name=twitter:card property=og:type>', ['og:type', 'twitter:card']],
    ['<meta charset=utf-8>', ['charset']],
    ['<title>x</title>', ['title']],
    ['<link rel="shortcut ICON" href=x>', ['icon']],
    ['<link rel="apple-touch-icon" href=x>', ['apple-touch-icon']],
    ['<link rel=stylesheet href=icon>', []],
    ['<!-- <meta name=description> -->', []],
    ['<svg><title>x</title></svg>', []],
    ['<p data-x="<title>">', []],
  ])('reads the head tags of %s', (html, expected) => {
    expect([...findLandmarks(html).tags].sort()).toEqual(expected);
  });
});

describe('hasHtmlElement', () => {
  it.each([
    ['<html>', true],
    ['<!doctype html>\n<HTML lang=de>', true],
    ['<p>no</p>', false],
    ['<!-- <html> -->', false],
    ['<script>"<html>"</script>', false],
    ['<htmlx>', false],
    ['<p title="<html>">', false],
  ])('%s: %s', (html, expected) => {
    expect(hasHtmlElement(html)).toBe(expected);
  });

  it('agrees with a parser', () => {
    const html = '<!-- a --><html id=own><body>x';
    const root = parse(html).childNodes.find(
      (node): node is DefaultTreeAdapterTypes.Element => node.nodeName === 'html',
    );
    expect(root?.attrs).toEqual([{ name: 'id', value: 'own' }]);
    expect(hasHtmlElement(html)).toBe(true);
  });
});

function names(html: string): string[] {
  return [...scanTags(html)].map((tag) => (tag.closing ? `/${tag.name}` : tag.name));
}

/** The start and end tags that the tokenizer of parse5 finds, with the same elements of raw text. */
function tokenized(html: string): string[] {
  const found: string[] = [];
  const modes = new Map<string, number>([
    ['script', TokenizerMode.SCRIPT_DATA],
    ['style', TokenizerMode.RAWTEXT],
    ['noscript', TokenizerMode.RAWTEXT],
    ['title', TokenizerMode.RCDATA],
    ['textarea', TokenizerMode.RCDATA],
  ]);
  const ignore = () => {};
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onStartTag(token: Token.TagToken) {
        found.push(token.tagName);
        const mode = modes.get(token.tagName);
        if (mode !== undefined) tokenizer.state = mode;
      },
      onEndTag(token: Token.TagToken) {
        found.push(`/${token.tagName}`);
      },
    },
  );
  tokenizer.write(html, true);
  return found;
}
