import { sortedKeys, toRepr, toSortedRepr } from '../../text.ts';
import { checkTextLength, MAX_DEPTH } from '../limits.ts';
import { isMap } from './values.ts';

const WIDTH = 80;

/**
 * The value as Python's `pprint` lays it out: on one line if it fits in 80 characters, else an entry per line,
 * with the keys of maps in order. Throws a FilterError if more than 8 MB have to be looked at.
 */
export function pformat(value: unknown): string {
  return new Layout().value(value, 0, 0);
}

class Layout {
  /** Characters written on the way, those of lines that did not fit too: what bounds the time. */
  #work = 0;
  readonly #open: object[] = [];

  /** `indent` columns stand before the value, `allowance` characters follow it on its last line. */
  value(value: unknown, indent: number, allowance: number): string {
    const isList = Array.isArray(value);
    if (!isList && !isMap(value)) return toRepr(value);
    if (this.#open.includes(value) || this.#open.length >= MAX_DEPTH) return isList ? '[...]' : '{...}';
    const line = toSortedRepr(value);
    this.#work += line.length;
    checkTextLength(this.#work);
    if (line.length <= WIDTH - indent - allowance) return line;
    this.#open.push(value);
    const lines = isList ? this.#list(value, indent, allowance) : this.#map(value, indent, allowance);
    this.#open.pop();
    return lines;
  }

  #list(list: readonly unknown[], indent: number, allowance: number): string {
    const entries = list.map((item, index) =>
      this.value(item, indent + 1, allowanceOf(index, list.length, allowance)),
    );
    return `[${entries.join(separator(indent))}]`;
  }

  #map(map: Readonly<Record<string, unknown>>, indent: number, allowance: number): string {
    const keys = sortedKeys(map);
    const entries = keys.map((key, index) => {
      const label = `${toRepr(key)}: `;
      return (
        label + this.value(map[key], indent + 1 + label.length, allowanceOf(index, keys.length, allowance))
      );
    });
    return `{${entries.join(separator(indent))}}`;
  }
}

/** A comma follows every entry but the last, which has the closing bracket and what comes after it. */
function allowanceOf(index: number, count: number, allowance: number): number {
  return index === count - 1 ? allowance + 1 : 1;
}

function separator(indent: number): string {
  return `,\n${' '.repeat(indent + 1)}`;
}
