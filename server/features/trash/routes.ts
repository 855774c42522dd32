import Type from 'typebox';
import { Reply } from '../../api/reply.ts';
import { defineRoute, type Route } from '../../api/route.ts';
import { IdParams } from '../../content/common-fields.ts';
import { RestoreRequest, RestoreResult, TrashEntry, TrashQuery } from './model.ts';
import type { Trash } from './service.ts';

export function trashRoutes(trash: Trash): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/trash',
      access: 'read',
      needs: 'objects',
      summary: 'List deleted objects, newest first; the header `X-Total-Count` is the number of all that fit',
      query: TrashQuery,
      countsAll: true,
      response: Type.Array(TrashEntry),
      handle: async ({ actor, query }) => {
        const { entries, count } = await trash.list(actor, query);
        return Reply.json(entries, { headers: [['X-Total-Count', String(count)]] });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/trash',
      access: 'write',
      needs: 'delete',
      summary: 'Empty the trash',
      handle: ({ actor }) => trash.empty(actor),
    }),
    defineRoute({
      method: 'GET',
      path: '/trash/{id}',
      access: 'read',
      needs: 'objects',
      summary: 'Get a deleted object, as its GET or its list shows it',
      params: IdParams,
      response: Type.Record(Type.String(), Type.Unknown()),
      handle: ({ actor, params: { id } }) => trash.get(actor, id),
    }),
    defineRoute({
      method: 'POST',
      path: '/trash/{id}/restore',
      access: 'write',
      needs: 'publish',
      summary: 'Restore a deleted object with everything that was deleted with it',
      params: IdParams,
      body: RestoreRequest,
      response: RestoreResult,
      errors: ['trash.nameTaken', 'trash.parentDeleted', 'collection.hasEntry', 'redirect.loop'],
      handle: ({ actor, params: { id }, body }) =>
        trash.restore(actor, id, {
          isDry: body.dry_run === true,
          rename: body.rename,
          withParent: body.with_parent,
        }),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/trash/{id}',
      access: 'write',
      needs: 'delete',
      summary: 'Delete an object of the trash for good',
      params: IdParams,
      handle: ({ actor, params: { id } }) => trash.forget(actor, id),
    }),
  ];
}
