import { describe, expect, it } from 'vitest';
import { type Columns, columnNames, getCodec, rowReader } from '../../../runtime/content/columns.ts';

const columns = {
  id: 'integer',
  kind: ['css', 'js'],
  published: 'flag',
  title: 'text?',
  schema: 'json?',
} as const satisfies Columns;

describe('a table of columns', () => {
  const read = rowReader(columns, columnNames(columns));

  it('converts the cells of a row', () => {
    expect(read([1, 'js', 0, null, '{"a":[1]}'])).toEqual({
      id: 1,
      kind: 'js',
      published: false,
      title: null,
      schema: { a: [1] },
    });
  });

  it('reads chosen columns in the given order', () => {
    expect(rowReader(columns, ['published', 'id'])([1, 7])).toEqual({ published: true, id: 7 });
  });

  it.each([
    ['text for an integer', ['1', 'js', 0, null, null]],
    ['another choice', [1, 'ts', 0, null, null]],
    ['NULL where a value must be', [1, 'js', null, null, null]],
    ['a missing cell', [1, 'js', 0]],
  ])('refuses %s', (_name, row) => {
    expect(() => read(row)).toThrow(TypeError);
  });

  it.each([
    ['flag', true, 1],
    ['json', { a: 1 }, '{"a":1}'],
    ['json?', null, null],
    ['text', 'x', 'x'],
    ['integer?', null, null],
  ] as const)('stores %s', (type, field, cell) => {
    const codec = getCodec(type);
    expect(codec.write(field)).toBe(cell);
    expect(codec.read(cell)).toEqual(field);
  });
});
