import ipaddr from 'ipaddr.js';

/**
 * What an address leads to:
 *
 *  - `metadata`: a service of a cloud that gives credentials to whoever asks; never a target.
 *  - `private`: this machine, its network, or an address that no router forwards.
 *  - `public`: everything else.
 */
export type AddressClass = 'metadata' | 'private' | 'public';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Classifies an IPv4 or IPv6 address. An IPv6 address that carries an IPv4 address (mapped, translated or
 * tunnelled) is at most as public as the address inside. A text that is no address counts as metadata, so
 * that nothing connects to it.
 */
export function classifyAddress(text: string): AddressClass {
  const address = parseAddress(text);
  if (address === undefined) return 'metadata';
  const classes = [address, ...embeddedIn(address)].map(classOfOne);
  return (
    classes.find((found) => found === 'metadata') ?? classes.find((found) => found === 'private') ?? 'public'
  );
}

/** Parses an address without brackets and zone; undefined if the text is none. */
export function parseAddress(text: string): Address | undefined {
  const plain = text.replace(/%.*$/s, '');
  if (!/^(?:\d+\.\d+\.\d+\.\d+|[\da-f:.]*:[\da-f:.]*)$/i.test(plain)) return undefined;
  return ipaddr.isValid(plain) ? ipaddr.parse(plain) : undefined;
}

/** A range of addresses, such as `10.0.0.0/8`; a single address is a range of one. Undefined if it is none. */
export function parseRange(text: string): AddressRange | undefined {
  const single = parseAddress(text);
  if (single !== undefined) return { first: single, bits: single.toByteArray().length * 8 };
  const [, start = '', digits = ''] = /^([\da-f:.]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const first = parseAddress(start);
  const bits = Number(digits);
  return first === undefined || bits > first.toByteArray().length * 8 ? undefined : { first, bits };
}

export interface AddressRange {
  readonly first: Address;
  readonly bits: number;
}

/** Whether an address is in a range. An IPv4 address is the same as its mapped IPv6 form. */
export function isInRange(text: string, { first, bits }: AddressRange): boolean {
  const address = parseAddress(text);
  if (address === undefined) return false;
  return [address, ...mappedIn(address)].some((one) => one.kind() === first.kind() && one.match(first, bits));
}

function classOfOne(address: Address): AddressClass {
  if (metadataRanges.some((range) => isInRange(address.toString(), range))) return 'metadata';
  if (address.range() !== 'unicast') return 'private';
  // The only part of IPv6 that is assigned to networks of the internet (RFC 4291, 2.4).
  return address instanceof ipaddr.IPv4 || isInRange(address.toString(), globalUnicast)
    ? 'public'
    : 'private';
}

/** The IPv4 addresses inside an IPv6 address. */
function embeddedIn(address: Address): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return [];
  const bytes = address.toByteArray();
  return embeddings
    .filter(({ range: { first, bits } }) => address.match(first, bits))
    .map(({ at, isInverted }) => {
      const inner = at.map((position) => bytes[position] ?? 0);
      return new ipaddr.IPv4(isInverted === true ? inner.map((byte) => byte ^ 0xff) : inner);
    });
}

function mappedIn(address: Address): ipaddr.IPv4[] {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? [address.toIPv4Address()] : [];
}

function range(text: string): AddressRange {
  const parsed = parseRange(text);
  if (parsed === undefined) throw new Error(`${text} is no range of addresses`);
  return parsed;
}

const globalUnicast = range('2000::/3');

/** Where metadata services listen. Link-local addresses as a whole, because most of them are there. */
const metadataRanges = [
  '169.254.0.0/16',
  'fe80::/10',
  // Alibaba Cloud, Oracle Cloud, Azure.
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  // Amazon, Google Cloud, Scaleway.
  'fd00:ec2::/32',
  'fd20:ce::/32',
  'fd00:42::42',
].map(range);

/** The last four bytes. */
const last = [12, 13, 14, 15];

/** Forms of IPv6 that carry an IPv4 address, with the positions of its bytes. */
const embeddings: readonly {
  readonly range: AddressRange;
  readonly at: readonly number[];
  readonly isInverted?: true;
}[] = [
  // IPv4-mapped and IPv4-compatible (RFC 4291), IPv4-translated (RFC 2765).
  { range: range('::ffff:0:0/96'), at: last },
  { range: range('::/96'), at: last },
  { range: range('::ffff:0:0:0/96'), at: last },
  // NAT64 (RFC 6052). A network may use the local prefix (RFC 8215) in any of its lengths, with a byte of zeros inside.
  { range: range('64:ff9b::/96'), at: last },
  { range: range('64:ff9b:1::/48'), at: last },
  { range: range('64:ff9b:1::/48'), at: [6, 7, 9, 10] },
  { range: range('64:ff9b:1::/48'), at: [7, 9, 10, 11] },
  { range: range('64:ff9b:1::/48'), at: [9, 10, 11, 12] },
  // 6to4 (RFC 3056) and Teredo (RFC 4380): its server, and its client with all bits inverted.
  { range: range('2002::/16'), at: [2, 3, 4, 5] },
  { range: range('2001::/32'), at: [4, 5, 6, 7] },
  { range: range('2001::/32'), at: last, isInverted: true },
];
