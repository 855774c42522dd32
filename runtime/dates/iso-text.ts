import { findDate } from './calendar.ts';

/** The offset of a text without one. */
export const noZone = 0x7fff_ffff;

/** The text that was read last, so that no reader makes an object. */
export const read = {
  /** Days since 1970, and seconds of the day, as the text has them. */
  days: 0,
  seconds: 0,
  /** Minutes that the text is ahead of UTC; `noZone` if it says nothing about the zone. */
  offset: noZone,
  /** Whether the text is a date without a time. */
  dateOnly: true,
  /** Whether the text has a fraction of a second, which is not kept. */
  hasFraction: false,
};

const dash = 0x2d;
const colon = 0x3a;

/**
 * Reads the usual dates into `read`: `2026-05-01`, `2026-05-01T09:30`, `2026-05-01 09:30:00.5+02:00`. False for
 * all other texts, which `parseMoment` may still know.
 */
export function readIsoText(text: string): boolean {
  const { length } = text;
  if (length < 10 || length > 40) return false;
  if (text.charCodeAt(4) !== dash || text.charCodeAt(7) !== dash) return false;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const days = findDate(year, twoDigits(text, 5) - 1, twoDigits(text, 8));
  if (days === undefined) return false;
  read.days = days;
  read.seconds = 0;
  read.offset = noZone;
  read.dateOnly = length === 10;
  read.hasFraction = false;
  return read.dateOnly || readTime(text);
}

/** Characters of `2026-05-01T09:30`. */
const minuteEnd = 16;

function isSeparator(code: number): boolean {
  return code === 0x20 || code === 0x54 || code === 0x74;
}

function readTime(text: string): boolean {
  // V8 leaves its quick way for good when a position beyond the end is read once.
  if (text.length < minuteEnd || !isSeparator(text.charCodeAt(10))) return false;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || text.charCodeAt(13) !== colon) return false;
  const hasSecond = text.length > minuteEnd && text.charCodeAt(minuteEnd) === colon;
  const second = hasSecond ? twoDigits(text, 17) : 0;
  if (second < 0 || second > 59) return false;
  read.seconds = hour * 3600 + minute * 60 + second;
  const end = hasSecond ? endOfFraction(text) : minuteEnd;
  return end === text.length || (end > 0 && readOffset(text, end));
}

/** Most digits of a fraction. */
const maxFraction = 9;

/** Where the fraction after the seconds ends; -1 if it has no digits or too many. */
function endOfFraction(text: string): number {
  const point = text.length > 19 ? text.charCodeAt(19) : 0;
  if (point !== 0x2e && point !== 0x2c) return 19;
  let end = 20;
  while (digit(text, end) >= 0) end += 1;
  read.hasFraction = true;
  return end === 20 || end - 20 > maxFraction ? -1 : end;
}

function readOffset(text: string, start: number): boolean {
  const rest = text.length - start;
  const sign = text.charCodeAt(start);
  if (rest === 1) {
    read.offset = 0;
    return sign === 0x5a || sign === 0x7a;
  }
  const hasColon = rest === 6 && text.charCodeAt(start + 3) === colon;
  if ((sign !== 0x2b && sign !== dash) || (rest !== 5 && !hasColon)) return false;
  const minutes = twoDigits(text, start + 1) * 60 + twoDigits(text, start + (hasColon ? 4 : 3));
  read.offset = sign === dash ? -minutes : minutes;
  return minutes >= 0;
}

/** Below 0 if one of the two is no digit. */
function twoDigits(text: string, start: number): number {
  return digit(text, start) * 10 + digit(text, start + 1);
}

function digit(text: string, index: number): number {
  if (index >= text.length) return noDigit;
  const value = text.charCodeAt(index) - 0x30;
  return value >= 0 && value <= 9 ? value : noDigit;
}

/** So far below 0 that a number with one such digit is below 0 too. All numbers here stay small integers. */
const noDigit = -1_000_000;
