/**
 * What a render can depend on, and which of it a change touches.
 *
 * A dependency is a number, so that a set of them is cheap to make, to send to another thread and to compare.
 * Numbers of objects with an ID are exact. Numbers of names are hashes: if two names share a number, a page is
 * rendered once more than necessary, which is never wrong.
 */
import { type LoggedChange, type LookupKeys, pageParts } from './change-log.ts';

/** The number of one thing that renders read. */
export type Dependency = number;

/** The first number of each kind; each has room for 2^46. */
const numbersOf = {
  everything: 0,
  sites: 1 * 2 ** 46,
  page: 2 * 2 ** 46,
  basics: 3 * 2 ** 46,
  path: 4 * 2 ** 46,
  children: 5 * 2 ** 46,
  catchAll: 6 * 2 ** 46,
  langs: 7 * 2 ** 46,
  versions: 8 * 2 ** 46,
  pagesOfSite: 9 * 2 ** 46,
  ownAssets: 10 * 2 ** 46,
  asset: 11 * 2 ** 46,
  snippet: 12 * 2 ** 46,
  snippetAssets: 13 * 2 ** 46,
  redirect: 14 * 2 ** 46,
  languages: 15 * 2 ** 46,
  file: 16 * 2 ** 46,
  dataSlug: 17 * 2 ** 46,
  collection: 18 * 2 ** 46,
  item: 19 * 2 ** 46,
  allItems: 20 * 2 ** 46,
  anyItem: 21 * 2 ** 46,
  itemsBy: 22 * 2 ** 46,
  globalBlock: 23 * 2 ** 46,
  collections: 24 * 2 ** 46,
  entryVersions: 25 * 2 ** 46,
} as const;

export const dependencies = {
  /** Touched by a change of unknown extent. Every set of reads contains it. */
  everything: numbersOf.everything,
  /** Which websites exist, and their domains. */
  sites: numbersOf.sites,
  /** Any field of a page. */
  page: (id: number) => numbersOf.page + id,
  /** The fields of a page that other pages show (`PageBasics`). */
  basics: (id: number) => numbersOf.basics + id,
  /** Which page has a path. */
  path: (rootId: number, path: string) => numbersOf.path + hashOf(path, rootId),
  /** The list of pages directly below a page, as navigations show it. */
  children: (parentId: number) => numbersOf.children + parentId,
  /** The catch-all pages of a website. */
  catchAll: (rootId: number) => numbersOf.catchAll + rootId,
  /** The languages of the pages of a website, which pages below them inherit. */
  langs: (rootId: number) => numbersOf.langs + rootId,
  /** Which languages the published pages of a website have. */
  languages: (rootId: number) => numbersOf.languages + rootId,
  /** The published pages of a translation group. */
  versions: (group: string) => numbersOf.versions + hashOf(group, 0),
  /** Any page of a website. */
  pagesOfSite: (rootId: number) => numbersOf.pagesOfSite + rootId,
  /** The assets assigned to a page itself. */
  ownAssets: (pageId: number) => numbersOf.ownAssets + pageId,
  asset: (id: number) => numbersOf.asset + id,
  snippet: (name: string) => numbersOf.snippet + hashOf(name, 0),
  /** The assets assigned to a snippet. */
  snippetAssets: (snippetId: number) => numbersOf.snippetAssets + snippetId,
  file: (id: number) => numbersOf.file + id,
  redirect: (rootId: number, source: string) => numbersOf.redirect + hashOf(source, rootId),
  /** Which collection or source has a slug, and its fields and settings. */
  dataSlug: (slug: string) => numbersOf.dataSlug + hashOf(slug, 0),
  /** A collection by its ID. */
  collection: (id: number) => numbersOf.collection + id,
  /** Which collections there are, and which detail pages they have. */
  collections: numbersOf.collections,
  /**
   * Changes of very many entries of a collection at once, which the log does not name one by one. Whatever reads
   * entries depends on it.
   */
  allItems: (collectionId: number) => numbersOf.allItems + collectionId,
  /** Any entry of a collection. */
  anyItem: (collectionId: number) => numbersOf.anyItem + collectionId,
  item: (id: number) => numbersOf.item + id,
  globalBlock: (id: number) => numbersOf.globalBlock + id,
  /** The entries that are language versions of each other. */
  entryVersions: (group: string) => numbersOf.entryVersions + hashOf(group, 0),
  /** The entries that have a value. @param pair `field=value`, as in the change log */
  itemsBy: (collectionId: number, pair: string) => numbersOf.itemsBy + hashOf(pair, collectionId),
} as const;

/** Everything that a change touches. */
export function findAffectedDependencies(change: LoggedChange): Dependency[] {
  return touched[change.kind](change);
}

const touched: Readonly<Record<LoggedChange['kind'], (change: LoggedChange) => Dependency[]>> = {
  page: (change) => [
    dependencies.page(change.id),
    ...ifPart(change, 'basics', () => [dependencies.basics(change.id)]),
    ...ifPart(change, 'domains', ({ parent_id }) => (parent_id === null ? [dependencies.sites] : [])),
    ...ifPart(change, 'listing', ({ parent_id }) =>
      parent_id === null ? [] : [dependencies.children(parent_id)],
    ),
    ...ofBoth(change, ({ root_id }) => (root_id === null ? [] : [dependencies.pagesOfSite(root_id)])),
    ...ifPart(change, 'catchAll', ({ root_id }) =>
      root_id === null ? [] : [dependencies.catchAll(root_id)],
    ),
    // No page is below a new one, so no other page inherits its language.
    ...(change.before.name === null
      ? []
      : ifPart(change, 'lang', ({ root_id }) => (root_id === null ? [] : [dependencies.langs(root_id)]))),
    ...ifPart(change, 'languages', ({ root_id }) =>
      root_id === null ? [] : [dependencies.languages(root_id)],
    ),
    ...ifPart(change, 'listing', ({ translation_group: group }) =>
      group === null || group === '' ? [] : [dependencies.versions(group)],
    ),
    ...(isMoved(change) ? ofBoth(change, pathOf) : []),
  ],
  snippet: ({ id, now, before }) => [
    ...[now.name, before.name].flatMap((name) => (name === null ? [] : [dependencies.snippet(name)])),
    dependencies.snippetAssets(id),
  ],
  asset: ({ id }) => [dependencies.asset(id)],
  redirect: (change) =>
    ofBoth(change, ({ root_id, name }) =>
      root_id === null || name === null ? [] : [dependencies.redirect(root_id, name)],
    ),
  file: ({ id }) => [dependencies.file(id)],
  folder: () => [],
  page_assets: ({ id }) => [dependencies.ownAssets(id)],
  snippet_assets: ({ id }) => [dependencies.snippetAssets(id)],
  collection: ({ id, now, before }) => [
    dependencies.collection(id),
    dependencies.collections,
    ...slugsOf(now, before),
  ],
  source: ({ now, before }) => slugsOf(now, before),
  item: ({ id, now, before }) => [
    dependencies.item(id),
    ...[now, before].flatMap(({ translation_group: group }) =>
      group === null || group === '' ? [] : [dependencies.entryVersions(group)],
    ),
    ...[now, before].flatMap(({ parent_id: collectionId, name }) =>
      collectionId === null
        ? []
        : [
            dependencies.anyItem(collectionId),
            ...pairsIn(name).map((pair) => dependencies.itemsBy(collectionId, pair)),
          ],
    ),
  ],
  items: ({ id }) => [dependencies.allItems(id)],
  global_block: ({ id }) => [dependencies.globalBlock(id)],
  // Pages that call a workflow are not kept.
  workflow: () => [],
  flow_node: () => [],
  pen: () => [],
  all: () => [dependencies.everything],
};

function slugsOf(...places: readonly LookupKeys[]): Dependency[] {
  return places.flatMap(({ name }) => (name === null ? [] : [dependencies.dataSlug(name)]));
}

/** Type boundary: a trigger makes the list. */
function pairsIn(name: string | null): readonly string[] {
  return name === null ? [] : (JSON.parse(name) as readonly string[]);
}

type NumbersAt = (place: LookupKeys) => Dependency[];

function ifPart(change: LoggedChange, part: keyof typeof pageParts, numbersAt: NumbersAt): Dependency[] {
  return (change.parts & pageParts[part]) === 0 ? [] : ofBoth(change, numbersAt);
}

/** The state before a change and the state after it, as far as they exist. */
function ofBoth({ now, before }: LoggedChange, numbersAt: NumbersAt): Dependency[] {
  return [now, before].flatMap((place) => (place.name === null ? [] : numbersAt(place)));
}

function isMoved({ now, before }: LoggedChange): boolean {
  return now.name !== before.name || now.root_id !== before.root_id;
}

function pathOf({ root_id, name }: LookupKeys): Dependency[] {
  return root_id === null || name === null ? [] : [dependencies.path(root_id, name)];
}

/** A hash of 45 bits: FNV-1a in two lanes. */
function hashOf(text: string, seed: number): number {
  let low = 0x811c9dc5 ^ seed;
  let high = 0x9dc5811c ^ seed;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995);
  }
  return ((high >>> 19) ^ (high & 0x1fff)) * 2 ** 32 + (low >>> 0);
}
