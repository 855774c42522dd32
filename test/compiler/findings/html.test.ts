/** The place of a value in HTML is compared with the place that a parser finds for a word in the same text. */
import fc from 'fast-check';
import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { describe, expect, test } from 'vitest';
import { type HtmlState, joinStates, readHtml, textState } from '../../../compiler/findings/html.ts';

/** A word in place of the value. It is lower case because the parser writes names in lower case. */
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
  test('is the one that a parser finds', () => {
    fc.assert(
      fc.property(html, html, (before, after) => {
        const text = before.join('');
        // A script inside a comment inside a script is not recognised; the head of html.ts says why.
        fc.pre(!/<script.*<!--/is.test(text));
        const expected = placeByParser(text, after.join(''));
        if (expected !== undefined) expect(describePlace(readHtml(textState, text))).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  test('is the same when the text is read in two pieces, unless the cut is inside a name or a delimiter', () => {
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

  test('the shorter beginning of one value counts, in any order', () => {
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

/** The place in the words of `placeByParser`. */
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

/** Undefined if the parser drops the word: in an attribute given twice, or in a tag without end. */
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
