import { defineRoute, type Route } from '../../../api/route.ts';
import { IdParams } from '../../../content/common-fields.ts';
import { requireReadableSet } from '../decide-items.ts';
import { type ChangeSetRouteDeps, listErrors } from '../routes.ts';
import { Reverted, RevertQuestion, RevertRequest } from './model.ts';
import { revertChangeSet, revertOther } from './service.ts';

const errors = [
  ...(['changeset.closed', 'changeset.reverted', 'changeset.notKept', 'changeset.tooMany'] as const),
  ...(['trash.nameTaken', 'trash.parentDeleted'] as const),
] as const;

/** Endpoints that put back what was done. */
export function revertRoutes(deps: ChangeSetRouteDeps): Route[] {
  const all = [...new Set([...errors, ...listErrors(deps.kinds)])];
  return [
    defineRoute({
      method: 'POST',
      path: '/change-sets/{id}/revert',
      access: 'write',
      needs: 'publish',
      summary: 'Put back what a published change set has changed',
      params: IdParams,
      body: RevertRequest,
      bodyOptional: true,
      response: Reverted,
      errors: all,
      async handle({ actor, params: { id }, body }) {
        await requireReadableSet(deps.reader, actor, id, 'publish');
        return revertChangeSet(deps, actor, id, body.dry_run === true);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/change-sets/revert',
      access: 'write',
      needs: 'publish',
      summary: 'Put back what a batch, an import, a push or a person has changed',
      body: RevertQuestion,
      response: Reverted,
      errors: all,
      handle: ({ actor, body }) => revertOther(deps, actor, body),
    }),
  ];
}
