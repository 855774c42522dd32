/** Where a value lands in HTML, held against what a parser makes of the same text with a word in that place. */
import fc from 'fast-check';
import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { describe, expect, test } from 'vitest';
import { type HtmlState, joinStates, readHtml, textState } from '../../../compiler/findings/html.ts';

/** A word that stands for the value: lower case, so that it survives in names. */
const word = 'qvalueq';

// biome-ignore format: fragments of one kind share a line
const fragments = [
  '<', '>', '/', '=', '"', "'", ' ', '\n', '!', '-->', '<!--', '--', '?', 'a', 'B', '3',
  '<p', '<p ', '</p', '</p>', '<a href=', '<a href="', "<A HREF='", ' class=x', ' on', 'x=1 ', '"x"',
  '<script>', '<script ', '</script', '</script>', '</scripted>', '<style>', '</style>', '<title>', '</title >',
  '<textarea>', '</textarea>', '<!doctype html>', '<!x', '<?x', 'type="module"', '<br/>', '<x-y z>', 'text',
];

const html = fc.array(fc.constantFrom(...fragments), { maxLength: 14 });

describe('the place of a value', () => {
  test('is where a parser sees it', () => {
    fc.assert(
      fc.property(html, html, (before, after) => {
        const text = before.join('');
        // A script inside a comment inside a script is not told apart, as the head of html.ts says.
        fc.pre(!/<script.*<!--/is.test(text));
        const expected = placeByParser(text, after.join(''));
        if (expected !== undefined) expect(describePlace(readHtml(textState, text))).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  test('does not depend on where the text is cut, except within a name or a mark', () => {
    const whole =
      '<p class="a b" id=\'c\' d = e f><script type="module">1 < 2</script><!-- <p --><title>x</title>y';
    const cuts = [...whole.matchAll(/[ ">]/g)].map(({ index }) => index + 1);
    for (const cut of cuts) {
      const pieces = readHtml(readHtml(textState, whole.slice(0, cut)), whole.slice(cut));
      expect(pieces).toEqual(readHtml(textState, whole));
    }
  });
});

describe('after branches', () => {
  const joined = (...texts: string[]) => {
    const start = readHtml(textState, '<p');
    return joinStates(texts.map((text) => readHtml(start, text)));
  };

  test.each([
    [['>', '>'], 'text'],
    [[' class="x"', ''], 'betweenAttributes'],
    [[' checked', ' class=x', ' id="y"'], 'betweenAttributes'],
    [[' class="x', ' class="'], 'value'],
    [[' class="x', ' id="x'], 'unknown'],
    [[' class="x', " class='x"], 'unknown'],
    [[' class="x', '>'], 'unknown'],
    [[' class=', ''], 'unknown'],
  ])('%j lead to %s', (texts, mode) => {
    expect(joined(...texts).mode).toBe(mode);
  });

  test('of one value the shorter beginning counts, whatever the order', () => {
    expect(joined(' class="xyz', ' class="').value).toBe('');
    expect(joined(' class="', ' class="xyz').value).toBe('');
  });

  test('the end of the tag makes the place certain again', () => {
    expect(readHtml(joined(' class="x', '>'), '">').mode).toBe('text');
  });
});

test('long text takes time in proportion to its length', () => {
  for (const piece of [
    '<',
    '</',
    '<a b="',
    '<script>',
    '<!--',
    '</script',
    'a=',
    '<a ',
    "<a b='c' ",
    '<p>x</p>',
  ]) {
    const text = piece.repeat(200_000);
    expect(() => readHtml(textState, text)).not.toThrow();
    expect(() => readHtml(readHtml(textState, '<script>'), text)).not.toThrow();
  }
});

/** The place in words, as `placeByParser` gives it. */
function describePlace(state: HtmlState): string {
  const { mode, element, attribute, quote } = state;
  const end = element.startsWith('/');
  switch (mode) {
    case 'tagOpen':
    case 'tagName':
      return end ? 'end tag' : 'tag name';
    case 'betweenAttributes':
    case 'attributeName':
    case 'afterAttributeName':
      return end ? 'end tag' : 'attribute name';
    case 'beforeValue':
    case 'value':
      return end ? 'end tag' : `value of ${attribute} ${quote}`;
    case 'raw':
      return `text of ${element}`;
    case 'comment':
    case 'declaration':
      return 'comment';
    default:
      return 'text';
  }
}

/** Undefined where the value vanishes: in an attribute given twice, or in a tag that never ends. */
function placeByParser(before: string, after: string): string | undefined {
  const modes = new Map<string, number>([
    ['script', TokenizerMode.SCRIPT_DATA],
    ['style', TokenizerMode.RAWTEXT],
    ['title', TokenizerMode.RCDATA],
    ['textarea', TokenizerMode.RCDATA],
  ]);
  let place: string | undefined;
  let raw = '';
  const seeText = ({ chars }: { chars: string }) => {
    if (chars.includes(word)) place ??= raw === '' ? 'text' : `text of ${raw}`;
  };
  const seeComment = (data: string | null) => {
    if (data?.includes(word)) place ??= 'comment';
  };
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onComment: ({ data }) => seeComment(data),
      onDoctype: (token) => seeComment([token.name, token.publicId, token.systemId].join(' ')),
      onEof: () => {},
      onCharacter: seeText,
      onNullCharacter: seeText,
      onWhitespaceCharacter: seeText,
      onStartTag(token) {
        place ??= placeInTag(token, before + word + after);
        raw = modes.has(token.tagName) ? token.tagName : '';
        const mode = modes.get(token.tagName);
        if (mode !== undefined) tokenizer.state = mode;
      },
      onEndTag(token) {
        if (placeInTag(token, before + word + after) !== undefined) place ??= 'end tag';
        raw = '';
      },
    },
  );
  tokenizer.write(before + word + after, true);
  return place;
}

function placeInTag({ tagName, attrs, location }: Token.TagToken, source: string): string | undefined {
  if (tagName.includes(word)) return 'tag name';
  for (const { name, value } of attrs) {
    if (name.includes(word)) return 'attribute name';
    if (!value.includes(word)) continue;
    const { startOffset = 0, endOffset = 0 } = location?.attrs?.[name] ?? {};
    const written = source.slice(startOffset, endOffset);
    const quote = /^["']/.exec(written.slice(written.indexOf('=', 1) + 1).trimStart())?.[0] ?? '';
    return `value of ${name} ${quote}`;
  }
  return undefined;
}
