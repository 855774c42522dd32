/** Generated code reads fields directly, so objects that the engine passes to templates may have no private fields. */
import { expect, test } from 'vitest';
import { Group } from '../../../runtime/engine/lookup.ts';
import { LoopObject } from '../../../runtime/engine/loop.ts';
import { Slots } from '../../../runtime/engine/slots.ts';
import { safe } from '../../../runtime/engine.ts';

test.each([
  ['safe text', safe('x'), ['value']],
  ['a group', new Group('key', []), ['grouper', 'list']],
  ['slots', new Slots([]), []],
  [
    'a loop',
    new LoopObject(0, 1, undefined, new Map()),
    ['counter', 'counter0', 'revcounter', 'revcounter0', 'first', 'last', 'length', 'parentloop'],
  ],
])('%s has only the fields for templates, and inherits none from its class', (_, object, fields) => {
  expect(Object.getOwnPropertyNames(object)).toEqual(fields);
  const inherited = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object)));
  expect(inherited.filter(([, { value }]) => typeof value !== 'function')).toEqual([]);
});
