/** Lines end with LF, CR or CRLF, and errors count them all in the same way. */
import { expect, test } from 'vitest';
import { TemplateError } from '../../grammar/errors.ts';
import { parse } from '../../grammar/parse.ts';
import { lineAt, Positions, positionAt } from '../../grammar/positions.ts';

const ends = ['\n', '\r', '\r\n'];

test.each(ends)('an error after lines that end with %j is on the third line', (end) => {
  expect(messageOf(`a${end}b${end} {{ a b }}${end}c`)).toMatch(/^page:3:7: /);
  expect(messageOf(`{% if a %}${end}{% endfor %}`)).toMatch(/^page:2:1: .* of line 1 /);
});

test('an empty line between a CR and an LF does not exist, between two CRs it does', () => {
  expect(positionAt('a\r\nb', 3)).toEqual({ line: 2, column: 1 });
  expect(positionAt('a\r\rb', 3)).toEqual({ line: 3, column: 1 });
});

test('positions of many offsets are those of each offset', () => {
  const source = 'ab\ncd\r\n\r\nef\rg\n';
  const positions = new Positions(source);
  for (let offset = 0; offset <= source.length; offset++)
    expect(positions.at(offset)).toEqual(positionAt(source, offset));
});

test('the text of a line is the one that the position counts', () => {
  const source = 'ab\ncd\r\nef\rgh';
  for (const [index, line] of ['ab', 'cd', 'ef', 'gh'].entries()) {
    expect(lineAt(source, index + 1)).toBe(line);
    expect(positionAt(source, source.indexOf(line))).toEqual({ line: index + 1, column: 1 });
  }
  expect(lineAt(source, 5)).toBeUndefined();
});

function messageOf(source: string): string {
  try {
    parse(source, 'page');
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
  }
  return 'no error';
}
