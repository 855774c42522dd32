import { describe, expect, test } from 'vitest';
import { FilterError } from '../../../runtime/filters/filter.ts';
import { filters } from '../../../runtime/filters/index.ts';
import { defaultEnv } from './shared.ts';

const thumbnail = (value: unknown, size: unknown) => filters.get('thumbnail')?.apply(value, defaultEnv, size);

describe('thumbnail', () => {
  const wide = { url: '/media/a.jpg', width: 2000, height: 1000 };
  test.each([
    [wide, '320x100', '/media/a.jpg?thumb=320x100'],
    [wide, '2560x2560', '/media/a.jpg?thumb=2560x2560'],
    [wide, '320', '/media/a.jpg?w=320'],
    ['/media/a.jpg', '320x200', '/media/a.jpg?thumb=320x200'],
    ['/media/a.jpg?exp=1&sig=2', '320x200', '/media/a.jpg?exp=1&sig=2&thumb=320x200'],
    ['/media/a.svg', '320x200', '/media/a.svg'],
    ['https://a.example/b.jpg', '320x200', 'https://a.example/b.jpg'],
    [null, '320x200', ''],
    ['', '320x200', ''],
    [{ url: 3 }, '320x200', ''],
  ])('%j in %s is %j', (value, size, expected) => {
    expect(thumbnail(value, size)).toBe(expected);
  });

  test.each(['', 'x', '320x', '-1x3', '320x200x1', '999999x1', '3.5x2', '2561x1', '1x2561', '0x5', '5x0'])(
    'refuses the size %j',
    (size) => {
      expect(() => thumbnail('/media/a.jpg', size)).toThrow(FilterError);
    },
  );
});
