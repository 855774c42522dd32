/**
 * Finds the country of an address: the addresses at which the country changes, in order; a search takes about 17
 * steps. The lists of all registries take about 3 MB.
 */
import { parseIpv4, parseIpv6 } from './address.ts';
import type { AddressRange, AllocationList } from './list.ts';

export class CountryTable {
  /** Their places are the numbers in the tables; 0 is no country. */
  readonly #countries: readonly string[];
  readonly #v4: { readonly starts: Uint32Array; readonly countries: Uint16Array };
  readonly #v6: { readonly highs: Uint32Array; readonly lows: Uint32Array; readonly countries: Uint16Array };

  constructor(lists: readonly AllocationList[]) {
    const numbers = new Map([['', 0]]);
    const numberOf = (country: string): number => {
      const number = numbers.get(country) ?? numbers.size;
      numbers.set(country, number);
      return number;
    };
    const v4 = changesOf(lists.flatMap((list) => list.v4)).filter(([start]) => start < 2 ** 32);
    const v6 = changesOf(lists.flatMap((list) => list.v6)).filter(([start]) => start < 2n ** 64n);
    this.#v4 = {
      starts: Uint32Array.from(v4, ([start]) => start),
      countries: Uint16Array.from(v4, ([, country]) => numberOf(country)),
    };
    this.#v6 = {
      highs: Uint32Array.from(v6, ([start]) => Number(start >> 32n)),
      lows: Uint32Array.from(v6, ([start]) => Number(start & 0xffffffffn)),
      countries: Uint16Array.from(v6, ([, country]) => numberOf(country)),
    };
    this.#countries = [...numbers.keys()];
  }

  /** In bytes. */
  get size(): number {
    const { starts, countries } = this.#v4;
    const arrays = [starts, countries, this.#v6.highs, this.#v6.lows, this.#v6.countries];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** ISO code of the country; undefined for an address that no registry has allocated, and for other texts. */
  find(address: string): string | undefined {
    const number = address.includes(':') ? this.#findV6(address) : this.#findV4(address);
    return this.#countries[number] || undefined;
  }

  #findV4(text: string): number {
    const address = parseIpv4(text);
    if (address === undefined) return 0;
    const { starts, countries } = this.#v4;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= address) low = middle + 1;
      else high = middle;
    }
    return countries[low - 1] ?? 0;
  }

  #findV6(text: string): number {
    const address = parseIpv6(text);
    if (address === undefined) return 0;
    const { highs, lows, countries } = this.#v6;
    let low = 0;
    let high = highs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = highs[middle] ?? 0;
      const isBehind = start > address.high || (start === address.high && (lows[middle] ?? 0) > address.low);
      if (isBehind) high = middle;
      else low = middle + 1;
    }
    return countries[low - 1] ?? 0;
  }
}

/** Where the country changes, in order. Of ranges that overlap the one that begins later counts. */
function changesOf<Address extends number | bigint>(
  ranges: readonly AddressRange<Address>[],
): [start: Address, country: string][] {
  const sorted = ranges.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const changes: [Address, string][] = [];
  const add = (start: Address, country: string): void => {
    if (changes.at(-1)?.[0] === start) changes.pop();
    if ((changes.at(-1)?.[1] ?? '') !== country) changes.push([start, country]);
  };
  for (const [index, [first, end, country]] of sorted.entries()) {
    add(first, country);
    const next = sorted[index + 1]?.[0];
    if (next === undefined || next > end) add(end, '');
  }
  return changes;
}
