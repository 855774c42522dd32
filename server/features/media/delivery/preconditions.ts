/** Ranges and conditions of requests for files (RFC 9110, sections 13 and 14). */
import type { ByteRange } from '../../../storage/storage.ts';

/** What identifies the bytes of an answer. */
export interface Validators {
  /** Strong entity tag, quotes included. */
  readonly tag: string;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
}

/** The headers that decide about the form of an answer; empty when absent. */
export interface ConditionHeaders {
  readonly ifNoneMatch: string;
  readonly ifModifiedSince: string;
  readonly ifRange: string;
  readonly range: string;
}

/** Whether the client has these bytes already. `If-Modified-Since` counts only without `If-None-Match`. */
export function isUnchanged(
  { ifNoneMatch, ifModifiedSince }: ConditionHeaders,
  validators: Validators,
): boolean {
  if (ifNoneMatch !== '') return matchesAny(ifNoneMatch, validators.tag);
  const since = ifModifiedSince === '' ? Number.NaN : Date.parse(ifModifiedSince);
  return !Number.isNaN(since) && wholeSeconds(validators.modifiedAt) <= since;
}

/**
 * The part of the bytes that a request asks for. `whole`: all of them, also for several ranges, a range that is
 * not understood, or one that belongs to other bytes (`If-Range`). `none`: no byte lies in the range.
 *
 * @param size of the whole, in bytes
 */
export function wantedRange(
  headers: ConditionHeaders,
  validators: Validators,
  size: number,
): ByteRange | 'whole' | 'none' {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(headers.range) ?? [];
  if (first === '' && last === '') return 'whole';
  if (!isSame(headers.ifRange, validators)) return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'none' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= size ? 'none' : { start, end };
}

/** The form of times in headers. */
export function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}

/** `If-Range`: a tag must be strong and equal, a date exactly that of the bytes. Absent is the same. */
function isSame(ifRange: string, { tag, modifiedAt }: Validators): boolean {
  if (ifRange === '') return true;
  if (ifRange.includes('"')) return ifRange.trim() === tag;
  return Date.parse(ifRange) === wholeSeconds(modifiedAt);
}

function matchesAny(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([found]) => found === tag);
}

function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}
