import Type, { type TSchema } from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import { collectFaults, invalidFields } from '../../base/errors.ts';
import { IdParams } from '../../content/common-fields.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import { presentSavedObject, updateObject } from '../../content/kinds/objects.ts';
import { answerList } from '../../content/kinds/routes.ts';
import type { SharedServices } from '../../feature.ts';
import { requireAsset } from './assignments.ts';
import {
  AssetsUpdate,
  PageListEntry,
  PageMove,
  type PageState,
  type PageUpdate,
  SavedPage,
  SiteCreate,
} from './model.ts';
import { movePage } from './move.ts';
import { moveErrors } from './operations.ts';
import { createSite, siteFaults } from './service.ts';

/** Endpoints of pages besides create, read, change and delete (Core, "Pages"). */
export function pageRoutes(
  { snapshots, changes, answers, texts }: SharedServices,
  kind: Kind<PageState, TSchema, typeof PageUpdate>,
): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/sites',
      access: 'write',
      needs: 'settings',
      summary: 'Create a website',
      body: SiteCreate,
      moreFaults: siteFaults,
      response: SavedPage,
      status: 201,
      errors: ['site.domainTaken', 'translation.langInvalid'],
      handle: async ({ actor, body }) =>
        presentSavedObject(kind, await changes.change(actor, (c) => createSite(c, body)), texts),
    }),
    defineRoute({
      method: 'PUT',
      path: '/pages/{id}/assets',
      access: 'write',
      needs: 'objects',
      summary: 'Replace the assets of a page',
      params: IdParams,
      body: AssetsUpdate,
      response: SavedPage,
      handle: async ({ actor, params, body }) => {
        const page = await changes.change(actor, async (c) => {
          const rules = body.map((asset, index) => () => requireAsset(c.tx, asset, String(index)));
          const faults = await collectFaults(rules);
          if (faults.length > 0) throw invalidFields(faults);
          return updateObject(c, kind, params.id, { assets: body });
        });
        return presentSavedObject(kind, page, texts);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/pages/{id}/move',
      access: 'write',
      needs: { action: 'publish', kind: 'page' },
      summary: 'Move a page to another place',
      params: IdParams,
      body: PageMove,
      response: Type.Array(PageListEntry),
      errors: moveErrors,
      handle: async ({ actor, params, body }) => {
        await changes.change(actor, (c) => movePage(c, params.id, body));
        return answerList(kind, { snapshots, answers }, {});
      },
    }),
  ];
}
