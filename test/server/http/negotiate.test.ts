import { describe, expect, it } from 'vitest';
import { codingsFor } from '../../../server/http/negotiate.ts';

describe('codingsFor', () => {
  it.each([
    ['', []],
    ['gzip', ['gzip']],
    ['gzip, deflate, br, zstd', ['br', 'gzip']],
    ['br,gzip', ['br', 'gzip']],
    ['deflate', []],
    ['zstd', []],
    ['GZIP', ['gzip']],
    ['Br', ['br']],
    ['x-gzip', ['gzip']],
    ['xgzip', []],
    ['gzipped', []],
    ['gzip;q=0', []],
    ['gzip; q=0.0', []],
    ['gzip;q=0.000, *', ['br']],
    ['gzip;q=0.001', ['gzip']],
    ['gzip;Q=0', []],
    ['br;q=0, gzip', ['gzip']],
    ['*', ['br', 'gzip']],
    ['*;q=0', []],
    ['identity;q=1, *;q=0', []],
    ['identity', []],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', ['br', 'gzip']],
    ['br;q=0.5, gzip;q=0.8', ['gzip', 'br']],
    ['br;q=0.5, *', ['gzip', 'br']],
    ['br;q=many, gzip', ['br', 'gzip']],
    [`${'a;q=0.1,'.repeat(300)}br`, ['br']],
  ])('%j: %j', (header, expected) => {
    expect(codingsFor(header)).toEqual(expected);
    expect(codingsFor(header)).toEqual(expected);
  });
});
