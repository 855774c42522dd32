import Type from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import { IdParams } from '../../content/common-fields.ts';
import { warnOfTakenObject } from '../../content/kinds/broken-rules.ts';
import { presentSavedObject } from '../../content/kinds/objects.ts';
import type { SharedServices } from '../../feature.ts';
import { RestoredObject, RevisionAnswer, RevisionListEntry, revisionListQuery } from './model.ts';
import {
  getRevision,
  listRestoreErrors,
  listRevisionsFor,
  type RevisedKinds,
  restoreRevision,
  revisionKindNames,
} from './service.ts';

export function revisionRoutes(
  { reader, changes, texts }: Pick<SharedServices, 'reader' | 'changes' | 'texts'>,
  kinds: RevisedKinds,
): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/revisions',
      access: 'read',
      needs: 'objects',
      summary: 'List the versions of an object, newest first',
      query: revisionListQuery(revisionKindNames(kinds)),
      response: Type.Array(RevisionListEntry),
      errors: ['auth.readOnly'],
      handle: ({ actor, query }) => listRevisionsFor(actor, reader, kinds, query),
    }),
    defineRoute({
      method: 'GET',
      path: '/revisions/{id}',
      access: 'read',
      needs: 'objects',
      summary: 'Get a version with the object as it was',
      params: IdParams,
      response: RevisionAnswer,
      errors: ['common.notFound', 'auth.readOnly'],
      handle: ({ actor, params }) => getRevision(actor, reader, kinds, params.id),
    }),
    defineRoute({
      method: 'POST',
      path: '/revisions/{id}/restore',
      access: 'write',
      needs: 'publish',
      summary: 'Put an object back into the state of a version',
      params: IdParams,
      response: RestoredObject,
      errors: listRestoreErrors(kinds),
      handle: async ({ actor, params }) => {
        const { kind, before, state } = await changes.change(actor, (change) =>
          restoreRevision(change, kinds, params.id),
        );
        const left = (await kind.warningsAfter?.(reader, before, state)) ?? [];
        const taken = await warnOfTakenObject(kind, reader, state);
        return presentSavedObject(kind, state, texts, [...left, ...taken]);
      },
    }),
  ];
}
