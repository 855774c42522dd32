import { defineRoute, type Route } from '../http/route.ts';
import { IdParams } from '../model.ts';
import { ExportQuery, ExportReport } from './model.ts';
import type { StaticExports } from './service.ts';

export function exportRoutes(exports: StaticExports): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/sites/{id}/static',
      access: 'read',
      summary: 'Export a website as static files',
      params: IdParams,
      query: ExportQuery,
      response: ExportReport,
      fileType: 'application/zip',
      errors: ['common.notFound', 'export.incomplete', 'common.busy'],
      handle: ({ params, query }) => exports.export(params.id, query),
    }),
  ];
}
