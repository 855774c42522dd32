import { describe, expect, it } from 'vitest';
import { acceptsGzip, matchesTag } from '../../../server/delivery/negotiate.ts';

describe('acceptsGzip', () => {
  it.each([
    ['', false],
    ['gzip', true],
    ['gzip, deflate, br, zstd', true],
    ['br,gzip', true],
    ['deflate', false],
    ['GZIP', true],
    ['x-gzip', true],
    ['xgzip', false],
    ['gzipped', false],
    ['gzip;q=0', false],
    ['gzip; q=0.0', false],
    ['gzip;q=0.000, *', false],
    ['gzip;q=0.001', true],
    ['gzip;Q=0', false],
    ['*', true],
    ['*;q=0', false],
    ['identity;q=1, *;q=0', false],
    ['identity', false],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
  ])('%j: %s', (header, expected) => {
    expect(acceptsGzip(header)).toBe(expected);
  });
});

describe('matchesTag', () => {
  it.each([
    ['', false],
    ['"a"', true],
    ['"a-gzip"', true],
    ['W/"a"', true],
    ['"x", "y", W/"a"', true],
    ['*', true],
    [' * ', true],
    ['"b"', false],
    ['a', false],
    ['"x,"a"', false],
    ['"', false],
  ])('%j: %s', (header, expected) => {
    expect(matchesTag(header, '"a"', '"a-gzip"')).toBe(expected);
  });
});
