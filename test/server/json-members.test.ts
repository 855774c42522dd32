import { expect, it } from 'vitest';
import { memberText } from '../../server/features/workflows/message/json-members.ts';

const values: readonly unknown[] = [
  null,
  true,
  -1.5e-7,
  '',
  'text, with "payload": and \\',
  '\\"',
  '\\\\',
  '}]',
  [],
  {},
  [[1, '}'], { a: ']' }],
  { payload: 'inner', b: { payload: [1, 2] } },
  { '"': '\\', 'a\\"': 1 },
  'ä😀\ud800',
];

it.each(values.map((value) => [JSON.stringify(value), value]))('finds %s at every place', (text, value) => {
  for (const other of values) {
    const objects = [{ payload: value }, { payload: value, other }, { other, payload: value }];
    for (const object of [...objects, { other, payload: value, another: other, payloads: other }])
      expect(memberText(JSON.stringify(object), 'payload')).toBe(text);
    expect(memberText(JSON.stringify({ other, payloads: value, payloa: other }), 'payload')).toBeUndefined();
  }
});

it('is undefined for an empty object, and comes to an end with what is no JSON', () => {
  for (const text of [
    '{}',
    '',
    '{',
    '{"',
    '{"payload',
    '{"payload"',
    '{"payload":',
    '{"payload":"',
    '{"a":"\\"',
    '{"a":[',
  ])
    expect(memberText(text, 'payload')).toBeUndefined();
});
