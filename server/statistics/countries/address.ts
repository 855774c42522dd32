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

/** The upper half of an IPv6 address in any spelling without a zone; undefined for anything else. */
export function parseIpv6(text: string): UpperHalf | undefined {
  const gap = text.indexOf('::');
  const before = groupsOf(gap < 0 ? text : text.slice(0, gap));
  const after = gap < 0 ? [] : groupsOf(text.slice(gap + 2));
  if (before === undefined || after === undefined) return undefined;
  const missing = 8 - before.length - after.length;
  if (gap < 0 ? missing !== 0 : missing < 1) return undefined;
  const all = [...before, ...Array.from({ length: missing }, () => 0), ...after];
  const [a = 0, b = 0, c = 0, d = 0] = all;
  return { high: a * 0x10000 + b, low: c * 0x10000 + d };
}

/** Groups of 16 bits; an IPv4 address at the end counts as two. */
function groupsOf(text: string): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes('.')) {
      const address = parseIpv4(part);
      if (address === undefined) return undefined;
      groups.push(Math.floor(address / 0x10000), address % 0x10000);
    } else {
      if (!/^[\da-f]{1,4}$/i.test(part)) return undefined;
      groups.push(Number.parseInt(part, 16));
    }
  }
  return groups.length > 8 ? undefined : groups;
}
