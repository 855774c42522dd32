import type { ItemQuery, QueryPair } from '../content/items/query.ts';
import { parseQuery, QueryFault } from '../content/items/query.ts';
import type { CollectionRecord } from '../content/items/records.ts';
import type { TemplateFunction } from '../engine.ts';
import { isEmptyValue } from '../fields/types.ts';
import type { PageEnv } from '../page/env.ts';
import { SafeString } from '../values/safe.ts';
import { pageEnv } from './page-env.ts';

/**
 * `data(slug, name, value, ...)`: the entries of a collection, or the one entry of a singleton. The pairs are
 * filters, sorting and limits, as in the query of `/data/{slug}`; they may also be written `name=value`. A
 * collection or field that does not exist gives no entries. Of a REST source: the list in its answer; the pairs are
 * the values of its placeholders.
 *
 *     {% for entry in data("news", "topic", "art", _sort="-date", _limit=2) %}{{ entry.title }}, {% endfor %}
 *     Spring, Autumn,
 */
export const dataFunction: TemplateFunction = {
  lasting: true,
  call(env, [slug, ...pairs], named) {
    const page = pageEnv(env, 'data');
    const collection = page.memo.items.collection(String(slug));
    const asks = [...pairsOf(pairs), ...namedPairs(named)];
    if (collection === undefined) return sourceData(page, String(slug), asks);
    const query = asked(collection, asks);
    if (query === undefined) return [];
    const limited = collection.singleton ? { ...query, limit: 1 } : query;
    const { entryView: view } = page;
    const items = page.memo.items.select(collection, limited, view.drafts, view.unsaved);
    const entries = page.entries.list(collection, items, view);
    return collection.singleton ? (entries[0] ?? null) : entries;
  },
};

/**
 * `item(collection, field, value)`: the first entry whose field has the value, or none. The field `id` finds an
 * entry by its ID.
 *
 *     {% set entry = item("news", "slug", route.slug) %}{{ entry.title }}
 *     Spring
 */
export const itemFunction: TemplateFunction = {
  lasting: true,
  call(env, [slug, field, value]) {
    const page = pageEnv(env, 'item');
    const collection = page.memo.items.collection(String(slug));
    const query = collection && asked(collection, [[String(field), plain(value)]]);
    if (collection === undefined || query === undefined) return null;
    // Without a value no entry is meant: the address of a catch-all page itself has none.
    if (isEmptyValue(plain(value))) return null;
    const { entryView: view } = page;
    const items = page.memo.items.select(collection, { ...query, limit: 1 }, view.drafts, view.unsaved);
    return page.entries.list(collection, items, view)[0] ?? null;
  },
};

function pairsOf(args: readonly unknown[]): QueryPair[] {
  if (args.length % 2 !== 0) throw new Error('data() takes a name and a value for each filter');
  return args.flatMap((name, index) =>
    index % 2 === 0 ? [[String(name), plain(args[index + 1])] as const] : [],
  );
}

/** The list of a REST source; the pairs are the values of its placeholders. Empty if there is no such source. */
function sourceData({ memo, sources }: PageEnv, slug: string, pairs: readonly QueryPair[]): unknown {
  const source = memo.items.source(slug);
  if (source === undefined) return [];
  const params = pairs.map(([name, value]) => [name, isEmptyValue(value) ? '' : String(value)] as const);
  return sources.read({ slug, listPath: source.list_path }, Object.fromEntries(params));
}

function namedPairs(named: Readonly<Record<string, unknown>>): QueryPair[] {
  return Object.entries(named).map(([name, value]) => [name, plain(value)]);
}

/** A text that is declared safe is a text like any other here. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof SafeString ? String(value) : value;
}

/** The query; undefined if it names a field that the collection does not have, so that no entry can fit. */
function asked(collection: CollectionRecord, pairs: readonly QueryPair[]): ItemQuery | undefined {
  try {
    return parseQuery(collection, pairs);
  } catch (error) {
    if (!(error instanceof QueryFault)) throw error;
    if (error.kind === 'field') return undefined;
    throw new Error(error.message);
  }
}
