import Type from 'typebox';
import { Reply } from '../../api/reply.ts';
import { defineRoute, type Route } from '../../api/route.ts';
import { StrictQuery } from '../../api/validate.ts';
import type { Actor } from '../../base/actor.ts';
import type { ErrorCode } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import { IdParams } from '../../content/common-fields.ts';
import { requireChangeableKind } from '../../content/kinds/registry.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import { readAs } from '../../db/readable-rows.ts';
import type { SharedServices } from '../../feature.ts';
import { readSingle } from '../batch/form.ts';
import { BatchOperation } from '../batch/model.ts';
import { requireReadableSet } from './decide-items.ts';
import { addOperation, type Edited, putItem, removeItem } from './edit.ts';
import { loadItems } from './items.ts';
import {
  ChangeSet,
  ChangeSetCreate,
  ChangeSetItem,
  ChangeSetQuery,
  ChangeSetUpdate,
  ItemDiff,
  ItemParams,
  PreparedObject,
  Publication,
  PublishRequest,
} from './model.ts';
import { publishChangeSet, tryPublication } from './publish.ts';
import {
  createChangeSet,
  discardChangeSet,
  listChangeSets,
  presentSet,
  requireSet,
  updateChangeSet,
} from './service.ts';
import { diffItems, presentItems } from './views.ts';

export interface ChangeSetRouteDeps extends Pick<SharedServices, 'reader' | 'changes'> {
  readonly kinds: KindsByName;
}

/** Endpoints of change sets (the contract, "Change sets"). */
export function changeSetRoutes(deps: ChangeSetRouteDeps): Route[] {
  return [...setRoutes(deps), ...itemRoutes(deps), ...outcomeRoutes(deps)];
}

const path = '/change-sets';

function setRoutes({ reader, changes, kinds }: ChangeSetRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path,
      access: 'read',
      needs: 'objects',
      summary: 'List change sets, newest first',
      query: ChangeSetQuery,
      response: Type.Array(ChangeSet),
      handle: ({ actor, query }) => listChangeSets(reader, kinds, actor, query),
    }),
    defineRoute({
      method: 'POST',
      path,
      access: 'write',
      needs: 'edit',
      summary: 'Create a release',
      body: ChangeSetCreate,
      response: ChangeSet,
      status: 201,
      errors: ['changeset.tooMany'],
      handle: async ({ actor, body }) =>
        presentSet(reader, kinds, await changes.changeUnversioned(actor, (c) => createChangeSet(c, body))),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/{id}`,
      access: 'read',
      needs: 'objects',
      summary: 'Get a change set',
      params: IdParams,
      response: ChangeSet,
      handle: async ({ actor, params: { id } }) =>
        presentSet(reader, kinds, await requireSet(reader, actor, id)),
    }),
    defineRoute({
      method: 'PUT',
      path: `${path}/{id}`,
      access: 'write',
      needs: 'edit',
      summary: 'Rename or schedule a change set',
      params: IdParams,
      body: ChangeSetUpdate,
      response: ChangeSet,
      errors: ['changeset.closed', 'changeset.notApproved', 'changeset.timePast'],
      handle: async ({ actor, params: { id }, body }) => {
        if (typeof body.publish_at === 'number') await requireReadableSet(reader, actor, id, 'publish');
        const set = await changes.changeUnversioned(actor, (c) => updateChangeSet(c, kinds, id, body));
        return readAs(actor.grants, () => presentSet(reader, kinds, set));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{id}`,
      access: 'write',
      needs: 'edit',
      summary: 'Discard a change set',
      params: IdParams,
      errors: ['changeset.closed'],
      async handle({ actor, params: { id } }) {
        await requireReadableSet(reader, actor, id, 'edit');
        await changes.changeUnversioned(actor, (c) => discardChangeSet(c, kinds, id));
      },
    }),
  ];
}

export const editErrors: readonly ErrorCode[] = [
  'batch.kindUnknown',
  'changeset.closed',
  'changeset.tooManyItems',
  'changeset.tooLarge',
  'common.conflict',
  'template.invalid',
];

function itemRoutes({ reader, changes, kinds }: ChangeSetRouteDeps): Route[] {
  const itemPath = `${path}/{id}/items/{kind}/{objectId}`;
  const errors = [...new Set([...editErrors, ...listErrors(kinds)])];
  return [
    defineRoute({
      method: 'GET',
      path: `${path}/{id}/items`,
      access: 'read',
      needs: 'objects',
      summary: 'List the objects of a change set',
      params: IdParams,
      response: Type.Array(ChangeSetItem),
      async handle({ actor, params: { id } }) {
        await requireSet(reader, actor, id);
        return presentItems(reader, await loadItems(reader, id, kinds));
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/{id}/items`,
      access: 'write',
      needs: 'objects',
      summary: 'Put one operation of a batch into a change set',
      params: IdParams,
      query: StrictQuery,
      body: BatchOperation,
      takesAnyBody: true,
      response: PreparedObject,
      status: 201,
      otherStatus: 200,
      errors,
      async handle({ actor, params: { id }, query: { strict = false }, body }) {
        const operation = readSingle(body, kinds);
        await operation.kind.checkBefore?.(operation.data, strict);
        const edited = await changes.changeUnversioned(actor, (c) =>
          addOperation(c, kinds, id, operation, { strict }),
        );
        const status = operation.op === 'create' ? 201 : 200;
        return Reply.json(await presentEdited(reader, edited), { status });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: itemPath,
      access: 'write',
      needs: 'edit',
      summary: 'Change fields of an object in a change set',
      params: ItemParams,
      query: StrictQuery,
      body: Type.Record(Type.String(), Type.Unknown(), {
        description: 'The fields, as in the body of the PUT of the object.',
      }),
      takesAnyBody: true,
      response: PreparedObject,
      errors,
      async handle({ actor, params, query: { strict = false }, body }) {
        const kind = requireChangeableKind(kinds, params.kind);
        await requireSet(reader, actor, params.id);
        await kind.checkBefore?.(body, strict);
        const of = { setId: params.id, kind, id: params.objectId };
        const edited = await changes.changeUnversioned(actor, (c) => putItem(c, kinds, of, body, { strict }));
        return presentEdited(reader, edited);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: itemPath,
      access: 'write',
      needs: 'edit',
      summary: 'Take an object out of a change set',
      params: ItemParams,
      errors: ['batch.kindUnknown', 'changeset.closed', 'changeset.needed'],
      handle({ actor, params: { id, kind, objectId } }) {
        const of = { setId: id, kind: requireChangeableKind(kinds, kind), id: objectId };
        return changes.changeUnversioned(actor, (c) => removeItem(c, kinds, of));
      },
    }),
  ];
}

function outcomeRoutes({ reader, changes, kinds }: ChangeSetRouteDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${path}/{id}/diff`,
      access: 'read',
      needs: 'objects',
      summary: 'What a change set changes, next to the live state',
      params: IdParams,
      response: Type.Array(ItemDiff),
      async handle({ actor, params: { id } }) {
        await requireSet(reader, actor, id);
        return diffItems(reader, actor, await loadItems(reader, id, kinds));
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/{id}/publish`,
      access: 'write',
      needs: 'publish',
      summary: 'Publish a change set',
      params: IdParams,
      body: PublishRequest,
      bodyOptional: true,
      response: Publication,
      errors: [...publishErrors, ...listErrors(kinds)],
      async handle({ actor, params: { id }, body }) {
        await requireReadableSet(reader, actor, id, 'publish');
        return answerPublication({ reader, changes, kinds }, actor, body, async () => id);
      },
    }),
  ];
}

export const publishErrors = [
  'changeset.closed',
  'changeset.empty',
  'changeset.notApproved',
  'changeset.conflict',
  'changeset.parentDeleted',
] as const;

/** The answer to a publication, or to its dry run. @param findId finds the change set within the change */
export async function answerPublication(
  { reader, changes, kinds }: ChangeSetRouteDeps,
  actor: Actor,
  { resolve, dry_run: isDryRun = false }: PublishRequest,
  findId: (change: Change) => Promise<number>,
): Promise<object> {
  if (isDryRun)
    // Alone, because what comes back from the trash has its references checked at the end of the transaction.
    return changes.changeInOwnTransaction(actor, async (c) =>
      tryPublication(c, kinds, await findId(c), resolve),
    );
  const done = await changes.changeInOwnTransaction(actor, async (c) =>
    publishChangeSet(c, kinds, await findId(c), resolve),
  );
  const { set, results, renumbered, warnings } = done;
  const shown = await readAs(actor.grants, () => presentSet(reader, kinds, set));
  return { ...shown, results, renumbered, ...(warnings === undefined ? {} : { warnings }) };
}

async function presentEdited(
  db: SharedServices['reader'],
  { object, warnings, item }: Edited,
): Promise<object> {
  const [shown = null] = item === undefined ? [] : await presentItems(db, [item]);
  return { ...object, warnings, item: shown };
}

/** The errors of all kinds that a change set may change. */
export function listErrors(kinds: KindsByName): ErrorCode[] {
  const changeable = [...kinds.values()].filter(({ batch }) => batch !== undefined);
  const codes = changeable.flatMap(({ errors = {}, batch }) => [
    ...(errors.create ?? []),
    ...(errors.update ?? []),
    ...Object.values(batch?.more ?? {}).flatMap((operation) => operation.errors),
  ]);
  return [...new Set(codes)];
}
