import { beforeEach, expect, it } from 'vitest';
import { TimeLimits } from '../../server/features/workflows/run/time-limits.ts';
import { ManualTimers } from '../support/receiver.ts';

let timers: ManualTimers;
let now: number;
let limits: TimeLimits;
let over: string[];

beforeEach(() => {
  timers = new ManualTimers();
  now = 0;
  over = [];
  limits = new TimeLimits(timers.later, () => now);
});

const begin = (name: string, ms: number) =>
  limits.begin(ms, { isOver: (had) => over.push(`${name} after ${had}`) });

it('end what takes too long, each at its time, with one timer', () => {
  begin('first', 1000);
  now = 400;
  begin('second', 1000);
  expect(timers.planned).toEqual([1000]);
  now = 1000;
  timers.fire();
  expect(over).toEqual(['first after 1000']);
  expect(timers.planned).toEqual([400]);
  now = 1400;
  timers.fire();
  expect(over).toEqual(['first after 1000', 'second after 1000']);
  expect(timers.planned).toEqual([]);
});

it('leave out what has ended', () => {
  const first = begin('first', 1000);
  now = 10;
  begin('second', 1000);
  first.end();
  first.end();
  now = 1000;
  timers.fire();
  expect(over).toEqual([]);
  expect(timers.planned).toEqual([10]);
});

it('need no timer when all has ended', () => {
  const [first, second] = [begin('first', 1000), begin('second', 1000)];
  first.end();
  second.end();
  expect(timers.planned).toEqual([]);
});

it('differ', () => {
  begin('long', 5000);
  begin('short', 1000);
  now = 1000;
  timers.fire(1000);
  expect(over).toEqual(['short after 1000']);
});

it('may begin while others end', () => {
  limits.begin(1000, { isOver: () => begin('next', 1000) });
  now = 1000;
  timers.fire();
  expect(timers.planned).toEqual([1000]);
});
