import Type from 'typebox';
import type { JsonResponseCache } from '../../api/json-response-cache.ts';
import { Reply } from '../../api/reply.ts';
import { defineRoute, type Route } from '../../api/route.ts';
import { StrictQuery } from '../../api/validate.ts';
import { apiError, type ErrorCode } from '../../base/errors.ts';
import type { Changes } from '../../changes/changes.ts';
import type { TextAnalysis } from '../../changes/text-analysis.ts';
import type { ContentDb, ContentSnapshots } from '../../db/tables.ts';
import { slicedJson } from '../../http/json/sliced.ts';
import { IdParams, PurgeQuery, RefParams } from '../common-fields.ts';
import type { Kind, KindEndpoint } from './kind.ts';
import {
  createObject,
  presentObject,
  presentSavedObject,
  removeObject,
  requireObject,
  updateObject,
} from './objects.ts';
import type { ReferenceBacklog } from './reference-backlog.ts';
import type { KindRegistry } from './registry.ts';

/** Parts of the server that the endpoints of kinds need. */
interface KindRouteParts {
  readonly reader: ContentDb;
  readonly snapshots: ContentSnapshots;
  readonly changes: Changes;
  readonly answers: JsonResponseCache;
  readonly texts: TextAnalysis;
  readonly registry: KindRegistry;
  readonly backlog: ReferenceBacklog;
}

/** The endpoints of a kind: list, create, get, change, delete. */
export function kindRoutes(kind: Kind, deps: KindRouteParts): Route[] {
  const made = kind.endpoints ?? allEndpoints;
  return made.map((endpoint) => routeOf[endpoint](kind, deps));
}

const routeOf: Readonly<Record<KindEndpoint, (kind: Kind, deps: KindRouteParts) => Route>> = {
  list: listRoute,
  create: createRoute,
  get: getRoute,
  update: updateRoute,
  delete: deleteRoute,
};
const allEndpoints: readonly KindEndpoint[] = ['list', 'create', 'get', 'update', 'delete'];

/** The path parameters that name an object. */
type Named = { readonly id: number } | { readonly ref: string };

function pathOf({ path, findId }: Kind): string {
  return `${path}/{${findId === undefined ? 'id' : 'ref'}}`;
}

function paramsOf({ findId }: Kind): typeof IdParams | typeof RefParams {
  return findId === undefined ? IdParams : RefParams;
}

/** @throws ApiError `common.notFound` for a name that no object has */
async function idOf(kind: Kind, db: ContentDb, named: Named): Promise<number> {
  const id = 'id' in named ? named.id : await kind.findId?.(db, named.ref);
  if (id === undefined) throw apiError('common.notFound', {});
  return id;
}

function listRoute(kind: Kind, deps: KindRouteParts): Route {
  const { path, list } = kind;
  return defineRoute({
    method: 'GET',
    path,
    access: 'read',
    needs: 'objects',
    summary: list.summary,
    query: list.query ?? Type.Object({}),
    response: Type.Array(list.entry),
    handle: ({ query }) => answerList(kind, deps, query),
  });
}

/** The answer to GET of the list, for other endpoints that answer with it too. */
export function answerList(
  { path, list, countsVisits }: Pick<Kind, 'path' | 'list' | 'countsVisits'>,
  { snapshots, answers }: Pick<KindRouteParts, 'snapshots' | 'answers'>,
  query: unknown,
): Reply | Promise<Reply> {
  const make = () =>
    snapshots.read(async (db) => {
      const entries = list.read(db, query);
      return entries instanceof Promise
        ? Reply.jsonBytes(await entries)
        : Reply.madeJson(await slicedJson(entries));
    });
  return countsVisits === true ? make() : answers.reply(`${path}?${JSON.stringify(query)}`, make);
}

function createRoute(kind: Kind, { reader, changes, texts }: KindRouteParts): Route {
  return defineRoute({
    method: 'POST',
    path: kind.path,
    access: 'write',
    needs: { action: 'publish', kind: kind.name },
    summary: `Create ${kind.noun}`,
    query: StrictQuery,
    body: kind.schemas.create,
    moreFaults: async (fields) => (await kind.faultsIn?.(reader, fields, undefined)) ?? [],
    response: kind.schemas.saved ?? kind.schemas.answer,
    status: 201,
    errors: [...textErrors(kind), ...(kind.errors?.create ?? [])],
    handle: async ({ actor, query, body }) => {
      const state = await changes.change(actor, (change) => createObject(change, kind, body, query));
      const left = await kind.warningsAfter?.(reader, undefined, state);
      return presentSavedObject(kind, state, texts, left);
    },
  });
}

function getRoute(kind: Kind, { reader, answers }: KindRouteParts): Route {
  return defineRoute({
    method: 'GET',
    path: pathOf(kind),
    access: 'read',
    needs: 'objects',
    summary: `Get ${kind.noun}`,
    params: paramsOf(kind),
    response: kind.schemas.answer,
    handle: ({ params }) => {
      const read = async () =>
        presentObject(kind, await requireObject(kind, reader, await idOf(kind, reader, params)));
      const name = 'id' in params ? params.id : params.ref;
      return kind.countsVisits === true ? read() : answers.json(`${kind.path}/${name}`, read);
    },
  });
}

function updateRoute(kind: Kind, { reader, changes, texts }: KindRouteParts): Route {
  return defineRoute({
    method: 'PUT',
    path: pathOf(kind),
    access: 'write',
    needs: { action: 'publish', kind: kind.name, hasCopy: kind.batch !== undefined },
    summary: `Change fields of ${kind.noun}`,
    params: paramsOf(kind),
    query: StrictQuery,
    body: kind.schemas.update,
    async moreFaults(fields, params) {
      const before = await kind.find(reader, await idOf(kind, reader, params));
      return before === undefined ? [] : ((await kind.faultsIn?.(reader, fields, before)) ?? []);
    },
    response: kind.schemas.saved ?? kind.schemas.answer,
    errors: [...textErrors(kind), ...(kind.errors?.update ?? [])],
    handle: async ({ actor, params, query, body }) => {
      const { before, state } = await changes.change(actor, async (change) => {
        const id = await idOf(kind, change.tx, params);
        const before = kind.warningsAfter === undefined ? undefined : await kind.find(change.tx, id);
        return { before, state: await updateObject(change, kind, id, body, query) };
      });
      const left = await kind.warningsAfter?.(reader, before, state);
      return presentSavedObject(kind, state, texts, left);
    },
  });
}

function deleteRoute(kind: Kind, { changes, registry, backlog }: KindRouteParts): Route {
  const { noun, usage } = kind;
  const shared = {
    method: 'DELETE',
    path: pathOf(kind),
    access: 'write',
    needs: { action: 'delete', kind: kind.name },
    summary: `Delete ${noun}`,
    params: paramsOf(kind),
  } as const;
  if (usage === undefined) {
    return defineRoute({
      ...shared,
      query: PurgeQuery,
      handle: ({ actor, params, query: { purge: isFinal } }) =>
        changes.change(actor, async (change) =>
          removeObject(change, kind, await idOf(kind, change.tx, params), { isFinal }),
        ),
    });
  }
  return defineRoute({
    ...shared,
    query: DeleteQuery,
    errors: ['common.inUse'],
    async handle({ actor, params, query: { if_unused = false, purge: isFinal } }) {
      if (if_unused || usage.isRefusedByKind === true) await backlog.done();
      const unusedAmong = if_unused ? registry.byName : undefined;
      return changes.change(actor, async (change) =>
        removeObject(change, kind, await idOf(kind, change.tx, params), { unusedAmong, isFinal }),
      );
    },
  });
}

const DeleteQuery = Type.Object({
  if_unused: Type.Optional(
    Type.Boolean({ description: 'Refuse with `common.inUse` if something refers to the object.' }),
  ),
  ...PurgeQuery.properties,
});

function textErrors(kind: Kind): readonly ErrorCode[] {
  return kind.texts === undefined ? [] : ['template.invalid'];
}
