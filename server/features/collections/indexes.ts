/**
 * Indexes and links of entries: one index for each shape of query that a stored template asks, one for the addresses
 * of detail pages, and one for each unique field; a set of links for each field of references that a template filters by. They are made
 * and dropped in the background after a change.
 *
 * An index covers the entries of one collection. Its name is made from its text, so that it is known whether an
 * index is still the right one.
 */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { linkOrder } from '../../../runtime/content/items/access.ts';
import { createOperands } from '../../../runtime/content/items/query.ts';
import { parseShape, type Shape } from '../../../runtime/content/items/shape.ts';
import { dropLinksSql, type ItemLinks, indexSql, makeLinksSql } from '../../../runtime/content/items/sql.ts';
import { fieldTypes } from '../../../runtime/fields/types.ts';
import type { Follower } from '../../changes/followers.ts';
import { listReferredKeys } from '../../content/kinds/references.ts';
import { listIndexes } from '../../db/schema.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { SharedServices } from '../../feature.ts';
import type { StoredCollection } from './model.ts';
import { listUniqueFields } from './rows/unique.ts';
import type { LinkSetRow } from './store.ts';
import * as store from './store.ts';

export class ItemIndexes implements Follower {
  readonly of = ['collections', 'object_references'] as const;
  readonly #parts: Pick<SharedServices, 'reader' | 'changes' | 'background' | 'log'>;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #isDirty = false;

  constructor(parts: Pick<SharedServices, 'reader' | 'changes' | 'background' | 'log'>) {
    this.#parts = parts;
  }

  /** Looks in the background whether indexes are missing or not needed any more. */
  refresh(): void {
    this.#isDirty = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { reader, changes, background, log } = this.#parts;
    const { signal } = this.#closing;
    // Changes that follow each other share one look, which takes longer than a small change.
    await wait(quietMs, undefined, { signal }).catch(() => {});
    while (this.#isDirty && !signal.aborted) {
      this.#isDirty = false;
      try {
        const statements = await neededStatements(reader);
        if (statements.length > 0) await changes.waitFor(background.run({ kind: 'index', statements }));
      } catch (error) {
        if (!signal.aborted) log.error({ err: error }, 'the indexes of entries could not be made');
      }
    }
  }
}

/** How long after a change the indexes are looked for, in milliseconds. */
const quietMs = 100;

const prefix = 'item_index_';

/** The statements that bring indexes and links to what is asked for. */
async function neededStatements(db: ContentDb): Promise<string[]> {
  const asked = await askedShapes(db);
  return [...indexStatements(db, asked), ...linkStatements(await store.listLinkSets(db), asked)];
}

/** A shape of query that is asked of a collection. */
interface AskedShape {
  readonly collection: StoredCollection;
  readonly shape: Shape;
}

async function askedShapes(db: ContentDb): Promise<AskedShape[]> {
  const collections = await store.collections.list(db);
  const bySlug = new Map(collections.map((collection) => [collection.slug, collection]));
  const shapes = (await listReferredKeys(db, 'query')).map(parseShape);
  for (const collection of collections) {
    const { slug, detail_page_id: page, detail_field: field } = collection;
    if (page !== 0) shapes.push({ slug, equal: [field], order: [] });
    for (const { name } of listUniqueFields(collection)) shapes.push({ slug, equal: [name], order: [] });
  }
  return shapes.flatMap((shape) => {
    const collection = bySlug.get(shape.slug);
    return collection === undefined ? [] : [{ collection, shape }];
  });
}

function indexStatements(db: ContentDb, asked: readonly AskedShape[]): string[] {
  const wanted = new Map<string, string>();
  for (const { collection, shape } of asked) {
    const on = indexFor(collection, shape);
    if (on !== undefined) wanted.set(prefix + createHash('sha256').update(on).digest('hex').slice(0, 16), on);
  }
  const present = new Set(listIndexes(db, 'items').filter((name) => name.startsWith(prefix)));
  return [
    ...[...present].filter((name) => !wanted.has(name)).map((name) => `DROP INDEX IF EXISTS ${name}`),
    ...[...wanted]
      .filter(([name]) => !present.has(name))
      .map(([name, on]) => `CREATE INDEX IF NOT EXISTS ${name} ON ${on}`),
  ];
}

/** The table with the columns of an index; undefined if none of its fields can be in one. */
function indexFor(collection: StoredCollection, { equal, order }: Shape): string | undefined {
  const operands = createOperands(collection);
  const usable = (name: string) => operands.has(name.replace(/^-/, ''));
  const shape = { equal: equal.filter(usable), order: order.filter(usable) };
  if (shape.equal.length + shape.order.length === 0) return undefined;
  return indexSql(collection.id, shape, operands);
}

function linkStatements(present: readonly LinkSetRow[], asked: readonly AskedShape[]): string[] {
  const wanted = new Map(asked.flatMap(linksFor).map((links) => [keyOf(links), links]));
  const known = new Set(present.map(keyOf));
  return [
    ...present.filter((links) => !wanted.has(keyOf(links))).map(({ id }) => dropLinksSql(id)),
    ...[...wanted].filter(([key]) => !known.has(key)).map(([, links]) => makeLinksSql(links)),
  ];
}

/** The links that a shape asks for: one set for each field of references that it filters by. */
function linksFor({ collection, shape: { equal, order } }: AskedShape): ItemLinks[] {
  const sorting = linkOrder(order[0], createOperands(collection));
  return collection.fields
    .filter(({ name, type }) => equal.includes(name) && fieldTypes[type].compares === 'ids')
    .map(({ name: field }) => ({ collectionId: collection.id, field, ...sorting }));
}

function keyOf(links: LinkSetRow | ItemLinks): string {
  const collectionId = 'id' in links ? links.collection_id : links.collectionId;
  return [collectionId, links.field, links.sort_field, Number(links.descending)].join(' ');
}
