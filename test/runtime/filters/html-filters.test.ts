import { describe, expect, test } from 'vitest';
import { apply, safe } from './shared.ts';

describe('HTML filters', () => {
  test.each<[filter: string, value: unknown, args: unknown[], expected: unknown]>([
    ['escape', '<b>', [], safe('&lt;b&gt;')],
    ['escape', safe('<b>'), [], safe('<b>')],
    ['escape', 5, [], safe('5')],
    ['force_escape', safe('<b>'), [], safe('&lt;b&gt;')],
    ['safe', '<b>', [], safe('<b>')],
    ['safe', 5, [], safe('5')],
    [
      'escapejs',
      `</script>'"\\&;=-\`\u2028\u007f\n`,
      [],
      safe(
        '\\u003C/script\\u003E\\u0027\\u0022\\u005C\\u0026\\u003B\\u003D\\u002D\\u0060\\u2028\\u007F\\u000A',
      ),
    ],
    ['linebreaks', 'a<\r\nb\r\n\r\n\r\nc', [], safe('<p>a&lt;<br>b</p>\n\n<p>c</p>')],
    ['linebreaks', safe('<b>\nx'), [], safe('<p><b><br>x</p>')],
    ['linebreaksbr', 'a<\rb', [], safe('a&lt;<br>b')],
    ['linenumbers', 'a\n<b>', [], safe('1. a\n2. &lt;b&gt;')],
    ['striptags', '<p>a <b title="x>y">b</b><!-- <i> -->c</p>', [], 'a bc'],
    ['striptags', '<<b>script>alert(1)<</b>/script>', [], 'alert(1)'],
    ['striptags', '1 < 2 and 3 > 2', [], '1 < 2 and 3 > 2'],
    ['striptags', '<b>a</b> &lt;i&gt; <c', [], 'a &lt;i&gt; <c'],
    ['striptags', '<b>&lt</b> &gt] &#60] &copy', [], '&lt; &gt;] &#60;] &copy'],
    ['striptags', '<script>a&b=1</script>y', [], 'a&b=1y'],
    ['striptags', 'a&b=1', [], 'a&b=1'],
    ['striptags', '<script>if (a<b) x()</script>y', [], 'if (a<b) x()y'],
    ['truncatechars_html', '<p>one <b>two &amp; three</b></p>', [10], '<p>one <b>two &amp;…</b></p>'],
    ['truncatewords_html', 'F<a<l<s', [2], 'F&lt;a …'],
    ['truncatechars_html', 'a</2>b', [10], 'ab'],
    ['truncatechars_html', 'one', [3], 'one'],
    ['truncatechars_html', "it's", [4], "it's"],
    ['truncatechars_html', '<p>one', [3], '<p>one</p>'],
    ['truncatechars_html', '""&lt;i&gt;', [5], '&quot;&quot;&lt;i…'],
    ['truncatechars_html', "'&lt;i&gt;<", [5], '&#x27;&lt;i&gt;…'],
    ['truncatechars_html', '<p>x</p>', ['x'], '<p>x</p>'],
    ['truncatewords_html', '<p>one <br>two</p><p>three</p>', [2], '<p>one <br>two</p><p> …</p>'],
    ['truncatewords_html', 'Tom & Jerry &lt;b&gt;', [9], 'Tom &amp; Jerry &lt;b&gt;'],
    ['truncatewords_html', '<img src="a>b"/>one two', [1], '<img src="a>b"/>one …'],
    [
      'unordered_list',
      ['a<', ['b', ['c']], 'd'],
      [],
      safe(
        '\t<li>a&lt;\n\t<ul>\n\t\t<li>b\n\t\t<ul>\n\t\t\t<li>c</li>\n\t\t</ul>\n\t\t</li>\n\t</ul>\n\t</li>\n\t<li>d</li>',
      ),
    ],
    ['unordered_list', ['a', []], [], safe('\t<li>a</li>')],
  ])('%s of %j with %j', (filter, value, args, expected) => {
    expect(apply(filter, value, args)).toEqual(expected);
  });

  test.each<[filter: string, expected: string]>([
    ['linebreaks', '<p><i></p>'],
    ['linebreaksbr', '<i>'],
    ['linenumbers', '1. <i>'],
    ['urlize', '<i>'],
  ])('%s escapes nothing where autoescape is off', (filter, expected) => {
    expect(apply(filter, '<i>', [], { autoescape: false })).toEqual(safe(expected));
  });

  test('the results of striptags and of truncating HTML are not safe', () => {
    expect(apply('striptags', '<b>a')).toBe('a');
    expect(apply('truncatewords_html', '<b>a', [5])).toBe('<b>a');
    expect(apply('striptags', safe('<b>a'))).toEqual(safe('a'));
  });

  test('too deep nesting of tags or lists is refused', () => {
    expect(() => apply('striptags', '<'.repeat(100) + 'a>'.repeat(100))).toThrow(/nested over 50/);
    let list: unknown[] = ['x'];
    for (let level = 0; level < 100; level += 1) list = ['x', list];
    expect(() => apply('unordered_list', list)).toThrow(/nested 50 deep/);
  });

  test('a list that contains itself is refused', () => {
    const list: unknown[] = ['x'];
    list.push(list);
    expect(() => apply('unordered_list', list)).toThrow(/nested/);
  });
});

describe('links in text', () => {
  const link = (href: string, text: string) => `<a href="${href}" rel="nofollow">${text}</a>`;

  test.each<[text: string, expected: string]>([
    ['see www.x.org.', `see ${link('http://www.x.org', 'www.x.org')}.`],
    ['(https://x.org/a_(b))', `(${link('https://x.org/a_(b)', 'https://x.org/a_(b)')})`],
    ['https://x.org/?q="a"', `${link('https://x.org/?q=', 'https://x.org/?q=')}&quot;a&quot;`],
    [
      'http://x.org/ä?ü=ö&b#ß',
      link('http://x.org/%C3%A4?%C3%BC=%C3%B6&amp;b=#%C3%9F', 'http://x.org/ä?ü=ö&amp;b#ß'),
    ],
    ['http://x.org/%zz%41', link('http://x.org/%25zzA', 'http://x.org/%zz%41')],
    ['mail a.b@c-d.org!', 'mail <a href="mailto:a.b@c-d.org">a.b@c-d.org</a>!'],
    ['javascript:alert(1) ftp://x.org', 'javascript:alert(1) ftp://x.org'],
    ['(x.org))', `(${link('http://x.org', 'x.org')}))`],
    ['[x.org])]', '[x.org])]'],
    ['a@b.c0m a@b.12 a@b.-co', 'a@b.c0m a@b.12 a@b.-co'],
    ['a@b.xn--p1ai', '<a href="mailto:a@b.xn--p1ai">a@b.xn--p1ai</a>'],
    ['a@b a@@b.org @x.org x.org.de', 'a@b a@@b.org @x.org x.org.de'],
    [`${'a'.repeat(2050)}.com`, `${'a'.repeat(2050)}.com`],
  ])('%j', (text, expected) => {
    expect(apply('urlize', text)).toEqual(safe(expected));
  });

  test.each([
    [
      'see test[at[example.com',
      'see <a href="http://test[at[example.com" rel="nofollow">test[at[example.com</a>',
    ],
    ['a]b.com', '<a href="http://a]b.com" rel="nofollow">a]b.com</a>'],
    ['[example.com]', '[<a href="http://example.com" rel="nofollow">example.com</a>]'],
    ['x@[y.com x[y@z.com http://[::1]/x', 'x@[y.com x[y@z.com http://[::1]/x'],
  ])('urlize takes brackets as Django does: %s', (text, expected) => {
    expect(apply('urlize', text)).toEqual(safe(expected));
  });

  test('urlizetrunc shortens the shown text, not the address', () => {
    expect(apply('urlizetrunc', 'http://example.org/long', [10])).toEqual(
      safe(link('http://example.org/long', 'http://ex…')),
    );
    expect(() => apply('urlizetrunc', 'x', ['wide'])).toThrow(/whole number/);
  });

  test.each<[filter: string, value: string, args: unknown[], expected: string]>([
    ['urlencode', "a b/ü&?'()*!", [], 'a%20b/%C3%BC%26%3F%27%28%29%2A%21'],
    ['urlencode', 'a/b', [''], 'a%2Fb'],
    ['urlencode', '\ud800', [], '%EF%BF%BD'],
    ['clean_url', '/a/b?c=d:e#f', [], '/a/b?c=d:e#f'],
    ['clean_url', '//example.org/a:b', [], '//example.org/a:b'],
    ['clean_url', 'HTTPS://example.org/', [], 'HTTPS://example.org/'],
    ['clean_url', 'mailto:a@example.org', [], 'mailto:a@example.org'],
    ['clean_url', '?next=javascript:x', [], '?next=javascript:x'],
    ['clean_url', ' https://example.org/\n', [], 'https://example.org/'],
    ['clean_url', 'javascript:alert(1)', [], ''],
    ['clean_url', '\u0001 jAva\tscr\nipt:alert(1)', [], ''],
    ['clean_url', 'data:text/html,<script>', [], ''],
    ['clean_url', 'vbscript:x', [], ''],
    ['clean_url', 'constructor:x', [], ''],
    ['clean_url', '&#106;avascript:x', [], '&#106;avascript:x'],
    ['clean_url', '', [], ''],
    ['iriencode', "/ä b?x='1'&y=%20", [], "/%C3%A4%20b?x='1'&y=%20"],
  ])('%s of %j', (filter, value, args, expected) => {
    expect(apply(filter, value, args)).toBe(expected);
  });
});
