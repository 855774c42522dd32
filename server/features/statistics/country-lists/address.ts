/** Reading addresses as numbers, and nothing else: it happens for each visit. */

/** The 32 bits of an IPv4 address; undefined for anything else. */
export function parseIpv4(text: string): number | undefined {
  let address = 0;
  let part = -1;
  let parts = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index === text.length ? dot : text.charCodeAt(index);
    if (code === dot) {
      if (part < 0) return undefined;
      address = address * 256 + part;
      parts += 1;
      part = -1;
    } else {
      if (code < zero || code > nine || part === 0) return undefined;
      part = Math.max(part, 0) * 10 + code - zero;
      if (part > 255) return undefined;
    }
  }
  return parts === 4 ? address : undefined;
}

const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;

/** The upper 64 bits of an IPv6 address. */
export interface UpperHalf {
  readonly high: number;
  readonly low: number;
}

/** The groups of the address that is read; shared, because an array for each address would cost more than reading. */
const groups = new Uint16Array(8);

/** The upper half of an IPv6 address in any spelling without a zone; undefined for anything else. */
export function parseIpv6(text: string): UpperHalf | undefined {
  const gap = text.indexOf('::');
  const before = readGroups(text, 0, gap < 0 ? text.length : gap, 0);
  const after = gap < 0 ? 0 : readGroups(text, gap + 2, text.length, before);
  if (before < 0 || after < 0) return undefined;
  const missing = 8 - before - after;
  if (gap < 0 ? missing !== 0 : missing < 1) return undefined;
  const a = groupAt(0, before, missing) * 0x10000 + groupAt(1, before, missing);
  const b = groupAt(2, before, missing) * 0x10000 + groupAt(3, before, missing);
  return { high: a, low: b };
}

/** A group of the whole address; the missing ones are 0. */
function groupAt(index: number, before: number, missing: number): number {
  if (index < before) return groups[index] ?? 0;
  return index < before + missing ? 0 : (groups[index - missing] ?? 0);
}

/** Reads groups of 16 bits into `groups`, from `place` on; their number, or -1. An IPv4 address counts as two. */
function readGroups(text: string, from: number, end: number, place: number): number {
  if (from === end) return 0;
  let count = 0;
  let start = from;
  for (let index = from; index <= end; index++) {
    if (index < end && text.charCodeAt(index) !== colon) continue;
    const group = readHex(text, start, index);
    if (group >= 0 && place + count < 8) {
      groups[place + count] = group;
      count += 1;
    } else {
      const address = index === end && place + count < 7 ? parseIpv4(text.slice(start, end)) : undefined;
      if (address === undefined) return -1;
      groups[place + count] = address >>> 16;
      groups[place + count + 1] = address & 0xffff;
      count += 2;
    }
    start = index + 1;
  }
  return count;
}

const colon = 0x3a;

/** One to four hexadecimal digits; -1 for anything else. */
function readHex(text: string, from: number, end: number): number {
  if (end === from || end - from > 4) return -1;
  let value = 0;
  for (let index = from; index < end; index++) {
    const code = text.charCodeAt(index);
    const letter = code | 0x20;
    if (code >= zero && code <= nine) value = value * 16 + code - zero;
    else if (letter >= letterA && letter <= letterF) value = value * 16 + letter - letterA + 10;
    else return -1;
  }
  return value;
}

const letterA = 0x61;
const letterF = 0x66;
