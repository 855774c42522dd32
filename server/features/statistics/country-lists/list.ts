/**
 * The allocation list of a registry: lines of fields between `|`. The first line names the registry; `summary` lines
 * and lines that begin with `#` are left out:
 *
 *     2|ripencc|20260301|2|19830705|20260228|+0100
 *     ripencc|*|ipv4|*|1|summary
 *     ripencc|DE|ipv4|192.0.2.0|256|19930901|allocated
 *     ripencc|FR|ipv6|2001:db8::|32|20010101|assigned
 *
 * Only allocated and assigned ranges count. An IPv4 range is a number of addresses, an IPv6 range a prefix.
 */
import { parseIpv4, parseIpv6 } from './address.ts';
import { type Registry, registryNamed } from './registries.ts';

/** Why a file is no allocation list. */
export class ListError extends Error {
  readonly code = 'LIST_INVALID';
}

/** A range from its first address to the one behind its last. Of IPv6 addresses only the upper half counts. */
export type AddressRange<Address> = readonly [first: Address, end: Address, country: string];

export interface AllocationList {
  readonly registry: Registry;
  readonly v4: readonly AddressRange<number>[];
  readonly v6: readonly AddressRange<bigint>[];
}

/** Most ranges of a list; the largest has about 250,000. */
const maxRanges = 2_000_000;
const maxLineLength = 10_000;

/** Codes of no country: regions, and what is not known. */
const noCountries: ReadonlySet<string> = new Set(['ZZ', 'EU', 'AP']);

/** Reads a list that comes in pieces. */
export class ListParser {
  readonly #v4: AddressRange<number>[] = [];
  readonly #v6: AddressRange<bigint>[] = [];
  #registry: Registry | undefined;
  #rest = '';
  #line = 0;

  /** @throws ListError */
  add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
    if (this.#rest.length > maxLineLength) throw new ListError(`line ${this.#line + 1} is too long`);
  }

  /** @throws ListError */
  finish(): AllocationList {
    this.#read(this.#rest);
    if (this.#registry === undefined) throw new ListError('it is empty');
    if (this.#v4.length + this.#v6.length === 0) throw new ListError('it has no ranges');
    return { registry: this.#registry, v4: this.#v4, v6: this.#v6 };
  }

  #read(text: string): void {
    this.#line += 1;
    const line = text.trimEnd();
    if (line === '' || line.startsWith('#')) return;
    const fields = line.split('|');
    if (this.#registry === undefined) this.#registry = registryIn(fields);
    else if (fields.at(-1) !== 'summary') this.#readRange(fields);
  }

  #readRange(fields: readonly string[]): void {
    const [registry, country = '', type, start = '', size = '', , status = ''] = fields;
    if (registry !== this.#registry) throw this.#fault('belongs to another registry');
    if ((type !== 'ipv4' && type !== 'ipv6') || !/^(?:allocated|assigned)$/i.test(status)) return;
    if (!/^[A-Z]{2}$/.test(country)) throw this.#fault('names no country');
    if (noCountries.has(country)) return;
    const number = /^\d{1,10}$/.test(size) ? Number(size) : 0;
    if (type === 'ipv4') this.#addV4(start, number, country);
    else this.#addV6(start, number, country);
    if (this.#v4.length + this.#v6.length > maxRanges)
      throw new ListError(`it has more than ${maxRanges} ranges`);
  }

  #addV4(start: string, count: number, country: string): void {
    const first = parseIpv4(start);
    if (first === undefined || count === 0 || first + count > 2 ** 32) throw this.#fault('has no range');
    this.#v4.push([first, first + count, country]);
  }

  #addV6(start: string, prefix: number, country: string): void {
    const half = parseIpv6(start);
    if (half === undefined || prefix === 0 || prefix > 128) throw this.#fault('has no range');
    const first = (BigInt(half.high) << 32n) | BigInt(half.low);
    this.#v6.push([first, first + (1n << BigInt(64 - Math.min(prefix, 64))), country]);
  }

  #fault(reason: string): ListError {
    return new ListError(`line ${this.#line} ${reason}`);
  }
}

function registryIn([version = '', name = '']: readonly string[]): Registry {
  const registry = /^\d+(?:\.\d+)?$/.test(version) ? registryNamed(name) : undefined;
  if (registry === undefined) throw new ListError('its first line names no registry');
  return registry;
}

/** The same ranges as a list that has nothing else, which is how they are stored. */
export function listText({ registry, v4, v6 }: AllocationList): string {
  const lines = [`2|${registry}`];
  for (const [first, end, country] of v4)
    lines.push(`${registry}|${country}|ipv4|${ipv4Text(first)}|${end - first}||assigned`);
  for (const [first, end, country] of v6) {
    const prefix = 64 - ((end - first).toString(2).length - 1);
    lines.push(`${registry}|${country}|ipv6|${ipv6Text(first)}|${prefix}||assigned`);
  }
  return `${lines.join('\n')}\n`;
}

function ipv4Text(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}

function ipv6Text(half: bigint): string {
  return `${[48n, 32n, 16n, 0n].map((shift) => ((half >> shift) & 0xffffn).toString(16)).join(':')}::`;
}
