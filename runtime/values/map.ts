/**
 * The order of maps. JavaScript lists keys that are whole numbers first, in ascending order. A map that comes
 * from a text keeps the order of the text, as in Django: `{"10": a, "2": b}` begins with 10.
 *
 * Only a map that JavaScript would list in another order carries its order, under a symbol that neither a
 * template nor a copy of the map sees. All other maps are plain objects, and reading a property costs the same
 * for both.
 */

const order = Symbol('order');

interface Ordered {
  readonly [order]?: readonly string[];
}

export type Entry = readonly [key: string, value: unknown];

/** The keys of a map, in the order of its source. */
export function listMapKeys(map: Ordered): readonly string[] {
  return map[order] ?? Object.keys(map);
}

/** Keys and values of a map, in the order of its source. */
export function listEntries(map: Ordered): readonly Entry[] {
  return map[order]?.map((key): Entry => [key, Reflect.get(map, key)]) ?? Object.entries(map);
}

/** Whether the order of a map is not the one that JavaScript lists. */
export function isOrdered(map: Ordered): boolean {
  return map[order] !== undefined;
}

/** The values of a map, in the order of its source. */
export function listValues(map: Ordered): readonly unknown[] {
  return map[order]?.map((key): unknown => Reflect.get(map, key)) ?? Object.values(map);
}

/** Fills a new, empty map. Of equal keys the last value counts, at the place of the first, as in Python. */
export function filled<Target extends Record<string, unknown>>(
  map: Target,
  entries: readonly Entry[],
): Target {
  let moves = false;
  for (const [key, value] of entries) {
    if (key === '__proto__') Object.defineProperty(map, key, { ...ownProperty, value });
    else Reflect.set(map, key, value);
    moves ||= mayMove.test(key);
  }
  if (moves) keepOrder(map, entries);
  return map;
}

const ownProperty = { writable: true, enumerable: true, configurable: true };

function keepOrder(map: object, entries: readonly Entry[]): void {
  const keys = [...new Set(entries.map(([key]) => key))];
  const listed = Object.keys(map);
  if (keys.every((key, index) => key === listed[index])) return;
  Object.defineProperty(map, order, { value: keys });
}

/** A key that JavaScript may list before others. */
const mayMove = /^(?:0|[1-9]\d{0,9})$/;

/**
 * `JSON.parse` that keeps the order of maps. Texts without keys that are whole numbers, which are nearly all,
 * cost one search more.
 *
 * @throws SyntaxError as JSON.parse
 */
export function parseJson(text: string): unknown {
  return numberKey.test(text) ? parseInOrder(text) : JSON.parse(text);
}

const numberKey = /"(?:0|[1-9]\d{0,9})"\s*:/;

/** Parses with a mark before every key, so that no key is a whole number, and then takes the marks off. */
function parseInOrder(text: string): unknown {
  const marked = text.replace(stringOrKey, (string: string, colon: string | undefined) =>
    colon === undefined ? string : `"-${string.slice(1)}`,
  );
  try {
    return JSON.parse(marked, (_key, value: unknown) => (isPlainMap(value) ? unmarked(value) : value));
  } catch {
    // The positions of its message are those of the text itself.
    return JSON.parse(text);
  }
}

const stringOrKey = /"(?:[^"\\]|\\.)*"(?=(\s*:)?)/g;

function isPlainMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unmarked(map: Readonly<Record<string, unknown>>): object {
  return filled(
    {},
    Object.entries(map).map(([key, value]) => [key.slice(1), value]),
  );
}
