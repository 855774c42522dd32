import { beforeEach, describe, expect, test } from 'vitest';
import { Engine } from '../../../runtime/engine.ts';
import { markdownToHtml } from '../../../runtime/markdown/index.ts';
import { takeChargedWork } from '../../../runtime/values/effort.ts';

const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join('');

// Outside of a render nobody charges what was noted, and it adds up.
beforeEach(() => {
  takeChargedWork();
});

describe('an ordinary text is accepted', () => {
  const row = `|${' cell |'.repeat(8)}\n`;
  test.each([
    ['a list of 5,000 items', times(5_000, (i) => `- item ${i} with a [link](/a)\n`), '<li>', 5_000],
    ['a list of 1,112 items in paragraphs', times(1_112, (i) => `${i + 1}. item\n\n`), '<li>', 1_112],
    [
      'a table of 3,000 rows and 8 columns',
      `${row}|${'---|'.repeat(8)}\n${row.repeat(3_000)}`,
      '<td>',
      24_000,
    ],
    [
      '3,000 rows, the most cells left out',
      `${row}|${'-|'.repeat(8)}\n${'|a|\n'.repeat(3_000)}`,
      '<td>',
      24_000,
    ],
    [
      '2,000 bold terms in one paragraph',
      times(2_000, (i) => `**term ${i}** means that, `),
      '<strong>',
      2_000,
    ],
    [
      '2,000 links in one paragraph',
      times(2_000, (i) => `[term ${i}](/terms/${i}) `),
      '<a href="/terms/',
      2_000,
    ],
    ['2,000 addresses in one paragraph', times(2_000, (i) => `www.a${i}.b c${i}@d.e `), '<a ', 4_000],
    ['1,000 footnotes', times(1_000, (i) => `a[^${i}]\n\n[^${i}]: b\n\n`), '<sup>', 1_000],
    [
      '2,000 definitions',
      times(2_000, (i) => `[a${i}] [b][a${i}]\n\n[a${i}]: /c\n\n`),
      '<a href="/c">',
      4_000,
    ],
    ['3,000 rulers', 'text\n\n---\n\n'.repeat(3_000), '<hr />', 3_000],
    [
      'an HTML table',
      `<table>\n${'<tr><td>a</td><td>*b*</td></tr>\n'.repeat(8_000)}</table>`,
      '<td>',
      16_000,
    ],
    [
      'a code block of 20,000 lines',
      `\`\`\`c\n${'a[i] = *b[j] * c_d;\n'.repeat(20_000)}\`\`\``,
      '*b[j]',
      20_000,
    ],
    ['6,000 short lines', 'a *b*\n'.repeat(6_000), '<em>', 6_000],
    ['6,000 short paragraphs', 'a *b*\n\n'.repeat(6_000), '<em>', 6_000],
    ['5,000 tasks', '- [x] done\n'.repeat(5_000), '<input ', 5_000],
    ['lists of ten levels', times(2_000, (i) => `${'  '.repeat(i % 10)}- item\n`), '<li>', 2_000],
    ['as much prose as is allowed', 'Lorem *ipsum* dolor.\n'.repeat(24_900), '<em>', 24_900],
  ])('%s', (_, text, tag, count) => {
    expect(markdownToHtml(text, 'author').split(tag)).toHaveLength(count + 1);
  });

  test('an article of 300 KB with headings, tables, nested lists and links', () => {
    const text = article();
    expect(text.length).toBeGreaterThan(250_000);
    expect(markdownToHtml(text, 'author').match(/<(?:h2|li|td)>/g)).toHaveLength(500 + 48 * 6 + 2 * 2_000);
  });
});

/** Letters Q stand for the text of the author: a text that is rendered keeps all of them. */
describe('a text made to be costly is rendered', () => {
  test.each([
    ['underlined headings', 'Q\n===\n'.repeat(5_000)],
    ['headings underlined with hyphens', 'Q\n---\n'.repeat(5_000)],
    ['lists in lists, each ended', '- - Q\n\n'.repeat(2_500)],
    ['quotes, each ended', '> Q\n\n'.repeat(5_000)],
    ['runs of delimiters', '*Q_'.repeat(8_000)],
    ['many runs of delimiters', '*Q_ '.repeat(12_500)],
    ['runs of delimiters in carriage returns', `${'*Q_'.repeat(4)}\r`.repeat(2_000)],
    ['tildes', '~Q~~Q~~~'.repeat(3_750)],
    ['open links', '[Q]('.repeat(12_500)],
    ['open images', '![Q'.repeat(12_500)],
    ['brackets within each other', `${'['.repeat(12_500)}Q${']'.repeat(12_500)}`],
    ['images within each other', `${'!['.repeat(200)}Q${'](b)'.repeat(200)}`.repeat(60)],
    ['a long text within brackets', `${'['.repeat(50)}${'Q '.repeat(12_500)}${']'.repeat(50)}`],
    ['tags without an end', 'Q<?'.repeat(12_500)],
    ['comments without an end', 'Q<!--'.repeat(6_250)],
    ['code without an end', times(250, (i) => `Q${'`'.repeat(i)}`)],
    ['punctuation in a web address', `www.Q${'!'.repeat(37_500)}`],
    ['addresses in one paragraph', 'www.Q.b '.repeat(6_250)],
    ['addresses without a domain', 'www.Q_www.Q_'.repeat(3_000)],
    ['a long domain', `www.${'Q'.repeat(50_000)}`],
    ['beginnings of addresses', 'http://www.Q@'.repeat(3_750)],
    ['one long word before an at sign', `${'Q-_'.repeat(12_500)}@`],
    ['footnotes without an end', '[^Q'.repeat(12_500)],
    ['footnotes that call themselves', times(2_000, (i) => `[^${i}]\n[^${i}]: Q[^${i}]\n`)],
    ['tasks in one list', '- [ ] Q\n'.repeat(5_000)],
    ['titles without an end', 'Q [a](b "\n'.repeat(3_750)],
    ['quotes whose lines belong to one paragraph', `${'>'.repeat(20)}${'Q\n'.repeat(6_250)}`],
    ['items indented by four', `a\n${`    - ${'*Q_'.repeat(8)}\n`.repeat(600)}`],
    ['a fence within HTML', `<div>\n~~~\n\n${'*Q_'.repeat(8_000)}`],
    ['nothing but line breaks', '\n'.repeat(500_000)],
  ])('%s', (_, text) => {
    const html = markdownToHtml(text, 'author');
    expect(visibleQs(html)).toBe(text.split('Q').length - 1);
  });
});

const wideTable = `${'a|'.repeat(1_000)}\n${'-|'.repeat(1_000)}\n${'a\n'.repeat(8_000)}`;

describe('a text that would take much time or memory is refused', () => {
  test.each([
    [
      'a table of 1,000 columns and 8,000 short rows',
      wideTable,
      /consists of more than 105,540 elements \(cells of tables, items of lists, emphasis\)/,
    ],
    [
      'such a table in a quote',
      wideTable.replaceAll(/^/gm, '> '),
      /consists of more than 1\d\d,\d{3} elements/,
    ],
    ['runs of delimiters, and nothing else', '*_'.repeat(260_000), /consists of more than 500,000 elements/],
    [
      'quotes that end before their lines do',
      '> ```\na\n'.repeat(3_000),
      /lines that are read more than 248,000 times/,
    ],
    [
      'very many quotes around a paragraph',
      `${'>'.repeat(40)}${'a\n'.repeat(6_250)}`,
      /find where quotes and lists end/,
    ],
    [
      'a long address for many references',
      `[a]: ${'x'.repeat(16_000)}\n\n${'[a] '.repeat(3_000)}`,
      tooMuchHtml(),
    ],
    [
      'a long address for many images',
      `[a]: ${'é'.repeat(16_000)}\n\n${'![a] '.repeat(3_000)}`,
      tooMuchHtml(),
    ],
    [
      'a long title for many references',
      `[a]: b "${'x'.repeat(16_000)}"\n\n${'[a] '.repeat(3_000)}`,
      tooMuchHtml(),
    ],
    [
      'one footnote for many calls',
      `[^${'é'.repeat(900)}]\n\n`.repeat(560).concat(`[^${'é'.repeat(900)}]: a`),
      tooMuchHtml(),
    ],
    ['much text', 'a\n'.repeat(400_000), /has 800,000 characters, more than 524,288/],
  ])('%s', (_, text, message) => {
    expect(() => markdownToHtml(text, 'author')).toThrow(message);
  });
});

describe('what is nested too deeply is refused, so that no text is lost', () => {
  const tooDeep = 'the Markdown text nests lists and quotes more than 40 levels deep';

  test.each([
    ['quotes', (depth: number) => `${'> '.repeat(depth)}Q`],
    ['lists', (depth: number) => `${'- '.repeat(depth)}Q`],
    [
      'lists by indentation',
      (depth: number) => times(depth, (i) => `${'  '.repeat(i)}- ${i + 1 === depth ? 'Q' : 'a'}\n`),
    ],
    ['quotes and lists', (depth: number) => `${'> 1. '.repeat(depth / 2)}${depth % 2 === 1 ? '> ' : ''}Q`],
    ['a footnote', (depth: number) => `[^a]\n\n[^a]: ${'> '.repeat(depth - 1)}Q`],
    [
      'tables and headings',
      (depth: number) => `${'> '.repeat(depth)}# Q\n${'> '.repeat(depth)}a|b\n${'> '.repeat(depth)}-|-`,
    ],
  ])('%s', (_, make) => {
    expect(visibleQs(markdownToHtml(make(40), 'author'))).toBe(1);
    for (const depth of [41, 42, 43, 500]) {
      expect(() => markdownToHtml(make(depth), 'author')).toThrow(tooDeep);
    }
  });

  test('one after another does not count', () => {
    expect(visibleQs(markdownToHtml('> - Q\n\n'.repeat(1_000), 'author'))).toBe(1_000);
  });
});

describe('in a template', () => {
  const engine = (source: string) => new Engine({ load: (name) => (name === 'page' ? source : undefined) });

  test('the error has the place of the filter', () => {
    const page = engine('<h1>Guests</h1>\n<p>{{ entry|markdown }}</p>');
    expect(() => page.render('page', { entry: '> '.repeat(5_000) })).toThrow(
      expect.objectContaining({
        template: 'page',
        line: 2,
        reason: 'the Markdown text nests lists and quotes more than 40 levels deep',
      }),
    );
  });

  test('the render is charged for the length of the texts, once for each text', () => {
    const page = engine('{% for text in texts %}{{ text|markdown }}{% endfor %}');
    const texts = Array.from({ length: 20 }, (_, index) => `${' '.repeat(500_000)}\n${index}`);
    expect(() => page.render('page', { texts })).toThrow('more than 1,000,000 loop rounds');
    expect(page.render('page', { texts: Array(20).fill(texts[0]) })).toBe('<p>0</p>'.repeat(20));
  });

  test('markdown:"safe" is for texts of anyone', () => {
    const page = engine('{{ x|markdown }}|{{ x|markdown:"safe" }}|{{ x|safe|markdown:kind }}');
    const safe = '<p>&lt;b&gt;a&lt;/b&gt;</p>';
    expect(page.render('page', { x: '<b>a</b>', kind: 'safe' })).toBe(`<p><b>a</b></p>|${safe}|${safe}`);
  });

  test.each(['raw', '', 'Safe', null, 1, true, ['safe', 'x']])('the argument cannot be %j', (kind) => {
    expect(() => engine('{{ x|markdown:kind }}').render('page', { x: 'a', kind })).toThrow(
      /^page:1:6: markdown takes "safe" as argument, not "/,
    );
  });
});

/** How often the letter Q stands in the text of the HTML or in the text that takes the place of an image. */
function visibleQs(html: string): number {
  return html.replace(/<(?:(?! alt=)[^<>])*>/g, '').split('Q').length - 1;
}

function tooMuchHtml(): RegExp {
  return /makes more than 8,388,608 characters of HTML/;
}

function article(): string {
  const sentence =
    'Lorem *ipsum* dolor, [sit](https://example.org/amet) `elit` and **so** on, with more words. ';
  const list = times(6, (depth) => `${'  '.repeat(depth)}- [item](/a) *${depth}*\n`);
  const row = '| cell 1 | [b](/c) | cell | cell | cell | cell | cell | cell | cell | 10 |\n';
  const table = `${'| a '.repeat(10)}|\n${'| --- '.repeat(10)}|\n${row.repeat(200)}`;
  return times(500, (index) => {
    const extra = index % 250 === 0 ? table : index % 10 === 0 ? list : '';
    return `## Heading ${index}\n\n${sentence.repeat(5)}\n\n${extra}\n`;
  });
}
