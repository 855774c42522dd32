import { expect, it } from 'vitest';
import { SlotSet } from '../../server/base/slot-set.ts';
import { RingBuffer } from '../../server/features/workflows/runs/ring-buffer.ts';

it('finds items by their slots, and gives a slot again when its item is gone', () => {
  const set = new SlotSet<{ readonly name: string }>();
  const [first, second, third] = [{ name: 'first' }, { name: 'second' }, { name: 'third' }];
  const [slotOfFirst, slotOfSecond] = [set.add(first), set.add(second)];
  set.remove(slotOfFirst, first);
  expect(set.at(slotOfFirst)).toBeUndefined();
  expect(set.add(third)).toBe(slotOfFirst);
  set.remove(slotOfFirst, first);
  expect(set.at(slotOfFirst)).toBe(third);
  expect(set.at(slotOfSecond)).toBe(second);
  expect(set.size).toBe(2);
});

it('can lose items while it is read', () => {
  const set = new SlotSet<{ readonly slot: () => number }>();
  const slots: number[] = [];
  for (let index = 0; index < 3; index += 1) slots.push(set.add({ slot: () => slots[index] ?? -1 }));
  for (const item of set) set.remove(item.slot(), item);
  expect([...set]).toEqual([]);
  expect(set.size).toBe(0);
});

it('keeps the newest items, oldest first', () => {
  const newest = new RingBuffer<number>(3);
  for (const number of [1, 2, 3, 4, 5]) newest.add(number);
  expect([...newest]).toEqual([3, 4, 5]);
  newest.drop(2);
  newest.add(6);
  expect([...newest]).toEqual([5, 6]);
  newest.drop(7);
  expect(newest.length).toBe(0);
});
