import Type from 'typebox';
import type { Changes } from '../../change.ts';
import { type Clock, unixSeconds } from '../../clock.ts';
import type { ContentDb } from '../../db/tables.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { IdParams } from '../../model.ts';
import { PreviewLink, PreviewLinkCreate } from './model.ts';
import * as links from './service.ts';

export interface PreviewLinkRoutesDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly clock: Clock;
}

/** Links that show a page without a login (open points 5). */
export function previewLinkRoutes({ reader, changes, clock }: PreviewLinkRoutesDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/pages/{id}/preview-links',
      access: 'write',
      summary: 'List the valid preview links of a page',
      params: IdParams,
      response: Type.Array(PreviewLink),
      handle: ({ params, host, scheme }) =>
        links.listPreviewLinks(reader, params.id, { host, scheme }, unixSeconds(clock)),
    }),
    defineRoute({
      method: 'POST',
      path: '/pages/{id}/preview-links',
      access: 'write',
      summary: 'Create a preview link',
      params: IdParams,
      body: PreviewLinkCreate,
      bodyOptional: true,
      response: PreviewLink,
      status: 201,
      handle: ({ actor, params, body, host, scheme }) =>
        changes.change(actor, (c) => links.createPreviewLink(c, params.id, body, { host, scheme })),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/preview-links/{id}',
      access: 'write',
      summary: 'Revoke a preview link',
      params: IdParams,
      handle: ({ actor, params }) => changes.change(actor, (c) => links.deletePreviewLink(c, params.id)),
    }),
  ];
}
