import Type from 'typebox';
import { defineRoute, type Route } from '../../../api/route.ts';
import { IdParams } from '../../../content/common-fields.ts';
import { PreviewLink, PreviewLinkCreate } from '../../../content/sites/preview-link.ts';
import type { SharedServices } from '../../../feature.ts';
import { decidePreview } from '../previews/decide-preview.ts';
import * as links from './service.ts';

/** Links that show a page without a login. */
export function previewLinkRoutes(deps: Pick<SharedServices, 'changes'> & links.LinkDeps): Route[] {
  const { reader, changes } = deps;
  return [
    defineRoute({
      method: 'GET',
      path: '/pages/{id}/preview-links',
      access: 'write',
      needs: { action: 'edit', kind: 'page' },
      summary: 'List the valid preview links of a page',
      params: IdParams,
      response: Type.Array(PreviewLink),
      async handle({ actor, params, host, scheme }) {
        await decidePreview(reader, actor, params.id);
        return links.listPreviewLinks(deps, params.id, { host, scheme });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/pages/{id}/preview-links',
      access: 'write',
      needs: { action: 'edit', kind: 'page' },
      summary: 'Create a preview link',
      params: IdParams,
      body: PreviewLinkCreate,
      bodyOptional: true,
      response: PreviewLink,
      status: 201,
      handle: ({ actor, params, body, host, scheme }) =>
        changes.changeUnversioned(actor, async (c) => {
          await decidePreview(c.tx, actor, params.id);
          return links.createPreviewLink(c, params.id, body, { host, scheme });
        }),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/preview-links/{id}',
      access: 'write',
      needs: { action: 'edit', kind: 'page' },
      summary: 'Revoke a preview link',
      params: IdParams,
      handle: ({ actor, params }) =>
        changes.changeUnversioned(actor, (c) => links.deletePreviewLink(c, params.id)),
    }),
  ];
}
