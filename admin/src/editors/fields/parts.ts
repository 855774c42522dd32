/** Values with parts (links, places, groups) and the faults of what is inside of them. */

/** What the server has refused, by path. */
export type PathFaults = Readonly<Record<string, string>>;

export type Parts = Readonly<Record<string, unknown>>;

/** What a link can lead to: one of these at a time. */
export const linkKinds = ['page', 'entry', 'file', 'url'] as const;
export type LinkKind = (typeof linkKinds)[number];

/** The parts of a value; a value that has none is an empty object. */
export function readParts(value: unknown): Parts {
  const isParts = typeof value === 'object' && value !== null && !Array.isArray(value);
  // Type boundary: JSON objects have names for keys.
  return isParts ? (value as Parts) : {};
}

/** The objects of a group that is a list. A single object, from before the group was a list, is the first one. */
export function readPartsList(value: unknown): readonly Parts[] {
  if (Array.isArray(value)) return value.map(readParts);
  return value === null || value === undefined ? [] : [readParts(value)];
}

/** The value with some parts changed; null if no part is left. Empty parts are left out. */
export function changeParts(value: unknown, change: Parts): Parts | null {
  const parts = Object.entries({ ...readParts(value), ...change }).filter(([, part]) => !isNone(part));
  return parts.length === 0 ? null : Object.fromEntries(parts);
}

function isNone(part: unknown): boolean {
  return part === null || part === undefined || part === '';
}

/** What a link leads to; undefined if nothing is chosen. */
export function findLinkKind(value: unknown): LinkKind | undefined {
  const parts = readParts(value);
  return linkKinds.find((kind) => !isNone(parts[kind]));
}

/** The link with another target, or with none. */
export function changeLinkTarget(value: unknown, kind: LinkKind | undefined, target: unknown): Parts | null {
  const without = Object.fromEntries(linkKinds.map((other) => [other, null]));
  return changeParts(value, { ...without, ...(kind === undefined ? {} : { [kind]: target }) });
}

/** Faults of one value. */
export interface ValueFaults {
  /** Of the value as a whole. */
  readonly error: string | undefined;
  /** Of its parts, by the path below the value, such as `0.day`. */
  readonly inner: PathFaults;
}

/** The faults of a value among those of a form, by its path. */
export function pickFaults(faults: PathFaults, path: string): ValueFaults {
  const inner = Object.entries(faults)
    .filter(([at]) => at.startsWith(`${path}.`))
    .map(([at, text]) => [at.slice(path.length + 1), text]);
  return { error: faults[path], inner: Object.fromEntries(inner) };
}

/** The fault to show where a value is one input: its own one, or the first one of what is inside. */
export function joinFaults({ error, inner }: ValueFaults): string | undefined {
  return error ?? Object.values(inner)[0];
}
