import { describe, expect, it } from 'vitest';
import type { PublicRequest } from '../../../../server/http/public-exchange.ts';
import {
  evaluateConditions,
  formatHttpDate,
  matchesIfNoneMatch,
  readConditions,
  type Selection,
} from '../../../../server/http/responses/conditions.ts';

/** The rules of RFC 9110, sections 13 and 14, by their numbers. */

const modified = 'Mon, 06 May 2024 12:00:00 GMT';
const before = 'Mon, 06 May 2024 11:59:59 GMT';
const after = 'Mon, 06 May 2024 12:00:01 GMT';
/** Not a whole second, as files have it. */
const modifiedAt = Date.parse(modified) + 789;
const size = 100;
const all: Selection = 'whole';

function select(headers: Readonly<Record<string, string>>, method: 'GET' | 'HEAD' = 'GET', sizeBytes = size) {
  const request: PublicRequest = {
    ...{ method, host: 'a', scheme: 'http', path: '/', query: '', acceptEncoding: '', cookie: '' },
    ifNoneMatch: headers['if-none-match'] ?? '',
    header: (name) => headers[name] ?? '',
    peer: () => '',
  };
  return evaluateConditions(readConditions(request), { tag: '"a"', modifiedAt }, sizeBytes);
}

describe('without conditions', () => {
  it('everything is sent', () => {
    expect(select({})).toBe(all);
  });
});

describe('If-None-Match (13.1.2)', () => {
  it.each([
    ['', false],
    ['"a"', true],
    ['W/"a"', true],
    ['"x", "y", W/"a"', true],
    ['"x","a"', true],
    ['*', true],
    [' * ', true],
    ['"b"', false],
    ['W/"b"', false],
    ['"a-gzip"', false],
    ['"aa"', false],
    ['a', false],
    ['"x,"a"', false],
    ['"', false],
  ])('%j: same bytes: %s', (header, expected) => {
    expect(matchesIfNoneMatch(header, '"a"')).toBe(expected);
    expect(select({ 'if-none-match': header })).toBe(expected ? 'unchanged' : all);
  });

  it.each([
    ['"a-gzip"', true],
    ['"x", W/"a-gzip"', true],
    ['"a-br"', false],
  ])('%j with a tag of another coding: %s', (header, expected) => {
    expect(matchesIfNoneMatch(header, '"a"', (tag) => tag === '"a-gzip"')).toBe(expected);
  });
});

describe('If-Modified-Since (13.1.3)', () => {
  it.each<[string, string, Selection]>([
    ['the same second', modified, 'unchanged'],
    ['a later time', after, 'unchanged'],
    ['an earlier time', before, all],
    ['no date', 'yesterday', all],
    ['an empty value', '', all],
  ])('%s', (_name, since, expected) => {
    expect(select({ 'if-modified-since': since })).toBe(expected);
    expect(select({ 'if-modified-since': since }, 'HEAD')).toBe(expected);
  });

  it('does not count next to If-None-Match', () => {
    expect(select({ 'if-none-match': '"b"', 'if-modified-since': after })).toBe(all);
    expect(select({ 'if-none-match': '"a"', 'if-modified-since': before })).toBe('unchanged');
  });
});

describe('If-Match and If-Unmodified-Since (13.1.1, 13.1.4)', () => {
  it.each([
    [{ 'if-match': '"b"' }],
    [{ 'if-match': '"a"' }],
    [{ 'if-match': '*' }],
    [{ 'if-unmodified-since': before }],
    [{ 'if-unmodified-since': after }],
  ])('%j is ignored: reading overwrites nothing', (headers) => {
    expect(select(headers)).toBe(all);
    expect(select({ ...headers, range: 'bytes=0-1' })).toEqual({ start: 0, end: 1 });
  });
});

describe('Range (14.1.2, 14.2)', () => {
  it.each<[string, Selection]>([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=10-', { start: 10, end: 99 }],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=99-', { start: 99, end: 99 }],
    ['bytes=90-1000', { start: 90, end: 99 }],
    ['bytes=-1', { start: 99, end: 99 }],
    ['bytes=-100', { start: 0, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['BYTES=0-1', { start: 0, end: 1 }],
    ['bytes= 0-1 ', { start: 0, end: 1 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', all],
    ['bytes=-', all],
    ['bytes=', all],
    ['bytes=a-b', all],
    ['bytes=0 - 1', all],
    ['bytes=0-1,5-6', all],
    ['bytes=0-1, 200-', all],
    ['items=0-1', all],
    ['0-1', all],
  ])('%j', (range, expected) => {
    expect(select({ range })).toEqual(expected);
  });

  it.each<[string, Selection]>([
    ['bytes=0-', 'unsatisfiable'],
    ['bytes=-1', 'unsatisfiable'],
    ['bytes=0-1,2-3', all],
  ])('%j of an empty file', (range, expected) => {
    expect(select({ range }, 'GET', 0)).toBe(expected);
  });

  it('is defined for GET only', () => {
    expect(select({ range: 'bytes=0-1' }, 'HEAD')).toBe(all);
    expect(select({ range: 'bytes=100-' }, 'HEAD')).toBe(all);
  });
});

describe('If-Range (13.1.5)', () => {
  const part = { start: 0, end: 1 };

  it.each<[string, Selection]>([
    ['"a"', part],
    [' "a" ', part],
    ['W/"a"', all],
    ['"b"', all],
    ['"a", "b"', all],
    [modified, part],
    [before, all],
    [after, all],
    ['yesterday', all],
    ['', part],
  ])('%j', (header, expected) => {
    expect(select({ 'if-range': header, range: 'bytes=0-1' })).toEqual(expected);
  });

  it('makes an unsatisfiable range of other bytes a request for everything', () => {
    expect(select({ 'if-range': '"b"', range: 'bytes=100-' })).toBe(all);
    expect(select({ 'if-range': '"a"', range: 'bytes=100-' })).toBe('unsatisfiable');
  });

  it('does not count without a range', () => {
    expect(select({ 'if-range': '"b"' })).toBe(all);
  });
});

describe('the order of conditions (13.2.2)', () => {
  it.each<[Readonly<Record<string, string>>, Selection]>([
    [{ 'if-none-match': '"a"', range: 'bytes=0-1' }, 'unchanged'],
    [{ 'if-none-match': '"a"', range: 'bytes=100-' }, 'unchanged'],
    [
      { 'if-none-match': '"b"', range: 'bytes=0-1' },
      { start: 0, end: 1 },
    ],
    [{ 'if-modified-since': modified, range: 'bytes=0-1' }, 'unchanged'],
    [{ 'if-none-match': '"a"', 'if-range': '"b"', range: 'bytes=0-1' }, 'unchanged'],
  ])('%j', (headers, expected) => {
    expect(select(headers)).toEqual(expected);
  });
});

it('the time of a change is sent in whole seconds', () => {
  expect(formatHttpDate(modifiedAt)).toBe(modified);
});
