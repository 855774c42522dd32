import { describe, expect, test } from 'vitest';
import { markdownToHtml } from '../../../runtime/markdown/index.ts';

const table = '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n';

describe('markdownToHtml', () => {
  test.each([
    ['# A *b*', '<h1>A <em>b</em></h1>'],
    ['a\nb', '<p>a\nb</p>'],
    ['<b class="x">raw</b>', '<p><b class="x">raw</b></p>'],
    ['~~gone~~', '<p><del>gone</del></p>'],
    ['| a |\n|---|\n| 1 |', `${table}<tbody>\n<tr>\n<td>1</td>\n</tr>\n</tbody>\n</table>`],
    ['[x](javascript:alert(1))', '<p><a href="">x</a></p>'],
  ])('%j', (text, html) => {
    expect(markdownToHtml(text, 'author')).toBe(html);
  });

  test.each([
    ['', ''],
    ['a\n', '<p>a</p>\n'],
    ['a  \nb\\\nc', '<p>a<br />\nb<br />\nc</p>'],
    ['***', '<hr />'],
    ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['- a\n\n- b', '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>'],
    ['```js x\n"a"\n```\n', '<pre><code class="language-js">&quot;a&quot;\n</code></pre>\n'],
    ['![a *b*](c "d")', '<p><img src="c" alt="a b" title="d" /></p>'],
    ['[__proto__] [constructor]', '<p>[<strong>proto</strong>] [constructor]</p>'],
    ['a\r\n\0', '<p>a\n\uFFFD</p>'],
  ])('CommonMark: %j', (text, html) => {
    expect(markdownToHtml(text, 'author')).toBe(html);
  });

  test.each([
    ['http://a.b/é?c=d&e=f#g', '<a href="http://a.b/%C3%A9?c=d&amp;e=f#g">http://a.b/é?c=d&amp;e=f#g</a>'],
    ['www.a.b', '<a href="http://www.a.b">www.a.b</a>'],
    ['a_b+c@d.ef', '<a href="mailto:a_b+c@d.ef">a_b+c@d.ef</a>'],
    ['(http://localhost/a(b)).', '(<a href="http://localhost/a(b)">http://localhost/a(b)</a>).'],
    ['**https://a.b/c_d_e**', '<strong><a href="https://a.b/c_d_e">https://a.b/c_d_e</a></strong>'],
    ['www.a.b?c=d&amp;', '<a href="http://www.a.b?c=d">www.a.b?c=d</a>&amp;'],
    ['http://a.b&c;d', '<a href="http://a.b&amp;c;d">http://a.b&amp;c;d</a>'],
    ['http://🍄.ga/', '<a href="http://%F0%9F%8D%84.ga/">http://🍄.ga/</a>'],
    ['<http://a.b>', '<a href="http://a.b">http://a.b</a>'],
    ['[http://a.b](c)', '<a href="c">http://a.b</a>'],
    ['example.com readme.md', 'example.com readme.md'],
    ['xhttp://a.b ftp://a.b xwww.a.b www. http://', 'xhttp://a.b ftp://a.b xwww.a.b www. http://'],
    ['a@b /a@b.c a@b.c_ a@b.c1', 'a@b /a@b.c a@b.c_ a@b.c1'],
    ['www.a_b.c http://a.b_c', 'www.a_b.c http://a.b_c'],
  ])('addresses in text: %j', (text, html) => {
    expect(markdownToHtml(text, 'author')).toBe(`<p>${html}</p>`);
  });

  test.each([
    ['~a~ ~~b~~', '<del>a</del> <del>b</del>'],
    ['~a~~ ~~~b~~~', '~a~~ ~~~b~~~'],
    ['~a *b ~c* d~', '<del>a <em>b ~c</em> d</del>'],
  ])('strikethrough: %j', (text, html) => {
    expect(markdownToHtml(text, 'author')).toBe(`<p>${html}</p>`);
  });

  test('tables', () => {
    expect(markdownToHtml('a | b | c\n:-|:-:|-:\n`1\\|2` | x\n1|2|3|4', 'author')).toBe(
      '<table>\n<thead>\n<tr>\n<th align="left">a</th>\n<th align="center">b</th>\n<th align="right">c</th>\n</tr>\n' +
        '</thead>\n<tbody>\n<tr>\n<td align="left"><code>1|2</code></td>\n<td align="center">x</td>\n' +
        '<td align="right"></td>\n</tr>\n<tr>\n<td align="left">1</td>\n<td align="center">2</td>\n' +
        '<td align="right">3</td>\n</tr>\n</tbody>\n</table>',
    );
  });

  test('task lists', () => {
    expect(markdownToHtml('- [x] a\n- [ ] *b*\n- [ ]c\n- [ ]\n\n[x] d', 'author')).toBe(
      '<ul>\n<li><input type="checkbox" disabled="" checked="" /> a</li>\n' +
        '<li><input type="checkbox" disabled="" /> <em>b</em></li>\n<li>[ ]c</li>\n<li>[ ]</li>\n</ul>\n<p>[x] d</p>',
    );
  });

  test.each([
    ['<script>a</script>', '&lt;script>a&lt;/script>'],
    ['a <IFRAME src=b> </title>', '<p>a &lt;IFRAME src=b> &lt;/title></p>'],
    ['<style\n>', '&lt;style\n>'],
    ['<scripts> <!-- a -->', '<p><scripts> <!-- a --></p>'],
    ['<div>\n*a*\n</div>', '<div>\n*a*\n</div>'],
  ])('raw HTML: %j', (text, html) => {
    expect(markdownToHtml(text, 'author')).toBe(html);
  });
});

describe('footnotes', () => {
  const call = (id: string, number: number, again = '') =>
    `<sup><a href="#user-content-fn-${id}" id="user-content-fnref-${id}${again}" data-footnote-ref="" ` +
    `aria-describedby="footnote-label">${number}</a></sup>`;
  const back = (id: string, number: number) =>
    `<a href="#user-content-fnref-${id}" data-footnote-backref="" aria-label="Back to reference ${number}" ` +
    'class="data-footnote-backref">↩</a>';
  const section = (notes: string) =>
    '<section data-footnotes="" class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2>\n' +
    `<ol>\n${notes}</ol>\n</section>`;

  test('follow the text in the order of their calls', () => {
    const text = 'a[^b] c[^A]\n\n[^a]: first\n\n    *more*\n[^b]: `second`\n[^c]: unused\n\nend';
    expect(markdownToHtml(text, 'author')).toBe(
      `<p>a${call('b', 1)} c${call('a', 2)}</p>\n<p>end</p>\n` +
        section(
          `<li id="user-content-fn-b">\n<p><code>second</code> ${back('b', 1)}</p>\n</li>\n` +
            `<li id="user-content-fn-a">\n<p>first</p>\n<p><em>more</em> ${back('a', 2)}</p>\n</li>\n`,
        ),
    );
  });

  test('lead back to each of their calls', () => {
    const second =
      '<a href="#user-content-fnref-a-2" data-footnote-backref="" aria-label="Back to reference 1-2" ' +
      'class="data-footnote-backref">↩<sup>2</sup></a>';
    expect(markdownToHtml('[^a][^a]\n\n[^a]: - b', 'author')).toBe(
      `<p>${call('a', 1)}${call('a', 1, '-2')}</p>\n` +
        section(`<li id="user-content-fn-a">\n<ul>\n<li>b</li>\n</ul>\n${back('a', 1)} ${second}\n</li>\n`),
    );
  });

  test('may be defined in lists, quotes and other footnotes', () => {
    const text = '- a[^b]\n\n  [^b]: c[^d]\n\n      [^d]: e\n\n> [^"]: f[^"]';
    const html = markdownToHtml(text, 'author');
    expect(html.match(/<li id="[^"]*">\n<p>\w/g)).toEqual([
      '<li id="user-content-fn-b">\n<p>c',
      '<li id="user-content-fn-d">\n<p>e',
      '<li id="user-content-fn-%22">\n<p>f',
    ]);
  });

  test.each([
    ['a call without a definition', '[^a]', '<p>[^a]</p>'],
    ['a definition without a call', 'a\n\n[^b]: c', '<p>a</p>'],
    ['a label with a blank', '[^a b]\n\n[^a b]', '<p>[^a b]</p>\n<p>[^a b]</p>'],
  ])('%s', (_, text, html) => {
    expect(markdownToHtml(text, 'author')).toBe(html);
  });
});

describe('a text of anyone', () => {
  test.each([
    ['<b>a</b> *c*', '<p>&lt;b&gt;a&lt;/b&gt; <em>c</em></p>'],
    ['<div>\n*a*\n</div>', '<p>&lt;div&gt;\n<em>a</em>\n&lt;/div&gt;</p>'],
    ['<!-- a -->', '<p>&lt;!-- a --&gt;</p>'],
    ['&lt;b&gt; \\<b>', '<p>&lt;b&gt; &lt;b&gt;</p>'],
    ['`<b>`', '<p><code>&lt;b&gt;</code></p>'],
    ['[a](b "\\"><c>")', '<p><a href="b" title="&quot;&gt;&lt;c&gt;">a</a></p>'],
    ['![<b>"](c)', '<p><img src="c" alt="&lt;b&gt;&quot;" /></p>'],
    ['``` "><b>\n```', '<pre><code class="language-&quot;&gt;&lt;b&gt;"></code></pre>'],
  ])('has no HTML of its own: %j', (text, html) => {
    expect(markdownToHtml(text, 'anyone')).toBe(html);
  });

  test.each([
    'http://a',
    'HTTPS://a',
    'mailto:a@b.c',
    'tel:+1',
    '/a:b',
    'a',
    '../a',
    '?a=b:c',
    '#a:b',
    '//a',
    '',
  ])('keeps the address %j', (address) => {
    expect(markdownToHtml(`[a](<${address}>)`, 'anyone')).toBe(`<p><a href="${address}">a</a></p>`);
  });

  test.each([
    ...[
      'javascript:a',
      'JaVaScRiPt:a',
      'vbscript:a',
      'data:text/html,a',
      'file:///a',
      'irc://a',
      'xmpp:a',
      'a:b',
    ],
    ...['java&Tab;script:a', '\x01javascript:a', ' javascript:a', 'javascript&colon;a', 'javascript\\:a'],
  ])('drops the address %j', (address) => {
    for (const text of [`[a](<${address}>)`, `[a]\n\n[a]: <${address}>`])
      expect(markdownToHtml(text, 'anyone')).toBe('<p><a href="">a</a></p>');
    expect(markdownToHtml(`![a](<${address}>)`, 'anyone')).toBe('<p><img src="" alt="a" /></p>');
  });

  test('has no images with addresses other than http, https and relative ones', () => {
    expect(markdownToHtml('![a](tel:1) ![b](http://c)', 'anyone')).toBe(
      '<p><img src="" alt="a" /> <img src="http://c" alt="b" /></p>',
    );
  });

  test('drops the address of an autolink', () => {
    expect(markdownToHtml('<javascript:a>', 'anyone')).toBe('<p><a href="">javascript:a</a></p>');
  });

  test('is kept apart from the same text of an author', () => {
    const text = '<i>one text</i>';
    expect(markdownToHtml(text, 'author')).toBe('<p><i>one text</i></p>');
    expect(markdownToHtml(text, 'anyone')).toBe('<p>&lt;i&gt;one text&lt;/i&gt;</p>');
  });
});
