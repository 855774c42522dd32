import Type from 'typebox';
import { Reply } from '../../../api/reply.ts';
import { defineRoute, type Route } from '../../../api/route.ts';
import { StrictQuery } from '../../../api/validate.ts';
import type { Actor } from '../../../base/actor.ts';
import { withoutReadLimits } from '../../../base/content-overlay.ts';
import { apiError } from '../../../base/errors.ts';
import type { Change } from '../../../changes/changes.ts';
import { PurgeQuery, RefParams } from '../../../content/common-fields.ts';
import { createObject, removeObject, updateObject } from '../../../content/kinds/objects.ts';
import type { ContentSnapshots } from '../../../db/tables.ts';
import type { SharedServices } from '../../../feature.ts';
import { cacheableJson } from '../../../http/json/sliced.ts';
import { answerAbout } from '../answers.ts';
import { type CollectionsByRef, mayReadEntries, requireReadable } from '../by-ref.ts';
import { hasQuery, ListQuery, queryEntries } from '../data/service.ts';
import type { StoredCollection } from '../model.ts';
import { type PublicLimit, tooManyForEveryone } from '../public-limit.ts';
import { KnownTargets } from '../rows/known-targets.ts';
import {
  EntriesInput,
  Entry,
  EntryLink,
  EntryList,
  EntryOrder,
  EntryParams,
  EntryTranslation,
  EntryUpdate,
  type ItemState,
  SavedEntries,
  SavedEntry,
} from '../rows/model.ts';
import * as store from '../rows/store.ts';
import { requireCollection } from '../service.ts';
import {
  createItems,
  type ItemKind,
  itemErrors,
  presentItem,
  presentSaved,
  putSingle,
  reorderItems,
  requireItem,
  toEntry,
} from './service.ts';
import { linkTranslation, listTranslations, unlinkTranslation } from './translations.ts';
import { type SavedEntry as SavedEntryState, withWarnings } from './warnings.ts';

interface ItemDeps extends Pick<SharedServices, 'reader' | 'snapshots' | 'changes' | 'answers' | 'pool'> {
  readonly byRef: CollectionsByRef;
  readonly publicLimit: PublicLimit;
}

/** Entries of collections (Data, Automation and Operations, "Collections and entries"). */
export function itemRoutes(deps: ItemDeps, kind: ItemKind): Route[] {
  return [
    ...readingRoutes(deps),
    ...writingRoutes(deps, kind),
    ...arrangingRoutes(deps, kind),
    ...translationRoutes(deps, kind),
  ];
}

function readingRoutes(deps: ItemDeps): Route[] {
  const { reader, byRef, snapshots, answers, publicLimit } = deps;
  return [
    defineRoute({
      method: 'GET',
      path: '/collections/{ref}/items',
      access: 'public',
      needs: 'objects',
      summary: 'List the entries of a collection; of a singleton get its entry or null',
      params: RefParams,
      describedQuery: ListQuery,
      countsAll: true,
      response: EntryList,
      errors: ['common.invalid', 'data.unknownField', 'data.unknownOperator', 'common.busy'],
      handle: async ({ actor, params, rawQuery }) => {
        const collection = await requireReadable(byRef, params.ref, actor);
        const view = viewOf(actor, collection);
        const maxEntries = view === 'all' ? undefined : await publicLimit.get();
        if (hasQuery(rawQuery)) {
          const options = { drafts: view === 'all', form: 'entries', maxEntries } as const;
          return answerAbout(collection, await queryEntries(deps, collection, rawQuery, options));
        }
        const key = `/collections/${collection.id}/items ${view}`;
        const make = () => answerItems(snapshots, collection, view, maxEntries);
        const read = async () => answers.reply(key, make);
        return answerAbout(collection, await (view === 'all' ? read() : withoutReadLimits(read)));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/collections/{ref}/items/{id}',
      access: 'public',
      needs: 'objects',
      summary: 'Get an entry',
      params: EntryParams,
      response: Entry,
      handle: async ({ actor, params: { ref, id } }) => {
        const collection = await requireReadable(byRef, ref, actor);
        const view = viewOf(actor, collection);
        const key = `/collections/${collection.id}/items/${id} ${view}`;
        const read = async () =>
          answers.json(key, async () => {
            const item = await requireItem(reader, collection, id);
            if (view === 'public' && !item.published) throw apiError('common.notFound', {});
            return presentItem(item, collection, view === 'public', new KnownTargets(reader));
          });
        return answerAbout(collection, await (view === 'all' ? read() : withoutReadLimits(read)));
      },
    }),
  ];
}

function writingRoutes(deps: ItemDeps, kind: ItemKind): Route[] {
  const { changes } = deps;
  return [
    defineRoute({
      method: 'POST',
      path: '/collections/{ref}/items',
      access: 'write',
      needs: { action: 'publish', kind: 'item' },
      summary: 'Create an entry, or several of which all or none are created',
      params: RefParams,
      query: StrictQuery,
      body: EntriesInput,
      listsItems: true,
      response: SavedEntries,
      status: 201,
      errors: [...itemErrors, 'collection.hasEntry'],
      handle: async ({ actor, params, query, body }) => {
        const inputs = Array.isArray(body) ? body : [body];
        const { collection, created } = await changes.change(actor, async (change) => {
          const collection = await requireCollection(change.tx, params.ref);
          const { id } = collection;
          if (Array.isArray(body))
            return { collection, created: await createItems(change, kind, id, body, query) };
          return {
            collection,
            created: [await createObject(change, kind, { collection: id, ...body }, query)],
          };
        });
        const sent = inputs.map(({ data }) => data);
        const saved = await withWarnings(deps, collection, created.map(toEntry), sent);
        return Array.isArray(body) ? saved : saved[0];
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/collections/{ref}/items/{id}',
      access: 'write',
      needs: { action: 'publish', kind: 'item', hasCopy: true },
      summary: 'Change values of an entry',
      params: EntryParams,
      query: StrictQuery,
      body: EntryUpdate,
      response: SavedEntry,
      errors: itemErrors,
      handle: ({ actor, params: { ref, id }, query, body }) =>
        saveOne(deps, { actor, ref, body }, async (change, collection) => {
          await requireItem(change.tx, collection, id);
          return updateObject(change, kind, id, body, query);
        }),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/collections/{ref}/items/{id}',
      access: 'write',
      needs: { action: 'delete', kind: 'item' },
      summary: 'Delete an entry',
      params: EntryParams,
      query: PurgeQuery,
      handle: ({ actor, params: { ref, id }, query: { purge: isFinal } }) =>
        changes.change(actor, async (change) => {
          await requireItem(change.tx, await requireCollection(change.tx, ref), id);
          await removeObject(change, kind, id, { isFinal });
        }),
    }),
  ];
}

function arrangingRoutes(deps: ItemDeps, kind: ItemKind): Route[] {
  const { changes } = deps;
  return [
    defineRoute({
      method: 'POST',
      path: '/collections/{ref}/items/reorder',
      access: 'write',
      needs: { action: 'publish', kind: 'item' },
      summary: 'Put entries into another order',
      params: RefParams,
      body: EntryOrder,
      handle: ({ actor, params, body }) =>
        changes.change(actor, async (change) =>
          reorderItems(change, await requireCollection(change.tx, params.ref), body),
        ),
    }),
    defineRoute({
      method: 'PUT',
      path: '/collections/{ref}/item',
      access: 'write',
      needs: 'objects',
      summary: 'Create or change the entry of a singleton',
      params: RefParams,
      query: StrictQuery,
      body: EntryUpdate,
      response: SavedEntry,
      errors: [...itemErrors, 'collection.notSingleton'],
      handle: ({ actor, params: { ref }, query, body }) =>
        saveOne(deps, { actor, ref, body }, (change, collection) =>
          putSingle(change, kind, collection, body, query),
        ),
    }),
  ];
}

interface EntrySave {
  readonly actor: Actor;
  readonly ref: string;
  readonly body: Pick<EntryUpdate, 'data'>;
}

/** Saves one entry in a change, and answers it with what is told about it. */
async function saveOne(
  deps: ItemDeps,
  { actor, ref, body }: EntrySave,
  save: (change: Change, collection: StoredCollection) => Promise<ItemState>,
): Promise<SavedEntryState | undefined> {
  const { collection, entry } = await deps.changes.change(actor, async (change) => {
    const collection = await requireCollection(change.tx, ref);
    return { collection, entry: await presentSaved(change, await save(change, collection)) };
  });
  const [saved] = await withWarnings(deps, collection, [entry], [body.data ?? {}]);
  return saved;
}

function translationRoutes({ reader, changes }: ItemDeps, kind: ItemKind): Route[] {
  const shared = {
    path: '/collections/{ref}/items/{id}/translations',
    params: EntryParams,
    response: Type.Array(EntryTranslation),
  } as const;
  const list = async ({ ref, id }: { readonly ref: string; readonly id: number }) =>
    listTranslations(reader, await requireItem(reader, await requireCollection(reader, ref), id));
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      access: 'read',
      needs: 'objects',
      summary: 'List the other language versions of an entry',
      handle: ({ params }) => list(params),
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      access: 'write',
      needs: 'objects',
      summary: 'Link an entry as another language version',
      body: EntryLink,
      errors: ['translation.noLang', 'translation.langTaken', 'translation.alreadyLinked'],
      handle: async ({ actor, params, body }) => {
        await changes.change(actor, async (change) => {
          const collection = await requireCollection(change.tx, params.ref);
          await linkTranslation(change, kind, collection, params.id, body);
        });
        return list(params);
      },
    }),
    defineRoute({
      path: shared.path,
      params: EntryParams,
      method: 'DELETE',
      access: 'write',
      needs: 'objects',
      summary: 'Take an entry out of its language versions',
      handle: ({ actor, params: { ref, id } }) =>
        changes.change(actor, async (change) =>
          unlinkTranslation(change, kind, await requireCollection(change.tx, ref), id),
        ),
    }),
  ];
}

/** What a caller sees: everyone only what is published. */
type View = 'public' | 'all';

function viewOf(actor: Actor, collection: StoredCollection): View {
  return mayReadEntries(actor, collection) ? 'all' : 'public';
}

function answerItems(
  snapshots: ContentSnapshots,
  collection: StoredCollection,
  view: View,
  maxEntries: number | undefined,
): Promise<Reply> {
  const isPublic = view === 'public';
  return snapshots.read(async (db) => {
    if (maxEntries !== undefined && (await store.hasMorePublished(db, collection.id, maxEntries)))
      throw tooManyForEveryone(maxEntries);
    if (collection.singleton) {
      const item = await store.findFirst(db, collection.id, !isPublic);
      const targets = new KnownTargets(db);
      return Reply.jsonBytes(
        item === undefined ? null : await presentItem(item, collection, isPublic, targets),
      );
    }
    return Reply.madeJson(await cacheableJson(presented()));

    async function* presented() {
      const targets = new KnownTargets(db);
      for await (const slice of store.listItems(db, collection.id, !isPublic)) {
        const shown: Entry[] = [];
        for (const item of slice) shown.push(await presentItem(item, collection, isPublic, targets));
        yield shown;
      }
    }
  });
}
