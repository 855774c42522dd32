/** Which of the objects that are new in a folder are objects that have vanished from it. */
import type { FolderKind, FolderObject } from '../../format/content.ts';
import { findParent, type IdentifiedObject, type Uid } from './identity.ts';

/** How much alike the texts of a moved object must be. */
const minAlike = 0.6;
/** Most pairs that are compared word by word. */
const maxPairs = 20_000;

const texts: Partial<Readonly<Record<FolderKind, readonly string[]>>> = {
  page: ['title', 'html', 'head', 'description', 'blocks'],
  snippet: ['content', 'schema'],
  asset: ['content'],
  global_block: ['blocks', 'name'],
  workflow: ['flow', 'name'],
  pen: ['html', 'css', 'js', 'title'],
  file: ['sha256'],
};

interface Fingerprint {
  readonly text: string;
  readonly words: ReadonlyMap<string, number>;
  readonly total: number;
  readonly last: string;
  readonly scope: string;
}

/**
 * Pairs new files with vanished objects of the same kind.
 *
 * @param isSame whether both may be one object apart from their texts, such as entries of one collection
 * @returns the vanished object by the key of the new file
 */
export function findMoves(
  vanished: readonly IdentifiedObject[],
  added: readonly FolderObject[],
  scopeOf: (object: FolderObject) => string,
): ReadonlyMap<string, Uid> {
  const found = new Map<string, Uid>();
  for (const kind of new Set(vanished.map((object) => object.kind))) {
    const before = vanished
      .filter((object) => object.kind === kind)
      .map((object) => ({
        uid: object.uid,
        print: describe(kind, object.fields, object.key ?? '', findParent(object)),
      }));
    const after = added
      .filter((object) => object.kind === kind)
      .map((object) => ({
        key: object.key,
        print: describe(kind, object.fields, object.key, scopeOf(object)),
      }));
    pair(kind, before, after, found);
  }
  return found;
}

function pair(
  kind: FolderKind,
  before: readonly { readonly uid: Uid; readonly print: Fingerprint }[],
  after: readonly { readonly key: string; readonly print: Fingerprint }[],
  found: Map<string, Uid>,
): void {
  const isShort = before.length * after.length <= maxPairs;
  const pairs = before.flatMap(({ uid, print }) =>
    after.flatMap(({ key, print: other }) => {
      const isSame = print.text === other.text && print.text !== '';
      if (kind === 'item' && print.scope !== other.scope) return [];
      const alike = isSame ? 1 : isShort && kind !== 'file' ? compare(print, other) : 0;
      return alike < minAlike ? [] : [{ uid, key, alike, isNamed: print.last === other.last }];
    }),
  );
  pairs.sort((left, right) => right.alike - left.alike || Number(right.isNamed) - Number(left.isNamed));
  const taken = new Set<Uid>();
  for (const { uid, key } of pairs) {
    if (taken.has(uid) || found.has(key)) continue;
    taken.add(uid);
    found.set(key, uid);
  }
}

function describe(
  kind: FolderKind,
  fields: Readonly<Record<string, unknown>>,
  key: string,
  scope: string | undefined,
): Fingerprint {
  const names = texts[kind] ?? Object.keys(fields).filter((name) => name.startsWith('data.'));
  const text = names
    .map((name) => toText(fields[name]))
    .join('\n')
    .trim();
  const words = new Map<string, number>();
  let total = 0;
  for (const word of text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []) {
    words.set(word, (words.get(word) ?? 0) + word.length);
    total += word.length;
  }
  const [last = ''] = key
    .replace(/\/index\.html$/, '')
    .split('/')
    .slice(-1);
  return { text, words, total, last, scope: scope ?? '' };
}

/** References are left out: they have other forms in what is compared. */
function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/⟪[^⟫]*⟫/g, '');
}

/** The share of the texts that both have, from 0 to 1. */
function compare(left: Fingerprint, right: Fingerprint): number {
  const all = left.total + right.total;
  if (all === 0) return 0;
  let common = 0;
  for (const [word, weight] of left.words) common += Math.min(weight, right.words.get(word) ?? 0);
  return (2 * common) / all;
}
