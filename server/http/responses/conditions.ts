/**
 * Conditions and ranges of GET and HEAD (RFC 9110, sections 13 and 14): the only place that decides whether a client
 * gets a representation (200), a part of it (206), no part (416), or nothing because it has the bytes already (304).
 *
 * If-Match and If-Unmodified-Since are ignored: they protect a write from overwriting another, and nothing is written.
 */
import type { PublicRequest } from '../public-exchange.ts';

/** What identifies the bytes of a representation. */
export interface Validators {
  /** Strong entity tag, quotes included. */
  readonly tag: string;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
}

/** The headers of a request that decide; empty when absent. */
export interface Conditions {
  readonly ifNoneMatch: string;
  readonly ifModifiedSince: string;
  readonly ifRange: string;
  /** Empty for HEAD: a range is defined for GET only (14.2). */
  readonly range: string;
}

/** Positions of bytes, both inclusive. */
export interface SelectedRange {
  readonly start: number;
  readonly end: number;
}

/** What a client gets: all bytes, a range of them, a 304, or a 416. */
export type Selection = 'whole' | SelectedRange | 'unchanged' | 'unsatisfiable';

/** Reads the conditions while the request is valid. */
export function readConditions(request: PublicRequest): Conditions {
  return {
    ifNoneMatch: request.ifNoneMatch,
    ifModifiedSince: request.header('if-modified-since'),
    ifRange: request.header('if-range'),
    range: request.method === 'GET' ? request.header('range') : '',
  };
}

/** Decides in the order of 13.2.2: first the conditions, then the range. */
export function evaluateConditions(
  conditions: Conditions,
  validators: Validators,
  sizeBytes: number,
): Selection {
  if (isUnchanged(conditions, validators)) return 'unchanged';
  return conditions.range === '' ? 'whole' : selectRange(conditions, validators, sizeBytes);
}

/**
 * Whether If-None-Match names the bytes that a client would get (13.1.2: weak comparison, `*` for any).
 *
 * @param isSameContent whether another tag names the same content, such as one of another coding
 */
export function matchesIfNoneMatch(
  ifNoneMatch: string,
  tag: string,
  isSameContent: (other: string) => boolean = isNever,
): boolean {
  // Nearly always it is one tag, and this one: comparing texts is faster than looking at their letters.
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  for (const [named] of ifNoneMatch.matchAll(/"[^"]*"/g)) {
    if (named === tag || isSameContent(named)) return true;
  }
  return false;
}

/** Formats a time for Last-Modified, in whole seconds. */
export function formatHttpDate(ms: number): string {
  return new Date(ms).toUTCString();
}

/** If-Modified-Since counts only without If-None-Match (13.1.3). */
function isUnchanged({ ifNoneMatch, ifModifiedSince }: Conditions, { tag, modifiedAt }: Validators): boolean {
  if (ifNoneMatch !== '') return matchesIfNoneMatch(ifNoneMatch, tag);
  const since = ifModifiedSince === '' ? Number.NaN : Date.parse(ifModifiedSince);
  return !Number.isNaN(since) && toWholeSeconds(modifiedAt) <= since;
}

/** Everything is sent for several ranges, for a range that is not understood, and for a range of other bytes. */
function selectRange(
  { range, ifRange }: Conditions,
  validators: Validators,
  sizeBytes: number,
): Exclude<Selection, 'unchanged'> {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? [];
  if (first === '' && last === '') return 'whole';
  if (!matchesIfRange(ifRange, validators)) return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= sizeBytes ? 'unsatisfiable' : { start, end };
}

/** 13.1.5: a tag must be strong and equal, a date exactly that of the bytes. An absent header matches. */
function matchesIfRange(ifRange: string, { tag, modifiedAt }: Validators): boolean {
  if (ifRange === '') return true;
  if (ifRange.includes('"')) return ifRange.trim() === tag;
  return Date.parse(ifRange) === toWholeSeconds(modifiedAt);
}

function toWholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

function isNever(): boolean {
  return false;
}
