import { toRepr } from '../../text.ts';
import { checkTextLength, FilterError, MAX_DEPTH } from '../limits.ts';
import { compareText } from './compare.ts';
import { isMap } from './values.ts';

const WIDTH = 80;

/** The value as Python's `pprint` lays it out: on one line if it fits in 80 characters, else an entry per line. */
export function pformat(value: unknown): string {
  return layOut(value, 0, 0, 0);
}

/** `indent` columns stand before the value, `allowance` characters follow it on its last line. */
function layOut(value: unknown, indent: number, allowance: number, depth: number): string {
  if (depth > MAX_DEPTH) throw new FilterError(`pprint takes values nested ${MAX_DEPTH} deep`);
  const sorted = sortKeys(value);
  const line = toRepr(sorted);
  if (line.length <= WIDTH - indent - allowance) return line;
  if (Array.isArray(sorted)) {
    return brackets('[', ']', sorted, indent, allowance, (item, space) =>
      layOut(item, indent + 1, space, depth + 1),
    );
  }
  if (!isMap(sorted)) return line;
  return brackets('{', '}', Object.entries(sorted), indent, allowance, ([key, item], space) => {
    const label = `${toRepr(key)}: `;
    return label + layOut(item, indent + 1 + label.length, space, depth + 1);
  });
}

function brackets<Item>(
  open: string,
  close: string,
  items: readonly Item[],
  indent: number,
  allowance: number,
  write: (item: Item, allowance: number) => string,
): string {
  const separator = `,\n${' '.repeat(indent + 1)}`;
  let out = open;
  for (const [index, item] of items.entries()) {
    const isLast = index === items.length - 1;
    out += write(item, isLast ? allowance + 1 : 1) + (isLast ? '' : separator);
    checkTextLength(out.length);
  }
  return out + close;
}

function sortKeys(value: unknown): unknown {
  if (!isMap(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries);
}
