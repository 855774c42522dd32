import Type from 'typebox';
import { defineRoute, type Route } from '../../../api/route.ts';
import { IdParams } from '../../../content/common-fields.ts';
import { nameOpener } from '../../auth/openers.ts';
import { decidePreview } from './decide-preview.ts';
import {
  PagePreview,
  SitemapPreview,
  SitemapPreviewQuery,
  TemplateData,
  TemplateDataQuery,
} from './model.ts';
import * as previews from './service.ts';

/** Previews of pages (Core, "Pages"). */
export function previewRoutes(deps: previews.PreviewDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/pages/{id}/preview',
      // Read-only tokens must not use previews.
      access: 'write',
      needs: { action: 'edit', kind: 'page' },
      summary: 'Render a page with unsaved content',
      params: IdParams,
      body: PagePreview,
      bodyOptional: true,
      response: Type.String(),
      produces: 'text/html',
      errors: ['common.busy'],
      async handle({ actor, params, body, host }) {
        await decidePreview(deps.reader, actor, params.id, body);
        return previews.previewPage(deps, params.id, body, host, nameOpener(actor));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/pages/{id}/render',
      access: 'read',
      needs: 'objects',
      summary: 'Render a page as a visitor would get it',
      params: IdParams,
      response: Type.String(),
      produces: 'text/html',
      handle: ({ params, rawQuery, host }) => previews.renderLivePage(deps, params.id, rawQuery, host),
    }),
    defineRoute({
      method: 'GET',
      path: '/pages/{id}/mhtml',
      access: 'read',
      needs: 'objects',
      summary: 'Get a page as a single file',
      params: IdParams,
      response: Type.String(),
      produces: 'multipart/related',
      handle: ({ params, rawQuery, host }) => previews.archivePage(deps, params.id, rawQuery, host),
    }),
    defineRoute({
      method: 'POST',
      path: '/pages/{id}/template-data',
      access: 'read',
      needs: 'objects',
      summary: 'Get the variables of a page',
      params: IdParams,
      body: TemplateDataQuery,
      bodyOptional: true,
      response: TemplateData,
      handle: ({ actor, params, body, host }) =>
        previews.templateData(deps, params.id, body, host, nameOpener(actor)),
    }),
    defineRoute({
      method: 'POST',
      path: '/pages/{id}/sitemap-preview',
      access: 'write',
      needs: { action: 'edit', kind: 'page' },
      summary: 'Try a sitemap source',
      params: IdParams,
      body: SitemapPreviewQuery,
      bodyOptional: true,
      response: SitemapPreview,
      errors: ['page.sitemapSourceFailed'],
      async handle({ actor, params, body }) {
        await decidePreview(deps.reader, actor, params.id);
        return previews.previewSitemap(deps, params.id, body);
      },
    }),
  ];
}
