import { defineRoute, type Route } from '../../api/route.ts';
import { IdParams } from '../../content/common-fields.ts';
import { ExportProgress, ExportQuery, ExportReport } from './model.ts';
import type { StaticExports } from './service.ts';

export function exportRoutes(exports: StaticExports): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/sites/{id}/static',
      access: 'read',
      needs: 'objects',
      summary: 'Export a website as static files',
      params: IdParams,
      query: ExportQuery,
      response: ExportReport,
      fileType: 'application/zip',
      errors: ['common.notFound', 'export.incomplete', 'common.busy'],
      handle: ({ params, query }) => exports.export(params.id, query),
    }),
    defineRoute({
      method: 'GET',
      path: '/sites/{id}/static/progress',
      access: 'read',
      needs: 'objects',
      summary: 'Tell how far the static export of a website is',
      params: IdParams,
      response: ExportProgress,
      errors: ['common.notFound'],
      handle: ({ params }) => exports.progress(params.id),
    }),
  ];
}
