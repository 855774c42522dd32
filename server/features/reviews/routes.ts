import Type from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import type { Actor } from '../../base/actor.ts';
import type { Change } from '../../changes/changes.ts';
import { IdParams } from '../../content/common-fields.ts';
import { readAs } from '../../db/readable-rows.ts';
import type { SharedServices } from '../../feature.ts';
import {
  addComment,
  changeComment,
  listComments,
  removeComment,
  requireComment,
  requireCommented,
} from './comments.ts';
import { Comment, CommentCreate, CommentParams, CommentUpdate, Review, ReviewRequest } from './model.ts';
import type { ReadObject, ReviewedSets } from './reviewed-sets.ts';
import { readReview, reviewSet } from './service.ts';

export interface ReviewRouteDeps extends Pick<SharedServices, 'reader' | 'changes'> {
  readonly sets: ReviewedSets;
}

/** Endpoints of reviews and comments (the contract, "Roles and grants"). */
export function reviewRoutes(deps: ReviewRouteDeps): Route[] {
  return [reviewRoute(deps), ...commentRoutes(deps)];
}

function reviewRoute({ reader, changes, sets }: ReviewRouteDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/change-sets/{id}/review',
    access: 'write',
    needs: 'edit',
    summary: 'Ask for a review of a change set, approve it, or ask for changes',
    params: IdParams,
    body: ReviewRequest,
    response: Type.Union([Review, Type.Null()]),
    errors: ['changeset.closed'],
    async handle({ actor, params: { id }, body }) {
      // Nobody can say of what they do not see that it may be published.
      await sets.requireReadable(reader, actor, id, body.state === 'approved' ? 'publish' : undefined);
      return changes.changeUnversioned(actor, async (change) => {
        const set = await sets.requireOpen(change.tx, actor, id);
        await reviewSet(change, set, body);
        await sets.noteWork(change, id);
        return readReview(change.tx, set);
      });
    },
  });
}

function commentRoutes({ reader, changes, sets }: ReviewRouteDeps): Route[] {
  const path = '/change-sets/{id}/comments';
  /** @param check looks for what the caller may read */
  const write = async <Result>(
    actor: Actor,
    id: number,
    check: (read: ReadObject) => Promise<unknown>,
    work: (change: Change, read: ReadObject) => Promise<Result>,
  ): Promise<Result> => {
    await readAs(actor.grants, async () => check(await sets.openObjects(reader, actor, id)));
    return changes.changeUnversioned(actor, async (change) => {
      const done = await work(change, await sets.openObjects(change.tx, actor, id));
      await sets.noteWork(change, id);
      return done;
    });
  };
  return [
    defineRoute({
      method: 'GET',
      path,
      access: 'read',
      needs: 'objects',
      summary: 'List the comments about a change set, the oldest first',
      params: IdParams,
      response: Type.Array(Comment),
      handle: async ({ actor, params: { id } }) =>
        listComments(reader, id, await sets.openObjects(reader, actor, id)),
    }),
    defineRoute({
      method: 'POST',
      path,
      access: 'write',
      needs: 'edit',
      summary: 'Comment on an object of a change set',
      params: IdParams,
      body: CommentCreate,
      response: Comment,
      status: 201,
      errors: ['batch.kindUnknown'],
      handle: ({ actor, params: { id }, body }) =>
        write(
          actor,
          id,
          (read) => requireCommented(reader, body, read),
          (change, read) => addComment(change, id, body, read),
        ),
    }),
    defineRoute({
      method: 'PUT',
      path: `${path}/{commentId}`,
      access: 'write',
      needs: 'edit',
      summary: 'Change a comment',
      params: CommentParams,
      body: CommentUpdate,
      response: Comment,
      handle: ({ actor, params: { id: setId, commentId: id }, body }) =>
        write(
          actor,
          setId,
          () => requireComment(reader, { setId, id }),
          (change, read) => changeComment(change, { setId, id }, body, read),
        ),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{commentId}`,
      access: 'write',
      needs: 'edit',
      summary: 'Delete a comment',
      params: CommentParams,
      handle: ({ actor, params: { id: setId, commentId: id } }) =>
        write(
          actor,
          setId,
          () => requireComment(reader, { setId, id }),
          (change) => removeComment(change, { setId, id }),
        ),
    }),
  ];
}
