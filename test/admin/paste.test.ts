/** Cells of a spreadsheet as values of entries: reading them, and what they change. */
import { describe, expect, test } from 'vitest';
import type { CollectionField } from '../../admin/src/api/generated/schema.ts';
import { cellsOfText } from '../../admin/src/screens/collections/paste/cells.ts';
import {
  createPastePlan,
  faultCount,
  listRowChanges,
  looksLikeHeadings,
} from '../../admin/src/screens/collections/paste/paste-plan.ts';
import { readCell } from '../../admin/src/screens/collections/paste/read-cell.ts';
import { ConversionError } from '../../runtime/fields/definition.ts';
import { convertValue, fieldTypes } from '../../runtime/fields/types.ts';

function field(
  name: string,
  type: CollectionField['type'],
  rest: Partial<CollectionField> = {},
): CollectionField {
  return { name, label: name.toUpperCase(), type, required: false, options: [], collection: null, ...rest };
}

const title = field('title', 'text', { required: true });
const depth = field('depth', 'number');
const body = field('body', 'blocks');
const lit = field('lit', 'boolean');

test('cells are read from text with tabs; quotes hold line breaks, tabs and quotes', () => {
  expect(cellsOfText('a\tb\r\nc\td\r\n')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(cellsOfText('"two\nlines"\t"a ""word"""\n')).toEqual([['two\nlines', 'a "word"']]);
  expect(cellsOfText('5" pipe\t"open\nnext')).toEqual([['5" pipe', '"open'], ['next']]);
  expect(cellsOfText('a\n\nb')).toEqual([['a'], [''], ['b']]);
});

describe('a cell is read as a CSV import reads it', () => {
  const texts = {
    number: [
      '1',
      '-1.5',
      '1,5',
      '1.234,5',
      '1,234.5',
      '1.234.567',
      '1,234,567',
      '1e3',
      'abc',
      '1,2,3',
      '1..2',
    ],
    boolean: ['true', 'ja', 'Yes', 'x', '1', 'false', 'nein', 'no', '0', 'perhaps'],
    date: ['2026-02-28', '2026-02-29', '28.2.2026', '1.13.2026', '2026-02-28T10:00', 'soon'],
    select: ['red', 'blue'],
    reference: ['7', 'seven'],
    references: ['1,2, 1', 'a'],
    datetime: ['2026-05-31T09:30:00.5+02:00', '2026-05-31T09:30:00', 'soon'],
    multiselect: ['a, b,a', '["a,b"]'],
    link: ['{"url":"/a"}', '/a'],
  } as const;
  for (const type of Object.keys(texts) as (keyof typeof texts)[])
    test.each(texts[type])(`${type} %s`, (text) => {
      const target = field('value', type, { options: type === 'select' ? ['red', 'green'] : [] });
      const cell = fieldTypes[type].readCell(text);
      const expected = cell instanceof ConversionError ? cell : convertValue(cell, target);
      const reading = readCell(target, text);
      if (expected instanceof ConversionError) expect(reading).toHaveProperty('fault');
      else expect(reading).toEqual({ value: expected });
    });
});

test('more forms than in CSV: words of German spreadsheets, IDs as the table shows them, options in any case', () => {
  expect(readCell(lit, 'WAHR')).toEqual({ value: true });
  expect(readCell(lit, '')).toEqual({ value: false });
  expect(readCell(field('room', 'reference'), '#12')).toEqual({ value: 12 });
  expect(readCell(field('colour', 'select', { options: ['Red'] }), 'red')).toEqual({ value: 'Red' });
  expect(readCell(depth, '')).toEqual({ value: null });
  expect(readCell(title, ' ')).toEqual({ fault: 'empty' });
  expect(readCell(field('text', 'textarea'), ' a ')).toEqual({ value: ' a ' });
});

describe('what a paste changes', () => {
  const fields = [title, depth, body, lit];
  const entries = [
    { id: 1, data: { title: 'North', depth: 4, lit: true }, updated_at: 10 },
    { id: 2, data: { title: 'South', depth: 5, lit: false }, updated_at: 11 },
  ];
  const plan = (cells: readonly (readonly string[])[], columns = fields, hasHeadings = false) =>
    createPastePlan({ cells, columns, fields, hasHeadings, entries });

  test('values of rows, and new entries behind the end of the list', () => {
    const changes = listRowChanges(
      plan(
        [
          ['North', '6'],
          ['South', '5'],
          ['West', '7'],
        ],
        [title, depth],
      ),
    );
    expect(changes.map(({ row, data }) => [row.entry?.id, data])).toEqual([
      [1, { depth: 6 }],
      [undefined, { title: 'West', depth: 7 }],
    ]);
  });

  test('columns without a field and blocks are ignored', () => {
    const { fields: used, ignored } = plan([['1', 'tree', 'yes', 'more']], [depth, body, lit]);
    expect([used, ignored]).toEqual([[depth, lit], 2]);
  });

  test('headings name the fields by label or name, in any order', () => {
    const cells = [
      ['depth', 'TITLE'],
      ['9', 'North'],
    ];
    expect(looksLikeHeadings(cells, fields)).toBe(true);
    expect(
      looksLikeHeadings(
        [
          ['North', 'depth'],
          ['x', 'y'],
        ],
        fields,
      ),
    ).toBe(false);
    expect(looksLikeHeadings([['title']], fields)).toBe(false);
    expect(listRowChanges(plan(cells, fields, true)).map(({ data }) => data)).toEqual([{ depth: 9 }]);
  });

  test('what does not fit is counted and left out, and a new entry that lacks something is not made', () => {
    const faulty = plan(
      [
        ['North', 'deep'],
        ['', '8'],
        ['', '9'],
        ['', ''],
      ],
      [title, depth],
    );
    expect(faultCount(faulty)).toBe(3);
    expect(listRowChanges(faulty).map(({ data }) => data)).toEqual([{ depth: 8 }]);
    const onlyDepth = plan([['1'], ['2'], ['3']], [depth]);
    expect(onlyDepth.rows[2]?.missing).toEqual([title]);
    expect(listRowChanges(onlyDepth)).toHaveLength(2);
  });
});
