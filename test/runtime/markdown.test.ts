import { describe, expect, test } from 'vitest';
import { markdownToHtml } from '../../runtime/markdown.ts';

describe('markdownToHtml', () => {
  test.each([
    ['# A *b*', '<h1>A <em>b</em></h1>'],
    ['a\nb', '<p>a\nb</p>'],
    ['<b class="x">raw</b>', '<p><b class="x">raw</b></p>'],
    ['~~gone~~', '<p><del>gone</del></p>'],
    [
      '| a |\n|---|\n| 1 |',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n</tr>\n</tbody>\n</table>',
    ],
    ['[x](javascript:alert(1))', '<p><a href="">x</a></p>'],
  ])('%j', (text, html) => {
    expect(markdownToHtml(text)).toBe(html);
  });

  // Each of these takes the parser seconds to minutes.
  test.each([
    ['runs of delimiters', '*a_'.repeat(8_000)],
    ['open links', '[a]('.repeat(8_000)],
    ['nested quotes', '> '.repeat(5_000)],
    ['nested lists', '- '.repeat(3_000)],
    ['deep indentation', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
    ['very much text', 'a\n'.repeat(400_000)],
  ])('%s are shown as written', (_, text) => {
    const html = markdownToHtml(`${text}<script>`);
    expect(html.startsWith('<p>')).toBe(true);
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('<script>');
  });
});
