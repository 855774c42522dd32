/** What stands at a place of a template, found in its text: it need not parse while somebody types. */

export type PlaceKind =
  | 'snippet'
  | 'block'
  | 'collection'
  | 'file'
  | 'asset'
  | 'page'
  | 'tag'
  | 'filter'
  | 'name'
  | 'member';

/** A name in a template, with its range of offsets. */
export interface NamedPlace {
  readonly kind: PlaceKind;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Of a member: the path before the last dot. */
  readonly owner?: string;
}

const patterns: readonly (readonly [PlaceKind, RegExp])[] = [
  ['snippet', /\{%-?\s*(?:include|extends|component|import)\s+(["'])((?:(?!\1)[^\n])*)\1/g],
  ['block', /\{%-?\s*block\s+()([\w-]+)/g],
  ['block', /\{%-?\s*endblock\s+()([\w-]+)/g],
  ['collection', /\b(?:data|item)\(\s*(["'])((?:(?!\1)[^\n])*)\1/g],
  ['file', /\b(?:image|file)\(\s*(["'])((?:(?!\1)[^\n])*)\1/g],
  ['asset', /\basset_url\(\s*(["'])((?:(?!\1)[^\n])*)\1/g],
  ['page', /\bchildren\(\s*(["'])((?:(?!\1)[^\n])*)\1/g],
];

/** All places of one kind in a text. */
export function listPlaces(source: string, kind: PlaceKind): readonly NamedPlace[] {
  return patterns
    .filter(([known]) => known === kind)
    .flatMap(([, pattern]) =>
      [...source.matchAll(pattern)].map((match) => {
        const name = match[2] ?? '';
        const quote = (match[1] ?? '').length;
        const end = match.index + match[0].length - quote;
        return { kind, name, start: end - name.length, end };
      }),
    )
    .sort((left, right) => left.start - right.start);
}

/** The name at an offset; undefined where nothing is named. */
export function findPlace(source: string, offset: number): NamedPlace | undefined {
  for (const [kind] of patterns) {
    const found = listPlaces(source, kind).find(({ start, end }) => start <= offset && offset <= end);
    if (found !== undefined) return found;
  }
  const code = findCode(source, offset);
  if (code === undefined) return undefined;
  const before = /[\w-]*$/.exec(source.slice(code.start, offset))?.[0] ?? '';
  const start = offset - before.length;
  const name = before + (/^[\w-]*/.exec(source.slice(offset))?.[0] ?? '');
  if (name === '' || /^\d/.test(name)) return undefined;
  const lead = source.slice(code.start, start);
  const range = { name, start, end: start + name.length };
  if (/\{%-?\s*$/.test(lead)) return { kind: 'tag', ...range };
  if (/\|\s*$/.test(lead)) return { kind: 'filter', ...range };
  const owner = /([\w.]+)\.$/.exec(lead)?.[1];
  return owner === undefined ? { kind: 'name', ...range } : { kind: 'member', ...range, owner };
}

/** The tag or output around an offset, with its beginning; undefined in text. */
export function findCode(
  source: string,
  offset: number,
): { readonly start: number; readonly text: string } | undefined {
  const before = source.slice(0, offset);
  const start = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  if (start < 0) return undefined;
  const text = before.slice(start);
  const end = text.startsWith('{{') ? '}}' : '%}';
  return text.includes(end) ? undefined : { start, text };
}
