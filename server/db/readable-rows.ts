/**
 * What callers with roles may read, as SELECTs in place of tables: every query of a read then finds only that, lists,
 * searches, counts and use alike. Where objects stand is what `rights.place` of their kinds says.
 */
import { LRUCache } from 'lru-cache';
import type { RowViews } from '../../runtime/content/overlay.ts';
import { type ReadLimits, withReadLimits } from '../base/content-overlay.ts';
import type { GrantLimits, Grants } from '../base/rights.ts';
import {
  effectiveLangSql,
  everything,
  isAbove,
  isBelow,
  isNamed,
  joinAll,
  joinAny,
  listNumbers,
  listTexts,
  nothing,
  selectPages,
} from './row-conditions.ts';

/** Most limits that are kept. */
const maxKept = 500;
const byGrants = new WeakMap<Grants, ReadLimits | 'everything'>();
const byKey = new LRUCache<string, ReadLimits>({ max: maxKept });

/** The rows that grants let read; undefined if all. */
export function limitReads(grants: Grants): ReadLimits | undefined {
  const known = byGrants.get(grants) ?? findLimits(grants);
  byGrants.set(grants, known);
  return known === 'everything' ? undefined : known;
}

/** Runs work whose queries of content find only what grants let read; undefined lets read everything. */
export function readAs<Result>(grants: Grants | undefined, work: () => Promise<Result>): Promise<Result> {
  const limits = grants && limitReads(grants);
  return limits === undefined ? work() : withReadLimits(limits, work);
}

function findLimits(grants: Grants): ReadLimits | 'everything' {
  const reads = grants.flatMap(({ actions, on }) => (actions.includes('read') ? [on] : []));
  if (reads.some((limits) => Object.values(limits).every((entries) => entries === undefined)))
    return 'everything';
  const key = JSON.stringify(reads);
  const limits = byKey.get(key) ?? {
    key,
    views: buildViews(reads),
    rendering: buildRenderViews(reads),
  };
  byKey.set(key, limits);
  return limits;
}

type Limit = keyof GrantLimits;

/** A kind of objects with its table. The rows of a table are called `o` in conditions. */
interface LimitedKind {
  readonly table: string;
  /** The limits that concern it besides `kinds`, as conditions. */
  readonly limits: Partial<Readonly<Record<Limit, (entries: readonly unknown[]) => string>>>;
}

const kinds = {
  page: {
    table: 'pages',
    limits: {
      sites: (ids) => `o.root_id IN (${listNumbers(ids)})`,
      pages: isBelow,
      languages: (langs) => `${effectiveLangSql} IN (${listTexts(langs)})`,
    },
  },
  item: {
    table: 'items',
    limits: {
      collections: (refs) => `o.collection_id IN (SELECT c.id FROM $collections AS c WHERE ${isNamed(refs)})`,
      languages: (langs) =>
        `o.collection_id IN (SELECT c.id FROM $collections AS c WHERE c.lang IN (${listTexts(langs)}))`,
    },
  },
  collection: {
    table: 'collections',
    limits: {
      collections: (refs) => `o.id IN (SELECT c.id FROM $collections AS c WHERE ${isNamed(refs)})`,
      languages: (langs) => `o.lang IN (${listTexts(langs)})`,
    },
  },
  redirect: {
    table: 'redirects',
    limits: { sites: (ids) => `o.root_id IN (${listNumbers(ids)})` },
  },
  workflow: {
    table: 'workflows',
    limits: { workflows: (ids) => `o.id IN (${listNumbers(ids)})` },
  },
  snippet: { table: 'snippets', limits: {} },
  asset: { table: 'assets', limits: {} },
  global_block: { table: 'global_blocks', limits: {} },
  source: { table: 'sources', limits: {} },
  flow_node: { table: 'flow_nodes', limits: {} },
  folder: { table: 'folders', limits: {} },
  file: { table: 'files', limits: {} },
  pen: { table: 'pens', limits: {} },
} as const satisfies Record<string, LimitedKind>;

type KindName = keyof typeof kinds;
const kindNames = Object.keys(kinds) as readonly KindName[];

/** Names of kinds in tables about objects of several kinds, where they differ. */
const otherNames: Partial<Readonly<Record<string, KindName>>> = {
  globalblock: 'global_block',
  flownode: 'flow_node',
};

/** The condition that a row of a kind may be read because of what its own limits say. */
function isGranted(reads: readonly GrantLimits[], name: KindName): string {
  return joinAny(reads.map((limits) => isWithinLimits(limits, name)));
}

function isWithinLimits({ kinds: named, ...limits }: GrantLimits, name: KindName): string {
  if (named !== undefined && !named.includes(name)) return nothing;
  const { limits: known }: LimitedKind = kinds[name];
  return joinAll(
    Object.entries(limits).flatMap(([limit, entries]) => {
      if (entries === undefined) return [];
      // Type boundary: the entries of an object of this type.
      return known[limit as Limit]?.(entries) ?? nothing;
    }),
  );
}

/** SELECTs for what callers read by the API. */
function buildViews(reads: readonly GrantLimits[]): RowViews {
  const conditions = new Map(kindNames.map((name) => [name, isGranted(reads, name)]));
  const conditionOf = (name: KindName) => conditions.get(name) ?? nothing;
  // What pages and collections need is read with them.
  conditions.set('snippet', joinAny([conditionOf('snippet'), isUsed(conditionOf, 'snippet')]));
  conditions.set('file', joinAny([conditionOf('file'), isUsed(conditionOf, 'file')]));
  conditions.set('collection', joinAny([conditionOf('collection'), hasReadableItems(reads)]));
  const views: Record<string, string> = {};
  for (const name of kindNames) {
    const { table } = kinds[name];
    if (conditionOf(name) !== everything)
      views[table] = `SELECT o.* FROM $${table} AS o WHERE ${conditionOf(name)}`;
  }
  if (conditionOf('page') !== everything) {
    views['pages'] = selectPages(
      conditionOf('page'),
      isAbove(reads, (limits) => isWithinLimits(limits, 'page')),
    );
    views['page_assets'] =
      `SELECT a.* FROM $page_assets AS a WHERE ${exists('page', conditionOf, 'a.page_id')}`;
    views['preview_links'] =
      `SELECT l.* FROM $preview_links AS l WHERE ${exists('page', conditionOf, 'l.page_id')}`;
  }
  if (conditionOf('page') !== everything)
    views['failing_pages'] =
      `SELECT f.* FROM $failing_pages AS f WHERE ${exists('page', conditionOf, 'f.page_id')}`;
  if (conditionOf('item') !== everything)
    views['item_counts'] = `SELECT o.* FROM $item_counts AS o WHERE ${conditionOf('item')}`;
  views['change_set_items'] = `SELECT x.* FROM $change_set_items AS x WHERE ${joinAny([
    isAboutReadable(conditionOf),
    isPlacedInReadable(conditionOf),
  ])}`;
  views['change_set_comments'] = `SELECT x.* FROM $change_set_comments AS x WHERE ${joinAny([
    isAboutReadable(conditionOf),
    `EXISTS (SELECT 1 FROM temp.change_set_items AS v WHERE v.change_set_id = x.change_set_id
      AND v.kind = x.kind AND v.object_id = x.object_id)`,
  ])}`;
  // One without objects is nobody's secret.
  views['change_sets'] = `SELECT s.* FROM $change_sets AS s
    WHERE EXISTS (SELECT 1 FROM temp.change_set_items AS v WHERE v.change_set_id = s.id)
    OR NOT EXISTS (SELECT 1 FROM $change_set_items AS x WHERE x.change_set_id = s.id)`;
  for (const table of ['object_references', 'revisions'])
    views[table] = `SELECT x.* FROM $${table} AS x WHERE ${isAboutReadable(conditionOf)}`;
  return views;
}

type ConditionOf = (name: KindName) => string;

/** The condition that a row `x` with `kind` and `object_id` is about an object that may be read. */
function isAboutReadable(conditionOf: ConditionOf): string {
  const namesOf = (kind: KindName) =>
    listTexts([kind, ...Object.keys(otherNames).filter((name) => otherNames[name] === kind)]);
  const parts = kindNames.map((kind) =>
    joinAll([`x.kind IN (${namesOf(kind)})`, exists(kind, conditionOf, 'x.object_id')]),
  );
  return joinAny(parts);
}

/** The condition that an object with this ID is there and may be read. */
function exists(kind: KindName, conditionOf: ConditionOf, id: string): string {
  const condition = conditionOf(kind);
  if (condition === nothing) return nothing;
  if (condition === everything) return everything;
  return `EXISTS (SELECT 1 FROM $${kinds[kind].table} AS o WHERE o.id = ${id} AND (${condition}))`;
}

/**
 * The condition that an object `x` of a change set, which is not there live, has its place where the caller may read:
 * one that the change set creates, or that was deleted. A page may be created below others that the same change set
 * creates.
 */
function isPlacedInReadable(conditionOf: ConditionOf): string {
  const parentOf = (row: string, name: string) =>
    `json_extract(coalesce(${row}.creation, ${row}.base), '$.${name}')`;
  const pageParent = `EXISTS (
    WITH RECURSIVE line (id) AS (
      SELECT ${parentOf('x', 'parent_id')}
      UNION
      SELECT ${parentOf('y', 'parent_id')} FROM line JOIN $change_set_items AS y
      ON y.change_set_id = x.change_set_id AND y.kind = 'page' AND y.object_id = line.id AND y.creation IS NOT NULL
    )
    SELECT 1 FROM line JOIN $pages AS o ON o.id = line.id WHERE ${conditionOf('page')})`;
  const inCollection = `EXISTS (SELECT 1 FROM $item_counts AS o WHERE o.collection_id =
    coalesce(json_extract(x.creation, '$.collection'), json_extract(x.base, '$.collection_id'))
    AND ${conditionOf('item')})`;
  const onSite = `EXISTS (SELECT 1 FROM (SELECT ${parentOf('x', 'root_id')} AS root_id) AS o
    WHERE ${conditionOf('redirect')})`;
  const places: Partial<Record<KindName, string>> = {
    page: pageParent,
    item: inCollection,
    redirect: onSite,
  };
  const parts = kindNames.map((kind) => {
    const condition = conditionOf(kind);
    const isPlaced = condition === everything || condition === nothing;
    // Where the others will stand nobody knows before they are there.
    const isGone = `NOT EXISTS (SELECT 1 FROM $${kinds[kind].table} AS o WHERE o.id = x.object_id)`;
    return joinAll([`x.kind = '${kind}'`, isGone, isPlaced ? condition : (places[kind] ?? nothing)]);
  });
  return joinAny(parts);
}

/** What refers to a block type, layout or file so that it is read with it. */
const readWith: readonly KindName[] = ['page', 'item', 'collection'];

/** The condition that a snippet or file is used by a page, entry or collection that may be read; layouts by theirs. */
function isUsed(conditionOf: ConditionOf, name: 'snippet' | 'file'): string {
  const users = readWith.flatMap((kind) => {
    const there = exists(kind, conditionOf, 'r.object_id');
    return there === nothing ? [] : [`(r.kind = '${kind}' AND ${there})`];
  });
  if (users.length === 0) return nothing;
  const refersTo = 'SELECT 1 FROM $object_references AS r';
  if (name === 'file')
    return `EXISTS (${refersTo} WHERE ((r.to_kind = 'file' AND r.to_key = CAST(o.id AS TEXT))
      OR (r.to_kind = 'media' AND r.to_key = o.path)) AND (${users.join(' OR ')}))`;
  return `EXISTS (${refersTo} WHERE r.to_kind = 'snippet' AND (${users.join(' OR ')}) AND r.to_key IN (
    WITH RECURSIVE line (name) AS (
      SELECT o.name
      UNION
      SELECT s.name FROM line
      JOIN $object_references AS u ON u.to_kind = 'snippet' AND u.to_key = line.name AND u.kind = 'snippet'
      JOIN $snippets AS s ON s.id = u.object_id
    )
    SELECT name FROM line))`;
}

/** The condition that entries of a collection may be read, so that its definition is too. */
function hasReadableItems(reads: readonly GrantLimits[]): string {
  const collections: LimitedKind['limits'] = kinds.collection.limits;
  return joinAny(
    reads.map(({ kinds: named, ...limits }) => {
      if (named !== undefined && !named.includes('item')) return nothing;
      return joinAll(
        Object.entries(limits).flatMap(([limit, entries]) =>
          entries === undefined ? [] : (collections[limit as Limit]?.(entries) ?? nothing),
        ),
      );
    }),
  );
}

/**
 * SELECTs for renders: what visitors see, and the drafts that may be read. The data of a page is for authors, so it also
 * leaves out the collections and sources that may not be read.
 */
function buildRenderViews(reads: readonly GrantLimits[]): Readonly<Record<string, RowViews>> {
  const [page, item] = [isGranted(reads, 'page'), isGranted(reads, 'item')];
  const shown = {
    ...(page === everything ? {} : { pages: `SELECT o.* FROM $pages AS o WHERE o.published = 1 OR ${page}` }),
    ...(item === everything
      ? {}
      : {
          items: `SELECT o.* FROM $items AS o WHERE o.published = 1 OR ${item}`,
          item_counts: `SELECT o.collection_id, CASE WHEN ${item} THEN o.items ELSE o.published END AS items,
            o.published FROM $item_counts AS o`,
        }),
  };
  const { collections, sources } = buildViews(reads);
  const data = {
    ...shown,
    ...(collections === undefined ? {} : { collections }),
    ...(sources === undefined ? {} : { sources }),
  };
  return { page: shown, document: shown, 'template-data': data, pen: shown, 'detail-pages': shown };
}
