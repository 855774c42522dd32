import { describe, expect, test } from 'vitest';
import { Engine } from '../../runtime/engine.ts';
import { checkMarkdownCost } from '../../runtime/markdown/cost.ts';
import { markdownToHtml } from '../../runtime/markdown/index.ts';

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
});

const manyMarks = '*a_'.repeat(8_000);
const wideTable = `${'a|'.repeat(1_000)}\n${'-|'.repeat(1_000)}\n${'a\n'.repeat(8_000)}`;

describe('a text that would take the parser long, or all memory, is refused', () => {
  test.each([
    ['table of 1,000 columns and 8,000 short rows', wideTable, /most of it for 8,\d{3},\d{3} table cells/],
    ['such a table in a quote', wideTable.replaceAll(/^/gm, '> '), /table cells/],
    ['underlined headings', 'a\n===\n'.repeat(2_700), /underlined headings \(limit 3,125,000\)/],
    ['headings underlined with hyphens', 'a\n---\n'.repeat(2_700), /underlined headings/],
    ['lists in lists, each ended', '- - a\n\n'.repeat(2_300), /lines before list items/],
    ['quotes, each ended', '> a\n\n'.repeat(4_000), /lines before list items, quotes/],
    ['runs of delimiters', manyMarks, /pairs of \*, _, ~ or brackets/],
    ['runs of delimiters in carriage returns', `${'*a_'.repeat(4)}\r`.repeat(2_000), /pairs of \*, _/],
    ['open links', '[a]('.repeat(8_000), /pairs of \*, _, ~ or brackets/],
    ['tags without an end', 'a<?'.repeat(10_000), /characters of paragraphs after </],
    ['punctuation in a web address', `www.a${'!'.repeat(30_000)}`, /web addresses/],
    [
      'a long address for many references',
      `[a]: ${'x'.repeat(16_000)}\n\n${'[a]\n\n'.repeat(3_000)}`,
      /characters of link definitions that references repeat/,
    ],
    ['nested quotes', '> '.repeat(5_000), /has 5,000 levels of lists and quotes, more than 40/],
    ['quotes in a footnote', `[^a]: ${'>'.repeat(2_000)}`, /levels of lists and quotes/],
    ['nested lists', '- '.repeat(3_000), /has 3,000 levels of lists and quotes/],
    [
      'deep indentation',
      Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
      /levels of lists and quotes/,
    ],
    ['very much text', 'a\n'.repeat(400_000), /has 800,000 characters, more than 524,288/],
  ])('%s', (_, text, message) => {
    expect(() => markdownToHtml(text)).toThrow(message);
  });

  // Each of these lines looks like the beginning of a block, but the parser takes it for text of a paragraph.
  test.each([
    ['items indented by four', `a\n${`    - ${'*a_'.repeat(8)}\n`.repeat(600)}`],
    ['items after an item with many blanks', `-    a\n${`    - ${'*a_'.repeat(8)}\n`.repeat(600)}`],
    ['numbers other than 1', `a\n${`2. ${'*a_'.repeat(8)}\n`.repeat(600)}`],
    ['rows after a comment', `<!--\n\n|a|\n|-|\n|-->\n${`|${'*a_'.repeat(8)}|\n`.repeat(600)}`],
    ['a fence within HTML', `<div>\n~~~\n\n${manyMarks}`],
    ['a fence within an item', `- a\n\n  ~~~\n${manyMarks}`],
  ])('%s', (_, text) => {
    expect(() => markdownToHtml(text)).toThrow(/pairs of \*, _, ~ or brackets/);
  });

  test('the error has the place of the filter', () => {
    const templates = new Map([['page', '<h1>Guests</h1>\n<p>{{ entry|markdown }}</p>']]);
    const engine = new Engine({ load: (name) => templates.get(name) });
    expect(() => engine.render('page', { entry: manyMarks })).toThrow(
      expect.objectContaining({
        template: 'page',
        line: 2,
        reason: expect.stringMatching(/^the Markdown text needs [\d,]+ % of the work that is allowed/),
      }),
    );
  });
});

describe('an ordinary text is accepted', () => {
  test('an article of 300 KB with headings, tables, nested lists and links', () => {
    const text = article();
    expect(text.length).toBeGreaterThan(250_000);
    expect(() => checkMarkdownCost(text)).not.toThrow();
  });

  test('a list of 500 links without empty lines', () => {
    const html = markdownToHtml('- [a](/b) and *c*\n'.repeat(500));
    expect(html.match(/<a /g)).toHaveLength(500);
  });

  test('code with many marks', () => {
    const code = `\`\`\`c\n${'a[i] = *b[j] * c_d_e;\n'.repeat(500)}\`\`\`\n`;
    expect(markdownToHtml(code)).toContain('<pre><code class="language-c">');
  });
});

function article(): string {
  const sentence =
    'Lorem *ipsum* dolor, [sit](https://example.org/amet) `elit` and **so** on, with more words. ';
  const list = Array.from({ length: 6 }, (_, depth) => `${'  '.repeat(depth)}- [item](/a) *${depth}*\n`);
  const row = '| cell 1 | [b](/c) | cell | cell | cell | cell | cell | cell | cell | 10 |\n';
  const table = `${'| a '.repeat(10)}|\n${'| --- '.repeat(10)}|\n${row.repeat(200)}`;
  return Array.from({ length: 500 }, (_, index) => {
    const extra = index % 250 === 0 ? table : index % 10 === 0 ? list.join('') : '';
    return `## Heading ${index}\n\n${sentence.repeat(5)}\n\n${extra}\n`;
  }).join('');
}
