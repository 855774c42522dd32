/** Rich text as a value: what is not touched stays as it is, byte for byte, and what is written means what was edited. */
import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import { describe, expect, test } from 'vitest';
import { parseHtml, toCanonical } from '../../admin/src/editors/richtext/model/canonical.ts';
import { readHtml } from '../../admin/src/editors/richtext/model/html-read.ts';
import { parser } from '../../admin/src/editors/richtext/model/markdown-parser.ts';
import { readMarkdown } from '../../admin/src/editors/richtext/model/markdown-read.ts';
import type { SourcePart } from '../../admin/src/editors/richtext/model/parts.ts';
import { readRichText } from '../../admin/src/editors/richtext/model/rich-text.ts';
import type { Format } from '../../admin/src/editors/richtext/model/schema.ts';

/** What is joined to values: markup of all kinds, some of it broken. */
const pieces: Readonly<Record<Format, readonly string[]>> = {
  html: [
    ...[
      '<p>One <b>two</b> <strong>three</strong></p>',
      '<p class="a" id=b>x</p>',
      "<P STYLE='c'>Four</P>",
      '<p>open',
    ],
    ...[
      '\n',
      '\n\n',
      '  ',
      '\r\n',
      'plain words',
      'a &amp; b &copy; &nbsp;c',
      '<br>',
      '<br/>',
      '<hr />',
      '<!-- note -->',
    ],
    ...[
      '<ul>\n  <li>a</li>\n  <li>b <ul><li>c</li></ul></li>\n</ul>',
      '<ol start="3"><li><p>x</p></li><li>y</ol>',
    ],
    ...[
      '<a href="/x" target=_blank>link</a>',
      '<em><strong>both</strong></em>',
      '<span class="q">own</span>',
    ],
    ...[
      '<div class="grid"><p>in</p>text</div>',
      '<figure><img src="/a.jpg" alt="A"><figcaption>F</figcaption></figure>',
    ],
    ...[
      '<table><tr><td>1</td><td>2</td></tr></table>',
      '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1',
    ],
    ...[
      '<table><tr><td>1</td></tr><tr><td>2</td><td>3</td></tr></table>',
      '</table>',
      '</div>',
      '</p>',
      '<div>',
      '<b>',
    ],
    ...['<iframe src="x"></iframe>', '<svg><path d="M0"/></svg>', '<script>1 < 2</script>', '<x-y>z</x-y>'],
    ...[
      '{{ page.title }}',
      '{% if a < b %}',
      '{% endif %}',
      '<p {{ attrs }}>t</p>',
      '{{ "<i>" }}',
      '{{ open',
    ],
    ...[
      '<pre>\n a\n  b</pre>',
      '<pre><code class="language-js">let a;</code></pre>',
      '<h2>Head <i>ing</i></h2>',
    ],
    ...[
      '<blockquote><p>q</p></blockquote>',
      '<blockquote>q</blockquote>',
      '<p></p>',
      '<a><h2>x</h2></a>',
      '<dl><dt>t<dd>d</dl>',
    ],
  ],
  markdown: [
    ...[
      'One **two** _three_ `four`',
      '# Head',
      'Head\n===',
      '## Head ##',
      'plain words',
      'hard  \nbreak',
      'back\\\nslash',
    ],
    ...[
      '\n',
      '\n\n',
      '\n\n\n',
      '\r\n',
      '  ',
      '- a\n- b\n  - c',
      '* a\n\n* b',
      '1. x\n2. y',
      '3) x\n\n   more\n4) y',
      '- [ ] to do',
    ],
    ...[
      '> quote\n> more',
      '> - list\n>\n> text',
      '```js\nlet a;\n```',
      '~~~\nb\n~~~',
      '    indented',
      '```\nopen',
      '---',
      '***',
    ],
    ...[
      '| a | b |\n|---|:-:|\n| 1 | 2 |',
      '<div>html</div>',
      '<span class="q">own</span>',
      '<br>',
      '<!-- note -->',
      'a <b> c',
    ],
    ...[
      '[link](/x "title")',
      '[ref][r]',
      '[r]: /address',
      '![alt](/a.jpg)',
      '<https://a.example/b_c>',
      'https://a.example/b_c',
    ],
    ...[
      '[^1]',
      '[^1]: note',
      '~~gone~~',
      '~gone~',
      '{{ page.title }}',
      '{% if a < b %}',
      '{{ open',
      'a\\*b',
      '&copy; &amp;',
      '1\\. x',
    ],
    ...['***both***', '**a**b', '*a **b** c*', 'snake_case_name', '<', '[', '|', '#', '+ x'],
  ],
};

const values = (format: Format) =>
  fc
    .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...pieces[format]) }, fc.string()), {
      maxLength: 7,
    })
    .map((list) => list.join(''));

const partsOf = (value: string, format: Format): readonly SourcePart[] =>
  (format === 'html' ? readHtml(value) : readMarkdown(value).sequence).parts;

const meaningOf = (value: string, format: Format) =>
  toCanonical(parseHtml(format === 'html' ? value : parser.render(value)));

/** Places in which a text can be typed, with the index of their part. */
function listTexts(doc: Node): readonly { readonly end: number; readonly index: number }[] {
  const texts: { readonly end: number; readonly index: number }[] = [];
  doc.descendants((node, position) => {
    if (node.isTextblock)
      texts.push({ end: position + 1 + node.content.size, index: doc.resolve(position + 1).index(0) });
    return !node.isTextblock;
  });
  return texts;
}

/** With what stays source, because a template tag that is typed is one when it is read. */
function textOf(node: Node): string {
  const text = node.textBetween(0, node.content.size, '', (leaf) => String(leaf.attrs['source'] ?? ''));
  return text.replace(/\s+/g, ' ');
}

describe.each(['html', 'markdown'] as const)('%s', (format) => {
  test('a value is its parts with what stands between them', () => {
    fc.assert(
      fc.property(values(format), (value) => {
        const { parts, tail } = format === 'html' ? readHtml(value) : readMarkdown(value).sequence;
        expect(parts.map(({ before, source }) => before + source).join('') + tail).toBe(value);
      }),
      { numRuns: 300 },
    );
  });

  test('what is not touched is written as it was read', () => {
    fc.assert(
      fc.property(values(format), (value) => {
        const { doc, write } = readRichText(value, format);
        expect(write(doc)).toBe(value);
        // As after undo: equal nodes, but others. The paragraph makes all be written.
        const copy = doc.type.schema.nodeFromJSON(doc.toJSON());
        const last = doc.type.schema.node('paragraph', null, doc.type.schema.text('Last'));
        const parts = partsOf(value, format);
        if (parts.length === 0) return;
        const whole = parts.map(({ before, source }) => before + source).join('');
        const changed = write(copy.copy(copy.content.addToEnd(last)));
        const isLine = doc.lastChild?.attrs['isBare'] === true;
        if (!isLine) expect(changed.slice(0, whole.length)).toBe(whole);
      }),
      { numRuns: 300 },
    );
  });

  test('only the part that is typed in changes', () => {
    fc.assert(
      fc.property(values(format), fc.nat(), (value, choice) => {
        const { doc, write } = readRichText(value, format);
        const texts = listTexts(doc);
        const parts = partsOf(value, format);
        const text = texts[choice % texts.length];
        if (text === undefined || parts.length === 0) return;
        const { tr } = EditorState.create({ doc });
        const changed = write(tr.insertText('Typed', text.end).doc);
        const before = parts
          .slice(0, text.index)
          .map((part) => part.before + part.source)
          .join('');
        const own = parts[text.index];
        expect(changed.slice(0, before.length)).toBe(before);
        const behind = value.slice(before.length + (own?.before.length ?? 0) + (own?.source.length ?? 0));
        expect(changed.slice(changed.length - behind.length)).toBe(behind);
        expect(changed).toContain('Typed');
        // Undo.
        expect(write(tr.delete(text.end, text.end + 'Typed'.length).doc)).toBe(value);
      }),
      { numRuns: 300 },
    );
  });

  test('what is written is read as what was edited', () => {
    fc.assert(
      fc.property(values(format), fc.nat(), fc.string({ maxLength: 8 }), (value, choice, typed) => {
        const { doc, write } = readRichText(value, format);
        const texts = listTexts(doc);
        const text = texts[choice % texts.length];
        if (text === undefined) return;
        const { tr } = EditorState.create({ doc });
        const word = `W${typed.trim()}W`;
        const changed = tr.insertText(word, text.end).doc;
        const again = readRichText(write(changed), format).doc;
        if (again.children.every(({ type }) => type.name !== 'raw_block'))
          expect(textOf(again)).toContain(word.replace(/\s+/g, ' '));
      }),
      { numRuns: 300 },
    );
  });

  test('a value is read as what it means', () => {
    fc.assert(
      fc.property(values(format), (value) => {
        const { doc, write } = readRichText(value, format);
        expect(meaningOf(write(doc), format)).toBe(meaningOf(value, format));
      }),
      { numRuns: 200 },
    );
  });
});
