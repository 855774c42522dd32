import { describe, expect, test } from 'vitest';
import { apply, safe } from './shared.ts';

type Row = [filter: string, value: unknown, args: unknown[], expected: unknown];

const people = [
  { name: 'Bo', age: 30, home: { city: 'Ulm' }, active: true },
  { name: 'Al', age: 20, home: { city: 'Bonn' }, active: false },
  { name: 'Cy', age: 30, home: { city: 'Ulm' }, active: true },
];
const names = (list: unknown) => (Array.isArray(list) ? list.map((person) => person.name).join(' ') : list);

describe('list filters', () => {
  test.each<[filter: string, args: unknown[], expected: string]>([
    ['dictsort', ['age'], 'Al Bo Cy'],
    ['dictsortreversed', ['age'], 'Bo Cy Al'],
    ['dictsort', ['home.city'], 'Al Bo Cy'],
    ['dictsort', ['missing'], ''],
    ['dictsort', ['constructor'], ''],
    ['dictsort', ['__proto__'], ''],
    ['where', ['age,30'], 'Bo Cy'],
    ['where', ['home.city, Bonn'], 'Al'],
    ['where', ['active,true'], 'Bo Cy'],
    ['where', ['active,False'], 'Al'],
    ['where', ['age', 20], 'Al'],
    ['where', ['missing,x'], ''],
    ['where', ['constructor,x'], ''],
  ])('%s with %j', (filter, args, expected) => {
    expect(names(apply(filter, people, args))).toBe(expected);
  });

  test('sorting is as in Python: by code points, lists entry by entry, no order between types', () => {
    expect(apply('dictsort', [['b'], ['a'], ['B']], [0])).toEqual([['B'], ['a'], ['b']]);
    expect(apply('dictsort', [{ k: '😀' }, { k: '\uffee' }], ['k'])).toEqual([{ k: '\uffee' }, { k: '😀' }]);
    expect(apply('dictsort', [{ k: [1, 2] }, { k: [1] }], ['k'])).toEqual([{ k: [1] }, { k: [1, 2] }]);
    expect(apply('dictsort', [{ k: 1 }, { k: 'a' }], ['k'])).toBe('');
    expect(apply('dictsort', [{ k: true }, { k: 0.5 }], ['k'])).toEqual([{ k: 0.5 }, { k: true }]);
  });

  test.each<[value: unknown, key: unknown, expected: unknown]>([
    [
      [
        [1, 'b'],
        [2, 'a'],
      ],
      1,
      [
        [2, 'a'],
        [1, 'b'],
      ],
    ],
    [
      [
        [1, 'b'],
        [2, 'a'],
      ],
      -1,
      [
        [2, 'a'],
        [1, 'b'],
      ],
    ],
    [[[1, 'b'], [2]], 1, ''],
    [
      [
        [1, 'b'],
        [2, 'a'],
      ],
      '1',
      '',
    ],
    [['ab', 'ba'], -1, ['ba', 'ab']],
    [[{ 1: 'b' }, { 1: 'a' }], '1', [{ 1: 'a' }, { 1: 'b' }]],
    [[], '_private', ''],
  ])('dictsort of %j by %j: a number is a position, a text is a name', (value, key, expected) => {
    expect(apply('dictsort', value, [key])).toEqual(expected);
  });

  test.each<Row>([
    ['dictsort', [safe('b'), 'a'], [0], ['a', safe('b')]],
    ['escapeseq', ['<', safe('<')], [], [safe('&lt;'), safe('<')]],
    ['safeseq', ['<', 1], [], [safe('<'), safe('1')]],
    ['first', [1, 2], [], 1],
    ['first', [], [], ''],
    ['first', 'éa', [], 'é'],
    ['first', safe('<b>'), [], '<'],
    ['last', [1, 2], [], 2],
    ['last', safe('ab'), [], safe('b')],
    ['last', '', [], ''],
    ['random', [7], [], 7],
    ['random', [], [], ''],
    ['join', ['<', safe('<'), 1], ['&'], safe('&lt;&amp;<&amp;1')],
    ['join', ['a', 'b'], [safe('<br>')], safe('a<br>b')],
    ['join', 5, ['-'], 5],
    ['join', { a: 1, b: 2 }, ['-'], safe('a-b')],
    ['length', 'a😀', [], 2],
    ['length', { a: 1, b: 2 }, [], 2],
    ['length', 5, [], 0],
    ['slice', [1, 2, 3, 4], ['1:3'], [2, 3]],
    ['slice', [1, 2, 3, 4], ['::-2'], [4, 2]],
    ['slice', [1, 2, 3, 4], [':-1'], [1, 2, 3]],
    ['slice', [1, 2, 3, 4], ['1:2:0'], [1, 2, 3, 4]],
    ['slice', 'a😀b', [':2'], 'a😀'],
    ['slice', 'abc', ['x'], 'abc'],
    ['slice', safe('<b>'), ['1:2'], safe('b')],
    ['slice', 5, [':1'], 5],
    ['split', 'a,b,,c', [','], ['a', 'b', '', 'c']],
    ['split', ' a  b ', [], ['a', 'b']],
    ['split', '', [','], []],
    ['sum', [1, '2.5', null, ''], [], 3.5],
    ['sum', people, ['age'], 80],
    ['sum', '', [], 0],
  ])('%s of %j with %j', (filter, value, args, expected) => {
    expect(apply(filter, value, args)).toEqual(expected);
  });

  test('random gives one of the entries', () => {
    expect(['a', 'b', 'c']).toContain(apply('random', ['a', 'b', 'c']));
  });

  test('joining without escaping accepts only texts, as in Django', () => {
    expect(apply('join', ['<', '>'], ['&'], { autoescape: false })).toEqual(safe('<&>'));
    expect(apply('join', [1, 2], ['&'], { autoescape: false })).toEqual([1, 2]);
  });

  test.each<[filter: string, value: unknown, args: unknown[], message: RegExp]>([
    ['where', 5, ['a,b'], /where needs a list/],
    ['where', [], ['a'], /a field and a value/],
    ['sum', 5, [], /sum needs a list/],
    ['sum', [1, 'x'], [], /entry 2/],
    ['safeseq', 5, [], /safeseq needs a list/],
    ['join', Array(9).fill('x'.repeat(1_000_000)), [''], /characters/],
    ['split', 'a,'.repeat(1_000_001), [','], /entries/],
  ])('%s refuses a wrong value or argument', (filter, value, args, message) => {
    expect(() => apply(filter, value, args)).toThrow(message);
  });
});

describe('number filters', () => {
  test.each<Row>([
    ['add', 1, [2], 3],
    ['add', '4', ['2'], 6],
    ['add', 2.9, [1.9], 3],
    ['add', '9007199254740993', [1], 9007199254740994n],
    ['add', 'a', ['b'], 'ab'],
    ['add', safe('<'), [safe('>')], safe('<>')],
    ['add', 'a', [safe('<')], 'a<'],
    ['add', [1], [[2]], [1, 2]],
    ['add', null, [1], ''],
    ['add', 1, ['x'], ''],
    ['divisibleby', 21, ['7'], true],
    ['divisibleby', '22', [7], false],
    ['filesizeformat', 1023, [], '1023\u00a0bytes'],
    ['filesizeformat', 1024 * 1.25, [], '1.2\u00a0KB'],
    ['filesizeformat', 1024 ** 6, [], '1024.0\u00a0PB'],
    ['filesizeformat', null, [], '0\u00a0bytes'],
    ['float', '2.5', [], 2.5],
    ['float', 'x', [], 0],
    ['float', 'x', [1.5], 1.5],
    ['integer', '12', [], 12],
    ['integer', '12.9', [], 12],
    ['integer', 'x', [], 0],
    ['integer', '', [7], 7],
    ['floatformat', 34.23234, [], safe('34.2')],
    ['floatformat', 34.0, [], safe('34')],
    ['floatformat', 34.0, [3], safe('34.000')],
    ['floatformat', '34.26', ['-2'], safe('34.26')],
    ['floatformat', 1234567.891, ['2g'], safe('1,234,567.89')],
    ['floatformat', 999, ['g'], safe('999')],
    ['floatformat', 0.5, [0], safe('1')],
    ['floatformat', -0.04, [1], safe('0.0')],
    ['floatformat', true, [1], safe('1.0')],
    ['floatformat', 'nan', [], 'nan'],
    ['floatformat', 'x', [], ''],
    ['get_digit', 123, [1], 3],
    ['get_digit', 123, [0], 123],
    ['get_digit', 'xyz', [1], 'xyz'],
    ['pluralize', 1, [], ''],
    ['pluralize', '1.0', [], ''],
    ['pluralize', 2, ['y,ies'], 'ies'],
    ['pluralize', [1], ['y,ies'], 'y'],
    ['pluralize', null, [], ''],
  ])('%s of %j with %j', (filter, value, args, expected) => {
    expect(apply(filter, value, args)).toEqual(expected);
  });

  test('on German pages numbers are read in German format', () => {
    const german = { lang: 'de-AT' };
    expect(apply('floatformat', 1234.5, ['2g'], german)).toEqual(safe('1.234,50'));
    expect(apply('floatformat', 1234.5, ['2u'], german)).toEqual(safe('1234.50'));
    expect(apply('filesizeformat', 1536, [], german)).toBe('1,5\u00a0KB');
    expect(apply('yesno', null, [], german)).toBe('Vielleicht');
  });

  test.each<[filter: string, value: unknown, args: unknown[], message: RegExp]>([
    ['floatformat', 1.5, [9999999], /1000 digits/],
    ['divisibleby', 5, [0], /divide by 0/],
    ['divisibleby', 'x', [2], /whole number, not "x"/],
  ])('%s refuses a wrong value or argument', (filter, value, args, message) => {
    expect(() => apply(filter, value, args)).toThrow(message);
  });
});

describe('choosing and writing', () => {
  test.each<Row>([
    ['default', 0, ['x'], 'x'],
    ['default', [], [safe('<b>')], safe('<b>')],
    ['default', safe(''), ['x'], 'x'],
    ['default', 'a', ['x'], 'a'],
    ['default_if_none', null, ['x'], 'x'],
    ['default_if_none', '', ['x'], ''],
    ['yesno', 'a', ['y,n'], 'y'],
    ['yesno', null, ['y,n'], 'n'],
    ['yesno', null, ['y,n,m'], 'm'],
    ['yesno', 0, [], 'no'],
    [
      'json',
      { a: [1, 'é</script>', null, true], b: safe('<') },
      [],
      '{"a":[1,"é\\u003C/script\\u003E",null,true],"b":"\\u003C"}',
    ],
    [
      'json',
      { at: new Date('2024-01-02T03:04:05Z'), fn: () => 1, not: undefined, nan: Number.NaN },
      [],
      '{"at":"2024-01-02T03:04:05Z","nan":null}',
    ],
    [
      'json_script',
      'é&',
      ['x"y'],
      safe('<script id="x&quot;y" type="application/json">"\\u00e9\\u0026"</script>'),
    ],
    ['json_script', [], [], safe('<script type="application/json">[]</script>')],
    ['pprint', { b: 1, a: ['x'] }, [], "{'a': ['x'], 'b': 1}"],
    [
      'pprint',
      { list: Array(8).fill('abcdefgh') },
      [],
      `{'list': [${Array(8).fill("'abcdefgh'").join(`,\n          `)}]}`,
    ],
    [
      'pprint',
      { note: `${'word '.repeat(16)}end` },
      [],
      `{'note': '${'word '.repeat(13)}'\n         '${'word '.repeat(3)}end'}`,
    ],
    ['pprint', `${'word '.repeat(16)}\nend`, [], `('${'word '.repeat(15)}'\n 'word \\n'\n 'end')`],
    ['pprint', ['😀'.repeat(36), '😀'.repeat(36)], [], `['${'😀'.repeat(36)}', '${'😀'.repeat(36)}']`],
    ['stringformat', 2.71559, ['.2f'], '2.72'],
    ['stringformat', 2.5, ['.0f'], '2'],
    ['stringformat', 255, ['#06x'], '0x00ff'],
    ['stringformat', 1e-10, ['g'], '1e-10'],
    ['stringformat', 'a', ['5s|'], '    a|'],
    ['stringformat', "it's", ['r'], `"it's"`],
    ['stringformat', 'é', ['a'], "'\\xe9'"],
    ['stringformat', { n: 5 }, ['(n)03d'], '005'],
    ['stringformat', { n: 5 }, ['(constructor)s'], ''],
    ['stringformat', 'a', ['d'], ''],
    ['stringformat', 'a', ['s %s'], ''],
    ['stringformat', safe('<'), ['3s'], safe('  <')],
    ['stringformat', 7, ['+%s'], ''],
    ['stringformat', 7, ['%%s'], '%7'],
    ['stringformat', 65, ['.0c'], 'A'],
    ['stringformat', 7, ['#.3g'], '7.00'],
    ['stringformat', 7, ['#.0f'], '7.'],
    ['stringformat', 7, ['#.0e'], '7.e+00'],
  ])('%s of %j with %j', (filter, value, args, expected) => {
    expect(apply(filter, value, args)).toEqual(expected);
  });

  test.each<[filter: string, value: unknown, args: unknown[], message: RegExp]>([
    ['stringformat', 1, ['0999999999d'], /10000 characters/],
    ['stringformat', 1, ['.999999999f'], /10000 characters/],
    ['stringformat', 1, ['.500f'], /digits after the point/],
  ])('%s refuses a width that is too large', (filter, value, args, message) => {
    expect(() => apply(filter, value, args)).toThrow(message);
  });

  test('data that contains itself cannot become JSON', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => apply('json', cycle)).toThrow(/nested more than 100/);
    expect(apply('pprint', cycle)).toBe("{'self': {...}}");
    const twice: unknown[] = ['x'.repeat(100)];
    twice.push(twice, twice);
    expect(apply('pprint', twice)).toBe(`['${'x'.repeat(100)}',\n [...],\n [...]]`);
  });

  test('a small value with too long an output is refused', () => {
    let wide: unknown = ['x'.repeat(100)];
    for (let level = 0; level < 40; level += 1) wide = [wide, wide];
    expect(() => apply('pprint', wide)).toThrow(/characters, more than/);
  });
});
