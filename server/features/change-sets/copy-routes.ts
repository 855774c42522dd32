import Type, { type TObject } from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import { StrictQuery } from '../../api/validate.ts';
import type { Actor } from '../../base/actor.ts';
import { apiError, type ErrorCode } from '../../base/errors.ts';
import { IdParams, RefParams } from '../../content/common-fields.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import { listReadable } from '../../content/kinds/readable.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import { limitReads } from '../../db/readable-rows.ts';
import type { ContentDb } from '../../db/tables.ts';
import {
  type Copied,
  type CopyOf,
  discardCopy,
  findCopiedState,
  findCopyId,
  putCopy,
  readCopy,
  readCopyBody,
} from './copies.ts';
import { checkBefore } from './decide-items.ts';
import { CopiedObject, CopyUpdate, Publication, PublishRequest } from './model.ts';
import { answerPublication, type ChangeSetRouteDeps, editErrors, publishErrors } from './routes.ts';
import { presentItems } from './views.ts';

/** Endpoints of working copies, for every kind that change sets know. */
export function copyRoutes(deps: ChangeSetRouteDeps): Route[] {
  return listCopyKinds(deps.kinds).flatMap((kind) =>
    [...editingRoutes(kind, deps), publishRoute(kind, deps)].map((route) =>
      checkBefore(route, (actor, params) => requireReadableCopy(deps, actor, kind, params)),
    ),
  );
}

/** @throws ApiError 404 `common.notFound` for an object that the caller may not read */
async function requireReadableCopy(
  { reader, kinds }: ChangeSetRouteDeps,
  { grants }: Actor,
  kind: Kind,
  params: object,
): Promise<void> {
  const limits = grants && limitReads(grants);
  if (limits === undefined) return;
  const { id } = await nameIn(reader, kind, params);
  const known = (await kind.find(reader, id)) ?? (await findCopiedState(reader, kinds, kind, id));
  const object = { kind: kind.name, id, ...(known === undefined ? {} : kind.namesOf(known)) };
  if (known === undefined || (await listReadable(reader, grants, limits, [object])).length === 0)
    throw apiError('common.notFound', {});
}

/** The paths of working copies. */
export function listCopyPaths(kinds: KindsByName): string[] {
  return listCopyKinds(kinds).map(pathOf);
}

function listCopyKinds(kinds: KindsByName): Kind[] {
  return [...kinds.values()].filter(({ batch }) => batch !== undefined);
}

function editingRoutes(kind: Kind, { reader, changes, kinds }: ChangeSetRouteDeps): Route[] {
  const path = pathOf(kind);
  const params = paramsOf(kind);
  return [
    defineRoute({
      method: 'GET',
      path,
      access: 'read',
      needs: 'objects',
      summary: `Get ${kind.noun} with its working copy`,
      params,
      response: CopiedObject,
      errors: ['changeset.noCopy'],
      handle: async ({ actor, params: named }) =>
        presentCopy(
          reader,
          await changes.changeUnversioned(actor, async (c) =>
            readCopy(c, kinds, await nameIn(c.tx, kind, named)),
          ),
        ),
    }),
    defineRoute({
      method: 'PUT',
      path,
      access: 'write',
      needs: { action: 'edit', kind: kind.name },
      summary: `Change fields in the working copy of ${kind.noun}`,
      params,
      query: StrictQuery,
      body: CopyUpdate,
      takesAnyBody: true,
      response: CopiedObject,
      errors: ['changeset.fieldTaken', 'changeset.tooMany', ...editErrors, ...(kind.errors?.update ?? [])],
      async handle({ actor, params: named, query: { strict = false }, body }) {
        const sent = readCopyBody(body);
        await kind.checkBefore?.(sent.body, strict);
        const copied = await changes.changeUnversioned(actor, async (c) =>
          putCopy(c, kinds, await nameIn(c.tx, kind, named), sent, strict),
        );
        return presentCopy(reader, copied);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path,
      access: 'write',
      needs: { action: 'edit', kind: kind.name },
      summary: `Discard the working copy of ${kind.noun}`,
      params,
      errors: ['changeset.noCopy'],
      handle: ({ actor, params: named }) =>
        changes.changeUnversioned(actor, async (c) => discardCopy(c, kinds, await nameIn(c.tx, kind, named))),
    }),
  ];
}

function publishRoute(kind: Kind, deps: ChangeSetRouteDeps): Route {
  const errors: readonly ErrorCode[] = [...publishErrors, ...(kind.errors?.update ?? [])];
  return defineRoute({
    method: 'POST',
    path: `${pathOf(kind)}/publish`,
    access: 'write',
    needs: { action: 'publish', kind: kind.name },
    summary: `Publish the working copy of ${kind.noun}`,
    params: paramsOf(kind),
    body: PublishRequest,
    bodyOptional: true,
    response: Publication,
    errors: ['changeset.noCopy', ...errors],
    handle: ({ actor, params: named, body }) =>
      answerPublication(deps, actor, body, async ({ tx }) =>
        findCopyId(tx, deps.kinds, await nameIn(tx, kind, named)),
      ),
  });
}

async function presentCopy(db: ContentDb, { object, warnings, item, set }: Copied): Promise<object> {
  const [shown = null] = item === undefined ? [] : await presentItems(db, [item]);
  return {
    ...object,
    ...(set === undefined ? {} : { updated_at: set.updated_at }),
    ...{ warnings, item: shown, change_set: set?.id ?? null },
  };
}

function pathOf({ path, findId }: Kind): string {
  return `${path}/{${findId === undefined ? 'id' : 'ref'}}/copy`;
}

/** An object that belongs to another one has the name of that in its path, too. */
function paramsOf({ findId, batch }: Kind): TObject {
  if (findId !== undefined) return RefParams;
  if (batch?.within === undefined) return IdParams;
  return Type.Object({ ...RefParams.properties, ...IdParams.properties });
}

/** What the parameters of a path name. @throws ApiError `common.notFound` */
async function nameIn(db: ContentDb, kind: Kind, params: object): Promise<CopyOf> {
  const ref = String(Reflect.get(params, 'ref') ?? '');
  // One that was deleted is still found by its ID.
  const named = kind.findId === undefined ? Reflect.get(params, 'id') : await kind.findId(db, ref);
  const id = Number(named ?? ref);
  const scope = await kind.batch?.within?.find(db, ref);
  const isMissing = kind.batch?.within !== undefined && scope === undefined;
  if (!Number.isInteger(id) || isMissing) throw apiError('common.notFound', {});
  return { kind, id, contains: (state) => scope === undefined || scope.contains(state) };
}
