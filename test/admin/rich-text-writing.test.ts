/** Single cases of rich text: what an edit writes, and what is taken from the clipboard. */
import { EditorState, type Transaction } from 'prosemirror-state';
import { describe, expect, test } from 'vitest';
import { cleanPaste } from '../../admin/src/editors/richtext/model/clean-paste.ts';
import { type RichElement, toAllowed } from '../../admin/src/editors/richtext/model/elements.ts';
import { readRichText } from '../../admin/src/editors/richtext/model/rich-text.ts';
import type { Format } from '../../admin/src/editors/richtext/model/schema.ts';
import { trust } from '../../admin/src/editors/richtext/model/trusted.ts';

/** The value after a text has been typed behind a word. */
function type(value: string, word: string, typed: string, format: Format): string {
  const { doc, write } = readRichText(value, format);
  return write(edit(doc, word, (tr, end) => tr.insertText(typed, end)));
}

/** The value after a word has got a mark. */
function mark(value: string, word: string, name: string, format: Format): string {
  const { doc, write } = readRichText(value, format);
  const own = doc.type.schema.mark(name);
  return write(edit(doc, word, (tr, end) => tr.addMark(end - word.length, end, own)));
}

function edit(
  doc: ReturnType<typeof readRichText>['doc'],
  word: string,
  change: (tr: Transaction, end: number) => Transaction,
) {
  let end = -1;
  doc.descendants((node, position) => {
    const start = node.text?.indexOf(word) ?? -1;
    if (start >= 0) end = position + start + word.length;
  });
  return change(EditorState.create({ doc }).tr, end).doc;
}

describe('HTML', () => {
  test('an item changes, the others and the spaces between them do not', () => {
    const list = '<UL class=a>\n\t<li>One\n\t<li id=x>Two <br/> b\n</UL>\n';
    expect(type(list, 'One', '!', 'html')).toBe(list.replace('One', 'One!'));
    const nested = '<div class="c">\n  <p>One</p>\n  <p CLASS=b>Two</p>\n</div>';
    expect(type(nested, 'One', '!', 'html')).toBe(
      '<div class="c">\n  <p>One!</p>\n  <p CLASS=b>Two</p>\n</div>',
    );
  });

  test('a cell changes, its table does not', () => {
    const table =
      '<table border=1><thead><tr><th>A<th>B</thead>\n<tbody><tr><td>1</td><td>2</td></tr></table>';
    expect(type(table, '2', '3', 'html')).toBe(table.replace('<td>2', '<td>23'));
  });

  test('elements and attributes of a touched text stay', () => {
    const text =
      '<p class="lead" data-x="1">See <a class="b" href="/x" target="_blank">it</a> <i>now</i> <sup>2</sup></p>';
    expect(type(text, 'now', '!', 'html')).toBe(text.replace('now', 'now!'));
    expect(mark('<p>{{ page.title }} is <b>here</b></p>', 'is', 'strong', 'html')).toBe(
      '<p>{{ page.title }} <strong>is</strong> <b>here</b></p>',
    );
  });

  test('a text without an element stays one', () => {
    expect(type('plain words', 'words', '!', 'html')).toBe('plain words!');
  });

  test('what cannot be shown is opaque', () => {
    const isOpaque = (value: string) => readRichText(value, 'html').isOpaque;
    expect(
      ['<iframe src="x"></iframe>', '{% if a %}', '<p {{ a }}>b</p>', '<b><p>x</p></b>'].map(isOpaque),
    ).toEqual([true, true, true, true]);
    expect(['', 'text', '<p>a</p><iframe></iframe>', '<div>x</div>'].map(isOpaque)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('Markdown', () => {
  test('an item changes, the others do not', () => {
    expect(type('* One\n* _Two_\n* Three\n', 'One', '!', 'markdown')).toBe('* One!\n* _Two_\n* Three\n');
    expect(type('1. a\n1. b', 'b', '!', 'markdown')).toBe('1. a\n2. b!');
  });

  test.each([
    ['word', 'strong', '**word**'],
    ['word', 'em', '*word*'],
    ['word', 'code', '`word`'],
  ])('%s becomes %s', (word, name, expected) => {
    expect(mark(`A ${word} more`, word, name, 'markdown')).toBe(`A ${expected} more`);
  });

  test.each([
    ['# not', '\\# not'],
    ['1. not', '1\\. not'],
    ['- not', '\\- not'],
    ['*not*', '\\*not\\*'],
    ['a_b_c', 'a_b_c'],
    ['<b>', '\\<b>'],
    ['a < b & c', 'a < b & c'],
  ])('typed signs mean nothing: %s', (typed, expected) => {
    const { doc, write } = readRichText('', 'markdown');
    expect(write(EditorState.create({ doc }).tr.insertText(typed, 1).doc)).toBe(expected);
  });

  test('what only the server knows stays: notes, tasks, template tags, HTML', () => {
    const line = 'See[^1] ~so~ {{ x | y }} <span class="q">it</span> [ref][a]';
    const rest = '\n\n- [x] done\n\n[^1]: *Note*\n\n[a]: /b\n';
    expect(type(line + rest, 'See', '!', 'markdown')).toBe(
      `See![^1] ~so~ {{ x | y }} <span class="q">it</span> [ref](/b)${rest}`,
    );
    expect(type('- [ ] to do', 'to do', '!', 'markdown')).toBe('- [ ] to do!');
  });
});

describe('the clipboard', () => {
  const clean = (html: string, richtext?: readonly RichElement[]) =>
    cleanPaste(html, toAllowed({ richtext }));

  test('a page of the web leaves its looks behind', () => {
    expect(
      clean(
        '<meta charset=utf-8><div class="x" style="color:red"><h2 id=a onclick="x()">Head</h2><p>A <span style="font-weight:700">b</span> <a href="javascript:x">c</a> <a href="https://a.example/" class=z>d</a></p><script>x()</script></div>',
      ),
    ).toBe('<h2>Head</h2><p>A <strong>b</strong> c <a href="https://a.example/">d</a></p>');
  });

  test('Google wraps all in a bold element that is not bold', () => {
    expect(
      clean(
        '<b style="font-weight:normal" id="docs-internal-guid-1"><p><span style="font-style:italic">a</span></p><ul><li><p>b</p></li></ul></b>',
      ),
    ).toBe('<p><em>a</em></p><ul><li><p data-ic-bare>b</p></li></ul>');
  });

  test('lists of Word are nested by their levels', () => {
    const item = (level: number, mark: string, words: string) =>
      `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><span style='mso-list:Ignore'>${mark} </span>${words}</p>`;
    expect(clean(item(1, '1.', 'a') + item(2, 'o', 'b') + item(1, '2.', 'c'))).toBe(
      '<ol><li><p data-ic-bare>a</p><ul><li><p data-ic-bare>b</p></li></ul></li><li><p data-ic-bare>c</p></li></ol>',
    );
  });

  test('only what the field allows stays', () => {
    const html =
      '<h1>Head</h1><p><b>a</b> <i>b</i></p><ul><li>c</li></ul><table><tr><td>d</td></tr></table><img src="/x.jpg">';
    expect(clean(html, ['italic'])).toBe('<p>Head</p><p>a <em>b</em></p><p>c</p><p>d</p>');
  });

  test('pieces of source are taken from editors of this window alone', () => {
    const html = (source: string) => `<p data-pm-slice="1 1 []"><span data-ic-raw="${source}">x</span></p>`;
    expect(clean(html('{{ stranger }}'))).not.toContain('data-ic-raw');
    trust('{{ own }}');
    expect(clean(html('{{ own }}'))).toContain('data-ic-raw="{{ own }}"');
  });
});
