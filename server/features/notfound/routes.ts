import Type from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import type { Actor } from '../../base/actor.ts';
import { requireRight } from '../../base/refusals/refusal.ts';
import { NotFoundEntry, NotFoundListQuery, NotFoundQuery, NotFoundUpdate } from './model.ts';
import type { NotFoundLog } from './service.ts';

/** Dead addresses that visitors asked for (Core, "Redirects and 404 log"). */
export function notFoundRoutes(notFound: NotFoundLog): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/notfound',
      access: 'read',
      needs: 'objects',
      summary: 'List dead addresses of a website, most frequent first',
      query: NotFoundListQuery,
      response: Type.Array(NotFoundEntry),
      errors: ['common.notFound'],
      handle: ({ query }) => notFound.list(query.root_id),
    }),
    defineRoute({
      method: 'PUT',
      path: '/notfound',
      access: 'write',
      needs: 'publish',
      summary: 'Ignore dead addresses, or open them again',
      query: NotFoundQuery,
      body: NotFoundUpdate,
      errors: ['common.notFound'],
      async handle({ actor, query, body }) {
        requireLogRight(actor, query.root_id);
        await notFound.setIgnored(query, body.ignored);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/notfound',
      access: 'write',
      needs: 'publish',
      summary: 'Delete an entry of the 404 log, or all of it',
      query: NotFoundQuery,
      errors: ['common.notFound'],
      async handle({ actor, query }) {
        requireLogRight(actor, query.root_id);
        await notFound.remove(query);
      },
    }),
  ];
}

/** Dead addresses are what redirects are made of, so the same right counts. @throws ApiError 403 `auth.notAllowed` */
function requireLogRight({ grants }: Actor, site: number): void {
  requireRight(grants, 'publish', { kind: 'redirect', site });
}
