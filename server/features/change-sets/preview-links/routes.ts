import Type from 'typebox';
import { defineRoute, type Route } from '../../../api/route.ts';
import { IdParams } from '../../../content/common-fields.ts';
import type { SharedServices } from '../../../feature.ts';
import { decideItems, requireReadableSet } from '../decide-items.ts';
import { loadItems } from '../items.ts';
import type { ChangeSetRouteDeps } from '../routes.ts';
import { SetPreviewLink, SetPreviewLinkCreate } from './model.ts';
import { createSetPreviewLink, listSetPreviewLinks, type SetLinkDeps } from './service.ts';

/** Links that show a website with a change set. They are revoked as those of pages. */
export function setPreviewRoutes(
  deps: ChangeSetRouteDeps & Pick<SharedServices, 'clock'> & SetLinkDeps,
): Route[] {
  const { reader, changes, kinds } = deps;
  const path = '/change-sets/{id}/preview-links';
  return [
    defineRoute({
      method: 'GET',
      path,
      access: 'write',
      needs: 'edit',
      summary: 'List the valid preview links of a change set',
      params: IdParams,
      response: Type.Array(SetPreviewLink),
      handle: ({ actor, params: { id: setId }, host, scheme }) =>
        listSetPreviewLinks(deps, { actor, setId }, { host, scheme }),
    }),
    defineRoute({
      method: 'POST',
      path,
      access: 'write',
      needs: 'edit',
      summary: 'Create a link that shows a whole website with a change set',
      params: IdParams,
      body: SetPreviewLinkCreate,
      bodyOptional: true,
      response: SetPreviewLink,
      status: 201,
      errors: ['changeset.closed'],
      async handle({ actor, params: { id }, body, host, scheme }) {
        // The link shows everything that is in the set.
        await requireReadableSet(reader, actor, id, 'edit');
        return changes.changeUnversioned(actor, async (c) => {
          await decideItems(c, await loadItems(c.tx, id, kinds), 'draft');
          return createSetPreviewLink(c, kinds, id, body, { host, scheme });
        });
      },
    }),
  ];
}
