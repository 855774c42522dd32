import Type from 'typebox';
import type { Changes } from '../change.ts';
import type { ContentDb } from '../db/tables.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { IdParams } from '../model.ts';
import { Revision, RevisionListEntry, RevisionListQuery } from './model.ts';
import * as revisions from './service.ts';

export interface RevisionRoutesDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly kinds: revisions.VersionedKinds;
}

/** Earlier states of pages, snippets and assets (Core, "Version history"). */
export function revisionRoutes({ reader, changes, kinds }: RevisionRoutesDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/revisions',
      access: 'read',
      summary: 'List the versions of an object, newest first',
      query: RevisionListQuery,
      response: Type.Array(RevisionListEntry),
      handle: ({ query }) => revisions.listRevisions(reader, query),
    }),
    defineRoute({
      method: 'GET',
      path: '/revisions/{id}',
      access: 'read',
      summary: 'Get a version with the object as it was',
      params: IdParams,
      response: Revision,
      errors: ['common.notFound'],
      handle: ({ params }) => revisions.getRevision(reader, kinds, params.id),
    }),
    defineRoute({
      method: 'POST',
      path: '/revisions/{id}/restore',
      access: 'write',
      summary: 'Put an object back into the state of a version',
      params: IdParams,
      response: Type.Object({ id: Type.Integer() }, { additionalProperties: true }),
      errors: ['common.notFound'],
      handle: async ({ actor, params }) => {
        const answer = await changes.change(actor, (c) => revisions.restoreRevision(c, kinds, params.id));
        return answer();
      },
    }),
  ];
}
